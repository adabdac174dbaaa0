//! What inversion and the Legendre symbol share: many steps of the binary GCD at once.
//!
//! A step halves `a` if it is even, and otherwise swaps so that `a >= b` and replaces `a` by `(a - b)/2`. It depends on the
//! parity of `a` and on `a < b` only, that is on the low and the high end of the numbers; so some 30 steps are done on
//! approximations of 64 bits, gathered as small [`Factors`], and then applied to the long numbers at once. The
//! approximation may take a wrong `a < b` where the two are close; one of the numbers, never both, may then become negative,
//! and is negated before the next steps.
//! Source: Pornin, "Optimized Binary GCD for Modular Inversion", eprint 2020/972, algorithm 2 and sections 2-3.

use crate::modular::opaque;
use crate::primitives::{adc, sbb};

/// The factors of `n <= 31` steps: `(a, b)` becomes `(f0·a + g0·b, f1·a + g1·b) / 2^n`; `|f| + |g| <= 2^n` in each row.
pub(crate) struct Factors {
    pub f0: i64,
    pub g0: i64,
    pub f1: i64,
    pub g1: i64,
}

impl Factors {
    /// Rows before the first step, `f` in the low half of a word, `g` in the high half.
    pub const ROWS: (u64, u64) = (1, 1 << 32);

    /// From rows on which steps have acted.
    #[inline(always)]
    pub fn unpack(row0: u64, row1: u64) -> Self {
        // each factor is in -2^31 + 1..=2^31: this bias makes both halves non-negative and so apart
        let unpack = |row: u64| {
            let biased = row.wrapping_add(0x7fff_ffff_7fff_ffff);
            (
                (biased & 0xffff_ffff) as i64 - 0x7fff_ffff,
                (biased >> 32) as i64 - 0x7fff_ffff,
            )
        };
        let ((f0, g0), (f1, g1)) = (unpack(row0), unpack(row1));
        Self { f0, g0, f1, g1 }
    }
}

/// The leading bits of each number, counted from the highest bit of the longer one, above its `LOW` lowest bits: 64 in all.
/// Exact if both fit into one word. For `n` steps `n <= LOW <= 62 - n` is needed.
#[inline(always)]
pub(crate) fn approximate<const N: usize, const LOW: u32>(
    a: &[u64; N],
    b: &[u64; N],
) -> (u64, u64) {
    // the topmost word where one of them is not zero, and the word below it
    let (mut a_high, mut a_below, mut b_high, mut b_below) = (0, 0, 0, 0);
    let mut searching = u64::MAX;
    for i in (1..N).rev() {
        let found = searching & is_nonzero_mask(a[i] | b[i]);
        a_high |= a[i] & found;
        a_below |= a[i - 1] & found;
        b_high |= b[i] & found;
        b_below |= b[i - 1] & found;
        searching &= !found;
    }
    let shift = (a_high | b_high | 1).leading_zeros();
    let mix = |high: u64, below: u64, lowest: u64| {
        let low_bits = (1 << LOW) - 1;
        let top = high << shift | (below >> 1) >> (63 - shift);
        let mixed = top & !low_bits | lowest & low_bits;
        mixed ^ (searching & (mixed ^ lowest))
    };
    (mix(a_high, a_below, a[0]), mix(b_high, b_below, b[0]))
}

/// `|f·a + g·b| / 2^STEPS` and all ones if the sum is negative; the division is exact by the choice of `f, g`.
#[inline(always)]
pub(crate) fn combine<const N: usize, const STEPS: u32>(
    a: &[u64; N],
    b: &[u64; N],
    f: i64,
    g: i64,
) -> ([u64; N], u64) {
    let (sum, top) = linear(a, b, f, g);
    let shifted = shift_right::<N, STEPS>(&sum, top);
    let sign = opaque((top >> 63) as u64);
    // two's complement negation where the sign is set
    let mut carry = sign & 1 == 1;
    let mut magnitude = [0; N];
    for i in 0..N {
        (magnitude[i], carry) = adc(shifted[i] ^ sign, 0, carry);
    }
    (magnitude, sign)
}

/// `f·a + g·b` as `N` words and a signed top word.
#[inline(always)]
pub(crate) fn linear<const N: usize>(
    a: &[u64; N],
    b: &[u64; N],
    f: i64,
    g: i64,
) -> ([u64; N], i64) {
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

/// The low `N` words of `(top·2^(64N) + words) >> BITS`.
#[inline(always)]
pub(crate) fn shift_right<const N: usize, const BITS: u32>(words: &[u64; N], top: i64) -> [u64; N] {
    core::array::from_fn(|i| {
        let above = if i + 1 < N { words[i + 1] } else { top as u64 };
        words[i] >> BITS | above << (64 - BITS)
    })
}

/// All ones unless `x` is zero.
#[inline(always)]
fn is_nonzero_mask(x: u64) -> u64 {
    let (_, is_zero) = sbb(x, 1, false);
    opaque((is_zero as u64).wrapping_sub(1))
}
