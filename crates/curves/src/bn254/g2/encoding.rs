//! Bytes of G2 points: EIP-197, compressed, and snarkjs' Montgomery form.

use super::G2Affine;
use crate::EncodingError;
use crate::bn254::compressed::{Flag, flag_bits, read_flag};
use crate::bn254::{Fq, Fq2};
use frumious_limbs::words;

impl G2Affine {
    /// `x.c1 ‖ x.c0 ‖ y.c1 ‖ y.c0` (imaginary parts first), 32 bytes each, most significant first; infinity is all
    /// zeros. Source: EIP-197.
    pub fn to_eip197_bytes(&self) -> [u8; 128] {
        let mut bytes = [0; 128];
        let parts = [self.x.c1, self.x.c0, self.y.c1, self.y.c0];
        for (slot, part) in bytes.chunks_exact_mut(32).zip(parts) {
            slot.copy_from_slice(&part.to_be_bytes());
        }
        bytes
    }

    /// The inverse of [`Self::to_eip197_bytes`].
    ///
    /// # Errors
    /// A coordinate not below `p`, a point off the twist or outside G2.
    #[expect(
        clippy::missing_panics_doc,
        reason = "a part of an array has its length"
    )]
    pub fn from_eip197_bytes(bytes: &[u8; 128]) -> Result<Self, EncodingError> {
        let part = |i: usize| {
            let part: &[u8; 32] = bytes[32 * i..32 * i + 32]
                .try_into()
                .expect("32 of 128 bytes");
            Fq::from_be_bytes(part)
                .into_option()
                .ok_or(EncodingError::NonCanonical)
        };
        Self {
            x: Fq2 {
                c1: part(0)?,
                c0: part(1)?,
            },
            y: Fq2 {
                c1: part(2)?,
                c0: part(3)?,
            },
        }
        .checked()
    }

    /// `x.c0 ‖ x.c1 ‖ y.c0 ‖ y.c1` in Montgomery form with `R = 2^256`, least significant byte first; infinity is
    /// all zeros. The form of `.zkey` and `.ptau` files.
    pub fn to_montgomery_bytes(&self) -> [u8; 128] {
        let parts =
            [self.x.c0, self.x.c1, self.y.c0, self.y.c1].map(|part| part.to_montgomery_limbs());
        core::array::from_fn(|i| parts[i / 32][i / 8 % 4].to_le_bytes()[i % 8])
    }

    /// The inverse of [`Self::to_montgomery_bytes`].
    ///
    /// # Errors
    /// A coordinate not below `p`, a point off the twist or outside G2.
    pub fn from_montgomery_bytes(bytes: &[u8; 128]) -> Result<Self, EncodingError> {
        Self::from_montgomery_bytes_on_curve(bytes)?.in_subgroup()
    }

    /// As [`Self::from_montgomery_bytes`] for any point of the twist, be it in G2 or not.
    ///
    /// # Errors
    /// A coordinate not below `p`, a point off the twist.
    pub fn from_montgomery_bytes_on_curve(bytes: &[u8; 128]) -> Result<Self, EncodingError> {
        let part = |i: usize| {
            Fq::from_montgomery_limbs(words::from_le_bytes(&bytes[32 * i..32 * i + 32]))
                .into_option()
                .ok_or(EncodingError::NonCanonical)
        };
        Self {
            x: Fq2 {
                c0: part(0)?,
                c1: part(1)?,
            },
            y: Fq2 {
                c0: part(2)?,
                c1: part(3)?,
            },
        }
        .on_curve()
    }

    /// As [`Self::from_montgomery_bytes`] without any check: for bytes checked before. Others give wrong results
    /// (but no undefined behaviour).
    #[inline(always)]
    pub fn from_montgomery_bytes_unchecked(bytes: &[u8; 128]) -> Self {
        let part = |i: usize| {
            Fq::from_montgomery_limbs_unchecked(words::from_le_bytes(&bytes[32 * i..32 * i + 32]))
        };
        Self {
            x: Fq2 {
                c0: part(0),
                c1: part(1),
            },
            y: Fq2 {
                c0: part(2),
                c1: part(3),
            },
        }
    }

    /// 64 bytes: `x.c1 ‖ x.c0`, most significant byte first, with two flag bits on top: `10` for the smaller y,
    /// `11` for the larger, `01` for infinity. Source: gnark-crypto, `ecc/bn254` marshalling.
    pub fn to_compressed(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.x.c1.to_be_bytes());
        bytes[32..].copy_from_slice(&self.x.c0.to_be_bytes());
        bytes[0] |= flag_bits(self.y.is_lexicographically_largest(), self.is_identity());
        bytes
    }

    /// The inverse of [`Self::to_compressed`]. Cost: one square root in Fq2 and a subgroup check. Time depends on the
    /// bytes.
    ///
    /// # Errors
    /// Unknown flags, a part of x not below `p`, no point with that x, a point outside G2, infinity with other bits
    /// set.
    #[expect(
        clippy::missing_panics_doc,
        reason = "a part of an array has its length"
    )]
    pub fn from_compressed(bytes: &[u8; 64]) -> Result<Self, EncodingError> {
        let mut plain = *bytes;
        let flag = read_flag(&mut plain[0])?;
        let part = |i: usize| {
            let part: &[u8; 32] = plain[32 * i..32 * i + 32]
                .try_into()
                .expect("32 of 64 bytes");
            Fq::from_be_bytes(part)
                .into_option()
                .ok_or(EncodingError::NonCanonical)
        };
        let x = Fq2 {
            c1: part(0)?,
            c0: part(1)?,
        };
        if let Flag::Infinity = flag {
            return if x == Fq2::ZERO {
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
        Self {
            x,
            y: if largest == matches!(flag, Flag::Largest) {
                y
            } else {
                -y
            },
        }
        .checked()
    }

    fn checked(self) -> Result<Self, EncodingError> {
        self.on_curve()?.in_subgroup()
    }

    fn on_curve(self) -> Result<Self, EncodingError> {
        if bool::from(self.is_on_curve()) {
            Ok(self)
        } else {
            Err(EncodingError::NotOnCurve)
        }
    }

    fn in_subgroup(self) -> Result<Self, EncodingError> {
        if bool::from(self.is_in_subgroup()) {
            Ok(self)
        } else {
            Err(EncodingError::NotInSubgroup)
        }
    }
}
