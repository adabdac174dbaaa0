//! Arithmetic in Fq2 for constants, and the constant from which the p-power maps of G2 and Fq12 follow.

use super::{Fq, Fq2};

/// The parameter of the curve is `x = -X`: `p = (x - 1)²·(x⁴ - x² + 1)/3 + x`, `r = x⁴ - x² + 1` (Bowe 2017).
pub(super) const X: u64 = 0xd201_0000_0001_0000;

/// `ξ^((p-1)/6)` for `ξ = 1 + u`.
pub(super) const fn root_of_frobenius() -> Fq2 {
    pow_const_vartime(&Fq2::new(Fq::ONE, Fq::ONE), &divide_by_six(&Fq::MODULUS))
}

/// The schoolbook product.
pub(super) const fn mul_const(a: &Fq2, b: &Fq2) -> Fq2 {
    let real =
        a.c0.mul_const(&b.c0)
            .add_const(&a.c1.mul_const(&b.c1).neg_const());
    let imaginary = a.c0.mul_const(&b.c1).add_const(&a.c1.mul_const(&b.c0));
    Fq2::new(real, imaginary)
}

/// `1/a` for `a` other than zero.
pub(super) const fn invert_const(a: &Fq2) -> Fq2 {
    let norm = a.c0.mul_const(&a.c0).add_const(&a.c1.mul_const(&a.c1));
    let mut exponent = Fq::MODULUS;
    exponent[0] -= 2;
    let inverse = norm.pow_const_vartime(&exponent);
    Fq2::new(
        a.c0.mul_const(&inverse),
        a.c1.neg_const().mul_const(&inverse),
    )
}

/// `base^exponent`.
const fn pow_const_vartime(base: &Fq2, exponent: &[u64; 6]) -> Fq2 {
    let mut result = Fq2::ONE;
    let mut bit = 384;
    while bit > 0 {
        bit -= 1;
        result = mul_const(&result, &result);
        if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
            result = mul_const(&result, base);
        }
    }
    result
}

/// The quotient by 6, rounded down: of `p`, which is 1 modulo 6, it is `(p - 1)/6`.
const fn divide_by_six(words: &[u64; 6]) -> [u64; 6] {
    let mut quotient = [0; 6];
    let mut remainder = 0u128;
    let mut i = 6;
    while i > 0 {
        i -= 1;
        let dividend = remainder << 64 | words[i] as u128;
        quotient[i] = (dividend / 6) as u64;
        remainder = dividend % 6;
    }
    assert!(remainder == 1, "p is 1 modulo 6");
    quotient
}
