//! Public keys.

use crate::Error;
use crate::error::exactly;
use crate::signature::{SIGNATURE_TAG, Signature};
use crate::verify::equation_holds;
use frumious_curves::bls12_381::G1Affine;

/// A public key: a point of G1 other than infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(pub(crate) G1Affine);

impl PublicKey {
    /// Bytes of the compressed encoding.
    pub const BYTES: usize = 48;
    /// Bytes of the uncompressed encoding.
    pub const UNCOMPRESSED_BYTES: usize = 96;

    /// From 48 bytes as [`Self::to_bytes`] writes them. Cost: a square root and a subgroup check (`KeyValidate`).
    ///
    /// # Errors
    /// [`Error::Length`] for another number of bytes. [`Error::Point`] for bytes that are no encoding of a point of G1.
    /// [`Error::InfinitePublicKey`] for infinity.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::new(G1Affine::from_compressed(exactly(bytes)?)?)
    }

    /// From 96 bytes as [`Self::to_uncompressed`] writes them. Cost: a subgroup check.
    ///
    /// # Errors
    /// As [`Self::from_bytes`].
    pub fn from_uncompressed(bytes: &[u8]) -> Result<Self, Error> {
        Self::new(G1Affine::from_uncompressed(exactly(bytes)?)?)
    }

    fn new(point: G1Affine) -> Result<Self, Error> {
        if point.is_identity_vartime() {
            return Err(Error::InfinitePublicKey);
        }
        Ok(Self(point))
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
    pub const fn as_point(&self) -> &G1Affine {
        &self.0
    }

    /// `Verify`: whether `signature` is this key's of `message`. Cost: a hash to G2 and two pairings.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> bool {
        equation_holds(&[self.0], &[message], SIGNATURE_TAG, &signature.0)
    }
}
