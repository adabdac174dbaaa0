//! Plain integers of `N` words: addition and subtraction with carry, selection, comparison.

use crate::primitives::{adc, sbb};
use subtle::{Choice, ConditionallySelectable};

/// `a + b` and the carry out, 0 or 1.
#[inline(always)]
pub const fn add<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u64) {
    let mut sum = [0; N];
    let mut carry = false;
    let mut i = 0;
    while i < N {
        (sum[i], carry) = adc(a[i], b[i], carry);
        i += 1;
    }
    (sum, carry as u64)
}

/// `a - b` and the borrow out, 0 or 1.
#[inline(always)]
pub const fn sub<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u64) {
    let mut difference = [0; N];
    let mut borrow = false;
    let mut i = 0;
    while i < N {
        (difference[i], borrow) = sbb(a[i], b[i], borrow);
        i += 1;
    }
    (difference, borrow as u64)
}

/// `a` where `mask` is 0, `b` where it is all ones; no other mask is allowed.
#[inline(always)]
pub const fn select_mask<const N: usize>(a: &[u64; N], b: &[u64; N], mask: u64) -> [u64; N] {
    let mut chosen = [0; N];
    let mut i = 0;
    while i < N {
        chosen[i] = a[i] ^ (mask & (a[i] ^ b[i]));
        i += 1;
    }
    chosen
}

/// `a` if `choice` is 0, `b` if it is 1.
#[inline(always)]
pub fn select<const N: usize>(a: &[u64; N], b: &[u64; N], choice: Choice) -> [u64; N] {
    let mut chosen = [0; N];
    for i in 0..N {
        chosen[i] = u64::conditional_select(&a[i], &b[i], choice);
    }
    chosen
}

/// Whether `a < b`.
#[inline(always)]
pub fn less_than<const N: usize>(a: &[u64; N], b: &[u64; N]) -> Choice {
    Choice::from(sub(a, b).1 as u8)
}

/// Whether `a < b`, for public values.
pub const fn less_than_vartime<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    sub(a, b).1 == 1
}

/// `2·a`, dropping the carry.
pub const fn double<const N: usize>(a: &[u64; N]) -> [u64; N] {
    add(a, a).0
}

/// `a >> 1`.
pub const fn halve<const N: usize>(a: &[u64; N]) -> [u64; N] {
    let mut half = [0; N];
    let mut i = 0;
    while i < N {
        let above = if i + 1 < N { a[i + 1] << 63 } else { 0 };
        half[i] = a[i] >> 1 | above;
        i += 1;
    }
    half
}

/// `a >> bits` for `0 < bits < 64`.
pub const fn shift_right<const N: usize>(a: &[u64; N], bits: u32) -> [u64; N] {
    let mut shifted = [0; N];
    let mut i = 0;
    while i < N {
        let above = if i + 1 < N {
            a[i + 1] << (64 - bits)
        } else {
            0
        };
        shifted[i] = a[i] >> bits | above;
        i += 1;
    }
    shifted
}

/// Number of bits of `a` up to its highest one, 0 for zero. For public values.
pub const fn bit_length_vartime<const N: usize>(a: &[u64; N]) -> u32 {
    let mut i = N;
    while i > 0 {
        i -= 1;
        if a[i] != 0 {
            return 64 * i as u32 + 64 - a[i].leading_zeros();
        }
    }
    0
}

/// The number in `bytes`, least significant byte first.
///
/// # Panics
/// Unless `bytes` are `8·N` long.
#[inline]
pub fn from_le_bytes<const N: usize>(bytes: &[u8]) -> [u64; N] {
    assert!(bytes.len() == 8 * N, "length of the byte form");
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// The number in `bytes`, most significant byte first.
///
/// # Panics
/// Unless `bytes` are `8·N` long.
pub fn from_be_bytes<const N: usize>(bytes: &[u8]) -> [u64; N] {
    assert!(bytes.len() == 8 * N, "length of the byte form");
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().rev().zip(bytes.as_chunks().0) {
        *word = u64::from_be_bytes(*bytes);
    }
    words
}
