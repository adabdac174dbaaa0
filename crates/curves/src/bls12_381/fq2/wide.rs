//! Products in the tower that are not reduced yet: Karatsuba's method at every floor, one reduction for each
//! coefficient of the result.
//!
//! Coefficients are numbers of 768 bits in two's complement ([`Wide`]), `R·p = 9.84·p²`. Between a product and its
//! reduction they are only added and subtracted, so only the exact value of the result counts. With coefficients of the
//! factors below `p`, a product in Fq2 has a real part `x0·y0 - x1·y1` in `[-p², p²]` and an imaginary one in
//! `[0, 2p²]`. Times `ξ = 1 + u` they are `x0·(y0 - y1) - x1·(y0 + y1)` in `[-2p², p²]` and
//! `x0·(y0 + y1) + x1·(y0 - y1)` in `[-p², 2p²]`. So a sum of `n` products of which `k` are multiplied by `ξ` lies in
//! `[-(n + k)·p², n·p²]` and `[-k·p², 2n·p²]`, and
//!
//! ```text
//! Fq2     n = 1, k = 0    real + p²,   below 2p²      imaginary         below 2p²
//! Fq6     n = 3, k ≤ 2    real + 5p²,  at most 8p²    imaginary + 2p²   at most 8p²
//! Fq12    n = 6, k ≤ 5    real + 11p², at most 17p²   imaginary + 5p²   at most 17p²
//! ```
//! may be reduced, the last with a second subtraction of `p`. Factors may be unreduced sums of two elements:
//! Karatsuba's sums of them stay below `8p`, which fits 384 bits.

use super::Fq2;
use crate::bls12_381::Fq;
use frumious_limbs::Wide;

/// A product in Fq2.
#[derive(Clone, Copy)]
pub(in crate::bls12_381) struct Fq2Wide {
    pub c0: Wide<6>,
    pub c1: Wide<6>,
}

impl Fq2Wide {
    pub const ZERO: Self = Self {
        c0: Wide::ZERO,
        c1: Wide::ZERO,
    };

    /// `self = a·b` for coefficients below `4p`. Cost: 3 products of words.
    #[inline(never)]
    pub fn set_product(&mut self, a: &Fq2, b: &Fq2) {
        let mut imaginary = Wide::ZERO;
        let (sum_a, sum_b) = (a.c0.add_unreduced(&a.c1), b.c0.add_unreduced(&b.c1));
        sum_a.wide_product(&sum_b, &mut self.c1);
        a.c0.wide_product(&b.c0, &mut self.c0);
        a.c1.wide_product(&b.c1, &mut imaginary);
        self.c1.sub_assign(&self.c0);
        self.c1.sub_assign(&imaginary);
        self.c0.sub_assign(&imaginary);
    }

    /// `self = a²` for coefficients below `2p`, as `(a0 + a1)·(a0 - a1 + 2p)` and `2·a0·a1`. The real part is not the
    /// exact one: it is in `[0, 4p²]` for coefficients below `p` and in `[0, 9p²]` otherwise. Cost: 2 products of
    /// words.
    #[inline(never)]
    pub fn set_square(&mut self, a: &Fq2) {
        let (sum, difference) = (a.c0.add_unreduced(&a.c1), a.c0.sub_unreduced(&a.c1));
        sum.wide_product(&difference, &mut self.c0);
        a.c0.add_unreduced(&a.c0).wide_product(&a.c1, &mut self.c1);
    }

    pub fn add_assign(&mut self, other: &Self) {
        self.c0.add_assign(&other.c0);
        self.c1.add_assign(&other.c1);
    }

    pub fn sub_assign(&mut self, other: &Self) {
        self.c0.sub_assign(&other.c0);
        self.c1.sub_assign(&other.c1);
    }

    /// `self += ξ·other`.
    pub fn add_times_nonresidue(&mut self, other: &Self) {
        self.c0.add_assign(&other.c0);
        self.c0.sub_assign(&other.c1);
        self.c1.add_assign(&other.c0);
        self.c1.add_assign(&other.c1);
    }

    /// The element, of a sum whose parts are at least `-REAL·p²` and `-IMAGINARY·p²`, and below `9.84·p²` with these
    /// added, or twice that if `TWICE`.
    #[inline(always)]
    pub fn reduce<const REAL: u64, const IMAGINARY: u64, const TWICE: bool>(&mut self) -> Fq2 {
        if REAL > 0 {
            self.c0.add_assign(const { &Fq::multiple_of_square(REAL) });
        }
        if IMAGINARY > 0 {
            self.c1
                .add_assign(const { &Fq::multiple_of_square(IMAGINARY) });
        }
        Fq2::new(
            Fq::reduce_wide::<TWICE>(&self.c0),
            Fq::reduce_wide::<TWICE>(&self.c1),
        )
    }
}
