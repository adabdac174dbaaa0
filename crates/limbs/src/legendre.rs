//! The Legendre symbol by the binary GCD, without a power.
//!
//! The symbol `(a|b)` of Jacobi obeys the steps of the binary GCD: `(a - b|b) = (a|b)`. `(a/2|b)` differs from it in
//! sign if `b` is 3 or 5 modulo 8; and `(b|a)` does if both are 3 modulo 4. So the steps of `binary_gcd` are taken and
//! only the changes of sign are counted. They are seen in the three lowest bits, which must be known to the last step.
//! So 30 steps go at once, from 32 low and 32 high bits.
//!
//! Where a number has become negative, `(a|b)` means the symbol over `|b|`. The three rules hold unless both are
//! negative, which cannot be. Only `a - b` with a positive `b` makes a number negative, and a negative `b` makes
//! `a - b` positive. Negating `b` changes nothing then, and negating `a` changes the sign if `|b|` is 3 modulo 4.
//! Source: Pornin, eprint 2020/972, where it speaks of the Legendre symbol, with the signs worked out here.

use crate::Modulus;
use crate::binary_gcd::{Factors, approximate, combine, halving_flips, steps, steps_vartime};
use crate::modular::opaque;

const STEPS: u32 = 30;
const LOW_BITS: u32 = 32;

impl<const N: usize> Modulus<N> {
    /// The Legendre symbol of a residue in Montgomery form: 0 for zero, 1 for another square, -1 otherwise.
    ///
    /// Needs a prime modulus. That of the form is that of the number, as `R` is a square. Time: constant.
    pub fn legendre(&self, x: &[u64; N]) -> i32 {
        let mut state = State::new(self, x);
        // 2·bits - 1 steps bring any a, b of that length to 0, 1, and further ones leave them there
        for _ in 0..(2 * self.bits - 1).div_ceil(STEPS) {
            let (a, b) = approximate::<N, LOW_BITS>(&state.a, &state.b);
            let (factors, flips) = steps::<STEPS, true>(a, b);
            state.apply(factors, flips);
        }
        let any = x.iter().fold(0, |any, word| any | word);
        let nonzero = (any | any.wrapping_neg()) >> 63;
        (nonzero as i32) * state.sign()
    }

    /// As [`Modulus::legendre`], in time that depends on `x`.
    pub fn legendre_vartime(&self, x: &[u64; N]) -> i32 {
        if *x == [0; N] {
            return 0;
        }
        let mut state = State::new(self, x);
        while (1..N).any(|i| state.a[i] | state.b[i] != 0) {
            let (a, b) = approximate::<N, LOW_BITS>(&state.a, &state.b);
            let (factors, flips) = steps_vartime::<STEPS>(a, b);
            state.apply(factors, flips);
        }
        state.flips ^= last_steps_vartime(state.a[0], state.b[0]);
        state.sign()
    }
}

/// `a, b >= 0`, `b` odd; bit 1 of `flips` tells whether `(a|b)` is the negative of the symbol that is sought.
struct State<const N: usize> {
    a: [u64; N],
    b: [u64; N],
    flips: u64,
}

impl<const N: usize> State<N> {
    fn new(modulus: &Modulus<N>, x: &[u64; N]) -> Self {
        Self {
            a: *x,
            b: modulus.p,
            flips: 0,
        }
    }

    #[inline(always)]
    fn apply(&mut self, factors: Factors, flips: u64) {
        let Factors { f0, g0, f1, g1 } = factors;
        let (a, a_sign) = combine::<N, STEPS>(&self.a, &self.b, f0, g0);
        let (b, _) = combine::<N, STEPS>(&self.a, &self.b, f1, g1);
        self.flips ^= flips ^ (a_sign & b[0]);
        (self.a, self.b) = (a, b);
    }

    /// The sign of what is sought once `(a|b) = 1`.
    fn sign(&self) -> i32 {
        1 - (self.flips & 2) as i32
    }
}

/// The changes of sign of all steps from `a > 0` and an odd `b` prime to it.
fn last_steps_vartime(mut a: u64, mut b: u64) -> u64 {
    let mut flips = 0;
    while a != 0 {
        let zeros = a.trailing_zeros();
        a >>= zeros;
        flips ^= u64::from(zeros) << 1 & halving_flips(b);
        let (difference, less) = a.overflowing_sub(b);
        let swap = opaque((less as u64).wrapping_neg());
        flips ^= a & b & swap;
        b = b.wrapping_add(difference & swap);
        a = (difference ^ swap).wrapping_sub(swap);
    }
    flips
}
