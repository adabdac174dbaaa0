//! The serial transform of one block in cache: the part that vector lanes instantiate again.
//!
//! Everything here is generic over [`TransformField`], works on one slice on one thread and allocates nothing; nothing
//! here calls back into the thread pool. `schedule` above copies a block out of the vector into kernel form, calls
//! [`dif_block`] or [`dit_block`], and copies it back. Conversion happens there and only there ([`powers`] on the way).
//!
//! A block is a matrix of `2^stages` rows, `width` elements each, in row-major order; each column is transformed.
//! Stage `s` sees `2^s` sub-blocks, and sub-block `b` uses one twiddle, `T[b] = ω^rev(b)`, for all its butterflies:
//!
//! ```text
//! decimation in frequency   (x, y) → (x + T[b]·y, x - T[b]·y)   stages 0, 1, 2 …   natural → bit-reversed order
//! decimation in time        (x, y) → (x + y, T[b]·(x - y))      stages … 2, 1, 0   bit-reversed → natural order
//! ```
//!
//! The first splits `f mod (X^2m - r²)` to `f mod (X^m - r)` and `f mod (X^m + r)` with `r = T[b]`. The second is its
//! transpose, hence the same transform with the order of input and output exchanged. Sub-block 0 has twiddle one and
//! saves its products, `½·L·log L - L` in all for `L = 2^stages`. A block may itself be sub-block `b` of a larger
//! transform: its sub-blocks are then numbered from `b·2^s`. Blocks larger than the first cache go depth first. Source:
//! Gentleman and Sande 1966; twiddles in this order: Bernstein 2001, "Multidigit multiplication for mathematicians",
//! section 4.
//!
//! Radix 4 was tried. It halves the passes over the first cache, but the second product of a quartet waits for the
//! first. At a product's latency of 80 cycles the 448 operations in flight then hold too few independent ones.
//! Measured: 13.6 against 13.0 ns a butterfly (Zen 5, ADX).
//!
//! A twiddle of more than one butterfly is prepared ([`TransformField::factor`]). Sub-blocks of two elements, one
//! butterfly each, take a plain product.

use crate::settings::CACHED_BYTES;
use frumious_field::TransformField;

pub(crate) mod powers;

/// Transforms each column of sub-block `block`, rows from natural to bit-reversed order.
///
/// `values`: `2^stages × width`, row-major; `twiddles`: at least `(block + 1)·2^(stages-1)` entries `ω^rev(b)`. For
/// block 0, `ω` has order `2^stages`; in general the prefix of length `2^k` belongs to a root of order `2^(k+1)`.
pub(crate) fn dif_block<V: TransformField>(
    cpu: V::Cpu,
    values: &mut [V],
    block: usize,
    stages: u32,
    twiddles: &[V::Scalar],
) {
    debug_assert!(values.len().is_multiple_of(1 << stages));
    if stages > 1 && size_of_val(values) > CACHED_BYTES.get() {
        dif_stage(cpu, values, block, 1, twiddles);
        let (low, high) = values.split_at_mut(values.len() / 2);
        dif_block(cpu, low, 2 * block, stages - 1, twiddles);
        dif_block(cpu, high, 2 * block + 1, stages - 1, twiddles);
    } else {
        for stage in 0..stages {
            dif_stage(cpu, values, block << stage, 1 << stage, twiddles);
        }
    }
}

/// Transforms each column of sub-block `block`, rows from bit-reversed to natural order; shapes as for [`dif_block`].
pub(crate) fn dit_block<V: TransformField>(
    cpu: V::Cpu,
    values: &mut [V],
    block: usize,
    stages: u32,
    twiddles: &[V::Scalar],
) {
    debug_assert!(values.len().is_multiple_of(1 << stages));
    if stages > 1 && size_of_val(values) > CACHED_BYTES.get() {
        let (low, high) = values.split_at_mut(values.len() / 2);
        dit_block(cpu, low, 2 * block, stages - 1, twiddles);
        dit_block(cpu, high, 2 * block + 1, stages - 1, twiddles);
        dit_stage(cpu, values, block, 1, twiddles);
    } else {
        for stage in (0..stages).rev() {
            dit_stage(cpu, values, block << stage, 1 << stage, twiddles);
        }
    }
}

/// One stage, decimation in frequency, over `count` adjacent sub-blocks of equal length, numbered from `first`.
fn dif_stage<V: TransformField>(
    cpu: V::Cpu,
    values: &mut [V],
    first: usize,
    count: usize,
    twiddles: &[V::Scalar],
) {
    let len = values.len() / count;
    let twiddles = twiddles[first..first + count].iter();
    let numbered = (first..).zip(twiddles);
    if len == 2 {
        let pairs = values.as_chunks_mut::<2>().0;
        for ((b, t), [x, y]) in numbered.zip(pairs) {
            if b == 0 {
                (*x, *y) = (*x + *y, *x - *y);
            } else {
                (*x, *y) = dif(*x, *y * V::load(cpu, *t));
            }
        }
        return;
    }
    for ((b, t), values) in numbered.zip(values.chunks_exact_mut(len)) {
        let (low, high) = values.split_at_mut(len / 2);
        let pairs = low.iter_mut().zip(high);
        if b == 0 {
            pairs.for_each(|(x, y)| (*x, *y) = (*x + *y, *x - *y));
        } else {
            let t = V::factor(cpu, *t);
            pairs.for_each(|(x, y)| (*x, *y) = dif(*x, y.times(&t)));
        }
    }
}

/// One stage, decimation in time, over `count` adjacent sub-blocks of equal length, numbered from `first`.
fn dit_stage<V: TransformField>(
    cpu: V::Cpu,
    values: &mut [V],
    first: usize,
    count: usize,
    twiddles: &[V::Scalar],
) {
    let len = values.len() / count;
    let twiddles = twiddles[first..first + count].iter();
    let numbered = (first..).zip(twiddles);
    if len == 2 {
        let pairs = values.as_chunks_mut::<2>().0;
        for ((b, t), [x, y]) in numbered.zip(pairs) {
            if b == 0 {
                (*x, *y) = (*x + *y, *x - *y);
            } else {
                (*x, *y) = (*x + *y, (*x - *y) * V::load(cpu, *t));
            }
        }
        return;
    }
    for ((b, t), values) in numbered.zip(values.chunks_exact_mut(len)) {
        let (low, high) = values.split_at_mut(len / 2);
        let pairs = low.iter_mut().zip(high);
        if b == 0 {
            pairs.for_each(|(x, y)| (*x, *y) = (*x + *y, *x - *y));
        } else {
            let t = V::factor(cpu, *t);
            pairs.for_each(|(x, y)| (*x, *y) = (*x + *y, (*x - *y).times(&t)));
        }
    }
}

#[inline(always)]
fn dif<V: TransformField>(x: V, ty: V) -> (V, V) {
    (x + ty, x - ty)
}
