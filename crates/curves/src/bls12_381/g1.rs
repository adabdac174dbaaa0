//! The group G1: the points of order dividing `r` on `y² = x³ + 4` over Fq.
//!
//! The curve has the cofactor `(x - 1)²/3`; a point that only satisfies the equation need not be in G1. All orders are
//! odd, so the group law's formulas are complete on the whole curve.

mod subgroup;

use super::{Fq, Fr};
use crate::glv::{self, Lattice};
use crate::weierstrass::{self, impl_weierstrass_group};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, Field};
use frumious_limbs::Wide;
use zeroize::Zeroize;

/// A point of the curve by its coordinates; infinity is `(0, 0)`. 96 bytes.
///
/// In G1 only if [`G1Affine::is_in_subgroup`]; decoders check that.
#[derive(Clone, Copy, Debug, Default, Zeroize)]
pub struct G1Affine {
    /// The x coordinate.
    pub x: Fq,
    /// The y coordinate.
    pub y: Fq,
}

/// A point of the curve in homogeneous projective coordinates: `x = X/Z`, `y = Y/Z`.
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
    /// The curve's constant `b = 4`.
    pub const B: Fq = Fq::from_u64(4);
    /// The generator of draft-irtf-cfrg-pairing-friendly-curves-11, section 4.2.1 (the one of zcash).
    pub const GENERATOR: Self = Self {
        x: Fq::from_words_reduced([
            0xfb3a_f00a_db22_c6bb,
            0x6c55_e83f_f97a_1aef,
            0xa14e_3a3f_171b_ac58,
            0xc368_8c4f_9774_b905,
            0x2695_638c_4fa9_ac0f,
            0x17f1_d3a7_3197_d794,
        ]),
        y: Fq::from_words_reduced([
            0x0caa_2329_46c5_e7e1,
            0xd03c_c744_a288_8ae4,
            0x00db_18cb_2c04_b3ed,
            0xfcf5_e095_d5d0_0af6,
            0xa09e_30ed_741d_8ae4,
            0x08b3_f481_e3aa_a0f1,
        ]),
    };
}

impl G1Projective {
    /// `12·x`.
    #[inline(always)]
    fn mul_3b(x: Fq) -> Fq {
        let quadruple = x.double().double();
        quadruple.double() + quadruple
    }

    /// The cube root of unity in Fq that belongs to `λ = x² - 1 = 0xac45a4010001a40200000000ffffffff`.
    const BETA: Fq = Fq::from_words_reduced([
        0x8bfd_0000_0000_aaac,
        0x4094_27eb_4f49_fffd,
        0x897d_2965_0fb8_5f9b,
        0xaa0d_857d_8975_9ad4,
        0xec02_4086_63d4_de85,
        0x1a01_11ea_397f_e699,
    ]);
}

weierstrass::impl_operand!(
    Fq,
    fn sum_of_two_products(a: [&Self; 2], b: [&Self; 2]) -> Self {
        Self::sum_of_products(a, b)
    },
    fn difference_of_two_products(a: [&Self; 2], b: [&Self; 2]) -> Self {
        Self::sum_of_products(a, [b[0], &-*b[1]])
    }
);

impl weierstrass::Coordinate for Fq {
    #[inline(always)]
    fn product_minus_square(a: &Self, b: &Self, c: &Self) -> Self {
        let (mut difference, mut square) = (Wide::ZERO, Wide::ZERO);
        a.wide_product(b, &mut difference);
        c.wide_square(&mut square);
        difference.sub_assign(&square);
        difference.add_assign(const { &Fq::multiple_of_square(1) });
        Self::reduce_wide::<false>(&difference)
    }

    #[inline(always)]
    fn halve(&self) -> Self {
        self.halve()
    }

    const JACOBIAN_PAYS_FROM: u32 = 4;
}

impl_weierstrass_group!(G1Affine, G1Projective, Fq, Fr);
crate::endomorphism::impl_endomorphism!(G1Affine, G1Projective, Fr);

/// `(1, λ + 1)` and `(λ, -1)`, with `λ + 1 = x²`; derived anew in the tests.
const LATTICE: Lattice = Lattice {
    v1: (
        [1, 0, 0, 0],
        [0x0000_0001_0000_0000, 0xac45_a401_0001_a402, 0, 0],
    ),
    v2: (
        [0x0000_0000_ffff_ffff, 0xac45_a401_0001_a402, 0, 0],
        [u64::MAX; 4],
    ),
    reciprocals: [
        [0x3550_94ed_fede_377c, 2, 0, 0],
        [
            0x389f_49a7_268b_f7a3,
            0x63f6_e522_f6cf_ee30,
            0x7c6b_ecf1_e01f_aadd,
            1,
        ],
    ],
};
