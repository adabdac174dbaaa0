//! Which rule a document breaks, and where.

use std::fmt;

use frumious_curves::EncodingError;

/// A rule broken at a place of a document.
#[derive(Debug)]
pub struct Error {
    /// From the root: `$.a[3]`.
    pub path: String,
    /// The rule.
    pub problem: Problem,
}

/// The rule.
#[derive(Debug)]
pub enum Problem {
    /// The text is not JSON.
    Syntax(String),
    /// Another kind of value, or none.
    Expected(&'static str),
    /// Bytes of another length, or half a byte.
    Length {
        /// Hexadecimal digits that there are.
        digits: usize,
        /// Bytes that there should be.
        bytes: usize,
    },
    /// A character that is no hexadecimal digit; its place in the string.
    Digit {
        /// Characters before it.
        position: usize,
    },
    /// A number that is not below the modulus.
    NotCanonical,
    /// Bytes that encode no element.
    Point(EncodingError),
    /// More elements or entries than allowed.
    TooMany {
        /// The most that may be.
        most: usize,
    },
    /// A key that the format does not know.
    UnknownKey,
    /// A key that has occurred before.
    Repeated,
    /// Whatever the library says.
    Other(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}: {}", self.path, self.problem)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => write!(f, "not JSON: {error}"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::Length { digits, bytes } => write!(
                f,
                "{digits} hexadecimal digits, {} expected ({bytes} bytes)",
                2 * bytes
            ),
            Self::Digit { position } => {
                write!(f, "character {position} is no hexadecimal digit")
            }
            Self::NotCanonical => f.write_str("the number is not below the modulus"),
            Self::Point(error) => error.fmt(f),
            Self::TooMany { most } => write!(f, "at most {most} are allowed"),
            Self::UnknownKey => f.write_str("no such key is known here"),
            Self::Repeated => f.write_str("occurs a second time"),
            Self::Other(message) => f.write_str(message),
        }
    }
}
