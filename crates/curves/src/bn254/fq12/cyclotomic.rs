//! Arithmetic in the cyclotomic subgroup of Fq12: the elements whose order divides `p⁴ - p² + 1`.
//!
//! There the inverse is the conjugate and a square costs half of the general one. Karabina's compressed squares (eprint
//! 2010/542) are cheaper still, 12 products of Fq against 18, but each decompression costs about 24 and a shared
//! inversion. The BN254 parameter is dense (a product after every four squares), so they lose here.

use crate::bn254::{Fq2, Fq12};

impl Fq12 {
    /// `self²` for `self` in the cyclotomic subgroup; meaningless for others. Cost: 6 squares and 3 products of Fq2.
    ///
    /// Source: Granger and Scott 2010 (eprint 2009/565, section 3.2), with Fq12 seen as a cubic extension of
    /// `Fq4 = Fq2[w³]`. The three pairs of coefficients below are the three elements of Fq4.
    pub fn cyclotomic_square(&self) -> Self {
        self.cyclotomic_square_times(1)
    }

    /// `self^(2^count)` for `self` in the cyclotomic subgroup.
    pub(in crate::bn254) fn cyclotomic_square_times(&self, count: u32) -> Self {
        let mut result = *self;
        for _ in 0..count {
            result.cyclotomic_square_in_place();
        }
        result
    }

    #[inline(never)]
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

/// `(a + b·t)² = (a² + ξ·b²) + 2ab·t` in Fq4, where `t² = ξ`. Cost: 2 squares and 1 product of Fq2.
#[inline(always)]
fn square_in_fq4(a: &Fq2, b: &Fq2) -> (Fq2, Fq2) {
    (
        b.square().mul_by_nonresidue_add(&a.square()),
        Fq2::mul(&a.double(), b),
    )
}

/// `3·square - 2·old`.
#[inline(always)]
fn three_less_two(square: &Fq2, old: &Fq2) -> Fq2 {
    (*square - *old).double() + *square
}

/// `3·square + 2·old`.
#[inline(always)]
fn three_plus_two(square: &Fq2, old: &Fq2) -> Fq2 {
    (*square + *old).double() + *square
}
