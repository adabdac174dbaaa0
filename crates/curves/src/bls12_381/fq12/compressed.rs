//! Squares in the cyclotomic subgroup of four coefficients out of six, for long runs of squarings.
//!
//! The square of Granger and Scott takes these four coefficients to those of the square, without a look at the other
//! two. These follow by one division. So a square costs two thirds, and the way back an inversion, shared by all that
//! come back. Source: Karabina 2010, "Squaring in cyclotomic subgroups", eprint 2010/542, theorem 3.2.

use super::cyclotomic::{square_in_fq4, three_less_two, three_plus_two};
use crate::bls12_381::{Fq2, Fq6, Fq12};
use frumious_field::{ConditionallySelectable, Field};

/// The coefficients of `v`, `v²`, `w` and `v²·w` of an element of the cyclotomic subgroup.
#[derive(Clone, Copy)]
pub(in crate::bls12_381) struct Compressed {
    v: Fq2,
    vv: Fq2,
    w: Fq2,
    vvw: Fq2,
}

impl Compressed {
    /// Of an element of the cyclotomic subgroup.
    pub(in crate::bls12_381) fn new(element: &Fq12) -> Self {
        Self {
            v: element.c0.c1,
            vv: element.c0.c2,
            w: element.c1.c0,
            vvw: element.c1.c2,
        }
    }

    /// `self^(2^count)`. Cost of each: 6 squares of Fq2 with 8 reductions of Fq.
    pub(in crate::bls12_381) fn square_times(mut self, count: u32) -> Self {
        for _ in 0..count {
            let (y0, y1) = square_in_fq4(&self.w, &self.vv);
            let (z0, z1) = square_in_fq4(&self.v, &self.vvw);
            self = Self {
                v: three_less_two(&y0, &self.v),
                vv: three_less_two(&z0, &self.vv),
                w: three_plus_two(&z1.mul_by_nonresidue(), &self.w),
                vvw: three_plus_two(&y1, &self.vvw),
            };
        }
        self
    }

    /// Two elements, both one or neither. Cost: one inversion, 9 products and 6 squares of Fq2. Time: constant.
    pub(in crate::bls12_381) fn decompress_pair(pair: [&Self; 2]) -> [Fq12; 2] {
        let [(n0, d0), (n1, d1)] = pair.map(Self::ratio);
        let inverse = Fq2::mul(&d0, &d1).invert().unwrap_or(Fq2::ZERO); // of one the ratio is zero
        let of_first = Fq2::mul(&n0, &Fq2::mul(&inverse, &d1));
        let of_second = Fq2::mul(&n1, &Fq2::mul(&inverse, &d0));
        [pair[0].complete(of_first), pair[1].complete(of_second)]
    }

    /// Numerator and denominator of the coefficient of `v·w`: `(ξ·(v²w)² + 3·v² - 2·vv)/(4·w)`, or `2·v·(v²w)/vv` where
    /// `w = 0`; then `vv` is zero for one only.
    fn ratio(&self) -> (Fq2, Fq2) {
        let v_squared = self.v.square();
        let sum = three_less_two(&v_squared, &self.vv);
        let numerator = self.vvw.square().mul_by_nonresidue() + sum;
        let denominator = self.w.double().double();
        let other = Fq2::mul(&self.v, &self.vvw).double();
        let w_is_zero = self.w.is_zero();
        (
            Fq2::conditional_select(&numerator, &other, w_is_zero),
            Fq2::conditional_select(&denominator, &self.vv, w_is_zero),
        )
    }

    /// The element, given its coefficient of `v·w`. That of 1 is `ξ·(2·(vw)² + w·v²w - 3·vv·v) + 1`.
    fn complete(&self, vw: Fq2) -> Fq12 {
        let product = Fq2::mul(&self.vv, &self.v);
        let sum = vw.square().double() + Fq2::mul(&self.w, &self.vvw);
        let sum = sum - (product.double() + product);
        Fq12 {
            c0: Fq6::new(sum.mul_by_nonresidue() + Fq2::ONE, self.v, self.vv),
            c1: Fq6::new(self.w, vw, self.vvw),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bls12_381::Fq;

    /// One, and elements to the power `(p⁶ - 1)(p² + 1)`.
    fn cyclotomic_elements() -> Vec<Fq12> {
        let mut elements = vec![Fq12::ONE];
        let mut x = Fq12::ONE;
        for i in 1..12 {
            x.c0.c1 += Fq2::new(Fq::ONE, Fq::from_u64(i));
            x.c1.c2 += Fq2::new(Fq::from_u64(i), Fq::ONE);
            x = x.square() + Fq12::ONE;
            let unitary = x.conjugate() * x.invert().expect("not zero");
            elements.push(unitary.frobenius_squared() * unitary);
        }
        elements
    }

    #[test]
    fn compressed_squares_are_squares() {
        for element in cyclotomic_elements() {
            for count in [0, 1, 2, 16, 33] {
                let compressed = Compressed::new(&element).square_times(count);
                let twice = compressed.square_times(1);
                let expected = element.cyclotomic_square_times(count);
                let pair = Compressed::decompress_pair([&compressed, &twice]);
                assert_eq!(pair, [expected, expected.square()]);
            }
        }
    }

    /// From `α^(p⁴)·α = α^(p²)`: with `w = 0` this is the other ratio.
    #[test]
    fn the_ratio_of_elements_without_w() {
        for element in cyclotomic_elements() {
            let Compressed { v, vv, w, vvw } = Compressed::new(&element);
            let twice = v * vvw + v * vvw;
            let difference = element.c1.c1 * vv - twice;
            assert_eq!(
                difference.mul_by_nonresidue(),
                w * (Fq2::ONE - element.c0.c0)
            );
            let without = Compressed {
                w: Fq2::ZERO,
                ..Compressed::new(&element)
            };
            assert_eq!(without.ratio(), (twice, vv));
        }
    }
}
