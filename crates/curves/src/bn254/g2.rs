//! The group G2: the points of order dividing `r` on the twist `y² = x³ + 3/(9 + u)` over Fq2.
//!
//! The twist has the cofactor `2p - r`; a point that only satisfies the equation need not be in G2.

mod encoding;
mod lanes;
mod parts;
mod subgroup;

use super::g1::{BETA, LATTICE};
use super::{Fq, Fq2, Fr};
use crate::glv;
use crate::weierstrass::{self, impl_weierstrass_group};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, Field};
use zeroize::Zeroize;

/// A point of the twist by its coordinates; infinity is `(0, 0)`. 128 bytes.
///
/// In G2 only if [`G2Affine::is_in_subgroup`]; decoders check that unless named `_unchecked`.
#[derive(Clone, Copy, Debug, Default, Zeroize)]
pub struct G2Affine {
    /// The x coordinate.
    pub x: Fq2,
    /// The y coordinate.
    pub y: Fq2,
}

/// A point of the twist in homogeneous projective coordinates: `x = X/Z`, `y = Y/Z`.
///
/// The formulas are complete on G2; on the whole twist they are too, since its order is odd.
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
    /// The twist's constant `b' = 3/(9 + u) = 3·(9 - u)/82`.
    pub const B: Fq2 = Fq2 {
        c0: Fq::from_words_reduced([
            0x3267_e6dc_24a1_38e5,
            0xb5b4_c5e5_59db_efa3,
            0x81be_1899_1be0_6ac3,
            0x2b14_9d40_ceb8_aaae,
        ]),
        c1: Fq::from_words_reduced([
            0xe4a2_bd06_85c3_15d2,
            0xa74f_a084_e52d_1852,
            0xcd2c_afad_eed8_fdf4,
            0x0097_13b0_3af0_fed4,
        ]),
    };

    /// The generator of EIP-197.
    pub const GENERATOR: Self = Self {
        x: Fq2 {
            c0: Fq::from_words_reduced([
                0x46de_bd5c_d992_f6ed,
                0x6743_22d4_f75e_dadd,
                0x426a_0066_5e5c_4479,
                0x1800_deef_121f_1e76,
            ]),
            c1: Fq::from_words_reduced([
                0x97e4_85b7_aef3_12c2,
                0xf1aa_4933_35a9_e712,
                0x7260_bfb7_31fb_5d25,
                0x198e_9393_920d_483a,
            ]),
        },
        y: Fq2 {
            c0: Fq::from_words_reduced([
                0x4ce6_cc01_66fa_7daa,
                0xe3d1_e769_0c43_d37b,
                0x4aab_7180_8dcb_408f,
                0x12c8_5ea5_db8c_6deb,
            ]),
            c1: Fq::from_words_reduced([
                0x55ac_dadc_d122_975b,
                0xbc4b_3133_70b3_8ef3,
                0xec9e_99ad_690c_3395,
                0x0906_89d0_585f_f075,
            ]),
        },
    };
}

impl G2Projective {
    #[inline(always)]
    fn mul_3b(x: Fq2) -> Fq2 {
        const B3: Fq2 = Fq2 {
            c0: G2Affine::B
                .c0
                .add_const(&G2Affine::B.c0)
                .add_const(&G2Affine::B.c0),
            c1: G2Affine::B
                .c1
                .add_const(&G2Affine::B.c1)
                .add_const(&G2Affine::B.c1),
        };
        x * B3
    }

    // On the twist the map that multiplies by λ is (x, y) → (β²x, y): with β itself it would multiply by λ².
    const BETA: Fq2 = Fq2 {
        c0: BETA.mul_const(&BETA),
        c1: Fq::ZERO,
    };
}

weierstrass::impl_operand!(Fq2);

impl weierstrass::Coordinate for Fq2 {
    #[inline(always)]
    fn halve(&self) -> Self {
        self.halve()
    }
}
impl_weierstrass_group!(G2Affine, G2Projective, Fq2, Fr, lanes);
