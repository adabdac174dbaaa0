//! The quadratic extension `Fq2 = Fq[u]/(u² + 1)`: coordinates of G2 and the first floor of the tower.
//!
//! `-1` is not a square in Fq because `p ≡ 3 (mod 4)`, so the polynomial is irreducible. An element is
//! `c0 + c1·u` with both coefficients reduced; 64 bytes. The next floor adjoins a cube root of
//! `ξ = 9 + u`, for which [`Fq2::mul_by_nonresidue`] exists.
//!
//! Square roots, and the order of elements used by compressed encodings, are in the submodule `sqrt`; eight elements at
//! a time, for batches, in `lanes`.

mod sqrt;

use super::Fq;
use crate::extension::impl_coefficients;
use frumious_field::{
    Choice, ConditionallySelectable, ConstantTimeEq, CtOption, Field, impl_field_operators,
};
use zeroize::Zeroize;

/// An element `c0 + c1·u` of Fq2, where `u² = -1`.
#[derive(Clone, Copy, Debug, Default, Zeroize)]
pub struct Fq2 {
    /// The coefficient of 1 ("real part").
    pub c0: Fq,
    /// The coefficient of `u` ("imaginary part").
    pub c1: Fq,
}

impl Fq2 {
    /// The additive identity.
    pub const ZERO: Self = Self::new(Fq::ZERO, Fq::ZERO);
    /// The multiplicative identity.
    pub const ONE: Self = Self::new(Fq::ONE, Fq::ZERO);

    /// The element `c0 + c1·u`.
    pub const fn new(c0: Fq, c1: Fq) -> Self {
        Self { c0, c1 }
    }

    /// `self + other`.
    #[inline(always)]
    pub fn add(&self, other: &Self) -> Self {
        Self::new(self.c0 + other.c0, self.c1 + other.c1)
    }

    /// `self - other`.
    #[inline(always)]
    pub fn sub(&self, other: &Self) -> Self {
        Self::new(self.c0 - other.c0, self.c1 - other.c1)
    }

    /// `-self`.
    #[inline(always)]
    pub fn neg(&self) -> Self {
        Self::new(-self.c0, -self.c1)
    }

    /// `2·self`.
    #[inline(always)]
    pub fn double(&self) -> Self {
        Self::new(self.c0.double(), self.c1.double())
    }

    /// `self/2`.
    #[inline(always)]
    pub fn halve(&self) -> Self {
        Self::new(self.c0.halve(), self.c1.halve())
    }

    /// `self·other`. Cost: 4 products of Fq and 2 reductions.
    ///
    /// Not inlined, like [`Fq2::sum_of_two_products`]: the formulas above would outgrow the instruction cache. The
    /// hottest code calls it by reference, because the operator would copy its operands first.
    #[inline(never)]
    pub fn mul(&self, other: &Self) -> Self {
        let minus_c1 = -other.c1;
        Self::new(
            Fq::sum_of_products([&self.c0, &self.c1], [&other.c0, &minus_c1]),
            Fq::sum_of_products([&self.c0, &self.c1], [&other.c1, &other.c0]),
        )
    }

    /// `a[0]·b[0] + a[1]·b[1]`. Cost: 8 products of Fq and 2 reductions.
    ///
    /// Higher floors are made of such sums rather than of Karatsuba's method; source: see `frumious_limbs::products`.
    #[inline(never)]
    pub fn sum_of_two_products([a0, a1]: [&Self; 2], [b0, b1]: [&Self; 2]) -> Self {
        let a = [&a0.c0, &a0.c1, &a1.c0, &a1.c1];
        let minus = [-b0.c1, -b1.c1];
        Self::new(
            Fq::sum_of_products(a, [&b0.c0, &minus[0], &b1.c0, &minus[1]]),
            Fq::sum_of_products(a, [&b0.c1, &b0.c0, &b1.c1, &b1.c0]),
        )
    }

    /// `a[0]·b[0] + a[1]·b[1] + a[2]·b[2]`. Cost: 12 products of Fq and 2 reductions.
    #[inline(never)]
    pub fn sum_of_three_products([a0, a1, a2]: [&Self; 3], [b0, b1, b2]: [&Self; 3]) -> Self {
        let a = [&a0.c0, &a0.c1, &a1.c0, &a1.c1, &a2.c0, &a2.c1];
        let minus = [-b0.c1, -b1.c1, -b2.c1];
        Self::new(
            Fq::sum_of_products(a, [&b0.c0, &minus[0], &b1.c0, &minus[1], &b2.c0, &minus[2]]),
            Fq::sum_of_products(a, [&b0.c1, &b0.c0, &b1.c1, &b1.c0, &b2.c1, &b2.c0]),
        )
    }

    /// `self²`. Cost: 2 products of Fq, as `(c0 + c1)(c0 - c1) + 2·c0·c1·u`.
    #[inline]
    pub fn square(&self) -> Self {
        let real = (self.c0 + self.c1) * (self.c0 - self.c1);
        let half_imaginary = self.c0 * self.c1;
        Self::new(real, half_imaginary.double())
    }

    /// `self·factor` for `factor` in the base field. Cost: 2 products of Fq.
    #[inline(always)]
    pub fn mul_by_fq(&self, factor: &Fq) -> Self {
        Self::new(self.c0.mul(factor), self.c1.mul(factor))
    }

    /// `self·ξ` with `ξ = 9 + u`, the non-residue that defines the next floor.
    #[inline]
    pub fn mul_by_nonresidue(&self) -> Self {
        self.mul_by_nonresidue_add(&Self::ZERO)
    }

    /// `self·ξ + summand = (9·c0 - c1) + (c0 + 9·c1)·u + summand`. Cost: less than a product of Fq.
    #[inline]
    pub fn mul_by_nonresidue_add(&self, summand: &Self) -> Self {
        Self::new(
            self.c0.mul_small_add(9, &(summand.c0 - self.c1)),
            self.c1.mul_small_add(9, &(summand.c1 + self.c0)),
        )
    }

    /// Entry `index`, all of them being read; zero if there is none. Time: depends on the number of entries only.
    #[inline(always)]
    pub fn select_entry<'a>(
        entries: impl IntoIterator<Item = &'a Self> + Clone,
        index: u64,
    ) -> Self {
        Self::new(
            Fq::select_entry(entries.clone().into_iter().map(|entry| &entry.c0), index),
            Fq::select_entry(entries.into_iter().map(|entry| &entry.c1), index),
        )
    }

    /// The conjugate `c0 - c1·u`, which is also the Frobenius image `self^p`.
    #[inline(always)]
    pub fn conjugate(&self) -> Self {
        Self::new(self.c0, -self.c1)
    }

    /// The norm to Fq, `self·conjugate(self) = c0² + c1²`; zero only for zero.
    #[inline]
    pub fn norm(&self) -> Fq {
        self.c0.square() + self.c1.square()
    }

    /// `1/self`, none for zero. Cost: one inversion of Fq.
    pub fn invert(&self) -> CtOption<Self> {
        self.norm()
            .invert()
            .map(|inverse_norm| self.conjugate().mul_by_fq(&inverse_norm))
    }

    /// `1/self`, none for zero; time depends on `self`.
    pub fn invert_vartime(&self) -> Option<Self> {
        let inverse_norm = self.norm().invert_vartime()?;
        Some(self.conjugate().mul_by_fq(&inverse_norm))
    }
}

impl_field_operators!(Fq2);
impl_coefficients!(Fq2, c0, c1);

impl ConstantTimeEq for Fq2 {
    #[inline]
    fn ct_eq(&self, other: &Self) -> Choice {
        self.c0.ct_eq(&other.c0) & self.c1.ct_eq(&other.c1)
    }
}

impl PartialEq for Fq2 {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Fq2 {}

impl ConditionallySelectable for Fq2 {
    #[inline]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self::new(
            Fq::conditional_select(&a.c0, &b.c0, choice),
            Fq::conditional_select(&a.c1, &b.c1, choice),
        )
    }
}

impl From<Fq> for Fq2 {
    fn from(c0: Fq) -> Self {
        Self::new(c0, Fq::ZERO)
    }
}

impl Field for Fq2 {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    #[inline(always)]
    fn double(&self) -> Self {
        Self::double(self)
    }

    #[inline(always)]
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
