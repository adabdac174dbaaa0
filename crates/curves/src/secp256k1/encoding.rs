//! Bytes of points: SEC 1.

use super::{Affine, Fq};
use crate::EncodingError;
use crate::engine::Coordinates;
use frumious_field::{Choice, ConditionallySelectable};

impl Affine {
    /// `02` or `03` (for odd `y`), then `x`, most significant byte first. Source: SEC 1 version 2, section 2.3.3.
    ///
    /// Infinity has no encoding of this length: it gives zeros, which [`Self::from_sec1`] refuses.
    pub fn to_sec1_compressed(&self) -> [u8; 33] {
        let mut bytes = [0; 33];
        bytes[0] = self.tag(2 + self.y.is_odd().unwrap_u8());
        bytes[1..].copy_from_slice(&self.x.to_be_bytes());
        bytes
    }

    /// `04`, then `x` and `y`, most significant byte first. Infinity gives zeros, as with [`Self::to_sec1_compressed`].
    pub fn to_sec1_uncompressed(&self) -> [u8; 65] {
        let mut bytes = [0; 65];
        bytes[0] = self.tag(4);
        bytes[1..33].copy_from_slice(&self.x.to_be_bytes());
        bytes[33..].copy_from_slice(&self.y.to_be_bytes());
        bytes
    }

    /// That first byte, or zero for infinity.
    fn tag(&self, tag: u8) -> u8 {
        u8::conditional_select(&tag, &0, self.is_identity())
    }

    /// A finite point from either encoding. Strict: the hybrid form (`06`, `07`) and the encoding `00` of infinity are
    /// refused.
    /// Cost: a
    /// square root for the compressed form.
    ///
    /// # Errors
    /// Another length, another first byte, a coordinate not below `p`, no point with these coordinates.
    pub fn from_sec1(bytes: &[u8]) -> Result<Self, EncodingError> {
        if let Ok(bytes) = bytes.try_into() {
            Self::from_sec1_compressed(bytes)
        } else if let Ok(bytes) = bytes.try_into() {
            Self::from_sec1_uncompressed(bytes)
        } else {
            Err(EncodingError::InvalidLength)
        }
    }

    /// The inverse of [`Self::to_sec1_compressed`]; errors as [`Self::from_sec1`].
    ///
    /// # Errors
    /// [`EncodingError`] for bytes that are no such encoding.
    #[expect(clippy::missing_panics_doc, reason = "33 bytes have a first one")]
    pub fn from_sec1_compressed(bytes: &[u8; 33]) -> Result<Self, EncodingError> {
        let (&tag, x) = bytes.split_first().expect("33 bytes");
        if tag & !1 != 2 {
            return Err(EncodingError::InvalidFlags);
        }
        Self::from_x(&coordinate(x)?, Choice::from(tag & 1))
            .into_option()
            .ok_or(EncodingError::NotOnCurve)
    }

    /// The inverse of [`Self::to_sec1_uncompressed`]; errors as [`Self::from_sec1`].
    ///
    /// # Errors
    /// [`EncodingError`] for bytes that are no such encoding.
    pub fn from_sec1_uncompressed(bytes: &[u8; 65]) -> Result<Self, EncodingError> {
        if bytes[0] != 4 {
            return Err(EncodingError::InvalidFlags);
        }
        Self::from_coordinates(coordinate(&bytes[1..33])?, coordinate(&bytes[33..])?)
    }

    /// The finite point `(x, y)`.
    ///
    /// # Errors
    /// [`EncodingError`] for coordinates of no point of the curve.
    pub fn from_coordinates(x: Fq, y: Fq) -> Result<Self, EncodingError> {
        let point = Self { x, y };
        // (0, 0) stands for infinity, and is not on the curve as a pair of coordinates
        if bool::from(point.is_on_curve() & !point.is_identity()) {
            Ok(point)
        } else {
            Err(EncodingError::NotOnCurve)
        }
    }
}

impl Coordinates for Affine {
    type Base = Fq;
    const DEGREE: usize = 1;

    fn coefficients(&self) -> Vec<Fq> {
        vec![self.x, self.y]
    }

    fn from_coefficients(coefficients: &[Fq]) -> Result<Self, EncodingError> {
        match *coefficients {
            [x, y] if x == Fq::ZERO && y == x => Ok(Self::IDENTITY),
            [x, y] => Self::from_coordinates(x, y),
            _ => panic!(
                "a point has 2 coefficients, and {} were given",
                coefficients.len()
            ),
        }
    }

    /// The curve has no point outside the group.
    fn from_coefficients_on_curve(coefficients: &[Fq]) -> Result<Self, EncodingError> {
        Self::from_coefficients(coefficients)
    }
}

/// Errors: not below `p`.
fn coordinate(bytes: &[u8]) -> Result<Fq, EncodingError> {
    let bytes = bytes.try_into().expect("32 bytes");
    Fq::from_be_bytes(bytes)
        .into_option()
        .ok_or(EncodingError::NonCanonical)
}
