//! Group law of short Weierstrass curves `y² = x³ + b` in Jacobian coordinates, `x = X/Z²`, `y = Y/Z³`.
//!
//! Doublings and additions cost less than in the homogeneous coordinates of the parent module, but additions have
//! exceptions. Functions with the suffix `_vartime` branch on them, for public points and scalars only. Elsewhere an
//! exception gives `Z = 0`, which all later steps preserve. A curve is isomorphic to `y² = x³ + b·c⁶` by
//! `(x, y) → (x·c², y·c³)`, and the formulas do not contain `b`. So the multiples of a point are brought to one
//! `Z = c`, not to one, and what is affine is affine on that curve: no inversion. Source: this "effective affine"
//! method is libsecp256k1's (Wuille, 2014, its pull request 171).

use super::Coordinate;
use frumious_field::Choice;

/// A point by Jacobian coordinates; infinity has `Z = 0`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jacobian<F> {
    pub x: F,
    pub y: F,
    pub z: F,
}

/// Odd multiples `1, 3, …, 2N - 1` of a point, affine on the curve isomorphic by `scale`.
pub(crate) struct OddMultiples<F, const N: usize> {
    pub points: [[F; 2]; N],
    pub scale: F,
}

impl<F: Coordinate> Jacobian<F> {
    pub const IDENTITY: Self = Self {
        x: F::ONE,
        y: F::ONE,
        z: F::ZERO,
    };

    /// `2·self`. Cost: 3 products and 4 squares; the group must have no point of order two.
    ///
    /// Source: `λ = L/(Y·Z)` with `L = 3X²/2`; the division by two saves sums (libsecp256k1, `group_impl.h`).
    #[inline]
    pub fn double(&self) -> Self {
        let yy = self.y.square();
        let xx = self.x.square();
        let l = (xx.double() + xx).halve();
        let t = self.x * yy;
        let x = l.square() - t.double();
        Self {
            x,
            y: F::product_minus_square(&l, &(t - x), &yy),
            z: self.y * self.z,
        }
    }

    /// `self + (x₂, y₂)` of a finite point of the same curve. Cost: 8 products and 3 squares.
    #[inline]
    pub fn add_affine_vartime(&self, point: [F; 2]) -> Self {
        if self.z.is_zero_vartime() {
            let [x, y] = point;
            return Self { x, y, z: F::ONE };
        }
        self.add_finite_vartime(point, self.z).0
    }

    /// `self + (x₂, y₂)` where `self` is on the curve isomorphic by `scale` and the finite point on the original. Cost:
    /// 9 products and 3 squares.
    #[inline]
    pub fn add_unscaled_vartime(&self, point: [F; 2], scale: F) -> Self {
        if self.z.is_zero_vartime() {
            let [x, y] = scaled(point, scale);
            return Self { x, y, z: F::ONE };
        }
        self.add_finite_vartime(point, self.z * scale).0
    }

    /// From homogeneous coordinates `x = X/Z`, `y = Y/Z`. Cost: 2 products and 1 square.
    pub(crate) fn from_homogeneous([x, y, z]: [F; 3]) -> Self {
        Self {
            x: x * z,
            y: y * z.square(),
            z,
        }
    }

    /// To homogeneous coordinates. Cost: 2 products and 1 square.
    pub(crate) fn to_homogeneous(self) -> [F; 3] {
        let y = F::conditional_select(&self.y, &F::ONE, self.z.is_zero()); // infinity is (0 : 1 : 0) there
        [self.x * self.z, y, self.z.square() * self.z]
    }

    /// True if it is the finite affine point; not if `Z = 0`. Cost: 3 products and 1 square.
    pub(crate) fn is_affine(&self, [x, y]: [F; 2]) -> Choice {
        let zz = self.z.square();
        (x * zz).ct_eq(&self.x) & (y * (zz * self.z)).ct_eq(&self.y) & !self.z.is_zero()
    }

    /// `scalar·self`, where no multiple on the way is `self`, `-self` or infinity; `Z = 0` if one is. Time depends on
    /// the scalar, a constant of few bits. Cost: 3 products and 4 squares for each bit, 12 products and 4 squares more
    /// for each that is set.
    pub(crate) fn multiply_by_sparse_incomplete(&self, scalar: u64) -> Self {
        let mut multiple = *self;
        for bit in (0..scalar.ilog2()).rev() {
            multiple = multiple.double();
            if scalar >> bit & 1 == 1 {
                multiple = multiple.add_incomplete(self);
            }
        }
        multiple
    }

    /// `self + other`, with `Z = 0` if these are equal or opposite or one is infinity. Source: as
    /// [`Self::add_finite_vartime`].
    fn add_incomplete(&self, other: &Self) -> Self {
        let (zz1, zz2) = (self.z.square(), other.z.square());
        let x1 = self.x * zz2;
        let y1 = self.y * (zz2 * other.z);
        let h = other.x * zz1 - x1;
        let r = other.y * (zz1 * self.z) - y1;
        let hh = h.square();
        let hhh = hh * h;
        let v = x1 * hh;
        let x = r.square() - hhh - v.double();
        Self {
            x,
            y: F::difference_of_two_products([&r, &y1], [&(v - x), &hhh]),
            z: self.z * other.z * h,
        }
    }

    /// `self + (x₂, y₂)` of finite points, whose `Z`s have the ratio `z`; and the factor from the old `Z` to the new
    /// one.
    ///
    /// Source: Cohen, Miyaji, Ono, "Efficient elliptic curve exponentiation using mixed coordinates", ASIACRYPT 1998,
    /// section 2.
    #[inline(always)]
    fn add_finite_vartime(&self, [x2, y2]: [F; 2], z: F) -> (Self, F) {
        let zz = z.square();
        let h = x2 * zz - self.x;
        let r = y2 * zz * z - self.y;
        if h.is_zero_vartime() {
            return if r.is_zero_vartime() {
                (self.double(), self.y)
            } else {
                (Self::IDENTITY, F::ZERO)
            };
        }
        let hh = h.square();
        let hhh = hh * h;
        let v = self.x * hh;
        let x = r.square() - hhh - v.double();
        let sum = Self {
            x,
            y: r * (v - x) - self.y * hhh,
            z: self.z * h,
        };
        (sum, h)
    }
}

impl<F: Coordinate, const N: usize> OddMultiples<F, N> {
    /// The odd multiples of a finite point of odd order above `2N + 1`. `scale` is one for an affine point; else
    /// `point` is on the curve isomorphic by it already.
    ///
    /// Cost: one doubling, `N - 1` additions, 4 products and 1 square for each of the `N` multiples.
    pub fn new_vartime(point: [F; 2], scale: F) -> Self {
        let [x, y] = point;
        let twice = Jacobian { x, y, z: F::ONE }.double();
        // on the curve isomorphic by the Z of 2P that point is affine
        let step = [twice.x, twice.y];
        let [x, y] = scaled(point, twice.z);
        let mut multiple = Jacobian { x, y, z: F::ONE };
        let mut points = [[x, y]; N];
        let mut ratios = [F::ONE; N];
        for i in 1..N {
            // never an exception: 2i - 1 is not ±2 modulo the order
            (multiple, ratios[i]) = multiple.add_finite_vartime(step, multiple.z);
            points[i] = [multiple.x, multiple.y];
        }
        let mut ratio = F::ONE; // of the last Z to this one
        for i in (0..N - 1).rev() {
            ratio *= ratios[i + 1];
            points[i] = scaled(points[i], ratio);
        }
        Self {
            points,
            scale: multiple.z * twice.z * scale,
        }
    }
}

/// The image of a point on the curve isomorphic by `c`.
#[inline(always)]
fn scaled<F: Coordinate>([x, y]: [F; 2], c: F) -> [F; 2] {
    let cc = c.square();
    [x * cc, y * (cc * c)]
}
