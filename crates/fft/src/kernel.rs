//! The serial transform of one block in cache: the part that vector lanes instantiate again.
//!
//! Everything here is generic over [`KernelField`], works on one slice on one thread and allocates nothing; nothing
//! here calls back into the thread pool. `schedule` above copies a block out of the vector into kernel form, calls
//! [`dif_block`] or [`dit_block`], and copies it back: conversion happens there and only there ([`powers`] on the way).
//!
//! A block is a matrix of `2^stages` rows, `width` elements each, in row-major order; each column is transformed.
//! Stage `s` sees `2^s` sub-blocks, and sub-block `b` uses one twiddle, `T[b] = ω^rev(b)`, for all its butterflies:
//!
//! ```text
//! decimation in frequency   (x, y) → (x + T[b]·y, x - T[b]·y)   stages 0, 1, 2 …   natural → bit-reversed order
//! decimation in time        (x, y) → (x + y, T[b]·(x - y))      stages … 2, 1, 0   bit-reversed → natural order
//! ```
//!
//! The first splits `f mod (X^2m - r²)` to `f mod (X^m - r)` and `f mod (X^m + r)` with `r = T[b]`; the second is its
//! transpose, hence the same transform with the order of input and output exchanged. Two stages go together (radix 4)
//! to halve the passes over memory; sub-block 0 has twiddles one and saves its products: `½·L·log L - L` in all
//! for `L = 2^stages`. Blocks larger than the first cache are taken depth first.
//! Source: Gentleman and Sande 1966; twiddles in this order: Bernstein 2001, "Multidigit multiplication for
//! mathematicians", section 4.

use frumious_field::KernelField;

mod butterfly;
pub(crate) mod powers;

use butterfly::{dif_radix2, dif_radix4, dit_radix2, dit_radix4};

/// Transforms each column, rows from natural to bit-reversed order.
///
/// `values`: `2^stages × width`, row-major; `twiddles`: at least `2^(stages-1)` entries `ω^rev(b)`, `ω` of order `2^stages`.
pub(crate) fn dif_block<V: KernelField>(values: &mut [V], stages: u32, twiddles: &[V]) {
    debug_assert!(values.len().is_multiple_of(1 << stages));
    dif_from(values, 0, stages, twiddles);
}

/// Transforms each column, rows from bit-reversed to natural order; shapes as for [`dif_block`].
pub(crate) fn dit_block<V: KernelField>(values: &mut [V], stages: u32, twiddles: &[V]) {
    debug_assert!(values.len().is_multiple_of(1 << stages));
    dit_from(values, 0, stages, twiddles);
}

/// Stages of sub-block `block` of some larger transform, depth first until the sub-block fits in cache.
fn dif_from<V: KernelField>(values: &mut [V], block: usize, stages: u32, twiddles: &[V]) {
    let mut done = 0;
    if stages % 2 == 1 {
        dif_radix2(values, block, twiddles);
        done = 1;
    }
    if size_of_val(values) > CACHED_BYTES && stages - done > 2 {
        for (b, part) in sub_blocks(values, block, done) {
            dif_radix4(part, b, 1, twiddles);
            for (b, quarter) in sub_blocks(part, b, 2) {
                dif_from(quarter, b, stages - done - 2, twiddles);
            }
        }
        return;
    }
    while done < stages {
        dif_radix4(values, block << done, 1 << done, twiddles);
        done += 2;
    }
}

/// The stages of [`dif_from`] backwards.
fn dit_from<V: KernelField>(values: &mut [V], block: usize, stages: u32, twiddles: &[V]) {
    let odd = stages % 2;
    if size_of_val(values) > CACHED_BYTES && stages - odd > 2 {
        for (b, part) in sub_blocks(values, block, odd) {
            for (b, quarter) in sub_blocks(part, b, 2) {
                dit_from(quarter, b, stages - odd - 2, twiddles);
            }
            dit_radix4(part, b, 1, twiddles);
        }
    } else {
        let mut left = stages;
        while left > odd {
            left -= 2;
            dit_radix4(values, block << left, 1 << left, twiddles);
        }
    }
    if odd == 1 {
        dit_radix2(values, block, twiddles);
    }
}

/// The `2^stages` sub-blocks after `stages` stages of sub-block `block`, each with its number.
fn sub_blocks<V>(
    values: &mut [V],
    block: usize,
    stages: u32,
) -> impl Iterator<Item = (usize, &mut [V])> {
    let len = values.len() >> stages;
    (block << stages..).zip(values.chunks_exact_mut(len))
}

/// A sub-block of this size stays in the first cache (48 KiB on the machines we tune for) during its remaining stages.
const CACHED_BYTES: usize = 32 << 10;
