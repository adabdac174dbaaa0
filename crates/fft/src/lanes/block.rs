//! The transform of eight columns side by side, all stages of it, in memory that stays close: `kernel` in lanes.
//!
//! A column is a slice of [`Block`]s, each of one element of eight columns. Both directions have the butterfly
//! `(x + t·y, x - t·y)`, whose bounds grow by addition. In frequency, twiddles are numbered as in `kernel`: `T[b]` for
//! all of sub-block `b`. In time those would make sums that double. There they go by the place in the sub-block
//! instead, `ω_2m^j` for place `j` of `m` (Cooley and Tukey 1965). It is the same table in another order.
//!
//! Stages whose sub-blocks are larger than [`CHUNK`] run over the whole. The others over one chunk after the other,
//! which stays in the first cache for all of them.

use super::butterfly::{Growth, butterfly, butterfly_of_one};
use frumious_field::WordField;
use frumious_simd::{Block, Factor, Vector};

/// Rows from natural to bit-reversed order, from values up to `bound`. Returns the bound of the results, at most the
/// limit.
///
/// `values`: `2^stages` blocks, at least two. `twiddles`: at least half as many, `ω^rev(b)`.
#[inline(always)]
pub(super) fn dif<F: WordField, V: Vector>(
    cpu: V::Cpu,
    values: &mut [Block<5>],
    twiddles: &[Factor<5>],
    bound: u64,
) -> u64 {
    let mut bound = bound;
    let mut span = values.len();
    while span > CHUNK {
        let growth = Growth::of::<F>(bound);
        dif_stage::<F, V>(cpu, values, 0, span, twiddles, growth);
        (span, bound) = (span / 2, growth.to);
    }
    let before = bound;
    for (c, chunk) in values.chunks_exact_mut(span).enumerate() {
        (span, bound) = (chunk.len(), before);
        while span > 1 {
            let growth = Growth::of::<F>(bound);
            let first = c * (chunk.len() / span);
            dif_stage::<F, V>(cpu, chunk, first, span, twiddles, growth);
            (span, bound) = (span / 2, growth.to);
        }
    }
    bound
}

/// Rows from bit-reversed to natural order, from values up to `bound`. Returns the bound of the results, at most the
/// limit.
///
/// `values`: `2^stages` blocks, at least two. `twiddles`: at least as many, `ω_2m^j` at `m + j` for `j < m`.
#[inline(always)]
pub(super) fn dit<F: WordField, V: Vector>(
    cpu: V::Cpu,
    values: &mut [Block<5>],
    twiddles: &[Factor<5>],
    bound: u64,
) -> u64 {
    let chunk_len = CHUNK.min(values.len());
    let before = bound;
    let mut bound = bound;
    for chunk in values.chunks_exact_mut(chunk_len) {
        bound = before;
        let mut half = 1;
        while half < chunk_len {
            let growth = Growth::of::<F>(bound);
            dit_stage::<F, V>(cpu, chunk, half, twiddles, growth);
            (half, bound) = (2 * half, growth.to);
        }
    }
    let mut half = chunk_len;
    while half < values.len() {
        let growth = Growth::of::<F>(bound);
        dit_stage::<F, V>(cpu, values, half, twiddles, growth);
        (half, bound) = (2 * half, growth.to);
    }
    bound
}

/// One stage over adjacent sub-blocks of `span` elements, numbered from `first`.
#[inline(always)]
fn dif_stage<F: WordField, V: Vector>(
    cpu: V::Cpu,
    values: &mut [Block<5>],
    first: usize,
    span: usize,
    twiddles: &[Factor<5>],
    growth: Growth,
) {
    let (mut values, mut first) = (values, first);
    if first == 0 {
        let (sub_block, rest) = values.split_at_mut(span);
        let (low, high) = sub_block.split_at_mut(span / 2);
        for (x, y) in low.iter_mut().zip(high) {
            butterfly_of_one::<F, V>(cpu, x, y, growth);
        }
        (values, first) = (rest, 1);
    }
    let twiddles = twiddles[first..].iter();
    if span == 2 && !growth.reduce {
        for ([x, y], t) in values.as_chunks_mut::<2>().0.iter_mut().zip(twiddles) {
            butterfly::<F, V, false>(cpu, x, y, t, growth);
        }
        return;
    }
    for (sub_block, t) in values.chunks_exact_mut(span).zip(twiddles) {
        let (low, high) = sub_block.split_at_mut(span / 2);
        if growth.reduce {
            for (x, y) in low.iter_mut().zip(high) {
                butterfly::<F, V, true>(cpu, x, y, t, growth);
            }
        } else {
            for (x, y) in low.iter_mut().zip(high) {
                butterfly::<F, V, false>(cpu, x, y, t, growth);
            }
        }
    }
}

/// One stage over adjacent sub-blocks of `2·half` elements.
#[inline(always)]
fn dit_stage<F: WordField, V: Vector>(
    cpu: V::Cpu,
    values: &mut [Block<5>],
    half: usize,
    twiddles: &[Factor<5>],
    growth: Growth,
) {
    if half == 1 {
        for [x, y] in values.as_chunks_mut::<2>().0 {
            butterfly_of_one::<F, V>(cpu, x, y, growth);
        }
        return;
    }
    let twiddles = &twiddles[half + 1..2 * half];
    for sub_block in values.chunks_exact_mut(2 * half) {
        let (low, high) = sub_block.split_at_mut(half);
        let mut pairs = low.iter_mut().zip(high);
        if let Some((x, y)) = pairs.next() {
            butterfly_of_one::<F, V>(cpu, x, y, growth);
        }
        if growth.reduce {
            for ((x, y), t) in pairs.zip(twiddles) {
                butterfly::<F, V, true>(cpu, x, y, t, growth);
            }
        } else {
            for ((x, y), t) in pairs.zip(twiddles) {
                butterfly::<F, V, false>(cpu, x, y, t, growth);
            }
        }
    }
}

/// Blocks that stay in the first cache while their stages last, with their twiddles: 20 KiB.
const CHUNK: usize = 64;
