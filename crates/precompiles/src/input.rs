//! Inputs of a fixed length, as the virtual machine reads them.

/// The first `N` bytes, with zeros for those that are missing: what is too long is cut.
pub fn padded<const N: usize>(input: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    let length = input.len().min(N);
    bytes[..length].copy_from_slice(&input[..length]);
    bytes
}

/// `N` bytes from an offset of a longer array.
pub fn part<const N: usize>(bytes: &[u8], at: usize) -> &[u8; N] {
    bytes[at..]
        .first_chunk()
        .expect("offsets are within arrays of known length")
}
