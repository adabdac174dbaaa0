//! The Legendre symbol.

use crate::{Modulus, words};

impl<const N: usize> Modulus<N> {
    /// The Legendre symbol of a residue in Montgomery form: 0 for zero, 1 for another square, -1 otherwise. Needs a prime
    /// modulus and an even power of two as `R`. Time: constant.
    pub fn legendre(&self, x: &[u64; N]) -> i32 {
        self.legendre_vartime(x)
    }

    /// As [`Modulus::legendre`], in time that depends on `x`.
    pub fn legendre_vartime(&self, x: &[u64; N]) -> i32 {
        let power = self.pow_vartime(x, &words::halve(&self.p));
        if power == [0; N] {
            0
        } else if power == self.r {
            1
        } else {
            -1
        }
    }
}
