//! Operations on whole vectors of field elements: sums, products, scalings, inner products, linear combinations.
//!
//! Vectors are slices of one length, any length; functions panic if lengths differ. Each asks for the backend once.
//! With lanes it takes eight elements at a time; without them its scalar twin does the same one by one. Results are
//! reduced elements and do not depend on the backend. Worth calling from some dozen elements on; long vectors are for
//! the caller to cut and share among threads, a few thousand elements each.
//!
//! Time: constant in the elements, except where a name says otherwise; it depends on lengths only.
//!
//! ```
//! # mod frumious { pub use ::frumious_field as field; }
//! use frumious::field::{WordField, vector};
//!
//! /// `a[i]·b[i] - c[i]`, and the sum of all of that.
//! fn differences<F: WordField>(a: &[F], b: &[F], mut c: Vec<F>) -> (Vec<F>, F) {
//!     vector::multiply_subtract(a, b, &mut c);
//!     let sum = vector::sum(&c);
//!     (c, sum)
//! }
//! ```
//!
//! Products in lanes need no change of radix: a factor in lane form (`x·2^260`) times a packed one (`y·2^256`) is
//! packed (see `frumious_simd`). Sums of products are reduced once for up to 64 of them.

mod combination;
mod each;
mod inner_product;
mod integers;
mod powers;
mod scalar;
mod sparse;
#[cfg(test)]
mod tests;

use crate::{Integer, WordField, lanes};
use combination::Combination;
use each::Each;
use inner_product::{InnerProduct, Sum};
pub use integers::IntegerProducts;
use powers::{Powers, ScaleByPowers, WORTH_LANES};
pub use sparse::add_combination_vartime;

/// `a[i] += b[i]`. Not in lanes: an addition costs less than the way into them and out.
#[track_caller]
pub fn add_assign<F: WordField>(a: &mut [F], b: &[F]) {
    same_length(a, b);
    scalar::zip(a, b, |a, b| *a += *b);
}

/// `a[i] -= b[i]`. Not in lanes, as [`add_assign`].
#[track_caller]
pub fn subtract_assign<F: WordField>(a: &mut [F], b: &[F]) {
    same_length(a, b);
    scalar::zip(a, b, |a, b| *a -= *b);
}

/// `a[i] *= b[i]`.
#[track_caller]
pub fn multiply_assign<F: WordField>(a: &mut [F], b: &[F]) {
    same_length(a, b);
    match lanes::active() {
        Some(cpu) => cpu.run(Each::new(each::MultiplyBy, a, [b])),
        None => scalar::zip(a, b, |a, b| *a *= *b),
    }
}

/// `out[i] = a[i]·b[i]`.
#[track_caller]
pub fn multiply<F: WordField>(a: &[F], b: &[F], out: &mut [F]) {
    same_length(a, b);
    same_length(a, out);
    match lanes::active() {
        Some(cpu) => cpu.run(Each::new(each::Product, out, [a, b])),
        None => scalar::zip2(out, a, b, |out, a, b| *out = *a * *b),
    }
}

/// `c[i] = a[i]·b[i] - c[i]`.
#[track_caller]
pub fn multiply_subtract<F: WordField>(a: &[F], b: &[F], c: &mut [F]) {
    same_length(a, b);
    same_length(a, c);
    match lanes::active() {
        Some(cpu) => cpu.run(Each::new(each::ProductMinus, c, [a, b])),
        None => scalar::zip2(c, a, b, |c, a, b| *c = *a * *b - *c),
    }
}

/// `out[i]` is the integer `a[i]·b[i] - c[i]`: sums over a group take it as a scalar.
#[track_caller]
pub fn multiply_subtract_to_integers<F: WordField>(
    a: &[F],
    b: &[F],
    c: &[F],
    out: &mut [Integer<F>],
) {
    same_length(a, b);
    same_length(a, c);
    same_length(a, out);
    match lanes::active() {
        Some(cpu) => cpu.run(Each::new(each::ProductMinusToInteger, out, [a, b, c])),
        None => scalar::multiply_subtract_to_integers(a, b, c, out),
    }
}

/// `out[i]` is the integer `values[i]`.
#[track_caller]
pub fn to_integers<F: WordField>(values: &[F], out: &mut [Integer<F>]) {
    same_length(values, out);
    match lanes::active() {
        Some(cpu) => cpu.run(Each::new(each::ToInteger, out, [values])),
        None => scalar::zip(out, values, |out, value| *out = Integer::from(*value)),
    }
}

/// `a[i] *= factor`.
pub fn scale<F: WordField>(a: &mut [F], factor: &F) {
    match lanes::active() {
        Some(cpu) => cpu.run(Each::new(each::Scale(*factor), a, [])),
        None => a.iter_mut().for_each(|a| *a *= *factor),
    }
}

/// `sum[i] += factor·a[i]`.
#[track_caller]
pub fn add_scaled<F: WordField>(sum: &mut [F], factor: &F, a: &[F]) {
    same_length(sum, a);
    match lanes::active() {
        Some(cpu) => cpu.run(Each::new(each::AddScaled(*factor), sum, [a])),
        None => scalar::zip(sum, a, |sum, a| *sum += *factor * *a),
    }
}

/// `sum[i] += weights[0]·rows[0][i] + weights[1]·rows[1][i] + …`.
///
/// Several rows are read side by side, each once, so that one reduction serves for all their products. Rows that are
/// aligned to cache lines are read fastest.
pub fn add_combination<F: WordField>(sum: &mut [F], rows: &[&[F]], weights: &[F]) {
    add_combination_before(sum, rows, weights, &[]);
}

/// As [`add_combination`], and brings the rows close that will be read next.
fn add_combination_before<F: WordField>(
    sum: &mut [F],
    rows: &[&[F]],
    weights: &[F],
    next: &[&[F]],
) {
    same_length(rows, weights);
    rows.iter().for_each(|row| same_length(sum, row));
    match lanes::active() {
        Some(cpu) => cpu.run(Combination {
            sum,
            rows,
            weights,
            next,
        }),
        None => scalar::add_combination(sum, rows, weights),
    }
}

/// `a[0]·b[0] + a[1]·b[1] + …`.
#[track_caller]
pub fn inner_product<F: WordField>(a: &[F], b: &[F]) -> F {
    same_length(a, b);
    match lanes::active() {
        Some(cpu) => cpu.run(InnerProduct { a, b }),
        None => scalar::inner_product(a, b),
    }
}

/// `a[0] + a[1] + …`.
pub fn sum<F: WordField>(a: &[F]) -> F {
    match lanes::active() {
        Some(cpu) => cpu.run(Sum { a }),
        None => a.iter().fold(F::ZERO, |sum, a| sum + *a),
    }
}

/// `out[i] = first·baseⁱ`.
pub fn powers<F: WordField>(out: &mut [F], first: &F, base: &F) {
    match lanes::active() {
        Some(cpu) if out.len() >= WORTH_LANES => cpu.run(Powers::new(out, first, base)),
        _ => scalar::powers(out, first, base),
    }
}

/// `a[i] *= first·baseⁱ`.
pub fn scale_by_powers<F: WordField>(a: &mut [F], first: &F, base: &F) {
    match lanes::active() {
        Some(cpu) if a.len() >= WORTH_LANES => cpu.run(ScaleByPowers::new(a, first, base)),
        _ => scalar::scale_by_powers(a, first, base),
    }
}

/// Panics unless the vectors have one length.
#[track_caller]
fn same_length<A, B>(a: &[A], b: &[B]) {
    assert!(
        a.len() == b.len(),
        "vectors of different lengths: {} and {}",
        a.len(),
        b.len()
    );
}
