//! Reading of the shared vectors.

use serde_json::Value as Json;

/// The vector file of this name, `None` if the shared folder is missing.
pub fn read(name: &str) -> Option<Json> {
    let path = frumious_testing::shared(format!("vectors/verkle/{name}"))?;
    let text = std::fs::read(path).expect("vector file is readable");
    Some(serde_json::from_slice(&text).expect("vector file is JSON"))
}

/// The bytes of a hexadecimal string.
pub fn bytes(json: &Json) -> Vec<u8> {
    decode(json.as_str().expect("a string"))
}

pub fn decode(text: &str) -> Vec<u8> {
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    assert_eq!(digits.len() % 2, 0, "{text}");
    let value = |digit: u8| char::from(digit).to_digit(16).expect("a digit") as u8;
    digits
        .chunks(2)
        .map(|pair| value(pair[0]) << 4 | value(pair[1]))
        .collect()
}

pub fn array<const N: usize>(json: &Json) -> [u8; N] {
    bytes(json).try_into().expect("the right length")
}

pub fn list(json: &Json) -> &[Json] {
    json.as_array().expect("an array")
}

/// The pairs of keys and values in a list of pairs.
pub fn entries(json: &Json) -> Vec<([u8; 32], [u8; 32])> {
    let pairs = list(json).iter();
    pairs
        .map(|pair| (array(&pair[0]), array(&pair[1])))
        .collect()
}
