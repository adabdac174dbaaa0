//! The quadratic extension `Fq2 = Fq[u]/(u² + 1)`: coordinates of G2 and the first floor of the tower.
//!
//! `-1` is not a square in Fq because `p = 3 mod 4`. The next floor adjoins a cube root of `ξ = 1 + u`, for which
//! [`Fq2::mul_by_nonresidue`] exists. Square roots and the order of elements are in the submodule `sqrt`.

mod sqrt;
pub(super) mod wide;

use super::Fq;
use crate::extension::impl_extension_field;
use frumious_field::CtOption;
use wide::Fq2Wide;
use zeroize::Zeroize;

/// An element `c0 + c1·u` of Fq2, where `u² = -1`. 96 bytes.
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
        // by reference here and below: the operators would copy words that lie in memory
        Self::new(self.c0.add(&other.c0), self.c1.add(&other.c1))
    }

    /// `self - other`.
    #[inline(always)]
    pub fn sub(&self, other: &Self) -> Self {
        Self::new(self.c0.sub(&other.c0), self.c1.sub(&other.c1))
    }

    /// `-self`.
    #[inline(always)]
    pub fn neg(&self) -> Self {
        Self::new(self.c0.neg(), self.c1.neg())
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

    /// `self·other`. Cost: 3 products of words and 2 reductions (Karatsuba).
    ///
    /// Not inlined: the formulas above would outgrow the instruction cache. The hottest code calls it by reference,
    /// because the operator would copy its operands first.
    #[inline(never)]
    pub fn mul(&self, other: &Self) -> Self {
        let mut product = Fq2Wide::ZERO;
        product.set_product(self, other);
        product.reduce::<1, 0, false>()
    }

    /// `a[0]·b[0] + a[1]·b[1]`. Cost: 6 products of words and 2 reductions.
    #[inline(never)]
    pub fn sum_of_two_products([a0, a1]: [&Self; 2], [b0, b1]: [&Self; 2]) -> Self {
        let (mut sum, mut second) = (Fq2Wide::ZERO, Fq2Wide::ZERO);
        sum.set_product(a0, b0);
        second.set_product(a1, b1);
        sum.add_assign(&second);
        sum.reduce::<2, 0, false>()
    }

    /// `a[0]·b[0] - a[1]·b[1]`. Cost: 6 products of words and 2 reductions.
    #[inline(never)]
    pub fn difference_of_two_products([a0, a1]: [&Self; 2], [b0, b1]: [&Self; 2]) -> Self {
        let (mut difference, mut second) = (Fq2Wide::ZERO, Fq2Wide::ZERO);
        difference.set_product(a0, b0);
        second.set_product(a1, b1);
        difference.sub_assign(&second);
        difference.reduce::<2, 2, false>()
    }

    /// `a·b - c²`. Cost: 5 products of words and 2 reductions.
    #[inline(never)]
    pub(super) fn product_minus_square(a: &Self, b: &Self, c: &Self) -> Self {
        let (mut difference, mut square) = (Fq2Wide::ZERO, Fq2Wide::ZERO);
        difference.set_product(a, b);
        square.set_square(c); // parts in [0, 4p²] and [0, 2p²]
        difference.sub_assign(&square);
        difference.reduce::<5, 2, false>()
    }

    /// `self²`. Cost: 2 products of Fq, as `(c0 + c1)(c0 - c1) + 2·c0·c1·u`.
    #[inline(never)]
    pub fn square(&self) -> Self {
        // Factors below 2p are products' business (4p < R): nothing is reduced.
        let (sum, difference) = (
            self.c0.add_unreduced(&self.c1),
            self.c0.sub_unreduced_once(&self.c1),
        );
        let real = sum.mul(&difference);
        let imaginary = self.c0.add_unreduced(&self.c0).mul(&self.c1);
        Self::new(real, imaginary)
    }

    /// `self·factor` for `factor` in the base field. Cost: 2 products of Fq.
    #[inline(always)]
    pub fn mul_by_fq(&self, factor: &Fq) -> Self {
        Self::new(self.c0.mul(factor), self.c1.mul(factor))
    }

    /// `self·ξ = (c0 - c1) + (c0 + c1)·u` with `ξ = 1 + u`, the non-residue that defines the next floor.
    #[inline]
    pub fn mul_by_nonresidue(&self) -> Self {
        Self::new(self.c0.sub(&self.c1), self.c0.add(&self.c1))
    }

    /// The conjugate `c0 - c1·u`, which is also the Frobenius image `self^p`.
    #[inline(always)]
    pub fn conjugate(&self) -> Self {
        Self::new(self.c0, self.c1.neg())
    }

    /// The norm to Fq, `self·conjugate(self) = c0² + c1²`; zero only for zero.
    #[inline]
    pub fn norm(&self) -> Fq {
        Fq::sum_of_products([&self.c0, &self.c1], [&self.c0, &self.c1])
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

    /// The sum without reductions: a factor of wide products and nothing else, see `wide`.
    #[inline(always)]
    pub(super) fn add_unreduced(&self, other: &Self) -> Self {
        Self::new(
            self.c0.add_unreduced(&other.c0),
            self.c1.add_unreduced(&other.c1),
        )
    }
}

impl_extension_field!(Fq2, c0, c1);

impl From<Fq> for Fq2 {
    fn from(c0: Fq) -> Self {
        Self::new(c0, Fq::ZERO)
    }
}
