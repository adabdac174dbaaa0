//! Square roots through discrete logarithms in a small group, by tables.
//!
//! Let `p - 1 = 2^s·Q` with `Q` odd and `g` of order `2^s`. For a square `z` the power `z^Q` lies in the group of `g`.
//! Its logarithm `d` (even, exactly if `z` is a square) corrects the candidate: `z^((Q-1)/2)·g^(-d/2) = z^(-1/2)`. So a
//! root costs one power by an addition chain and one logarithm, which is found `W` bits at a time, the lowest first.
//! Since `z^(-1/2)` comes first, roots of ratios and inverse roots need no inversion.
//!
//! Cost for `s = k·W` after the chain: the candidate and `z^Q`, `s - W` squarings, `k(k-1)/2` products to remove known
//! digits, `k` products at the end. With `s = 32`, `W = 8` and the chain of 260 of `bls12_381::Fr` that is
//! `260 + 2 + 24 + 6 + 4 = 296` squarings and products. The same method in go-ipa takes `266 + 2 + 24 + 6 + 5 = 303`.
//! Its chain is six longer, and the end begins with a product by one. Generic Tonelli-Shanks takes about 600 on
//! average. `crates/curves/tests/sqrt_count.rs` counts both.
//!
//! Sources: Bernstein, "Faster square roots in annoying finite fields" (2001), section 3, for the windows; Sarkar,
//! eprint 2020/1407, for the form with one candidate. Sarkar's own improvement, fewer products for the logarithm from
//! its recursion, saves next to nothing at four digits.

mod batch;
mod chain;
mod constant_time;
mod digits;
mod lanes;
mod tables;

use crate::PrimeField;
pub use batch::{batch_sqrt_ratio_vartime, batch_sqrt_vartime};
pub use chain::PowerChain;
pub use constant_time::sqrt;
pub use lanes::LaneTables;
pub use tables::SqrtTables;

/// A field with such square roots.
pub trait SqrtField: PrimeField {
    /// A chain for the exponent `(Q - 1)/2`, where `p - 1 = 2^TWO_ADICITY·Q`.
    const CHAIN: PowerChain;

    /// Bits of a digit of the logarithm: a divisor of `TWO_ADICITY`, at most 8.
    const WINDOW_BITS: u32;

    /// A word of the element by which tables find it; elements of order dividing `2^WINDOW_BITS` must differ in it.
    fn table_key(&self) -> u64;

    /// `table[index]`, read in constant time.
    fn lookup(table: &[Self], index: u64) -> Self;

    /// The tables of this field, built once: a static `OnceLock` of [`SqrtTables::new`].
    fn sqrt_tables() -> &'static SqrtTables<Self>;

    /// `self^(2^count)`.
    fn square_repeated(&self, count: u32) -> Self;
}

/// A square root of `value`, none for a non-residue; which of the two is not specified.
pub fn sqrt_vartime<F: SqrtField>(value: &F) -> Option<F> {
    if value.is_zero_vartime() {
        return Some(F::ZERO);
    }
    let power = F::CHAIN.power(value, F::square_repeated);
    let candidate = power * *value;
    F::sqrt_tables().correct_vartime(candidate, candidate * power)
}

/// `value^(-1/2)`, one of the two; none for zero or a non-residue. Costs what [`sqrt_vartime`] costs.
pub fn inverse_sqrt_vartime<F: SqrtField>(value: &F) -> Option<F> {
    if value.is_zero_vartime() {
        return None;
    }
    let power = F::CHAIN.power(value, F::square_repeated);
    F::sqrt_tables().correct_vartime(power, power.square() * *value)
}

/// A square root of `numerator/denominator`; none if that is a non-residue or the denominator is zero.
///
/// Two products more than [`sqrt_vartime`] and no inversion: `u·(uv)^(-1/2)`, whose square is `u/v`.
pub fn sqrt_ratio_vartime<F: SqrtField>(numerator: &F, denominator: &F) -> Option<F> {
    if denominator.is_zero_vartime() {
        return None;
    }
    if numerator.is_zero_vartime() {
        return Some(F::ZERO);
    }
    let value = *numerator * *denominator;
    let power = F::CHAIN.power(&value, F::square_repeated);
    let root_of_unity = power.square() * value;
    F::sqrt_tables().correct_vartime(power * *numerator, root_of_unity)
}
