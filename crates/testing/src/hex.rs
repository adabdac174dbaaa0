//! Hexadecimal text of test vectors.

/// The bytes of an even number of digits, with or without `0x`.
///
/// # Panics
/// For any other text.
pub fn bytes(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches("0x");
    assert!(digits.len().is_multiple_of(2), "whole bytes");
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// As [`bytes`], for a known number of them.
///
/// # Panics
/// For another number of bytes too.
pub fn array<const N: usize>(text: &str) -> [u8; N] {
    bytes(text).try_into().expect("the number of bytes")
}
