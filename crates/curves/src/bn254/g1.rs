//! The group G1: all points of `y² = x³ + 3` over Fq, of prime order `r` (cofactor 1).

mod encoding;
mod lanes;

use super::{Fq, Fr};
use crate::Membership;
use crate::glv::{self, Lattice};
use crate::weierstrass::{self, impl_weierstrass_group};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, Field};
use zeroize::Zeroize;

/// A point of G1 by its coordinates; infinity is `(0, 0)`. 64 bytes.
#[derive(Clone, Copy, Debug, Default, Zeroize)]
pub struct G1Affine {
    /// The x coordinate.
    pub x: Fq,
    /// The y coordinate.
    pub y: Fq,
}

/// A point of G1 in homogeneous projective coordinates: `x = X/Z`, `y = Y/Z`.
#[derive(Clone, Copy, Debug, Zeroize)]
pub struct G1Projective {
    /// X.
    pub x: Fq,
    /// Y.
    pub y: Fq,
    /// Z, zero for the point at infinity.
    pub z: Fq,
}

impl G1Affine {
    /// The curve's constant `b = 3`.
    pub const B: Fq = Fq::from_u64(3);
    /// `(1, 2)` (EIP-196).
    pub const GENERATOR: Self = Self {
        x: Fq::ONE,
        y: Fq::from_u64(2),
    };
}

/// Every point of the curve is in G1.
impl Membership for G1Affine {
    const FACTOR: u128 = 0;
    const DIGIT_BITS: u32 = u32::MAX; // the cofactor is 1

    fn relation(&self, _: &Self) -> [Self; 6] {
        [Self::IDENTITY; 6]
    }
}

impl G1Projective {
    /// `9·x`.
    #[inline(always)]
    fn mul_3b(x: Fq) -> Fq {
        x.double().double().double() + x
    }

    const BETA: Fq = BETA;
}

weierstrass::impl_operand!(Fq);

impl weierstrass::Coordinate for Fq {
    #[inline(always)]
    fn halve(&self) -> Self {
        self.halve()
    }
}
impl_weierstrass_group!(G1Affine, G1Projective, Fq, Fr, lanes);
crate::endomorphism::impl_endomorphism!(G1Affine, G1Projective, Fr);

/// The cube root of unity in Fq that belongs to `λ = 0xb3c4d79d41a917585bfc41088d8daaa78b17ea66b99c90dd`.
pub(super) const BETA: Fq = Fq::from_words_reduced([
    0x5763_4731_77ff_fffe,
    0xd4f2_63f1_acdb_5c4f,
    0x59e2_6bce_a0d4_8bac,
    0,
]);

/// `(6x² + 4x + 1, 2x + 1)` and `(2x + 1, -(6x² + 2x))` for the curve's `x`; derived anew in the tests.
pub(super) const LATTICE: Lattice = Lattice {
    v1: (
        [0x0be4_e154_1221_250b, 0x6f4d_8248_eeb8_59fd, 0, 0],
        [0x89d3_2568_94d2_13e3, 0, 0, 0],
    ),
    v2: (
        [0x89d3_2568_94d2_13e3, 0, 0, 0],
        [
            0x7dee_4414_82b0_eed8,
            0x90b2_7db7_1147_a603,
            u64::MAX,
            u64::MAX,
        ],
    ),
    reciprocals: [
        [
            0xa5e3_8cfb_5eaa_26d9,
            0x7a7b_d9d4_391e_b18d,
            0x4cce_f014_a773_d2cf,
            2,
        ],
        [0x6eb9_c714_773a_6ef2, 0xd91d_232e_c7e0_b3d7, 2, 0],
    ],
};
