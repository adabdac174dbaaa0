//! Modular inversion by Pornin's optimised binary GCD.
//!
//! The extended binary GCD takes its steps on two numbers `a, b` while the same steps act on `u, v` modulo `p` (always
//! `a = x·u`, `b = x·v`). It takes 31 steps at once, from 31 low bits and 33 high bits: see `binary_gcd`. The factors
//! of two such rounds are multiplied before they act on `u, v`, which costs a round as much as acting on `a, b`. Those
//! must know their signs, these need not. Source: Pornin, "Optimized Binary GCD for Modular Inversion", eprint
//! 2020/972, algorithm 2 and sections 2-3. Roads not taken: divsteps (safegcd) needs about 15% more steps for a simpler
//! bound.

use crate::Modulus;
use crate::binary_gcd::{Factors, approximate, combine, linear, shift_right, steps};
use crate::modular::{opaque, reduce_once};
use crate::words::{add, select_mask};

pub(crate) const STEPS: u32 = 31;

impl<const N: usize> Modulus<N> {
    /// The inverse in Montgomery form of a residue in Montgomery form; zero for zero.
    ///
    /// Time: constant. `p` must be prime to `x`, as a prime is. With `u = R²` at the start the last `v` is `R²/x`, so
    /// the inverse of a Montgomery form comes out in Montgomery form.
    pub fn invert(&self, x: &[u64; N]) -> [u64; N] {
        invert(self, x, &self.r2)
    }

    /// As [`Modulus::invert`], in time that depends on `x`.
    pub fn invert_vartime(&self, x: &[u64; N]) -> [u64; N] {
        invert_vartime(self, x, &self.r2)
    }
}

/// A modulus with the second half of the steps of inversion, modulo `p`.
pub(crate) trait InversionModulus<const N: usize> {
    /// The modulus.
    fn p(&self) -> &[u64; N];
    /// Its length.
    fn bits(&self) -> u32;
    /// `(f·u + g·v) / 2^BITS mod p`, a residue, for residues `u, v` and `|f| + |g| <= 2^BITS`, `BITS <= 62`. Time:
    /// constant.
    fn combine<const BITS: u32>(&self, u: &[u64; N], v: &[u64; N], f: i64, g: i64) -> [u64; N];
}

/// `start/x` modulo `p` for residues; zero for `x = 0`. Time: constant.
pub(crate) fn invert<const N: usize>(
    modulus: &impl InversionModulus<N>,
    x: &[u64; N],
    start: &[u64; N],
) -> [u64; N] {
    let mut state = State::new(modulus.p(), x, start);
    // 2·bits - 1 steps bring any a, b of that length to 0, 1 (section 2)
    let rounds = (2 * modulus.bits() - 1).div_ceil(STEPS);
    for _ in 0..rounds / 2 {
        let first = state.round();
        let factors = state.round().after(&first);
        state.apply::<{ 2 * STEPS }>(modulus, &factors);
    }
    if rounds % 2 == 1 {
        let factors = state.round();
        state.apply::<STEPS>(modulus, &factors);
    }
    state.v
}

/// As [`invert`], in time that depends on `x`.
pub(crate) fn invert_vartime<const N: usize>(
    modulus: &impl InversionModulus<N>,
    x: &[u64; N],
    start: &[u64; N],
) -> [u64; N] {
    let mut state = State::new(modulus.p(), x, start);
    while state.a != [0; N] {
        let first = state.round_vartime();
        let factors = state.round_vartime().after(&first); // where a is zero already, steps leave b as it is
        state.apply::<{ 2 * STEPS }>(modulus, &factors);
    }
    state.v
}

/// `a, b >= 0`, `b` odd; `u, v` residues with `a = x·u/start`, `b = x·v/start` modulo `p`.
struct State<const N: usize> {
    a: [u64; N],
    b: [u64; N],
    u: [u64; N],
    v: [u64; N],
}

impl<const N: usize> State<N> {
    fn new(p: &[u64; N], x: &[u64; N], start: &[u64; N]) -> Self {
        Self {
            a: *x,
            b: *p,
            u: *start,
            v: [0; N],
        }
    }

    /// Takes 31 steps on `a, b`; their factors are for `u, v` too.
    #[inline(always)]
    fn round(&mut self) -> Factors {
        let (a, b) = approximate::<N, STEPS>(&self.a, &self.b);
        self.step(steps::<STEPS, false>(a, b).0)
    }

    /// As [`State::round`] in variable time.
    #[inline(always)]
    fn round_vartime(&mut self) -> Factors {
        let (a, b) = approximate::<N, STEPS>(&self.a, &self.b);
        self.step(steps_vartime(a, b))
    }

    /// Where the approximation made a number negative it is negated, and with it its row.
    #[inline(always)]
    fn step(&mut self, factors: Factors) -> Factors {
        let Factors { f0, g0, f1, g1 } = factors;
        let (a, a_sign) = combine::<N, STEPS>(&self.a, &self.b, f0, g0);
        let (b, b_sign) = combine::<N, STEPS>(&self.a, &self.b, f1, g1);
        (self.a, self.b) = (a, b);
        Factors {
            f0: negate_if(f0, a_sign),
            g0: negate_if(g0, a_sign),
            f1: negate_if(f1, b_sign),
            g1: negate_if(g1, b_sign),
        }
    }

    /// `u, v` after the `BITS` steps of these factors.
    #[inline(always)]
    fn apply<const BITS: u32>(&mut self, modulus: &impl InversionModulus<N>, factors: &Factors) {
        let Factors { f0, g0, f1, g1 } = *factors;
        let u = modulus.combine::<BITS>(&self.u, &self.v, f0, g0);
        let v = modulus.combine::<BITS>(&self.u, &self.v, f1, g1);
        (self.u, self.v) = (u, v);
    }
}

/// As [`steps`] in variable time, skipping all trailing zeros of `a` at once.
///
/// Which of `a` and `b` is less is a coin's toss. So they change places without a branch, of which half the guesses
/// would be wrong.
#[inline(always)]
fn steps_vartime(mut a: u64, mut b: u64) -> Factors {
    let (mut f0, mut g0, mut f1, mut g1) = (1i64, 0i64, 0i64, 1i64);
    let mut left = STEPS;
    let mut signed = a; // a or -a, which have as many trailing zeros
    loop {
        let zeros = (signed | 1 << left).trailing_zeros();
        a >>= zeros;
        f1 <<= zeros;
        g1 <<= zeros;
        left -= zeros;
        if left == 0 {
            return Factors { f0, g0, f1, g1 };
        }
        // (a, b) becomes (|a - b|, min(a, b)), the factors likewise
        let less = opaque(((a < b) as u64).wrapping_neg());
        signed = a.wrapping_sub(b);
        b = b.wrapping_add(signed & less);
        a = (signed ^ less).wrapping_sub(less);
        let less = less as i64;
        let (f, g) = (f0 - f1, g0 - g1);
        (f1, g1) = (f1 + (f & less), g1 + (g & less));
        (f0, g0) = ((f ^ less) - less, (g ^ less) - less);
    }
}

impl<const N: usize> InversionModulus<N> for Modulus<N> {
    fn p(&self) -> &[u64; N] {
        &self.p
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    #[inline(always)]
    fn combine<const BITS: u32>(&self, u: &[u64; N], v: &[u64; N], f: i64, g: i64) -> [u64; N] {
        let (mut sum, mut top) = linear(u, v, f, g);
        // adding m·p clears the low bits; |sum| < 2^BITS·p, so the quotient is in (-p, 2p)
        let m = sum[0].wrapping_mul(self.p_neg_inv) & ((1 << BITS) - 1);
        let mut carry = 0u64;
        for i in 0..N {
            let wide = m as u128 * self.p[i] as u128 + sum[i] as u128 + carry as u128;
            (sum[i], carry) = (wide as u64, (wide >> 64) as u64);
        }
        top = top.wrapping_add(carry as i64);
        let quotient = shift_right::<N, BITS>(&sum, top);
        let negative = (top >> 63) as u64;
        let (lifted, _) = add(&quotient, &select_mask(&[0; N], &self.p, opaque(negative)));
        reduce_once(&lifted, &self.p)
    }
}

/// `-x` if `sign` is all ones, `x` if it is zero.
#[inline(always)]
fn negate_if(x: i64, sign: u64) -> i64 {
    (x ^ sign as i64).wrapping_sub(sign as i64)
}
