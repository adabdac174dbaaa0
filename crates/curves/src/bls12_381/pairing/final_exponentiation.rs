//! The final exponentiation: to the power `3·(p¹² - 1)/r`.
//!
//! `(p¹² - 1)/r = (p⁶ - 1)·(p² + 1)·(p⁴ - p² + 1)/r`. The first two factors are Frobenius maps and one inversion. Then
//! the value is in the cyclotomic subgroup, and three times the last factor is a short polynomial in `x` and `p`.

use super::gt::Gt;
use crate::bls12_381::Fq12;
use crate::bls12_381::constants::X;
use crate::bls12_381::fq12::compressed::Compressed;

/// `f^(3·(p¹² - 1)/r)`, an element of the group of order `r`.
///
/// Zero, which no Miller loop over points of the right groups gives, stays zero and so equals no pairing.
pub fn final_exponentiation(f: &Fq12) -> Gt {
    Gt(hard_part(&easy_part(f)))
}

/// `f^((p⁶ - 1)(p² + 1))`, in the cyclotomic subgroup.
fn easy_part(f: &Fq12) -> Fq12 {
    let unitary = f.conjugate() * f.invert().unwrap_or(Fq12::ZERO);
    unitary.frobenius_squared() * unitary
}

/// `f^(3·(p⁴ - p² + 1)/r)` for `f` in the cyclotomic subgroup, as
/// `3·(p⁴ - p² + 1)/r = (x - 1)²·(x + p)·(x² + p² - 1) + 3`.
///
/// Source: Hayashida, Hayasaka and Teruya, "Efficient final exponentiation via cyclotomic structure for pairings over
/// families of elliptic curves", eprint 2020/875, section 4. Cost: five powers by `x`, a square, seven products.
fn hard_part(f: &Fq12) -> Fq12 {
    let a = pow_x(f) * f.conjugate(); // x - 1
    let a = pow_x(&a) * a.conjugate();
    let a = pow_x(&a) * a.frobenius(); // x + p
    let a = pow_x(&pow_x(&a)) * a.frobenius_squared() * a.conjugate(); // x² + p² - 1
    a * f.cyclotomic_square() * *f
}

/// `f^x` for `f` in the cyclotomic subgroup, whose conjugates are free inverses. Cost: 48 compressed squares, 15
/// others, 5 products, an inversion in Fq2.
///
/// From the lowest bit up, so that the long runs of zeros come first: two elements of the chain come back from their
/// compressed form.
fn pow_x(f: &Fq12) -> Fq12 {
    const { assert!(X == 1 << 16 | 1 << 48 | 1 << 57 | 1 << 60 | 1 << 62 | 1 << 63) };
    let low = Compressed::new(f).square_times(16);
    let [low, mut power] = Compressed::decompress_pair([&low, &low.square_times(32)]);
    let mut product = low * power;
    for doublings in [9, 3, 2, 1] {
        power = power.cyclotomic_square_times(doublings);
        product *= power;
    }
    product.conjugate() // x is negative
}
