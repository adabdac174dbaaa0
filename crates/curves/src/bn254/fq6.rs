//! The cubic extension `Fq6 = Fq2[v]/(v³ - ξ)` with `ξ = 9 + u`, the second floor of the tower.
//!
//! An element is `c0 + c1·v + c2·v²`. Products are schoolbook sums of products with few reductions (Longa 2022, see
//! [`Fq2::sum_of_three_products`]). Squares follow Chung and Hasan 2007 ("Asymmetric squaring formulae", SQR2), as
//! collected in Devegili, Ó hÉigeartaigh, Scott and Dahab 2006 (eprint 2006/471, section 4). Road not taken:
//! Karatsuba's method over sums of double length (Aranha et al. 2011) measures the same in assembly and needs a second
//! representation with bounds of its own.

use super::{Fq, Fq2};
use crate::extension::impl_coefficients;
use frumious_field::{
    Choice, ConditionallySelectable, ConstantTimeEq, CtOption, Field, impl_field_operators,
};
use zeroize::Zeroize;

/// An element `c0 + c1·v + c2·v²` of Fq6, where `v³ = 9 + u`.
#[derive(Clone, Copy, Debug, Default, Zeroize)]
pub struct Fq6 {
    /// The coefficient of 1.
    pub c0: Fq2,
    /// The coefficient of `v`.
    pub c1: Fq2,
    /// The coefficient of `v²`.
    pub c2: Fq2,
}

impl Fq6 {
    /// The additive identity.
    pub const ZERO: Self = Self::new(Fq2::ZERO, Fq2::ZERO, Fq2::ZERO);
    /// The multiplicative identity.
    pub const ONE: Self = Self::new(Fq2::ONE, Fq2::ZERO, Fq2::ZERO);

    /// The element `c0 + c1·v + c2·v²`.
    pub const fn new(c0: Fq2, c1: Fq2, c2: Fq2) -> Self {
        Self { c0, c1, c2 }
    }

    /// `self + other`.
    #[inline(always)]
    pub fn add(&self, other: &Self) -> Self {
        Self::new(self.c0 + other.c0, self.c1 + other.c1, self.c2 + other.c2)
    }

    /// `self - other`.
    #[inline(always)]
    pub fn sub(&self, other: &Self) -> Self {
        Self::new(self.c0 - other.c0, self.c1 - other.c1, self.c2 - other.c2)
    }

    /// `-self`.
    #[inline(always)]
    pub fn neg(&self) -> Self {
        Self::new(-self.c0, -self.c1, -self.c2)
    }

    /// `2·self`.
    #[inline(always)]
    pub fn double(&self) -> Self {
        Self::new(self.c0.double(), self.c1.double(), self.c2.double())
    }

    /// `self·other`. Cost: 9 products of Fq2 as three sums, with 6 reductions of Fq.
    #[inline(never)]
    pub fn mul(&self, other: &Self) -> Self {
        let a = [&self.c0, &self.c1, &self.c2];
        let [b0, b1, b2] = [&other.c0, &other.c1, &other.c2];
        let (xi_b1, xi_b2) = (&b1.mul_by_nonresidue(), &b2.mul_by_nonresidue());
        Self::new(
            Fq2::sum_of_three_products(a, [b0, xi_b2, xi_b1]),
            Fq2::sum_of_three_products(a, [b1, b0, xi_b2]),
            Fq2::sum_of_three_products(a, [b2, b1, b0]),
        )
    }

    /// `self²`. Cost: 2 products and 3 squares of Fq2.
    pub fn square(&self) -> Self {
        let s0 = self.c0.square();
        let s1 = self.c0.mul(&self.c1).double();
        let s2 = (self.c0 - self.c1 + self.c2).square();
        let s3 = self.c1.mul(&self.c2).double();
        let s4 = self.c2.square();
        Self::new(
            s3.mul_by_nonresidue_add(&s0),
            s4.mul_by_nonresidue_add(&s1),
            s1 + s2 + s3 - s0 - s4,
        )
    }

    /// `self·v`, the non-residue that defines the next floor: the coefficients rotate. Cost: additions only.
    #[inline]
    pub fn mul_by_nonresidue(&self) -> Self {
        Self::new(self.c2.mul_by_nonresidue(), self.c0, self.c1)
    }

    /// `self·factor` for `factor` in Fq2. Cost: 3 products of Fq2.
    pub fn mul_by_fq2(&self, factor: &Fq2) -> Self {
        Self::new(self.c0 * *factor, self.c1 * *factor, self.c2 * *factor)
    }

    /// `self·factor` for `factor` in Fq. Cost: 6 products of Fq.
    pub fn mul_by_fq(&self, factor: &Fq) -> Self {
        Self::new(
            self.c0.mul_by_fq(factor),
            self.c1.mul_by_fq(factor),
            self.c2.mul_by_fq(factor),
        )
    }

    /// `1/self`, none for zero. Cost: one inversion of Fq2 and the adjugate,
    /// Scott 2007 ("Implementing cryptographic pairings", section 3.2).
    pub fn invert(&self) -> CtOption<Self> {
        let (adjugate, norm) = self.adjugate_and_norm();
        norm.invert().map(|inverse| adjugate.mul_by_fq2(&inverse))
    }

    /// `1/self`, none for zero; time depends on `self`.
    pub fn invert_vartime(&self) -> Option<Self> {
        let (adjugate, norm) = self.adjugate_and_norm();
        Some(adjugate.mul_by_fq2(&norm.invert_vartime()?))
    }

    /// The product of the two other conjugates of `self` over Fq2, and that product times `self`: the norm to Fq2.
    fn adjugate_and_norm(&self) -> (Self, Fq2) {
        let adjugate = Self::new(
            self.c0.square() - (self.c1 * self.c2).mul_by_nonresidue(),
            self.c2.square().mul_by_nonresidue() - self.c0 * self.c1,
            self.c1.square() - self.c0 * self.c2,
        );
        let wrapped = Fq2::sum_of_two_products([&self.c2, &self.c1], [&adjugate.c1, &adjugate.c2]);
        let norm = wrapped.mul_by_nonresidue_add(&(self.c0 * adjugate.c0));
        (adjugate, norm)
    }
}

impl_field_operators!(Fq6);
impl_coefficients!(Fq6, c0, c1, c2);

impl ConstantTimeEq for Fq6 {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.c0.ct_eq(&other.c0) & self.c1.ct_eq(&other.c1) & self.c2.ct_eq(&other.c2)
    }
}

impl PartialEq for Fq6 {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Fq6 {}

impl ConditionallySelectable for Fq6 {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self::new(
            Fq2::conditional_select(&a.c0, &b.c0, choice),
            Fq2::conditional_select(&a.c1, &b.c1, choice),
            Fq2::conditional_select(&a.c2, &b.c2, choice),
        )
    }
}

impl From<Fq2> for Fq6 {
    fn from(c0: Fq2) -> Self {
        Self::new(c0, Fq2::ZERO, Fq2::ZERO)
    }
}

impl Field for Fq6 {
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
