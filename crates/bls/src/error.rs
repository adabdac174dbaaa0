//! Errors of inputs. A signature that does not verify is no error.

use frumious_curves::{EncodingError, RandomError};

/// The reason for which an input was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Bytes of another number than the encoding has.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// Bytes given.
        found: usize,
        /// Bytes of the encoding.
        expected: usize,
    },
    /// Bytes that encode no point of the group.
    #[error("no point of the group: {0}")]
    Point(#[from] EncodingError),
    /// The point at infinity is no public key.
    #[error("the public key is the point at infinity")]
    InfinitePublicKey,
    /// A secret key is an integer above zero and below the order of the groups.
    #[error("the secret key is zero or not below the order of the groups")]
    SecretKeyRange,
    /// Keys are made from at least 32 bytes of key material.
    #[error("{found} bytes of key material, at least 32 are needed")]
    ShortKeyMaterial {
        /// Bytes given.
        found: usize,
    },
    /// An aggregate is of at least one signature.
    #[error("no signatures to aggregate")]
    NoSignatures,
    /// The operating system gave no randomness.
    #[error(transparent)]
    Randomness(#[from] RandomError),
}

/// The bytes as an array, if they are as many.
pub(crate) fn exactly<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], Error> {
    bytes.try_into().map_err(|_| Error::Length {
        found: bytes.len(),
        expected: N,
    })
}
