//! Modular inversion by Pornin's optimised binary GCD.
//!
//! The extended binary GCD halves or subtracts on two numbers `a, b` while the same steps act on `u, v` modulo `p`
//! (always `a = x·u`, `b = x·v`). Which step comes next depends on the parity of `a` and on `a < b`, that is on the
//! low and the high end of the numbers only; so 31 steps are done on 64-bit approximations (31 low bits, 33 high
//! bits), gathered as small factors `f, g`, and then applied to the long numbers at once.
//! Source: Pornin, "Optimized Binary GCD for Modular Inversion", eprint 2020/972, algorithm 2 and sections 2-3.
//! Roads not taken: divsteps (safegcd) needs about 15% more steps for a simpler bound.

use crate::Modulus;
use crate::modular::{opaque, reduce_once};
use crate::primitives::{adc, sbb};
use crate::words::{add, select_mask};

const STEPS: u32 = 31;
const LOW_BITS: u64 = (1 << STEPS) - 1;

impl<const N: usize> Modulus<N> {
    /// The inverse in Montgomery form of a residue in Montgomery form; zero for zero.
    ///
    /// Time: constant. `p` must be prime to `x`, as a prime is.
    pub fn invert(&self, x: &[u64; N]) -> [u64; N] {
        let mut state = State::new(self, x);
        // 2·bits - 1 steps bring any a, b of that length to 0, 1 (section 2)
        for _ in 0..(2 * self.bits - 1).div_ceil(STEPS) {
            let (a, b) = state.approximate();
            state.apply(self, steps(a, b));
        }
        state.v
    }

    /// As [`Modulus::invert`], in time that depends on `x`.
    pub fn invert_vartime(&self, x: &[u64; N]) -> [u64; N] {
        let mut state = State::new(self, x);
        while state.a != [0; N] {
            let (a, b) = state.approximate();
            state.apply(self, steps_vartime(a, b));
        }
        state.v
    }
}

/// `a, b >= 0`, `b` odd; `u, v` residues with `a = x·u/R²`, `b = x·v/R²` modulo `p`.
struct State<const N: usize> {
    a: [u64; N],
    b: [u64; N],
    u: [u64; N],
    v: [u64; N],
}

/// The factors of 31 steps: `(a, b)` becomes `(f0·a + g0·b, f1·a + g1·b) / 2^31`; `|f| + |g| <= 2^31` in each row.
struct Factors {
    f0: i64,
    g0: i64,
    f1: i64,
    g1: i64,
}

impl<const N: usize> State<N> {
    /// With `u = R²` the last `v` is `R²/x`, so the inverse of a Montgomery form comes out in Montgomery form.
    fn new(modulus: &Modulus<N>, x: &[u64; N]) -> Self {
        Self {
            a: *x,
            b: modulus.p,
            u: modulus.r2,
            v: [0; N],
        }
    }

    /// 33 bits of each number from the highest bit of the longer one, above the 31 lowest bits of each.
    /// Exact if both fit into one word.
    #[inline(always)]
    fn approximate(&self) -> (u64, u64) {
        // the topmost word where one of them is not zero, and the word below it
        let (mut a_high, mut a_below, mut b_high, mut b_below) = (0, 0, 0, 0);
        let mut searching = u64::MAX;
        for i in (1..N).rev() {
            let found = searching & is_nonzero_mask(self.a[i] | self.b[i]);
            a_high |= self.a[i] & found;
            a_below |= self.a[i - 1] & found;
            b_high |= self.b[i] & found;
            b_below |= self.b[i - 1] & found;
            searching &= !found;
        }
        let shift = (a_high | b_high | 1).leading_zeros();
        let mix = |high: u64, below: u64, lowest: u64| {
            let top = high << shift | (below >> 1) >> (63 - shift);
            let mixed = top & !LOW_BITS | lowest & LOW_BITS;
            mixed ^ (searching & (mixed ^ lowest))
        };
        (
            mix(a_high, a_below, self.a[0]),
            mix(b_high, b_below, self.b[0]),
        )
    }

    #[inline(always)]
    fn apply(&mut self, modulus: &Modulus<N>, factors: Factors) {
        let Factors { f0, g0, f1, g1 } = factors;
        let (a, a_sign) = combine(&self.a, &self.b, f0, g0);
        let (b, b_sign) = combine(&self.a, &self.b, f1, g1);
        (self.a, self.b) = (a, b);
        // where the approximation made a number negative it is negated, and with it its row
        let u = combine_modulo(
            modulus,
            &self.u,
            &self.v,
            negate_if(f0, a_sign),
            negate_if(g0, a_sign),
        );
        let v = combine_modulo(
            modulus,
            &self.u,
            &self.v,
            negate_if(f1, b_sign),
            negate_if(g1, b_sign),
        );
        (self.u, self.v) = (u, v);
    }
}

/// 31 steps in constant time, on both factors of a row at once: `f` in the low half of a word, `g` in the high half.
#[inline(always)]
fn steps(mut a: u64, mut b: u64) -> Factors {
    let (mut row0, mut row1) = (1u64, 1u64 << 32);
    for _ in 0..STEPS {
        let odd = opaque((a & 1).wrapping_neg());
        let (_, less) = a.overflowing_sub(b);
        let swap = odd & opaque((less as u64).wrapping_neg());
        let difference = (a ^ b) & swap;
        (a, b) = (a ^ difference, b ^ difference);
        let difference = (row0 ^ row1) & swap;
        (row0, row1) = (row0 ^ difference, row1 ^ difference);
        a = a.wrapping_sub(b & odd) >> 1;
        row0 = row0.wrapping_sub(row1 & odd);
        row1 = row1.wrapping_add(row1);
    }
    // each factor is in -2^31 + 1..=2^31: this bias makes both halves non-negative and so apart
    let unpack = |row: u64| {
        let biased = row.wrapping_add(0x7fff_ffff_7fff_ffff);
        (
            (biased & 0xffff_ffff) as i64 - 0x7fff_ffff,
            (biased >> 32) as i64 - 0x7fff_ffff,
        )
    };
    let ((f0, g0), (f1, g1)) = (unpack(row0), unpack(row1));
    Factors { f0, g0, f1, g1 }
}

/// As [`steps`], skipping all trailing zeros of `a` at once.
#[inline(always)]
fn steps_vartime(mut a: u64, mut b: u64) -> Factors {
    let (mut f0, mut g0, mut f1, mut g1) = (1i64, 0i64, 0i64, 1i64);
    let mut left = STEPS;
    loop {
        let zeros = (a | 1 << left).trailing_zeros();
        a >>= zeros;
        f1 <<= zeros;
        g1 <<= zeros;
        left -= zeros;
        if left == 0 {
            return Factors { f0, g0, f1, g1 };
        }
        if a < b {
            (a, b) = (b, a);
            (f0, f1) = (f1, f0);
            (g0, g1) = (g1, g0);
        }
        a -= b;
        f0 -= f1;
        g0 -= g1;
    }
}

/// `|f·a + g·b| / 2^31` and all ones if the sum is negative; the division is exact by the choice of `f, g`.
#[inline(always)]
fn combine<const N: usize>(a: &[u64; N], b: &[u64; N], f: i64, g: i64) -> ([u64; N], u64) {
    let (sum, top) = linear(a, b, f, g);
    let shifted = shift_right(&sum, top);
    let sign = opaque((top >> 63) as u64);
    // two's complement negation where the sign is set
    let mut carry = sign & 1 == 1;
    let mut magnitude = [0; N];
    for i in 0..N {
        (magnitude[i], carry) = adc(shifted[i] ^ sign, 0, carry);
    }
    (magnitude, sign)
}

/// `(f·u + g·v) / 2^31 mod p`, a residue, for residues `u, v`.
#[inline(always)]
fn combine_modulo<const N: usize>(
    modulus: &Modulus<N>,
    u: &[u64; N],
    v: &[u64; N],
    f: i64,
    g: i64,
) -> [u64; N] {
    let (mut sum, mut top) = linear(u, v, f, g);
    // adding m·p clears the 31 low bits; |sum| < 2^31·p, so the quotient is in (-p, 2p)
    let m = sum[0].wrapping_mul(modulus.p_neg_inv) & LOW_BITS;
    let mut carry = 0u64;
    for i in 0..N {
        let wide = m as u128 * modulus.p[i] as u128 + sum[i] as u128 + carry as u128;
        (sum[i], carry) = (wide as u64, (wide >> 64) as u64);
    }
    top = top.wrapping_add(carry as i64);
    let quotient = shift_right(&sum, top);
    let negative = (top >> 63) as u64;
    let (lifted, _) = add(
        &quotient,
        &select_mask(&[0; N], &modulus.p, opaque(negative)),
    );
    reduce_once(&lifted, &modulus.p)
}

/// `f·a + g·b` as `N` words and a signed top word.
#[inline(always)]
fn linear<const N: usize>(a: &[u64; N], b: &[u64; N], f: i64, g: i64) -> ([u64; N], i64) {
    let mut sum = [0; N];
    let mut carry = 0i128;
    for i in 0..N {
        // |product| <= 2^95 each
        let wide = a[i] as i128 * f as i128 + b[i] as i128 * g as i128 + carry;
        sum[i] = wide as u64;
        carry = wide >> 64;
    }
    (sum, carry as i64)
}

/// The low `N` words of `(top·2^(64N) + words) >> 31`.
#[inline(always)]
fn shift_right<const N: usize>(words: &[u64; N], top: i64) -> [u64; N] {
    core::array::from_fn(|i| {
        let above = if i + 1 < N { words[i + 1] } else { top as u64 };
        words[i] >> STEPS | above << (64 - STEPS)
    })
}

/// `-x` if `sign` is all ones, `x` if it is zero.
#[inline(always)]
fn negate_if(x: i64, sign: u64) -> i64 {
    (x ^ sign as i64).wrapping_sub(sign as i64)
}

/// All ones unless `x` is zero.
#[inline(always)]
fn is_nonzero_mask(x: u64) -> u64 {
    let (_, is_zero) = sbb(x, 1, false);
    opaque((is_zero as u64).wrapping_sub(1))
}
