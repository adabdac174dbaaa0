//! The top of the tower, `Fq12 = Fq6[w]/(w² - v)`, where pairings take their values.
//!
//! An element is `c0 + c1·w`; over Fq2 its basis is `1, w, w², …, w⁵` with `w² = v`, `w⁶ = ξ = 1 + u`.
//! In submodules: the p-power maps with their constants, and the cheap arithmetic of the cyclotomic subgroup.

pub(super) mod compressed;
mod cyclotomic;
mod frobenius;

use super::fq6::wide::Fq6Wide;
use super::{Fq2, Fq6};
use crate::extension::impl_extension_field;
use frumious_field::CtOption;
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

    /// `self·other`. Cost: 3 products of Fq6 with 12 reductions of Fq (Karatsuba).
    pub fn mul(&self, other: &Self) -> Self {
        let (mut low, mut high, mut crossed) = (Fq6Wide::ZERO, Fq6Wide::ZERO, Fq6Wide::ZERO);
        low.set_product(&self.c0, &other.c0);
        high.set_product(&self.c1, &other.c1);
        crossed.set_product(
            &self.c0.add_unreduced(&self.c1),
            &other.c0.add_unreduced(&other.c1),
        );
        crossed.sub_assign(&low);
        crossed.sub_assign(&high);
        low.add_times_nonresidue(&high);
        Self::new(low.reduce::<11, 5, true>(), crossed.reduce::<11, 5, true>())
    }

    /// `self·(1 + b3·w³ + b5·w⁵)`: the product with a line of the Miller loop. Cost: 10 products of Fq2.
    pub fn mul_by_line(&self, b3: &Fq2, b5: &Fq2) -> Self {
        let mut product = *self;
        product.mul_by_line_in_place(b3, b5);
        product
    }

    /// As [`Fq12::mul_by_line`], as `c0 + v²·c1·(b3 + b5·v) + (c1 + v·c0·(b3 + b5·v))·w`.
    #[inline(never)]
    pub(super) fn mul_by_line_in_place(&mut self, b3: &Fq2, b5: &Fq2) {
        let (mut even, mut odd) = (Fq6Wide::ZERO, Fq6Wide::ZERO);
        even.set_product_by_two(&self.c1, b3, b5);
        odd.set_product_by_two(&self.c0, b3, b5);
        let even = even.reduce::<5, 2, false>();
        let odd = odd.reduce::<5, 2, false>();
        self.c0 += even.mul_by_nonresidue().mul_by_nonresidue();
        self.c1 += odd.mul_by_nonresidue();
    }

    /// `self²`. Cost: 2 products of Fq6 with 12 reductions of Fq, as `(c0 + c1)(c0 + v·c1) - (1 + v)·c0·c1 + 2·c0·c1·w`
    /// ("complex squaring", Devegili et al. 2006, section 3).
    pub fn square(&self) -> Self {
        let mut square = *self;
        square.square_in_place();
        square
    }

    #[inline(never)]
    pub(super) fn square_in_place(&mut self) {
        let (mut product, mut sums) = (Fq6Wide::ZERO, Fq6Wide::ZERO);
        product.set_product(&self.c0, &self.c1);
        sums.set_product(
            &self.c0.add_unreduced(&self.c1),
            &self.c0.add_unreduced(&self.c1.mul_by_nonresidue()),
        );
        sums.sub_assign(&product);
        sums.sub_times_nonresidue(&product);
        let half = product.reduce::<5, 2, false>();
        *self = Self::new(sums.reduce::<11, 5, true>(), half.double());
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
        Self::new(Fq6::mul(&self.c0, factor), Fq6::mul(&self.c1, factor))
    }
}

impl_extension_field!(Fq12, c0, c1);

impl From<Fq6> for Fq12 {
    fn from(c0: Fq6) -> Self {
        Self::new(c0, Fq6::ZERO)
    }
}
