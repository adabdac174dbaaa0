//! The group of secp256k1: all points of `y² = x³ + 7` over Fq, of prime order `n` (cofactor 1).

use super::{Fq, Fr};
use crate::glv::{self, Lattice};
use crate::weierstrass::{self, impl_glv_point, impl_scalar_operator, impl_weierstrass_law};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption, Field};
use zeroize::Zeroize;

/// A point by its coordinates; infinity is `(0, 0)`. 64 bytes.
#[derive(Clone, Copy, Debug, Default, Zeroize)]
pub struct Affine {
    /// The x coordinate.
    pub x: Fq,
    /// The y coordinate.
    pub y: Fq,
}

/// A point in homogeneous projective coordinates: `x = X/Z`, `y = Y/Z`.
#[derive(Clone, Copy, Debug, Zeroize)]
pub struct Projective {
    /// X.
    pub x: Fq,
    /// Y.
    pub y: Fq,
    /// Z, zero for the point at infinity.
    pub z: Fq,
}

impl Affine {
    /// The curve's constant `b = 7`.
    pub const B: Fq = Fq::from_u64(7);
    /// The generator of SEC 2, section 2.4.1.
    pub const GENERATOR: Self = Self {
        x: Fq::from_words_reduced([
            0x59f2_815b_16f8_1798,
            0x029b_fcdb_2dce_28d9,
            0x55a0_6295_ce87_0b07,
            0x79be_667e_f9dc_bbac,
        ]),
        y: Fq::from_words_reduced([
            0x9c47_d08f_fb10_d4b8,
            0xfd17_b448_a685_5419,
            0x5da4_fbfc_0e11_08a8,
            0x483a_da77_26a3_c465,
        ]),
    };

    /// The point with that `x` whose `y` is odd or even as asked; none if there is none. Time: constant. Cost: one
    /// square root.
    pub fn from_x(x: &Fq, odd: Choice) -> CtOption<Self> {
        (x.square() * *x + Self::B).sqrt().map(|y| Self {
            x: *x,
            y: Fq::conditional_select(&y, &-y, y.is_odd() ^ odd),
        })
    }
}

impl Projective {
    /// `21·x`.
    #[inline(always)]
    fn mul_3b(x: Fq) -> Fq {
        x.mul_small(21)
    }

    /// The cube root of unity in Fq that belongs to
    /// `λ = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72`.
    pub(super) const BETA: Fq = Fq::from_words_reduced([
        0xc139_6c28_7195_01ee,
        0x9cf0_4975_12f5_8995,
        0x6e64_479e_ac34_34e9,
        0x7ae9_6a2b_657c_0710,
    ]);

    /// `scalar·self` in constant time, through the endomorphism.
    pub fn mul(&self, scalar: &Fr) -> Self {
        glv::multiply(self, &scalar.to_canonical_limbs())
    }

    /// True if the point's affine `x` is that number; never for infinity. For public points: it spares an inversion.
    pub fn has_x_vartime(&self, x: &Fq) -> bool {
        self.z != Fq::ZERO && *x * self.z == self.x
    }
}

weierstrass::impl_operand!(Fq);

impl weierstrass::Coordinate for Fq {
    #[inline(always)]
    fn halve(&self) -> Self {
        self.halve()
    }

    const JACOBIAN_PAYS_FROM: u32 = 4;
}
impl_weierstrass_law!(Affine, Projective, Fq);
impl_scalar_operator!(Projective, Fr);
impl_glv_point!(Projective, Fq);

/// Gauss-reduced short vectors; derived anew in the tests.
pub(super) const LATTICE: Lattice = Lattice {
    v1: (
        [0x57c1_108d_9d44_cfd8, 0x14ca_50f7_a8e2_f3f6, 1, 0],
        [0xe86c_90e4_9284_eb15, 0x3086_d221_a7d4_6bcd, 0, 0],
    ),
    v2: (
        [0xe86c_90e4_9284_eb15, 0x3086_d221_a7d4_6bcd, 0, 0],
        [
            0x90ab_8056_f540_1b3d,
            0x1bbc_8129_fef1_77d7,
            u64::MAX,
            u64::MAX,
        ],
    ),
    reciprocals: [
        [
            0x2212_08ac_9df5_06c6,
            0x6f54_7fa9_0abf_e4c4,
            0xe443_7ed6_010e_8828,
            0,
        ],
        [
            0x3daa_8a14_71e8_ca7f,
            0xe86c_90e4_9284_eb15,
            0x3086_d221_a7d4_6bcd,
            0,
        ],
    ],
};
