//! 32-byte little-endian integers as four 64-bit words, least significant first.

/// The words of 32 little-endian bytes.
pub fn from_le_bytes(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    std::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

/// The 32 little-endian bytes of four words.
pub fn to_le_bytes(words: &[u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// Whether `a < b`. Time: constant, by the borrow of `a - b`.
pub fn is_below(a: &[u64; 4], b: &[u64; 4]) -> bool {
    let borrow = a.iter().zip(b).fold(0, |borrow, (&a, &b)| {
        // a - b - borrow as an i128 is at least -2^64: its sign is the next borrow.
        let difference = i128::from(a) - i128::from(b) - borrow;
        i128::from(difference < 0)
    });
    borrow != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bn254::Fr;

    #[test]
    fn comparison_weighs_the_top_word_most() {
        assert!(is_below(&[9, 9, 9, 0], &[0, 0, 0, 1]));
        assert!(is_below(&[0, 0, 0, 0], &[1, 0, 0, 0]));
        assert!(!is_below(&[1, 2, 3, 4], &[1, 2, 3, 4]));
        assert!(!is_below(&[0, 0, 0, u64::MAX], &Fr::MODULUS));
    }

    #[test]
    fn bytes_and_words_are_inverse() {
        let bytes = std::array::from_fn(|i| i as u8);
        assert_eq!(from_le_bytes(&bytes)[1], 0x0f0e_0d0c_0b0a_0908);
        assert_eq!(to_le_bytes(&from_le_bytes(&bytes)), bytes);
    }
}
