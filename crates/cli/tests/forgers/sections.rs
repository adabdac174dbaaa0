//! Sections of the files that circom and snarkjs write, for those who forge them.

/// The payload of the first section `id`.
///
/// # Panics
/// For a file without it.
pub fn section_mut(file: &mut [u8], id: u32) -> &mut [u8] {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    let length = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("eight bytes"));
    let mut at = 12; // after the magic, the version and the number of sections
    while word(at) != id {
        at += 12 + length(at + 4) as usize;
    }
    let payload = at + 12..at + 12 + length(at + 4) as usize;
    &mut file[payload]
}
