//! The top of the tower, `Fq12 = Fq6[w]/(w² - v)`, where pairings take their values.
//!
//! An element is `c0 + c1·w`; over Fq2 its basis is `1, w, w², …, w⁵` with `w² = v`, `w⁶ = ξ = 9 + u`.
//! In submodules: the p-power maps with their constants, and the cheap arithmetic of the cyclotomic subgroup.

mod cyclotomic;
mod frobenius;

pub(super) use frobenius::FROBENIUS_FACTORS;

use super::{Fq2, Fq6};
use crate::extension::impl_coefficients;
use frumious_field::{
    Choice, ConditionallySelectable, ConstantTimeEq, CtOption, Field, impl_field_operators,
};
use zeroize::Zeroize;

/// An element `c0 + c1·w` of Fq12, where `w² = v`.
#[derive(Clone, Copy, Debug, Default, Zeroize)]
pub struct Fq12 {
    /// The coefficient of 1.
    pub c0: Fq6,
    /// The coefficient of `w`.
    pub c1: Fq6,
}

impl Fq12 {
    /// The additive identity.
    pub const ZERO: Self = Self::new(Fq6::ZERO, Fq6::ZERO);
    /// The multiplicative identity.
    pub const ONE: Self = Self::new(Fq6::ONE, Fq6::ZERO);

    /// The element `c0 + c1·w`.
    pub const fn new(c0: Fq6, c1: Fq6) -> Self {
        Self { c0, c1 }
    }

    /// `self + other`.
    pub fn add(&self, other: &Self) -> Self {
        Self::new(self.c0 + other.c0, self.c1 + other.c1)
    }

    /// `self - other`.
    pub fn sub(&self, other: &Self) -> Self {
        Self::new(self.c0 - other.c0, self.c1 - other.c1)
    }

    /// `-self`.
    pub fn neg(&self) -> Self {
        Self::new(-self.c0, -self.c1)
    }

    /// `2·self`.
    pub fn double(&self) -> Self {
        Self::new(self.c0.double(), self.c1.double())
    }

    /// `self·other`. Cost: 3 products of Fq6 (Karatsuba).
    pub fn mul(&self, other: &Self) -> Self {
        let low = Fq6::mul(&self.c0, &other.c0);
        let high = Fq6::mul(&self.c1, &other.c1);
        let crossed = Fq6::mul(&self.c0.add(&self.c1), &other.c0.add(&other.c1));
        Self::new(
            low.add(&high.mul_by_nonresidue()),
            crossed.sub(&low).sub(&high),
        )
    }

    /// `self·(1 + b1·w + b3·w³)`: the product with a line of the Miller loop. Cost: 12 products of Fq2 as sums of two.
    pub fn mul_by_line(&self, b1: &Fq2, b3: &Fq2) -> Self {
        let mut product = *self;
        product.mul_by_line_in_place(b1, b3);
        product
    }

    /// As [`Fq12::mul_by_line`]. With `self = Σ aᵢ·wⁱ` coefficient `i` becomes `aᵢ + aᵢ₋₁·b1 + aᵢ₋₃·b3`, where a
    /// negative index wraps around with a factor `ξ = w⁶`.
    #[inline(never)]
    pub(super) fn mul_by_line_in_place(&mut self, b1: &Fq2, b3: &Fq2) {
        let Self {
            c0:
                Fq6 {
                    c0: a0,
                    c1: a2,
                    c2: a4,
                },
            c1:
                Fq6 {
                    c0: a1,
                    c1: a3,
                    c2: a5,
                },
        } = self;
        let (xi_b1, xi_b3) = (&b1.mul_by_nonresidue(), &b3.mul_by_nonresidue());
        let sums = [
            Fq2::sum_of_two_products([a5, a3], [xi_b1, xi_b3]),
            Fq2::sum_of_two_products([a0, a4], [b1, xi_b3]),
            Fq2::sum_of_two_products([a1, a5], [b1, xi_b3]),
            Fq2::sum_of_two_products([a2, a0], [b1, b3]),
            Fq2::sum_of_two_products([a3, a1], [b1, b3]),
            Fq2::sum_of_two_products([a4, a2], [b1, b3]),
        ];
        for (a, sum) in [a0, a1, a2, a3, a4, a5].into_iter().zip(sums) {
            *a += sum;
        }
    }

    /// `self²`. Cost: 2 products of Fq6, as `(c0 + c1)(c0 + v·c1) - (1 + v)·c0·c1 + 2·c0·c1·w`
    /// ("complex squaring", Devegili et al. 2006, section 3).
    pub fn square(&self) -> Self {
        let product = Fq6::mul(&self.c0, &self.c1);
        let sums = Fq6::mul(
            &self.c0.add(&self.c1),
            &self.c0.add(&self.c1.mul_by_nonresidue()),
        );
        Self::new(
            sums.sub(&product).sub(&product.mul_by_nonresidue()),
            product.double(),
        )
    }

    /// The conjugate `c0 - c1·w` over Fq6, which is `self^(p⁶)`; the inverse of elements of norm 1.
    #[inline]
    pub fn conjugate(&self) -> Self {
        Self::new(self.c0, -self.c1)
    }

    /// `1/self`, none for zero. Cost: one inversion of Fq6.
    pub fn invert(&self) -> CtOption<Self> {
        self.norm()
            .invert()
            .map(|inverse| self.conjugate().mul_by_fq6(&inverse))
    }

    /// `1/self`, none for zero; time depends on `self`.
    pub fn invert_vartime(&self) -> Option<Self> {
        Some(self.conjugate().mul_by_fq6(&self.norm().invert_vartime()?))
    }

    /// The norm to Fq6, `c0² - v·c1²`.
    fn norm(&self) -> Fq6 {
        self.c0.square() - self.c1.square().mul_by_nonresidue()
    }

    fn mul_by_fq6(&self, factor: &Fq6) -> Self {
        Self::new(self.c0 * *factor, self.c1 * *factor)
    }
}

impl_field_operators!(Fq12);
impl_coefficients!(Fq12, c0, c1);

impl ConstantTimeEq for Fq12 {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.c0.ct_eq(&other.c0) & self.c1.ct_eq(&other.c1)
    }
}

impl PartialEq for Fq12 {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Fq12 {}

impl ConditionallySelectable for Fq12 {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self::new(
            Fq6::conditional_select(&a.c0, &b.c0, choice),
            Fq6::conditional_select(&a.c1, &b.c1, choice),
        )
    }
}

impl From<Fq6> for Fq12 {
    fn from(c0: Fq6) -> Self {
        Self::new(c0, Fq6::ZERO)
    }
}

impl Field for Fq12 {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    fn double(&self) -> Self {
        Self::double(self)
    }

    fn square(&self) -> Self {
        Self::square(self)
    }

    fn invert(&self) -> CtOption<Self> {
        Self::invert(self)
    }

    fn invert_vartime(&self) -> Option<Self> {
        Self::invert_vartime(self)
    }
}
