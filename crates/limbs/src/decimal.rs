//! Decimal text of numbers, for public values only.

/// The decimal digits of `words`, without leading zeros.
pub fn to_decimal_vartime<const N: usize>(words: &[u64; N]) -> String {
    const CHUNK: u64 = 10_u64.pow(19);
    let mut rest = *words;
    let mut chunks = Vec::new();
    while rest != [0; N] {
        let mut remainder = 0u64;
        for word in rest.iter_mut().rev() {
            let wide = (remainder as u128) << 64 | *word as u128;
            *word = (wide / CHUNK as u128) as u64;
            remainder = (wide % CHUNK as u128) as u64;
        }
        chunks.push(remainder);
    }
    let mut text = chunks.pop().unwrap_or(0).to_string();
    for chunk in chunks.iter().rev() {
        text.push_str(&format!("{chunk:019}"));
    }
    text
}

/// The number with the decimal digits `text`; none if it is empty, has another character, leading zeros, or
/// does not fit into `N` words.
pub fn from_decimal_vartime<const N: usize>(text: &str) -> Option<[u64; N]> {
    if text.is_empty() || (text.len() > 1 && text.starts_with('0')) {
        return None;
    }
    let mut words = [0u64; N];
    for character in text.bytes() {
        if !character.is_ascii_digit() {
            return None;
        }
        let mut carry = (character - b'0') as u64;
        for word in &mut words {
            (*word, carry) = crate::primitives::mac(*word, 10, carry, 0);
        }
        if carry != 0 {
            return None;
        }
    }
    Some(words)
}
