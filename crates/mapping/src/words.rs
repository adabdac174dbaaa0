//! Bytes seen as words.

/// The whole little-endian words of 64 bits in `bytes`, in place. None on CPUs of another byte order, and none if the
/// first byte is not aligned to 8: those of files and of [`Memory`](crate::Memory) are.
#[inline]
pub fn words(bytes: &[u8]) -> Option<&[u64]> {
    if cfg!(target_endian = "big") {
        return None;
    }
    // SAFETY: any eight bytes are a `u64`.
    #[allow(unsafe_code)]
    let (before, words, _) = unsafe { bytes.align_to::<u64>() };
    before.is_empty().then_some(words)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
    use super::*;
    use crate::Memory;

    #[test]
    #[cfg(target_endian = "little")]
    fn aligned_bytes_are_words() {
        let mut memory = Memory::zeroed(30).unwrap();
        for (i, byte) in memory[..30].iter_mut().enumerate() {
            *byte = i as u8;
        }
        let expected = [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908];
        assert_eq!(words(&memory[..16]), Some(&expected[..]));
        assert_eq!(words(&memory[..23]).map(<[u64]>::len), Some(2));
        assert_eq!(words(&memory[8..16]), Some(&expected[1..]));
        assert_eq!(words(&memory[1..25]), None);
    }
}
