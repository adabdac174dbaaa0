//! The group G2: the points of order dividing `r` on the twist `y² = x³ + 4·(1 + u)` over Fq2.
//!
//! The twist's order is odd, so the group law's formulas are complete on all of it. A point that only satisfies the
//! equation need not be in G2; scalar multiplication and decoders take points of G2 only.

mod multiply;
mod subgroup;

use super::{Fq, Fq2};
use crate::weierstrass::{self, impl_scalar_operator, impl_weierstrass_law};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, Field};
use zeroize::Zeroize;

/// A point of the twist by its coordinates; infinity is `(0, 0)`. 192 bytes.
///
/// In G2 only if [`G2Affine::is_in_subgroup`]; decoders check that.
#[derive(Clone, Copy, Debug, Default, Zeroize)]
pub struct G2Affine {
    /// The x coordinate.
    pub x: Fq2,
    /// The y coordinate.
    pub y: Fq2,
}

/// A point of the twist in homogeneous projective coordinates: `x = X/Z`, `y = Y/Z`.
#[derive(Clone, Copy, Debug, Zeroize)]
pub struct G2Projective {
    /// X.
    pub x: Fq2,
    /// Y.
    pub y: Fq2,
    /// Z, zero for the point at infinity.
    pub z: Fq2,
}

impl G2Affine {
    /// The twist's constant `b' = 4·(1 + u)`.
    pub const B: Fq2 = Fq2 {
        c0: Fq::from_u64(4),
        c1: Fq::from_u64(4),
    };

    /// The generator of draft-irtf-cfrg-pairing-friendly-curves-11, section 4.2.1 (the one of zcash).
    pub const GENERATOR: Self = Self {
        x: Fq2 {
            c0: Fq::from_words_reduced([
                0xd480_56c8_c121_bdb8,
                0x0bac_0326_a805_bbef,
                0xb451_0b64_7ae3_d177,
                0xc6e4_7ad4_fa40_3b02,
                0x2608_0527_2dc5_1051,
                0x024a_a2b2_f08f_0a91,
            ]),
            c1: Fq::from_words_reduced([
                0xe5ac_7d05_5d04_2b7e,
                0x334c_f112_1394_5d57,
                0xb5da_61bb_dc7f_5049,
                0x596b_d0d0_9920_b61a,
                0x7dac_d3a0_8827_4f65,
                0x13e0_2b60_5271_9f60,
            ]),
        },
        y: Fq2 {
            c0: Fq::from_words_reduced([
                0xe193_5486_08b8_2801,
                0x923a_c9cc_3bac_a289,
                0x6d42_9a69_5160_d12c,
                0xadfd_9baa_8cbd_d3a7,
                0x8cc9_cdc6_da2e_351a,
                0x0ce5_d527_727d_6e11,
            ]),
            c1: Fq::from_words_reduced([
                0xaaa9_075f_f05f_79be,
                0x3f37_0d27_5cec_1da1,
                0x2674_92ab_572e_99ab,
                0xcb3e_287e_85a7_63af,
                0x32ac_d2b0_2bc2_8b99,
                0x0606_c4a0_2ea7_34cc,
            ]),
        },
    };
}

impl G2Projective {
    /// `12·(1 + u)·x`.
    #[inline(always)]
    pub(super) fn mul_3b(x: Fq2) -> Fq2 {
        let quadruple = x.mul_by_nonresidue().double().double();
        quadruple.double() + quadruple
    }
}

weierstrass::impl_operand!(
    Fq2,
    fn sum_of_two_products(a: [&Self; 2], b: [&Self; 2]) -> Self {
        Self::sum_of_two_products(a, b)
    },
    fn difference_of_two_products(a: [&Self; 2], b: [&Self; 2]) -> Self {
        Self::difference_of_two_products(a, b)
    }
);

impl weierstrass::Coordinate for Fq2 {
    #[inline(always)]
    fn product_minus_square(a: &Self, b: &Self, c: &Self) -> Self {
        Self::product_minus_square(a, b, c)
    }

    #[inline(always)]
    fn halve(&self) -> Self {
        self.halve()
    }

    const JACOBIAN_PAYS_FROM: u32 = 4;
}

impl_weierstrass_law!(G2Affine, G2Projective, Fq2);
impl_scalar_operator!(G2Projective, super::Fr);
