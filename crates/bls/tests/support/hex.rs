//! Bytes from digits.

/// The bytes of an even number of hexadecimal digits, with or without `0x`.
pub fn hex(digits: &str) -> Vec<u8> {
    let digits = digits.trim_start_matches("0x");
    assert_eq!(digits.len() % 2, 0);
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}
