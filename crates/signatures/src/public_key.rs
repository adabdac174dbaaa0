//! Public keys of ECDSA, by SEC 1.

use crate::Error;
use frumious_curves::secp256k1::Affine;

/// A public key: a finite point of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(pub(crate) Affine);

impl PublicKey {
    /// Bytes of the compressed encoding.
    pub const BYTES: usize = 33;
    /// Bytes of the uncompressed encoding.
    pub const UNCOMPRESSED_BYTES: usize = 65;

    /// From either encoding of SEC 1: `02` or `03` and `x`, or `04`, `x` and `y`. The hybrid form is refused, and so is
    /// infinity.
    ///
    /// # Errors
    /// [`Error::PublicKey`], with the reason.
    pub fn from_sec1(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self(Affine::from_sec1(bytes)?))
    }

    /// `02` or `03`, then `x`, most significant byte first.
    pub fn to_compressed(&self) -> [u8; Self::BYTES] {
        self.0.to_sec1_compressed()
    }

    /// `04`, then `x` and `y`, most significant byte first.
    pub fn to_uncompressed(&self) -> [u8; Self::UNCOMPRESSED_BYTES] {
        self.0.to_sec1_uncompressed()
    }

    /// The point, never infinity.
    pub fn point(&self) -> &Affine {
        &self.0
    }
}

impl TryFrom<Affine> for PublicKey {
    type Error = Error;

    /// Errors: infinity, or coordinates off the curve.
    fn try_from(point: Affine) -> Result<Self, Error> {
        Ok(Self(Affine::from_coordinates(point.x, point.y)?))
    }
}
