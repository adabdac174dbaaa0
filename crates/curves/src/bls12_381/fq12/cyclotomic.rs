//! Arithmetic in the cyclotomic subgroup of Fq12: the elements whose order divides `p⁴ - p² + 1`.
//!
//! There the inverse is the conjugate and a square costs half of the general one.

use crate::bls12_381::fq2::wide::Fq2Wide;
use crate::bls12_381::{Fq2, Fq12};

impl Fq12 {
    /// `self²` for `self` in the cyclotomic subgroup; meaningless for others. Cost: 9 squares of Fq2 with 12 reductions
    /// of Fq.
    ///
    /// Source: Granger and Scott 2010 (eprint 2009/565, section 3.2), with Fq12 seen as a cubic extension of
    /// `Fq4 = Fq2[w³]`. The three pairs of coefficients below are the three elements of Fq4.
    pub fn cyclotomic_square(&self) -> Self {
        self.cyclotomic_square_times(1)
    }

    /// `self^(2^count)` for `self` in the cyclotomic subgroup.
    pub(in crate::bls12_381) fn cyclotomic_square_times(&self, count: u32) -> Self {
        let mut result = *self;
        for _ in 0..count {
            result.cyclotomic_square_in_place();
        }
        result
    }

    fn cyclotomic_square_in_place(&mut self) {
        let (a, b) = (&mut self.c0, &mut self.c1);
        let (x0, x1) = square_in_fq4(&a.c0, &b.c1);
        let (y0, y1) = square_in_fq4(&b.c0, &a.c2);
        let (z0, z1) = square_in_fq4(&a.c1, &b.c2);
        a.c0 = three_less_two(&x0, &a.c0);
        a.c1 = three_less_two(&y0, &a.c1);
        a.c2 = three_less_two(&z0, &a.c2);
        b.c0 = three_plus_two(&z1.mul_by_nonresidue(), &b.c0);
        b.c1 = three_plus_two(&x1, &b.c1);
        b.c2 = three_plus_two(&y1, &b.c2);
    }
}

/// `(a + b·t)² = (a² + ξ·b²) + 2ab·t` in Fq4, where `t² = ξ`, with `2ab = (a + b)² - a² - b²`. Cost: 3 squares of Fq2.
///
/// Bounds: the parts of a wide square of a reduced element are in `[0, 4p²]` and `[0, 2p²]`, those of the sum's in
/// `[0, 9p²]` and `[0, 8p²]`. So the four parts below are in `[-2p², 8p²]`, `[0, 8p²]`, `[-8p², 9p²]` and `[0, 4p²]`.
#[inline(never)]
pub(super) fn square_in_fq4(a: &Fq2, b: &Fq2) -> (Fq2, Fq2) {
    let (mut aa, mut bb, mut sum) = (Fq2Wide::ZERO, Fq2Wide::ZERO, Fq2Wide::ZERO);
    aa.set_square(a);
    bb.set_square(b);
    sum.set_square(&a.add_unreduced(b));
    sum.sub_assign(&aa);
    sum.sub_assign(&bb);
    aa.add_times_nonresidue(&bb);
    (aa.reduce::<2, 0, true>(), sum.reduce::<8, 0, true>())
}

/// `3·square - 2·old`.
#[inline(always)]
pub(super) fn three_less_two(square: &Fq2, old: &Fq2) -> Fq2 {
    (*square - *old).double() + *square
}

/// `3·square + 2·old`.
#[inline(always)]
pub(super) fn three_plus_two(square: &Fq2, old: &Fq2) -> Fq2 {
    (*square + *old).double() + *square
}
