//! Bytes of G1 points: EIP-196, compressed, and snarkjs' Montgomery form.

use super::G1Affine;
use crate::EncodingError;
use crate::bn254::Fq;
use crate::bn254::compressed::{Flag, flag_bits, read_flag};
use frumious_limbs::words;

impl G1Affine {
    /// `x ‖ y`, 32 bytes each, most significant first; infinity is all zeros. Source: EIP-196.
    pub fn to_eip197_bytes(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.x.to_be_bytes());
        bytes[32..].copy_from_slice(&self.y.to_be_bytes());
        bytes
    }

    /// The inverse of [`Self::to_eip197_bytes`].
    ///
    /// # Errors
    /// A coordinate not below `p`, a point off the curve.
    #[expect(
        clippy::missing_panics_doc,
        reason = "a part of an array has its length"
    )]
    pub fn from_eip197_bytes(bytes: &[u8; 64]) -> Result<Self, EncodingError> {
        let coordinate = |at: usize| {
            let part: &[u8; 32] = bytes[at..at + 32].try_into().expect("32 of 64 bytes");
            Fq::from_be_bytes(part)
                .into_option()
                .ok_or(EncodingError::NonCanonical)
        };
        Self {
            x: coordinate(0)?,
            y: coordinate(32)?,
        }
        .checked()
    }

    /// `x ‖ y` in Montgomery form with `R = 2^256`, least significant byte first; infinity is all zeros. The form of
    /// `.zkey` and `.ptau` files.
    pub fn to_montgomery_bytes(&self) -> [u8; 64] {
        let (x, y) = (self.x.to_montgomery_limbs(), self.y.to_montgomery_limbs());
        core::array::from_fn(|i| {
            let word = if i < 32 { x[i / 8] } else { y[i / 8 - 4] };
            word.to_le_bytes()[i % 8]
        })
    }

    /// The inverse of [`Self::to_montgomery_bytes`].
    ///
    /// # Errors
    /// A coordinate not below `p`, a point off the curve.
    pub fn from_montgomery_bytes(bytes: &[u8; 64]) -> Result<Self, EncodingError> {
        let coordinate = |at: usize| {
            Fq::from_montgomery_limbs(words::from_le_bytes(&bytes[at..at + 32]))
                .into_option()
                .ok_or(EncodingError::NonCanonical)
        };
        Self {
            x: coordinate(0)?,
            y: coordinate(32)?,
        }
        .checked()
    }

    /// The same as [`Self::from_montgomery_bytes`], as every point of the curve is in G1.
    ///
    /// # Errors
    /// As [`Self::from_montgomery_bytes`].
    pub fn from_montgomery_bytes_on_curve(bytes: &[u8; 64]) -> Result<Self, EncodingError> {
        Self::from_montgomery_bytes(bytes)
    }

    /// As [`Self::from_montgomery_bytes`] without any check: for bytes checked before. Others give wrong results
    /// (but no undefined behaviour).
    #[inline(always)]
    pub fn from_montgomery_bytes_unchecked(bytes: &[u8; 64]) -> Self {
        Self {
            x: Fq::from_montgomery_limbs_unchecked(words::from_le_bytes(&bytes[..32])),
            y: Fq::from_montgomery_limbs_unchecked(words::from_le_bytes(&bytes[32..])),
        }
    }

    /// 32 bytes: x, most significant byte first, with two flag bits on top: `10` for the smaller y, `11` for the
    /// larger, `01` for infinity. Source: gnark-crypto, `ecc/bn254` marshalling.
    pub fn to_compressed(&self) -> [u8; 32] {
        let mut bytes = self.x.to_be_bytes();
        bytes[0] |= flag_bits(self.y.is_lexicographically_largest(), self.is_identity());
        bytes
    }

    /// The inverse of [`Self::to_compressed`]. Cost: one square root. Time depends on the bytes.
    ///
    /// # Errors
    /// Unknown flags, x not below `p`, no point with that x, infinity with other bits set.
    pub fn from_compressed(bytes: &[u8; 32]) -> Result<Self, EncodingError> {
        let mut plain = *bytes;
        let flag = read_flag(&mut plain[0])?;
        let x = Fq::from_be_bytes(&plain)
            .into_option()
            .ok_or(EncodingError::NonCanonical)?;
        if let Flag::Infinity = flag {
            return if x == Fq::ZERO {
                Ok(Self::IDENTITY)
            } else {
                Err(EncodingError::InvalidFlags)
            };
        }
        let y = (x.square() * x + Self::B)
            .sqrt()
            .into_option()
            .ok_or(EncodingError::NotOnCurve)?;
        let largest = bool::from(y.is_lexicographically_largest());
        Ok(Self {
            x,
            y: if largest == matches!(flag, Flag::Largest) {
                y
            } else {
                -y
            },
        })
    }

    fn checked(self) -> Result<Self, EncodingError> {
        if bool::from(self.is_on_curve()) {
            Ok(self)
        } else {
            Err(EncodingError::NotOnCurve)
        }
    }
}
