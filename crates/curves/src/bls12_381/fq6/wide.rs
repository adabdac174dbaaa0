//! Products in Fq6 that are not reduced yet; bounds are in [`Fq2Wide`]'s file.

use super::Fq6;
use crate::bls12_381::Fq2;
use crate::bls12_381::fq2::wide::Fq2Wide;

/// A product in Fq6.
#[derive(Clone, Copy)]
pub(in crate::bls12_381) struct Fq6Wide {
    pub c0: Fq2Wide,
    pub c1: Fq2Wide,
    pub c2: Fq2Wide,
}

impl Fq6Wide {
    pub const ZERO: Self = Self {
        c0: Fq2Wide::ZERO,
        c1: Fq2Wide::ZERO,
        c2: Fq2Wide::ZERO,
    };

    /// `self = a·b` for coefficients below `2p`. Cost: 6 products of Fq2, as
    ///
    /// ```text
    /// c0 = v0 + ξ((a1 + a2)(b1 + b2) - v1 - v2)    vi = ai·bi
    /// c1 = (a0 + a1)(b0 + b1) - v0 - v1 + ξ·v2
    /// c2 = (a0 + a2)(b0 + b2) - v0 - v2 + v1
    /// ```
    #[inline(never)]
    pub fn set_product(&mut self, a: &Fq6, b: &Fq6) {
        let (mut v1, mut v2, mut cross) = (Fq2Wide::ZERO, Fq2Wide::ZERO, Fq2Wide::ZERO);
        self.c0.set_product(&a.c0, &b.c0);
        v1.set_product(&a.c1, &b.c1);
        v2.set_product(&a.c2, &b.c2);
        self.c1
            .set_product(&a.c0.add_unreduced(&a.c1), &b.c0.add_unreduced(&b.c1));
        self.c2
            .set_product(&a.c0.add_unreduced(&a.c2), &b.c0.add_unreduced(&b.c2));
        cross.set_product(&a.c1.add_unreduced(&a.c2), &b.c1.add_unreduced(&b.c2));
        self.c1.sub_assign(&self.c0);
        self.c1.sub_assign(&v1);
        self.c1.add_times_nonresidue(&v2);
        self.c2.sub_assign(&self.c0);
        self.c2.sub_assign(&v2);
        self.c2.add_assign(&v1);
        cross.sub_assign(&v1);
        cross.sub_assign(&v2);
        self.c0.add_times_nonresidue(&cross);
    }

    /// `self = a·(b0 + b1·v)` for coefficients below `2p`. Cost: 5 products of Fq2.
    #[inline(never)]
    pub fn set_product_by_two(&mut self, a: &Fq6, b0: &Fq2, b1: &Fq2) {
        let (mut v1, mut wrapped) = (Fq2Wide::ZERO, Fq2Wide::ZERO);
        self.c0.set_product(&a.c0, b0);
        v1.set_product(&a.c1, b1);
        self.c1
            .set_product(&a.c0.add_unreduced(&a.c1), &b0.add_unreduced(b1));
        self.c2.set_product(&a.c2, b0);
        wrapped.set_product(&a.c2, b1);
        self.c1.sub_assign(&self.c0);
        self.c1.sub_assign(&v1);
        self.c2.add_assign(&v1);
        self.c0.add_times_nonresidue(&wrapped);
    }

    pub fn sub_assign(&mut self, other: &Self) {
        self.c0.sub_assign(&other.c0);
        self.c1.sub_assign(&other.c1);
        self.c2.sub_assign(&other.c2);
    }

    /// `self += v·other`.
    pub fn add_times_nonresidue(&mut self, other: &Self) {
        self.c0.add_times_nonresidue(&other.c2);
        self.c1.add_assign(&other.c0);
        self.c2.add_assign(&other.c1);
    }

    /// `self -= v·other`.
    pub fn sub_times_nonresidue(&mut self, other: &Self) {
        self.c0.c0.sub_assign(&other.c2.c0);
        self.c0.c0.add_assign(&other.c2.c1);
        self.c0.c1.sub_assign(&other.c2.c0);
        self.c0.c1.sub_assign(&other.c2.c1);
        self.c1.sub_assign(&other.c0);
        self.c2.sub_assign(&other.c1);
    }

    /// As [`Fq2Wide::reduce`].
    #[inline(always)]
    pub fn reduce<const REAL: u64, const IMAGINARY: u64, const TWICE: bool>(&mut self) -> Fq6 {
        Fq6::new(
            self.c0.reduce::<REAL, IMAGINARY, TWICE>(),
            self.c1.reduce::<REAL, IMAGINARY, TWICE>(),
            self.c2.reduce::<REAL, IMAGINARY, TWICE>(),
        )
    }
}
