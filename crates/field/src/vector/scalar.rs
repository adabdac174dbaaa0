//! The scalar twins: one element after the other.

use crate::{Integer, WordField};
use frumious_limbs::prefetch;

/// Calls `f` with each element of `target` and the one of `source` at its place.
#[inline(always)]
pub(super) fn zip<T, F>(target: &mut [T], source: &[F], f: impl Fn(&mut T, &F)) {
    for (target, source) in target.iter_mut().zip(source) {
        f(target, source);
    }
}

/// Calls `f` with each element of `target` and those of `a` and `b` at its place.
#[inline(always)]
pub(super) fn zip2<T, F>(target: &mut [T], a: &[F], b: &[F], f: impl Fn(&mut T, &F, &F)) {
    for ((target, a), b) in target.iter_mut().zip(a).zip(b) {
        f(target, a, b);
    }
}

pub(super) fn multiply_subtract_to_integers<F: WordField>(
    a: &[F],
    b: &[F],
    c: &[F],
    out: &mut [Integer<F>],
) {
    for (((out, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
        *out = Integer::from(*a * *b - *c);
    }
}

pub(super) fn powers<F: WordField>(out: &mut [F], first: &F, base: &F) {
    let mut power = *first;
    for out in out {
        *out = power;
        power *= *base;
    }
}

pub(super) fn scale_by_powers<F: WordField>(a: &mut [F], first: &F, base: &F) {
    let mut power = *first;
    for a in a {
        *a *= power;
        power *= *base;
    }
}

/// With one reduction for four products, where the modulus leaves room for that.
pub(super) fn inner_product<F: WordField>(a: &[F], b: &[F]) -> F {
    if F::MODULUS_64.bits > 254 {
        return inner_product_by::<F, 2>(a, b);
    }
    inner_product_by::<F, 4>(a, b)
}

fn inner_product_by<F: WordField, const K: usize>(a: &[F], b: &[F]) -> F {
    let (a, a_rest) = a.as_chunks::<K>();
    let (b, b_rest) = b.as_chunks::<K>();
    let rest = a_rest.iter().zip(b_rest);
    let sum = rest.fold(F::ZERO, |sum, (a, b)| sum + *a * *b);
    a.iter().zip(b).fold(sum, |sum, (a, b)| {
        sum + sum_of_products(a.each_ref(), b.each_ref())
    })
}

/// Rows side by side: for a modulus of 253 bits the number of products that cost least each, see
/// `frumious_limbs::products`. Then those of 254 and of 255 bits.
pub(super) fn add_combination<F: WordField>(sum: &mut [F], rows: &[&[F]], weights: &[F]) {
    match F::MODULUS_64.bits {
        ..=253 => add_combination_by::<F, 7>(sum, rows, weights),
        254 => add_combination_by::<F, 6>(sum, rows, weights),
        _ => add_combination_by::<F, 2>(sum, rows, weights),
    }
}

fn add_combination_by<F: WordField, const K: usize>(sum: &mut [F], rows: &[&[F]], weights: &[F]) {
    let (row_groups, rest) = rows.as_chunks::<K>();
    let (weight_groups, rest_weights) = weights.as_chunks::<K>();
    for (k, (group, weights)) in row_groups.iter().zip(weight_groups).enumerate() {
        let next = &rows[(k + 1) * K..];
        add_products(sum, group, weights.each_ref(), &next[..next.len().min(K)]);
    }
    add_rest(sum, rest, rest_weights);
}

/// Fewer than seven terms. Odd numbers beyond one are made even by a term of weight zero: 6 products side by side cost
/// less than 4 and 1.
fn add_rest<F: WordField>(sum: &mut [F], rows: &[&[F]], weights: &[F]) {
    let two = F::MODULUS_64.bits > 254; // no more than two
    match rows.len() {
        0 => {}
        1 => add_some::<F, 1>(sum, rows, weights),
        2 => add_some::<F, 2>(sum, rows, weights),
        _ if two => unreachable!("groups of two leave no more than one"),
        3 | 4 => add_some::<F, 4>(sum, rows, weights),
        _ => add_some::<F, 6>(sum, rows, weights),
    }
}

fn add_some<F: WordField, const K: usize>(sum: &mut [F], rows: &[&[F]], weights: &[F]) {
    let row = |k: usize| rows[k.min(rows.len() - 1)];
    let rows = core::array::from_fn(row);
    let weights: [F; K] = core::array::from_fn(|k| weights.get(k).copied().unwrap_or(F::ZERO));
    add_products::<F, K>(sum, &rows, weights.each_ref(), &[]);
}

/// Adds `Σ weights[k]·rows[k]`, and asks for the elements of `next`.
fn add_products<F: WordField, const K: usize>(
    sum: &mut [F],
    rows: &[&[F]; K],
    weights: [&F; K],
    next: &[&[F]],
) {
    let rows = rows.map(|row| &row[..sum.len()]);
    for (j, sum) in sum.iter_mut().enumerate() {
        if j % LINE == 0 {
            for next in next {
                prefetch(&next[j]);
            }
        }
        *sum += sum_of_products(rows.map(|row| &row[j]), weights);
    }
}

#[inline(always)]
fn sum_of_products<F: WordField, const K: usize>(a: [&F; K], b: [&F; K]) -> F {
    let (a, b) = (a.map(F::as_words), b.map(F::as_words));
    F::from_words(F::MODULUS_64.sum_of_products(a, b))
}

/// Elements in a cache line.
const LINE: usize = 2;
