//! Hexadecimal text of the vectors.

#![allow(dead_code)] // each test takes its own

/// The bytes of a text.
pub fn bytes(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "whole bytes");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal"))
        .collect()
}

/// As [`bytes`], for a known number of them.
pub fn array<const N: usize>(text: &str) -> [u8; N] {
    bytes(text).try_into().expect("the number of bytes")
}
