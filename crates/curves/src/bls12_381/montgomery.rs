//! Bytes of points in Montgomery form, as `.zkey` and `.ptau` files hold them.

use super::{Fq, Fq2, G1Affine, G2Affine};
use crate::EncodingError;
use frumious_limbs::words;

impl G1Affine {
    /// `x ‖ y` in Montgomery form with `R = 2^384`, least significant byte first; infinity is all zeros. The form of
    /// `.zkey` and `.ptau` files.
    pub fn to_montgomery_bytes(&self) -> [u8; 96] {
        montgomery_bytes(&[self.x, self.y])
    }

    /// The inverse of [`Self::to_montgomery_bytes`]. Cost: a subgroup check.
    ///
    /// # Errors
    /// A coordinate not below `p`, a point off the curve or outside G1.
    pub fn from_montgomery_bytes(bytes: &[u8; 96]) -> Result<Self, EncodingError> {
        Self::from_montgomery_bytes_on_curve(bytes)?.in_subgroup()
    }

    /// As [`Self::from_montgomery_bytes`] for any point of the curve, be it in G1 or not.
    ///
    /// # Errors
    /// A coordinate not below `p`, a point off the curve.
    pub fn from_montgomery_bytes_on_curve(bytes: &[u8; 96]) -> Result<Self, EncodingError> {
        let point = Self {
            x: read(bytes, 0)?,
            y: read(bytes, 1)?,
        };
        if bool::from(point.is_on_curve()) {
            Ok(point)
        } else {
            Err(EncodingError::NotOnCurve)
        }
    }

    /// As [`Self::from_montgomery_bytes`] without any check: for bytes checked before. Others give wrong results
    /// (but no undefined behaviour).
    #[inline(always)]
    pub fn from_montgomery_bytes_unchecked(bytes: &[u8; 96]) -> Self {
        Self {
            x: read_unchecked(bytes, 0),
            y: read_unchecked(bytes, 1),
        }
    }
}

impl G2Affine {
    /// `x.c0 ‖ x.c1 ‖ y.c0 ‖ y.c1` in Montgomery form with `R = 2^384`, least significant byte first; infinity is
    /// all zeros. The form of `.zkey` and `.ptau` files.
    pub fn to_montgomery_bytes(&self) -> [u8; 192] {
        montgomery_bytes(&[self.x.c0, self.x.c1, self.y.c0, self.y.c1])
    }

    /// The inverse of [`Self::to_montgomery_bytes`]. Cost: a subgroup check.
    ///
    /// # Errors
    /// A coordinate not below `p`, a point off the twist or outside G2.
    pub fn from_montgomery_bytes(bytes: &[u8; 192]) -> Result<Self, EncodingError> {
        Self::from_montgomery_bytes_on_curve(bytes)?.in_subgroup()
    }

    /// As [`Self::from_montgomery_bytes`] for any point of the twist, be it in G2 or not.
    ///
    /// # Errors
    /// A coordinate not below `p`, a point off the twist.
    pub fn from_montgomery_bytes_on_curve(bytes: &[u8; 192]) -> Result<Self, EncodingError> {
        let point = Self {
            x: Fq2::new(read(bytes, 0)?, read(bytes, 1)?),
            y: Fq2::new(read(bytes, 2)?, read(bytes, 3)?),
        };
        if bool::from(point.is_on_curve()) {
            Ok(point)
        } else {
            Err(EncodingError::NotOnCurve)
        }
    }

    /// As [`Self::from_montgomery_bytes`] without any check: for bytes checked before. Others give wrong results
    /// (but no undefined behaviour).
    #[inline(always)]
    pub fn from_montgomery_bytes_unchecked(bytes: &[u8; 192]) -> Self {
        Self {
            x: Fq2::new(read_unchecked(bytes, 0), read_unchecked(bytes, 1)),
            y: Fq2::new(read_unchecked(bytes, 2), read_unchecked(bytes, 3)),
        }
    }
}

/// The forms of `coefficients`, one after the other.
fn montgomery_bytes<const BYTES: usize>(coefficients: &[Fq]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (slot, coefficient) in bytes.chunks_exact_mut(FQ_BYTES).zip(coefficients) {
        for (slot, word) in slot
            .chunks_exact_mut(8)
            .zip(coefficient.to_montgomery_limbs())
        {
            slot.copy_from_slice(&word.to_le_bytes());
        }
    }
    bytes
}

/// Coefficient `index`, canonical.
fn read(bytes: &[u8], index: usize) -> Result<Fq, EncodingError> {
    let words = words::from_le_bytes(&bytes[index * FQ_BYTES..][..FQ_BYTES]);
    Fq::from_montgomery_limbs(words)
        .into_option()
        .ok_or(EncodingError::NonCanonical)
}

#[inline(always)]
fn read_unchecked(bytes: &[u8], index: usize) -> Fq {
    let words = words::from_le_bytes(&bytes[index * FQ_BYTES..][..FQ_BYTES]);
    Fq::from_montgomery_limbs_unchecked(words)
}

const FQ_BYTES: usize = 48;
