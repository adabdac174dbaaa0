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
    /// Bytes that encode no public key.
    #[error("no public key: {0}")]
    PublicKey(#[from] EncodingError),
    /// A secret key is an integer above zero and below the order of the group.
    #[error("the secret key is zero or not below the order of the group")]
    SecretKeyRange,
    /// A number of a signature is zero where it must not be, or too large.
    #[error("a number of the signature is out of range")]
    SignatureRange,
    /// Bytes that are not the DER encoding of two positive integers.
    #[error("the signature is not encoded in DER")]
    SignatureDer,
    /// A recovery identifier is 0, 1, 2 or 3.
    #[error("the recovery identifier is not below 4")]
    RecoveryId,
    /// No public key has that signature with that recovery identifier.
    #[error("no public key is recovered from the signature")]
    NotRecoverable,
    /// The nonce of a signature came out as zero, which BIP-340 lets fail. Of probability 2^-256.
    #[error("the nonce is zero")]
    ZeroNonce,
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
