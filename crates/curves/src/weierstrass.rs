//! Group law of short Weierstrass curves `y² = x³ + b` in homogeneous projective coordinates `(X : Y : Z)`,
//! `x = X/Z`, `y = Y/Z`, with the point at infinity `(0 : 1 : 0)`.
//!
//! The formulas are complete on groups of odd order: no exceptional case, so constant time needs no selection. Source:
//! Renes, Costello, Batina, "Complete addition formulas for prime order elliptic curves", eprint 2015/1060. For
//! `a = 0`, section 3.2, algorithms 7 (addition), 8 (mixed addition) and 9 (doubling). Jacobian doubling saves
//! products, but Jacobian addition costs more and has exceptions: module `jacobian` has them.
//!
//! `mul_3b` multiplies by the curve's constant `3b`.

mod group;
pub(crate) mod jacobian;
#[cfg(test)]
mod toy;
mod traits;

pub(crate) use group::{
    impl_glv_multiplication, impl_glv_point, impl_weierstrass_group, impl_weierstrass_law,
};
pub(crate) use traits::{impl_point_traits, impl_scalar_operator};

use core::ops::{Add, Mul, Sub};
use frumious_field::kernel::Multiplier;
use frumious_field::{Field, KernelField, Lazy, WordField};
use jacobian::Jacobian;

/// A value that the complete formulas compute with: a coordinate, or the form that a kernel gives it.
pub trait Operand: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// `self²`.
    fn squared(self) -> Self;

    /// `2·self`.
    #[inline(always)]
    fn doubled(self) -> Self {
        self + self
    }

    /// `a[0]·b[0] + a[1]·b[1]`: where a sum of products is cheaper than two products, a type says how.
    #[inline(always)]
    fn sum_of_two_products(a: [&Self; 2], b: [&Self; 2]) -> Self {
        *a[0] * *b[0] + *a[1] * *b[1]
    }

    /// `a[0]·b[0] - a[1]·b[1]`.
    #[inline(always)]
    fn difference_of_two_products(a: [&Self; 2], b: [&Self; 2]) -> Self {
        *a[0] * *b[0] - *a[1] * *b[1]
    }
}

impl<F: WordField, T: Multiplier> Operand for Lazy<F, T> {
    #[inline(always)]
    fn squared(self) -> Self {
        self.square()
    }
}

/// A field of coordinates.
pub trait Coordinate: Field + Operand {
    /// `a·b - c²`.
    #[inline(always)]
    fn product_minus_square(a: &Self, b: &Self, c: &Self) -> Self {
        *a * *b - c.square()
    }

    /// `self/2`.
    fn halve(&self) -> Self;

    /// So many doublings in a row pay for going to Jacobian coordinates and back.
    const JACOBIAN_PAYS_FROM: u32 = u32::MAX;
}

/// Gives a field [`Operand`], with sums of products of its own if it has some.
macro_rules! impl_operand {
    ($field:ty $(, $sums:item)*) => {
        impl crate::weierstrass::Operand for $field {
            #[inline(always)]
            fn squared(self) -> Self {
                self.square()
            }

            #[inline(always)]
            fn doubled(self) -> Self {
                self.double()
            }

            $(#[inline(always)] $sums)*
        }
    };
}
pub(crate) use impl_operand;

/// `P + Q` for any two points. Cost: 12 products and 2 by `3b`.
#[inline]
pub fn add<F: Operand>(
    [x1, y1, z1]: [F; 3],
    [x2, y2, z2]: [F; 3],
    mul_3b: impl Fn(F) -> F,
) -> [F; 3] {
    let xx = x1 * x2;
    let yy = y1 * y2;
    let zz = z1 * z2;
    let xy = (x1 + y1) * (x2 + y2) - (xx + yy); // X1·Y2 + X2·Y1
    let yz = (y1 + z1) * (y2 + z2) - (yy + zz); // Y1·Z2 + Y2·Z1
    let xz = (x1 + z1) * (x2 + z2) - (xx + zz); // X1·Z2 + X2·Z1
    finish(xx, yy, mul_3b(zz), xy, yz, mul_3b(xz))
}

/// `P + (x2, y2)` for any point `P` and a finite affine one. Cost: 11 products and 2 by `3b`.
#[inline]
pub fn add_affine<F: Operand>(
    [x1, y1, z1]: [F; 3],
    [x2, y2]: [F; 2],
    mul_3b: impl Fn(F) -> F,
) -> [F; 3] {
    let xx = x1 * x2;
    let yy = y1 * y2;
    let xy = (x1 + y1) * (x2 + y2) - (xx + yy);
    let yz = y2 * z1 + y1;
    let xz = x2 * z1 + x1;
    finish(xx, yy, mul_3b(z1), xy, yz, mul_3b(xz))
}

/// The last six products that both additions share; `b3zz` and `b3xz` are already multiplied by `3b`.
#[inline(always)]
fn finish<F: Operand>(xx: F, yy: F, b3zz: F, xy: F, yz: F, b3xz: F) -> [F; 3] {
    let xx3 = xx.doubled() + xx;
    let sum = yy + b3zz;
    let difference = yy - b3zz;
    [
        F::difference_of_two_products([&xy, &yz], [&difference, &b3xz]),
        F::sum_of_two_products([&b3xz, &difference], [&xx3, &sum]),
        F::sum_of_two_products([&sum, &xx3], [&yz, &xy]),
    ]
}

/// `2·P` for any point. Cost: 6 products, 2 squares and 1 by `3b`.
#[inline]
pub fn double<F: Operand>([x, y, z]: [F; 3], mul_3b: impl Fn(F) -> F) -> [F; 3] {
    let yy = y.squared();
    let yy8 = yy.doubled().doubled().doubled();
    let b3zz = mul_3b(z.squared());
    let difference = yy - (b3zz.doubled() + b3zz);
    [
        (difference * (x * y)).doubled(),
        F::sum_of_two_products([&b3zz, &difference], [&yy8, &(yy + b3zz)]),
        y * z * yy8,
    ]
}

/// `2^count·P` for any point. Cost: as so many of [`double`], or one product less each and 6 products more.
#[inline]
pub(crate) fn double_repeated<F: Coordinate>(
    point: [F; 3],
    count: u32,
    mul_3b: impl Fn(F) -> F,
) -> [F; 3] {
    if count < F::JACOBIAN_PAYS_FROM {
        return (0..count).fold(point, |point, _| double(point, &mul_3b));
    }
    let start = Jacobian::from_homogeneous(point);
    let end = (0..count).fold(start, |point, _| point.double());
    end.to_homogeneous()
}

/// `scalar·P` for any point, by doublings and additions; time depends on the scalar, a constant of few bits.
pub(crate) fn multiply_by_sparse<F: Coordinate>(
    point: [F; 3],
    scalar: u64,
    mul_3b: impl Fn(F) -> F,
) -> [F; 3] {
    let mut multiple = point;
    let mut left = scalar.ilog2(); // bits below the leading one
    while left > 0 {
        let rest = scalar & ((1 << left) - 1);
        let next = rest.checked_ilog2().unwrap_or(0); // the next bit that is set
        multiple = double_repeated(multiple, left - next, &mul_3b);
        if rest != 0 {
            multiple = add(multiple, point, &mul_3b);
        }
        left = next;
    }
    multiple
}

/// Whether `(x, y)` satisfies `y² = x³ + b`.
pub fn is_on_curve<F: Field>(x: F, y: F, b: F) -> frumious_field::Choice {
    y.square().ct_eq(&(x.square() * x + b))
}
