//! Products, squares and reductions by rows.

use super::rows::{add, multiply, reduce, reduce_with_top};
use super::{reduce_once, wide_square};
use crate::registers::in_memory;
use crate::straight::unrolled;
use crate::{Modulus, words};

/// Montgomery product `a·b/R mod p`, a residue, of four words or six, for `a·b < R·p` and `a + p <= R`. Time:
/// constant.
#[inline(always)]
pub(crate) fn mul<const N: usize>(a: &[u64; N], b: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    reduce_once(&mul_lazy(a, b, modulus), &modulus.p)
}

/// As [`mul`] without the last subtraction: below `a·b/R + p`, which must be at most `R`.
///
/// Bound: before and after each step `t < a + p`, as `(t + a·w + m·p)/2^64` is below that again for words `w, m`. So
/// `N` words hold it for `a + p <= R`, and one more holds it between. Source: as [`crate::portable::mul_lazy`].
#[inline(always)]
pub(crate) fn mul_lazy<const N: usize>(
    a: &[u64; N],
    b: &[u64; N],
    modulus: &Modulus<N>,
) -> [u64; N] {
    let (t, top) = multiply(a, b[0]);
    let mut t = reduce_with_top(&t, top, modulus);
    unrolled!(i in 0..N => {
        if i > 0 {
            let (sum, top) = add(&t, a, b[i]);
            t = reduce_with_top(&sum, top, modulus);
        }
    });
    t
}

/// Montgomery square `a²/R mod p`, a residue, of four words or six, for `a² < R·p`. Time: constant.
#[inline(always)]
pub(crate) fn square<const N: usize>(a: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    let (low, high) = wide_square(a);
    let sum = words::add(&reduce_low(&low, modulus), &high).0; // below 2p
    reduce_once(&sum, &modulus.p)
}

/// `low/R mod p`, at most `p`: four words or six. Time: constant.
#[inline(always)]
pub(crate) fn reduce_low<const N: usize>(low: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    let mut t = *low;
    unrolled!(i in 0..N => {
        let _ = i;
        t = reduce(&t, modulus);
    });
    t
}

/// `a·b` in two halves, of four words or six. Time: constant.
#[inline(always)]
pub(crate) fn wide_product<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], [u64; N]) {
    let mut low = [0; N];
    let (mut t, mut top) = multiply(a, b[0]);
    unrolled!(i in 0..N => {
        if i > 0 {
            low[i - 1] = t[0];
            (t, top) = add(&shifted(&t, top), a, b[i]);
        }
    });
    low[N - 1] = t[0];
    (low, shifted(&t, top))
}

/// See [`crate::products::sum_of_products_lazy`], for `(K + 1)·p <= R` and four words or six. Time: constant.
///
/// Bound: as in [`mul_lazy`], with the sum of all `a[k]` for `a`. Those of six words are not inlined, as products of
/// them are not.
#[inline(always)]
pub(crate) fn sum_of_products_lazy<const N: usize, const K: usize>(
    a: [&[u64; N]; K],
    b: [&[u64; N]; K],
    modulus: &Modulus<N>,
) -> [u64; N] {
    if N == 6 {
        let mut sum = [0; N];
        set_sum_of_products(&mut sum, a, b, modulus);
        sum
    } else {
        sum_by_rows(a, b, in_memory(modulus))
    }
}

#[inline(never)]
fn set_sum_of_products<const N: usize, const K: usize>(
    sum: &mut [u64; N],
    a: [&[u64; N]; K],
    b: [&[u64; N]; K],
    modulus: &Modulus<N>,
) {
    *sum = sum_by_rows(a, b, in_memory(modulus));
}

#[inline(always)]
fn sum_by_rows<const N: usize, const K: usize>(
    a: [&[u64; N]; K],
    b: [&[u64; N]; K],
    modulus: &Modulus<N>,
) -> [u64; N] {
    let mut t = [0; N];
    unrolled!(i in 0..N => {
        let mut top = 0_u64;
        for k in 0..K {
            let carry;
            (t, carry) = if i == 0 && k == 0 {
                multiply(a[k], b[k][i])
            } else {
                add(&t, a[k], b[k][i])
            };
            top = top.wrapping_add(carry); // no overflow: one word holds what is above
        }
        t = reduce_with_top(&t, top, modulus);
    });
    t
}

/// See [`crate::Prepared::mul`], for four words or six. Time: constant.
#[inline(always)]
pub(crate) fn mul_prepared<const N: usize>(
    a: &[u64; N],
    multiples: &[[u64; N]; N],
    modulus: &Modulus<N>,
) -> [u64; N] {
    let modulus = in_memory(modulus);
    let (mut t, mut top) = multiply(&multiples[0], a[0]);
    unrolled!(i in 0..N => {
        if i > 0 {
            let carry;
            (t, carry) = add(&t, &multiples[i], a[i]);
            top = top.wrapping_add(carry); // no overflow: t < 2^(64(N + 1))
        }
    });
    reduce_with_top(&t, top, modulus)
}

/// `t` without its lowest word, and with `top` above.
#[inline(always)]
fn shifted<const N: usize>(t: &[u64; N], top: u64) -> [u64; N] {
    let mut moved = [top; N];
    unrolled!(i in 0..N => {
        if i + 1 < N {
            moved[i] = t[i + 1];
        }
    });
    moved
}
