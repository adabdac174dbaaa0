//! The final exponentiation: to the power `k·(p¹² - 1)/r` with `k = 2x·(6x² + 3x + 1)`.
//!
//! `(p¹² - 1)/r = (p⁶ - 1)·(p² + 1)·(p⁴ - p² + 1)/r`. The first two factors are Frobenius maps and one inversion. Then
//! the value is in the cyclotomic subgroup, and the last factor, times `k`, has small coefficients in base `p`.

use super::gt::Gt;
use super::parameter::X;
use crate::bn254::Fq12;

/// `f^(k·(p¹² - 1)/r)`, an element of the group of order `r`.
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

/// `f^(k·(p⁴ - p² + 1)/r)` for `f` in the cyclotomic subgroup, where
///
/// ```text
/// k·(p⁴ - p² + 1)/r = λ0 + λ1·p + λ2·p² + λ3·p³
/// λ0 = 12x³ + 12x² + 6x + 1    λ1 = 12x³ + 6x² + 4x    λ2 = 12x³ + 6x² + 6x    λ3 = λ1 - 1
/// ```
/// Source: Fuentes-Castañeda, Knapp and Rodríguez-Henríquez 2011 ("Faster hashing to G2"), which finds this multiple by
/// lattice reduction; reviewed by Duquesne and Ghammam, eprint 2015/192. Cost: three powers by `x`, three squares, ten
/// products.
fn hard_part(f: &Fq12) -> Fq12 {
    let f_2x = pow_x(f).cyclotomic_square();
    let f_6x = f_2x.cyclotomic_square() * f_2x;
    let f_6xx = pow_x(&f_6x);
    let f_12xxx = pow_x(&f_6xx.cyclotomic_square());

    let lambda_2 = f_12xxx * f_6xx * f_6x;
    let lambda_1 = lambda_2 * f_2x.conjugate();
    let lambda_0 = lambda_2 * f_6xx * *f;
    let lambda_3 = lambda_1 * f.conjugate();
    lambda_0 * lambda_1.frobenius() * lambda_2.frobenius_squared() * lambda_3.frobenius_cubed()
}

/// `f^x` for `f` in the cyclotomic subgroup, whose conjugates are free inverses. Cost: 62 squares, 13 products.
fn pow_x(f: &Fq12) -> Fq12 {
    let f17 = f.cyclotomic_square_times(4) * *f;
    let f35 = f17.cyclotomic_square() * *f;
    let (f17_inverse, f35_inverse) = (f17.conjugate(), f35.conjugate());
    POW_X_STEPS.iter().fold(f35, |power, &(squares, digit)| {
        let factor = match digit {
            17 => &f17,
            35 => &f35,
            -17 => &f17_inverse,
            _ => &f35_inverse,
        };
        power.cyclotomic_square_times(squares) * *factor
    })
}

/// `x` from left to right after a leading digit 35: so many doublings, then add the digit, ±17 or ±35.
///
/// Found by exhaustive search over sets of up to four odd digits below 64. Signed windows of the usual kind need 16 or
/// more products where this needs 13.
const POW_X_STEPS: [(u32, i8); 11] = [
    (6, -35),
    (7, 17),
    (2, 35),
    (4, -35),
    (4, -35),
    (9, 35),
    (4, 35),
    (6, 17),
    (5, 35),
    (5, -17),
    (5, 17),
];

const _: () = {
    let mut sum: i128 = 35;
    let mut i = 0;
    while i < POW_X_STEPS.len() {
        let (doublings, digit) = POW_X_STEPS[i];
        assert!(matches!(digit, 17 | 35 | -17 | -35));
        sum = (sum << doublings) + digit as i128;
        i += 1;
    }
    assert!(sum == X as i128, "the steps spell x");
};
