//! Strings, numbers, and what they stand for.

use std::borrow::Cow;
use std::fmt::Write;

use frumious_curves::bandersnatch::{AffineElement, Element, Fr};

use super::{Error, Kind, Node, Problem};

impl<'t> Node<'t, '_> {
    /// This string.
    pub fn text(&self) -> Result<Cow<'t, str>, Error> {
        if self.kind() != Kind::Text {
            return Err(self.error(Problem::Expected("a string")));
        }
        let inner = &self.text[1..self.text.len() - 1];
        if !inner.contains('\\') {
            return Ok(Cow::Borrowed(inner));
        }
        serde_json::from_str::<String>(self.text)
            .map(Cow::Owned)
            .map_err(|error| self.error(Problem::Syntax(error.to_string())))
    }

    /// This number, a whole one from 0 to 255.
    pub fn byte(&self) -> Result<u8, Error> {
        serde_json::from_str(self.text)
            .map_err(|_| self.error(Problem::Expected("a whole number from 0 to 255")))
    }

    /// This string of `2·N` hexadecimal digits, with or without `0x` before them.
    pub fn bytes<const N: usize>(&self) -> Result<[u8; N], Error> {
        hexadecimal(&self.text()?).map_err(|problem| self.error(problem))
    }

    /// This element in its canonical encoding.
    pub fn element(&self) -> Result<Element, Error> {
        let point = AffineElement::from_bytes_vartime(&self.bytes()?);
        let point = point.map_err(|error| self.error(Problem::Point(error)))?;
        Ok(point.into())
    }

    /// This scalar: `"0x…"`, 32 bytes, least significant first, or a whole number, as a string of decimal digits or,
    /// below 2^64, as it is.
    pub fn scalar(&self) -> Result<Fr, Error> {
        const EXPECTED: &str = "a scalar: 0x and 64 hexadecimal digits, or a whole number";
        const LARGE_EXPECTED: &str = "quotes around a whole number of 2^64 or more";
        let value = match self.kind() {
            Kind::Number => match serde_json::from_str::<u64>(self.text) {
                Ok(value) => return Ok(Fr::from_u64(value)),
                Err(_) if self.text.bytes().all(|byte| byte.is_ascii_digit()) => {
                    return Err(self.error(Problem::Expected(LARGE_EXPECTED)));
                }
                Err(_) => return Err(self.error(Problem::Expected(EXPECTED))),
            },
            Kind::Text => self.text()?,
            _ => return Err(self.error(Problem::Expected(EXPECTED))),
        };
        let scalar = if value.starts_with("0x") {
            Fr::from_bytes(&self.bytes()?).into_option()
        } else if is_decimal(&value) {
            Fr::from_decimal_vartime(&value)
        } else {
            return Err(self.error(Problem::Expected(EXPECTED)));
        };
        scalar.ok_or_else(|| self.error(Problem::NotCanonical))
    }
}

/// `N` bytes of `2·N` hexadecimal digits, with or without `0x` before them.
///
/// # Errors
/// [`Problem::Digit`] for a character that is no digit, else [`Problem::Length`] for another number of digits.
pub fn hexadecimal<const N: usize>(text: &str) -> Result<[u8; N], Problem> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let skipped = text.len() - digits.len();
    let value = |position: usize, byte: u8| match char::from(byte).to_digit(16) {
        Some(value) => Ok(value as u8),
        None => Err(Problem::Digit {
            position: skipped + position,
        }),
    };
    // A character that is no digit explains more than the length does.
    for (position, byte) in digits.bytes().enumerate() {
        value(position, byte)?;
    }
    if digits.len() != 2 * N {
        return Err(Problem::Length {
            digits: digits.len(),
            bytes: N,
        });
    }
    let mut bytes = [0; N];
    for (i, (byte, pair)) in bytes
        .iter_mut()
        .zip(digits.as_bytes().chunks_exact(2))
        .enumerate()
    {
        *byte = value(2 * i, pair[0])? << 4 | value(2 * i + 1, pair[1])?;
    }
    Ok(bytes)
}

/// `0x` and the bytes in hexadecimal.
pub fn to_hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("0x");
    for byte in bytes {
        write!(text, "{byte:02x}").expect("strings take everything");
    }
    text
}

/// Decimal digits without leading zeros. The length is bounded, as conversion takes quadratic time.
fn is_decimal(text: &str) -> bool {
    let has_leading_zero = text.len() > 1 && text.starts_with('0');
    (1..=LONGEST_DECIMAL).contains(&text.len())
        && !has_leading_zero
        && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits of 2^256; the modulus has 77.
const LONGEST_DECIMAL: usize = 78;
