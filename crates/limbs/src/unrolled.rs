//! Montgomery products and squares of four words and six at run time, in plain Rust with every loop unrolled.
//!
//! [`crate::portable`] has the products as loops, for constants and other lengths. These here are ordered for CPUs that
//! carry out several instructions a cycle, in constant time all the same (x86-64, measured in
//! `peers/record/2026-11-22-portable.md`):
//!
//! - A product of four words is the low half of the product of integers, its reduction, the high half, their sum. What
//!   the next product waits for is the reduction, and it needs the low half only.
//! - A product of six words takes a row and its reduction by turns. It is not inlined: single products stand in
//!   hundreds of places, two kilobytes each. Curve formulas would outgrow the instruction cache (sums of points 15%
//!   slower).
//! - A square takes products of different words once.
//!
//! CPUs of 32 bits take `columns` instead, AArch64 its assembly (`aarch64`).
//!
//! Rows are added by chains of carries, of which `add_row` suits what waits for the row before, `add_waiting_row` what
//! does not.
//!
//! Callers that know the modulus at compile time pass it through [`crate::modular::in_memory`].

use crate::primitives::{adc, mac};
use crate::straight::unrolled;
use crate::{Modulus, columns, modular, portable, words};

/// Montgomery product `a·b/R mod p`, a residue, of residues, or of factors below `2p` if `4p < R·(1 - 2^(-60))`. Time:
/// constant. `N` must be 4 (a parameter so that generic callers need no cast).
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn mul<const N: usize>(a: &[u64; N], b: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        return crate::aarch64::mul(a, b, modulus);
    }
    if columns::ARE_FASTER {
        return modular::reduce_once(&mul_lazy(a, b, modulus), &modulus.p);
    }
    let (reduced, high) = mul_halves(a, b, modulus);
    modular::add(&reduced, &high, &modulus.p)
}

/// As [`mul`] without the last subtraction: below `2p`. Other factors are allowed where `a·b/2^256 + p` is below 2^256,
/// and `a + p` at most that. The product is below the former, or a 2^62th of `p` more.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn mul_lazy<const N: usize>(a: &[u64; N], b: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        return crate::aarch64::mul_lazy(a, b, modulus);
    }
    if columns::ARE_FASTER {
        let mut product = [0; N];
        set_product_by_columns(&mut product, a, b, modulus);
        return product;
    }
    let (reduced, high) = mul_halves(a, b, modulus);
    words::add(&reduced, &high).0
}

/// As [`mul`] for any words `a` and a residue `b`, of four words or six.
#[inline(always)]
pub(crate) fn mul_any<const N: usize>(
    a: &[u64; N],
    b: &[u64; N],
    modulus: &Modulus<N>,
) -> [u64; N] {
    if N == 6 {
        return mul_six(b, a, modulus); // of whose factors the second may be any
    }
    #[cfg(target_arch = "aarch64")]
    if N == 4 {
        return crate::aarch64::mul(b, a, modular::in_memory(modulus));
    }
    let product = portable::mul_lazy(a, b, &modulus.p, modulus.p_neg_inv);
    modular::reduce_once(&product, &modulus.p)
}

/// [`columns::mul`], not inlined, as those of six words.
#[inline(never)]
fn set_product_by_columns<const N: usize>(
    product: &mut [u64; N],
    a: &[u64; N],
    b: &[u64; N],
    modulus: &Modulus<N>,
) {
    *product = columns::mul(a, b, modular::in_memory(modulus));
}

/// Montgomery product `a·b/R mod p` of six words, a residue, for `a·b < R·p` and `a < 2^383`: see
/// [`crate::portable::mul_lazy`] for the bounds. Time: constant. `N` must be 6.
#[inline(always)]
pub fn mul_six<const N: usize>(a: &[u64; N], b: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    let mut product = [0; N];
    set_product_six(&mut product, a, b, modulus);
    modular::in_registers(product)
}

/// As [`square`] for six words, not inlined.
#[inline(always)]
pub(crate) fn square_six<const N: usize>(a: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    let mut power = [0; N];
    set_square_six(&mut power, a, modulus);
    modular::in_registers(power)
}

#[inline(never)]
fn set_product_six<const N: usize>(
    product: &mut [u64; N],
    a: &[u64; N],
    b: &[u64; N],
    modulus: &Modulus<N>,
) {
    assert!(N == 6, "six words"); // decided at compile time
    let modulus = modular::in_memory(modulus); // which LLVM knows here too, if there is but one of this length
    #[cfg(target_arch = "aarch64")]
    if N == 6 {
        *product = crate::aarch64::mul(a, b, modulus);
        return;
    }
    if columns::ARE_FASTER {
        *product = modular::reduce_once(&columns::mul(a, b, modulus), &modulus.p);
        return;
    }
    let mut t = [0; N];
    unrolled!(i in 0..N => {
        let top = add_waiting_row(&mut t, a, b[i]);
        let m = t[0].wrapping_mul(modulus.p_neg_inv);
        let carry = add_row(&mut t, &modulus.p, m);
        t = shifted(&t, top.wrapping_add(carry)); // no overflow: both are below 2^63
    });
    *product = modular::reduce_once(&t, &modulus.p);
}

#[inline(never)]
fn set_square_six<const N: usize>(power: &mut [u64; N], a: &[u64; N], modulus: &Modulus<N>) {
    *power = square(a, modular::in_memory(modulus));
}

/// Montgomery square, as [`mul`] of `a` and `a`, for four words or six. Time: constant.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn square<const N: usize>(a: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        return crate::aarch64::square(a, modulus);
    }
    if columns::ARE_FASTER {
        let mut power = [0; N];
        set_square_by_columns(&mut power, a, modulus);
        return modular::reduce_once(&power, &modulus.p);
    }
    let (low, high) = wide_square(a);
    modular::add(&reduce_low(&low, modulus), &high, &modulus.p)
}

/// [`columns::square`], not inlined.
#[inline(never)]
fn set_square_by_columns<const N: usize>(power: &mut [u64; N], a: &[u64; N], modulus: &Modulus<N>) {
    *power = columns::square(a, modular::in_memory(modulus));
}

/// The reduced low half of `a·b` and its high half, whose sum is the product below `2p`.
#[inline(always)]
fn mul_halves<const N: usize>(
    a: &[u64; N],
    b: &[u64; N],
    modulus: &Modulus<N>,
) -> ([u64; N], [u64; N]) {
    assert!(N == 4, "four words"); // decided at compile time
    let (mut low, mut high, mut carries) = ([0; N], [0; N], [0; N]);
    unrolled!(i in 0..N => {
        carries[i] = add_waiting_part(&mut low, i, a, N - i, b[i]);
    });
    let reduced = reduce_low(&low, modulus);
    unrolled!(i in 0..N => {
        high[i] = add_upper_part(&mut high, a, i, b[i], carries[i]);
    });
    (reduced, high)
}

/// `low/R mod p`, below `p + 2^(-62)·p`: two words at a time are folded into those above by `2^(-128)` and
/// `2^(-64) mod p`. A fold waits for one product instead of the two of Montgomery's step. That takes the last two.
///
/// Bound: a fold leaves less than `2^(64(N-1)) + 2·2^64·p`, which fits `N + 1` words for a top word of `p` below 2^63 -
/// 1. Montgomery's two steps leave less than `2^(-128)` of that, and `p`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn reduce_low<const N: usize>(low: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        return crate::aarch64::reduce_low(low, modulus);
    }
    let (mut t, mut top) = (*low, 0);
    unrolled!(fold in 0..N / 2 - 1 => {
        let _ = fold;
        let mut above = shifted(&shifted(&t, top), 0);
        let first = add_row(&mut above, &modulus.fold[0], t[0]);
        let second = add_row(&mut above, &modulus.fold[1], t[1]);
        (t, top) = (above, first.wrapping_add(second)); // no overflow: it fits
    });
    let m = t[0].wrapping_mul(modulus.p_neg_inv);
    let carry = add_row(&mut t, &modulus.p, m);
    let (last, overflow) = top.overflowing_add(carry);
    t = shifted(&t, last);
    let m = t[0].wrapping_mul(modulus.p_neg_inv);
    let carry = add_row(&mut t, &modulus.p, m);
    shifted(&t, carry.wrapping_add(u64::from(overflow)))
}

/// `a·b` in two halves.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn wide_product<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], [u64; N]) {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        return crate::aarch64::wide_product(a, b);
    }
    let (mut low, mut t) = ([0; N], [0; N]);
    unrolled!(i in 0..N => {
        let top = add_waiting_row(&mut t, a, b[i]);
        low[i] = t[0];
        t = shifted(&t, top);
    });
    (low, t)
}

/// `a²` in two halves: products of different words once, doubled while the squares are added.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn wide_square<const N: usize>(a: &[u64; N]) -> ([u64; N], [u64; N]) {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        return crate::aarch64::wide_square(a);
    }
    assert!(N == 4 || N == 6, "four words or six"); // decided at compile time
    let mut t = [0; 12]; // 2N words of it
    unrolled!(i in 0..N - 1 => {
        let mut carry = 0;
        unrolled!(j in 0..N => {
            if j > i {
                (t[i + j], carry) = mac(a[i], a[j], t[i + j], carry);
            }
        });
        t[i + N] = carry;
    });
    let (products, mut carry) = (t, false);
    unrolled!(i in 0..N => {
        let below = if i > 0 { products[2 * i - 1] >> 63 } else { 0 };
        let (low, high) = (products[2 * i], products[2 * i + 1]);
        let square_high;
        (t[2 * i], square_high) = mac(a[i], a[i], low << 1 | below, u64::from(carry));
        (t[2 * i + 1], carry) = (high << 1 | low >> 63).overflowing_add(square_high);
    });
    debug_assert!(!carry);
    let (mut low, mut high) = ([0; N], [0; N]);
    unrolled!(i in 0..N => {
        (low[i], high[i]) = (t[i], t[N + i]);
    });
    (low, high)
}

/// `t += a·b` and the word above: the row first, then one chain of carries.
#[inline(always)]
pub(crate) fn add_row<const N: usize>(t: &mut [u64; N], a: &[u64; N], b: u64) -> u64 {
    let (mut row, mut top) = ([0; N], 0);
    unrolled!(j in 0..N => {
        (row[j], top) = mac(a[j], b, top, 0);
    });
    add_chain(t, &row, top)
}

/// The same where the row is a chain of carries too, which suits rows that wait for nothing.
#[inline(always)]
pub(crate) fn add_waiting_row<const N: usize>(t: &mut [u64; N], a: &[u64; N], b: u64) -> u64 {
    #[cfg(target_arch = "aarch64")]
    if N == 4 || N == 6 {
        let top;
        (*t, top) = crate::aarch64::add_row(t, a, b);
        return top;
    }
    add_waiting_part(t, 0, a, N, b)
}

/// `t += row`, and `top` with the carry, which fits.
#[inline(always)]
fn add_chain<const N: usize>(t: &mut [u64; N], row: &[u64; N], top: u64) -> u64 {
    let mut carry = false;
    unrolled!(j in 0..N => {
        (t[j], carry) = adc(t[j], row[j], carry);
    });
    top.wrapping_add(u64::from(carry))
}

/// Adds `b` times the lower `count` words of `a` to the words of `t` from `start` on, as [`add_waiting_row`]; the word
/// above.
#[inline(always)]
fn add_waiting_part<const N: usize>(
    t: &mut [u64; N],
    start: usize,
    a: &[u64; N],
    count: usize,
    b: u64,
) -> u64 {
    let (mut row, mut top, mut carry) = ([0; N], 0, false);
    unrolled!(j in 0..N => {
        if j < count {
            let (low, high) = mac(a[j], b, 0, 0);
            (row[j], carry) = adc(low, top, carry);
            top = high;
        }
    });
    top = top.wrapping_add(u64::from(carry)); // no overflow: a·b fits
    carry = false;
    unrolled!(j in 0..N => {
        if j < count {
            (t[start + j], carry) = adc(t[start + j], row[j], carry);
        }
    });
    top.wrapping_add(u64::from(carry))
}

/// Adds `b` times the upper `count` words of `a`, and `carry`, to the lower words of `t`; the word above.
#[inline(always)]
fn add_upper_part<const N: usize>(
    t: &mut [u64; N],
    a: &[u64; N],
    count: usize,
    b: u64,
    mut carry: u64,
) -> u64 {
    unrolled!(j in 0..N => {
        if j < count {
            (t[j], carry) = mac(a[N - count + j], b, t[j], carry);
        }
    });
    carry
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
