//! Text of field elements: decimal digits, as circom and snarkjs have them, and hexadecimal ones after `0x`.

use core::fmt;
use frumious_limbs::{decimal, words};

/// The reason that a text is no element of a prime field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseElementError {
    /// There is no digit.
    Empty,
    /// A character is no digit: neither a decimal one, nor a hexadecimal one after `0x`.
    NotADigit {
        /// Its place in the text, in bytes from 0.
        position: usize,
    },
    /// The number is not below the field's modulus.
    NotBelowModulus,
}

impl fmt::Display for ParseElementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a field element needs at least one digit"),
            Self::NotADigit { position } => {
                write!(f, "byte {position} of the field element is no digit")
            }
            Self::NotBelowModulus => f.write_str("the number is not below the field's modulus"),
        }
    }
}

impl core::error::Error for ParseElementError {}

/// The words of a number below `modulus`, in decimal digits or in hexadecimal ones after `0x`. Leading zeros are
/// allowed.
///
/// # Errors
/// As [`ParseElementError`] says.
pub fn parse_vartime<const N: usize>(
    text: &str,
    modulus: &[u64; N],
) -> Result<[u64; N], ParseElementError> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    if digits.is_empty() {
        return Err(ParseElementError::Empty);
    }
    let is_digit = |byte: u8| (byte as char).is_digit(radix);
    if let Some(position) = digits.bytes().position(|byte| !is_digit(byte)) {
        let position = position + (text.len() - digits.len());
        return Err(ParseElementError::NotADigit { position });
    }
    let significant = match digits.trim_start_matches('0') {
        "" => "0",
        significant => significant,
    };
    let number = match radix {
        16 => hexadecimal_vartime(significant),
        _ => decimal::from_decimal_vartime(significant),
    };
    number
        .filter(|number| words::less_than_vartime(number, modulus))
        .ok_or(ParseElementError::NotBelowModulus)
}

/// The number of hexadecimal digits; none if it does not fit into `N` words.
fn hexadecimal_vartime<const N: usize>(digits: &str) -> Option<[u64; N]> {
    let mut words = [0; N];
    for (place, digit) in digits.chars().rev().enumerate() {
        let word = words.get_mut(place / 16)?;
        *word |= u64::from(digit.to_digit(16)?) << (4 * (place % 16));
    }
    Some(words)
}

/// Gives a prime field `Display`, `FromStr` and `Hash`.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_notation {
    ($field:ident) => {
        impl core::fmt::Display for $field {
            /// Decimal digits, as [`Self::to_decimal_vartime`]: time depends on the value.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad_integral(true, "", &self.to_decimal_vartime())
            }
        }

        impl core::str::FromStr for $field {
            type Err = $crate::ParseElementError;

            /// From decimal digits, or hexadecimal ones after `0x`. Time depends on the text.
            ///
            /// # Errors
            /// For a text without digits, with another character, or of a number that is not below the modulus.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let words = $crate::notation::parse_vartime(text, &Self::MODULUS)?;
                Ok(Self::from_canonical_limbs(words).unwrap_or(Self::ZERO)) // it is below
            }
        }

        impl core::hash::Hash for $field {
            /// Time: the hasher's. Where a map puts a key, and how long it looks for it, depends on the value.
            #[inline]
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }
    };
}
