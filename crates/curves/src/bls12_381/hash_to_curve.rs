//! From field elements to points of G1 and G2, as RFC 9380 hashes to them (section 8.8).
//!
//! The step before, the expansion of a message to field elements, is left to protocols. Time: constant.

use super::{Fq, Fq2, G1Projective, G2Projective};
use crate::simplified_swu::{self, SwuField};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, Field};

macro_rules! impl_hash_to_curve {
    ($projective:ident, $base:ident) => {
        impl $projective {
            /// `map_to_curve` of RFC 9380: a point of the curve, not yet of the group.
            pub fn map_to_curve(u: &$base) -> Self {
                Self::from_isogenous(simplified_swu::map(u))
            }

            /// A point of the group from one field element: the last steps of `encode_to_curve`, and the precompile of
            /// EIP-2537. Not uniform, even if `u` is.
            pub fn map_to_group(u: &$base) -> Self {
                Self::map_to_curve(u).clear_cofactor()
            }

            /// A point of the group from two field elements: the last steps of `hash_to_curve`. Indifferentiable from a
            /// uniform point if the elements are random.
            pub fn map_pair_to_group([u0, u1]: [&$base; 2]) -> Self {
                let sum = simplified_swu::add(simplified_swu::map(u0), simplified_swu::map(u1));
                Self::from_isogenous(sum).clear_cofactor()
            }

            fn from_isogenous(point: [$base; 3]) -> Self {
                let [x, y, z] = simplified_swu::isogeny(point);
                Self { x, y, z }
            }
        }
    };
}
impl_hash_to_curve!(G1Projective, Fq);
impl_hash_to_curve!(G2Projective, Fq2);

/// The suite of G1: RFC 9380, section 8.8.1; an isogeny of degree 11.
impl SwuField<5> for Fq {
    const A: Self = Fq::from_words_reduced([
        0x5cf4_2808_2d58_4c1d,
        0x9893_6f8d_a0e0_f97f,
        0xd8e8_981a_efd8_81ac,
        0xb0ea_9853_83ee_66a8,
        0x3d69_3a02_c96d_4982,
        0x0014_4698_a3b8_e943,
    ]);
    const B: Self = Fq::from_words_reduced([
        0xd1cc_48e9_8e17_2be0,
        0x5a23_215a_316c_eaa5,
        0xa0b9_c14f_cef3_5ef5,
        0x2016_c1f0_f24f_4070,
        0x018b_12e8_753e_ee3b,
        0x12e2_908d_1168_8030,
    ]);
    const Z: Self = Fq::from_u64(11);
    /// The square root of the denominator of `x` in RFC 9380, appendix E.2; the tests show that it is a kernel.
    const KERNEL: [Self; 5] = [
        Fq::from_words_reduced([
            0x2bbe_f9c8_b5a6_6e07,
            0xfcc0_815f_ea66_d8b0,
            0x5d1c_3afb_023a_3409,
            0x090d_3867_9b4c_040d,
            0xb050_4a9c_4fad_a0a5,
            0x1333_41fb_0962_a34c,
        ]),
        Fq::from_words_reduced([
            0x6552_e59c_e751_77b0,
            0x8d20_1f46_f6cf_c4ed,
            0xf8ed_174f_b59f_cff7,
            0x83eb_6cf6_3c76_b969,
            0xe00d_054c_f5d4_775e,
            0x0264_908a_f037_bced,
        ]),
        Fq::from_words_reduced([
            0xbd30_7c69_bf31_9d39,
            0x1a4b_3b69_6001_29fa,
            0xd606_a5da_e9f3_c8e8,
            0xba0f_626f_305f_c0cf,
            0xacee_a65e_87fd_7203,
            0x1335_c502_c1f5_4c49,
        ]),
        Fq::from_words_reduced([
            0xac23_4d89_6ca8_2944,
            0x42d6_0953_7eb3_549a,
            0x8593_de55_ac23_7030,
            0xf60d_6e96_79a8_d3d5,
            0x930e_16e3_e92d_d17b,
            0x0944_40f6_5f40_8a6e,
        ]),
        Fq::from_words_reduced([
            0x16b1_c268_b476_6e85,
            0xc98b_a725_a5bc_3280,
            0xbb6f_a99c_bc79_8e0a,
            0x7b41_5a77_4b7b_e81b,
            0x23b6_b71f_59d2_b340,
            0x04af_e09d_5cf4_956a,
        ]),
    ];
    const NEGATIVE: bool = false;

    fn sgn0(&self) -> Choice {
        Choice::from(self.to_canonical_limbs()[0] as u8 & 1)
    }

    /// Source: RFC 9380, appendix F.2.1.2, as `p = 3 mod 4`. Cost: one exponentiation.
    fn sqrt_ratio(numerator: &Self, denominator: &Self) -> (Choice, Self) {
        // r = (n·d³)^((p - 3)/4)·n·d has r²·d = ±n
        let product = *numerator * *denominator;
        let root = (product * denominator.square()).inverse_sqrt_candidate() * product;
        let is_square = (root.square() * *denominator).ct_eq(numerator);
        // otherwise (sqrt(-Z)·r)² = -Z·(-n/d)
        let of_multiple = root * SQRT_OF_MINUS_Z;
        (
            is_square,
            Self::conditional_select(&of_multiple, &root, is_square),
        )
    }
}

/// The suite of G2: RFC 9380, section 8.8.2; an isogeny of degree 3.
impl SwuField<1> for Fq2 {
    const A: Self = Fq2::new(Fq::ZERO, Fq::from_u64(240));
    const B: Self = Fq2::new(Fq::from_u64(1012), Fq::from_u64(1012));
    const Z: Self = Fq2::new(Fq::from_u64(2).neg_const(), Fq::ONE.neg_const());
    /// The square root of the denominator of `x` in RFC 9380, appendix E.3: `x + 6 - 6u`.
    const KERNEL: [Self; 1] = [Fq2::new(Fq::from_u64(6), Fq::from_u64(6).neg_const())];
    const NEGATIVE: bool = true;

    fn sgn0(&self) -> Choice {
        self.c0.sgn0() | (self.c0.is_zero() & self.c1.sgn0())
    }

    fn sqrt_ratio(numerator: &Self, denominator: &Self) -> (Choice, Self) {
        Self::sqrt_ratio_or(numerator, denominator, &Self::Z, &SQRT_OF_MINUS_NORM)
    }
}

/// `sqrt(-11)`.
const SQRT_OF_MINUS_Z: Fq = Fq::from_words_reduced([
    0x5d87_4bc1_d706_37c3,
    0x3ed3_9794_735c_3831,
    0x366d_601f_33f3_946e,
    0x9426_0202_9175_a4ca,
    0xdfa9_246c_390d_7a78,
    0x0461_0e00_3bd3_ac94,
]);
/// `sqrt(-5)`, as 5 is the norm of `Z = -(2 + u)`.
pub(super) const SQRT_OF_MINUS_NORM: Fq = Fq::from_words_reduced([
    0x4d39_c9db_7b26_3cd4,
    0x6c12_a6d4_36be_fcf9,
    0xa014_c40b_ceb7_d230,
    0x4614_aa5e_2eeb_deb1,
    0x7a88_b0f9_99ab_2b50,
    0x1864_1730_2d5a_6534,
]);
