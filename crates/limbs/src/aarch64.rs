//! Products, squares, sums and differences of four words and six in AArch64 assembly.
//!
//! Every such CPU has MUL, UMULH, ADCS and CSEL. So nothing is detected, and no token proves a feature. The choice is
//! made when the program is compiled: functions of [`crate::unrolled`] and [`crate::modular`] begin with those here, as
//! `modular` does with `x86_64`. The backend `portable` runs them. Their twins in plain Rust are the loops of
//! [`crate::portable`], [`crate::products`] and [`crate::Wide`], which tests call on this CPU too.
//!
//! LLVM moves the carry to a register and back where chains meet, and made jumps or memory accesses of masks. A product
//! of four words is 153 instructions instead of 306: `peers/record/2026-11-28-aarch64.md`.
//!
//! A block of assembly is a row of a product or of a reduction ([`rows`]), and has registers only. The compiler chooses
//! them, loads before and stores after. CPUs that carry out several instructions a cycle rename the flag of carries, so
//! rows overlap there.

#![allow(unsafe_code)]

mod products;
mod rows;
mod squares;
mod sums;
#[cfg(test)]
mod tests;

use crate::straight::unrolled;
pub(crate) use products::{
    mul, mul_lazy, mul_prepared, reduce_low, square, sum_of_products_lazy, wide_product,
};
pub(crate) use rows::add as add_row;
pub(crate) use squares::wide_square;
pub(crate) use sums::{add, add_wide, reduce_once, sub};

/// `words`, of four or six, between code that is generic over their number and assembly that is not.
#[inline(always)]
fn same<const N: usize, const M: usize>(words: &[u64; N]) -> [u64; M] {
    assert!(N == M && (N == 4 || N == 6), "four words or six"); // decided at compile time
    let mut copy = [0; M];
    unrolled!(i in 0..M => {
        copy[i] = words[i];
    });
    copy
}
