//! Points outside of circuits.
//!
//! Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards curves revisited", eprint 2008/522, sections 3.1 and 3.3, in
//! extended coordinates `(X : Y : Z : T)` with `x = X/Z`, `y = Y/Z`, `T = XY/Z`. They are complete on this curve, so
//! nothing branches.

use frumious_curves::bn254::Fr;
use frumious_field::{Choice, ConditionallySelectable};
use zeroize::{Zeroize, Zeroizing};

use super::scalar::Scalar;

/// `a` of the curve.
pub const A: Fr = Fr::from_u64(168_700);
/// `d` of the curve.
pub const D: Fr = Fr::from_u64(168_696);

/// Bits of the order `l` of the large subgroup.
pub const ORDER_BITS: usize = 251;

/// An affine point. Nothing says that its coordinates satisfy the curve's equation: [`Point::is_on_curve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// x.
    pub x: Fr,
    /// y.
    pub y: Fr,
}

impl Point {
    /// The neutral element, `(0, 1)`.
    pub const IDENTITY: Self = Self {
        x: Fr::ZERO,
        y: Fr::ONE,
    };

    /// A point of order `8·l` that generates the curve (EIP-2494).
    pub const GENERATOR: Self = Self {
        x: Fr::from_words_reduced([
            0x40f4_1a59_f4d4_b45e,
            0xb494_b125_5b11_62bb,
            0x38bc_ba38_f256_45ad,
            0x0233_43e3_445b_673d,
        ]),
        y: Fr::from_words_reduced([
            0x50f8_7d64_fc00_0001,
            0x4a0c_fa12_1e6e_5c24,
            0x6e14_116d_a060_5617,
            0x0c19_139c_b84c_680a,
        ]),
    };

    /// The base point, of order `l`: eight times the generator (EIP-2494).
    pub const BASE8: Self = Self {
        x: Fr::from_words_reduced([
            0x2893_f3f6_bb95_7051,
            0x2ab8_d801_0534_e0b6,
            0x4eac_b2e0_9d62_77c1,
            0x0bb7_7a6a_d63e_739b,
        ]),
        y: Fr::from_words_reduced([
            0x4b3c_257a_872d_7d8b,
            0xfce0_051f_b9e1_3377,
            0x2557_2e1c_d16b_f9ed,
            0x2579_7203_f7a0_b249,
        ]),
    };

    /// True if the coordinates satisfy the equation of the curve.
    pub fn is_on_curve(&self) -> bool {
        let (xx, yy) = (self.x.square(), self.y.square());
        A * xx + yy == Fr::ONE + D * xx * yy
    }

    /// True if it is a point of the subgroup of order `l`, the neutral element among them. Time depends on the
    /// coordinates.
    pub fn is_in_subgroup_vartime(&self) -> bool {
        let times_order = Extended::from(*self).mul_words_vartime(&Scalar::MODULUS);
        self.is_on_curve() && times_order.to_affine() == Self::IDENTITY
    }

    /// `self + other`.
    pub fn add(&self, other: &Self) -> Self {
        Extended::from(*self)
            .add(&Extended::from(*other))
            .to_affine()
    }

    /// `-self`.
    pub fn neg(&self) -> Self {
        Self {
            x: -self.x,
            y: self.y,
        }
    }

    /// `8·self`.
    pub fn mul_by_cofactor(&self) -> Self {
        let point = Extended::from(*self);
        point.double().double().double().to_affine()
    }

    /// `scalar·self`, for any point of the curve and the integer `scalar < l`. Constant time: 251 doublings and
    /// additions.
    pub fn mul(&self, scalar: &Scalar) -> Self {
        let point = Extended::from(*self);
        let limbs = Zeroizing::new(scalar.to_canonical_limbs());
        let mut sum = Extended::IDENTITY;
        for i in (0..ORDER_BITS).rev() {
            sum = sum.double();
            let bit = Choice::from((limbs[i / 64] >> (i % 64) & 1) as u8);
            sum = Extended::select(&sum, &sum.add(&point), bit);
        }
        sum.to_affine()
    }

    /// The product with an integer of 256 bits, the least significant word first. Time depends on it.
    pub fn mul_words_vartime(&self, words: &[u64; 4]) -> Self {
        Extended::from(*self).mul_words_vartime(words).to_affine()
    }
}

/// A point in extended coordinates.
#[derive(Clone, Copy, Zeroize)]
pub(crate) struct Extended {
    x: Fr,
    y: Fr,
    z: Fr,
    t: Fr,
}

impl From<Point> for Extended {
    fn from(point: Point) -> Self {
        Self {
            x: point.x,
            y: point.y,
            z: Fr::ONE,
            t: point.x * point.y,
        }
    }
}

impl Extended {
    pub(crate) const IDENTITY: Self = Self {
        x: Fr::ZERO,
        y: Fr::ONE,
        z: Fr::ONE,
        t: Fr::ZERO,
    };

    pub(crate) fn add(&self, other: &Self) -> Self {
        let a = self.x * other.x;
        let b = self.y * other.y;
        let c = self.t * other.t * D;
        let d = self.z * other.z;
        let e = (self.x + self.y) * (other.x + other.y) - a - b;
        Self::product(e, d - c, d + c, b - a * A)
    }

    pub(crate) fn double(&self) -> Self {
        let a = self.x.square();
        let b = self.y.square();
        let c = self.z.square().double();
        let e = (self.x + self.y).square() - a - b;
        let a = a * A;
        let g = a + b;
        Self::product(e, g - c, g, a - b)
    }

    pub(crate) fn neg(&self) -> Self {
        Self {
            x: -self.x,
            t: -self.t,
            ..*self
        }
    }

    /// `X = EF`, `Y = GH`, `Z = FG`, `T = EH`.
    fn product(e: Fr, f: Fr, g: Fr, h: Fr) -> Self {
        Self {
            x: e * f,
            y: g * h,
            z: f * g,
            t: e * h,
        }
    }

    fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        let select = |a, b| Fr::conditional_select(a, b, choice);
        Self {
            x: select(&a.x, &b.x),
            y: select(&a.y, &b.y),
            z: select(&a.z, &b.z),
            t: select(&a.t, &b.t),
        }
    }

    pub(crate) fn mul_words_vartime(&self, words: &[u64; 4]) -> Self {
        let mut sum = Self::IDENTITY;
        for i in (0..256).rev() {
            sum = sum.double();
            if words[i / 64] >> (i % 64) & 1 == 1 {
                sum = sum.add(self);
            }
        }
        sum
    }

    /// `Z` of a point of the curve is never zero.
    pub(crate) fn to_affine(self) -> Point {
        let inverse = self.z.invert().unwrap_or(Fr::ZERO);
        Point {
            x: self.x * inverse,
            y: self.y * inverse,
        }
    }

    /// The points on the Montgomery curve, with one inversion; `(0, 0)` where there is none: the neutral element and
    /// the point of order 2.
    pub(crate) fn to_montgomery_vartime(points: &[Self]) -> Zeroizing<Vec<(Fr, Fr)>> {
        let differences = points.iter().map(|p| (p.z - p.y) * p.x);
        let mut inverses: Zeroizing<Vec<Fr>> = Zeroizing::new(differences.collect());
        let mut scratch = Zeroizing::new(Vec::with_capacity(points.len()));
        frumious_field::batch_invert_vartime(&mut inverses, &mut scratch);
        let map = |(p, inverse): (&Self, &Fr)| {
            let sum = (p.z + p.y) * *inverse;
            (sum * p.x, sum * p.z)
        };
        Zeroizing::new(points.iter().zip(inverses.iter()).map(map).collect())
    }
}
