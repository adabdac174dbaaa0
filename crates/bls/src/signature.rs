//! Signatures.

use crate::Error;
use crate::error::exactly;
use frumious_curves::bls12_381::{G2Affine, G2Projective};

/// Separates messages that are signed from all else that is hashed to G2.
pub(crate) const SIGNATURE_TAG: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/// A signature or an aggregate of signatures: a point of G2.
///
/// Infinity is a point of G2 and decoded as one. No message has it as its signature, but an aggregate can come out so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature(pub(crate) G2Affine);

impl Signature {
    /// Bytes of the compressed encoding.
    pub const BYTES: usize = 96;
    /// Bytes of the uncompressed encoding.
    pub const UNCOMPRESSED_BYTES: usize = 192;

    /// From 96 bytes as [`Self::to_bytes`] writes them. Cost: a square root in Fq2 and a subgroup check.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of bytes. [`Error::Point`] for bytes that are no encoding of a point of G2.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self(G2Affine::from_compressed(exactly(bytes)?)?))
    }

    /// From 192 bytes as [`Self::to_uncompressed`] writes them. Cost: a subgroup check.
    ///
    /// # Errors
    /// As [`Self::from_bytes`].
    pub fn from_uncompressed(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self(G2Affine::from_uncompressed(exactly(bytes)?)?))
    }

    /// The point compressed, as zcash and the IETF drafts do it.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        self.0.to_compressed()
    }

    /// The point with both coordinates.
    pub fn to_uncompressed(&self) -> [u8; Self::UNCOMPRESSED_BYTES] {
        self.0.to_uncompressed()
    }

    /// The point.
    pub const fn as_point(&self) -> &G2Affine {
        &self.0
    }

    /// `Aggregate`: one signature that stands for all of them, their sum.
    ///
    /// # Errors
    /// [`Error::NoSignatures`] if there are none.
    pub fn aggregate(signatures: &[Self]) -> Result<Self, Error> {
        let (first, rest) = signatures.split_first().ok_or(Error::NoSignatures)?;
        let first = G2Projective::from(first.0);
        let sum = rest
            .iter()
            .fold(first, |sum, signature| sum.add_affine_vartime(&signature.0));
        Ok(Self(sum.to_affine()))
    }
}
