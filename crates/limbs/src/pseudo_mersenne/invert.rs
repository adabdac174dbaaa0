//! Inversion modulo `2^256 - c`: the binary GCD of [`crate::invert`] on plain residues that use every bit.

use super::PseudoMersenne;
use crate::binary_gcd::{linear, shift_right};
use crate::invert::{self, InversionModulus};
use crate::modular::opaque;
use crate::words;

impl<const C0: u64, const C1: u64, const C2: u64> PseudoMersenne<C0, C1, C2> {
    /// The inverse of a residue, zero for zero. Time: constant.
    ///
    /// Source: see [`crate::invert`]. With `u = 1` at the start the last `v` is the inverse itself.
    pub fn invert(&self, x: &[u64; 4]) -> [u64; 4] {
        invert::invert(self, x, &[1, 0, 0, 0])
    }

    /// As [`Self::invert`], in time that depends on `x`.
    pub fn invert_vartime(&self, x: &[u64; 4]) -> [u64; 4] {
        invert::invert_vartime(self, x, &[1, 0, 0, 0])
    }
}

impl<const C0: u64, const C1: u64, const C2: u64> InversionModulus<4>
    for PseudoMersenne<C0, C1, C2>
{
    fn p(&self) -> &[u64; 4] {
        &Self::P
    }

    fn bits(&self) -> u32 {
        256
    }

    #[inline(always)]
    fn combine<const BITS: u32>(&self, u: &[u64; 4], v: &[u64; 4], f: i64, g: i64) -> [u64; 4] {
        let (mut sum, mut top) = linear(u, v, f, g);
        // adding m·p = m·2^256 - m·c clears the low bits; |sum| < 2^BITS·p, so the quotient is in (-p, 2p)
        let m = sum[0].wrapping_mul(Self::P_NEG_INV) & ((1 << BITS) - 1);
        let mut borrow = 0u64;
        for i in 0..4 {
            // m·c[i] + borrow < 2^126 + 2^63
            let wide = m as u128 * Self::C[i] as u128 + borrow as u128;
            let (word, below) = sum[i].overflowing_sub(wide as u64);
            sum[i] = word;
            borrow = (wide >> 64) as u64 + below as u64;
        }
        top = top.wrapping_add(m as i64).wrapping_sub(borrow as i64);
        let quotient = shift_right::<4, BITS>(&sum, top);
        let above = top >> BITS; // of the quotient: -1, 0 or 1
        // adding p where it is negative gives a residue; where it is not, p may still have to be taken away
        let negative = opaque((above >> 63) as u64);
        let lifted = words::sub(&quotient, &Self::C.map(|word| word & negative)).0;
        Self::reduce_once(&lifted, opaque((above as u64) & 1 & !negative))
    }
}
