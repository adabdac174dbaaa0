//! The final exponentiation: to the power `3·(p¹² - 1)/r`.
//!
//! `(p¹² - 1)/r = (p⁶ - 1)·(p² + 1)·(p⁴ - p² + 1)/r`. The first two factors are Frobenius maps and one inversion; then the value
//! is in the cyclotomic subgroup, and three times the last factor is a short polynomial in `x` and `p`.

use super::gt::Gt;
use crate::bls12_381::Fq12;
use crate::bls12_381::constants::X;

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

/// `f^x` for `f` in the cyclotomic subgroup, whose conjugates are free inverses. Cost: 63 squares, 5 products.
fn pow_x(f: &Fq12) -> Fq12 {
    const { assert!(X.count_ones() == 6 && X.trailing_zeros() == 16) };
    let runs = [1, 2, 3, 9, 32]; // of doublings between the ones of |x|
    let power = runs.iter().fold(*f, |power, &doublings| {
        power.cyclotomic_square_times(doublings) * *f
    });
    power.cyclotomic_square_times(16).conjugate() // x is negative
}

const _: () = {
    let (runs, mut sum, mut i) = ([1, 2, 3, 9, 32], 1u64, 0);
    while i < runs.len() {
        sum = (sum << runs[i]) + 1;
        i += 1;
    }
    assert!(sum << 16 == X, "the runs spell x");
};
