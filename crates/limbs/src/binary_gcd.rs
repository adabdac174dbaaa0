//! Many steps of the binary GCD at once, for inversion and the Legendre symbol.
//!
//! A step halves `a` if it is even, and otherwise swaps so that `a >= b` and replaces `a` by `(a - b)/2`. It depends on
//! the parity of `a` and on `a < b` only, that is on the low and the high end of the numbers. So some 30 steps are done
//! on approximations of 64 bits, gathered as small [`Factors`], and then applied to the long numbers at once. The
//! approximation may take a wrong `a < b` where the two are close. One of the numbers, never both, may then become
//! negative, and is negated before the next steps. Source: Pornin, "Optimized Binary GCD for Modular Inversion", eprint
//! 2020/972, algorithm 2 and sections 2-3.

use crate::modular::opaque;
use crate::primitives::{adc, sbb};

/// The factors of `n <= 62` steps: `(a, b)` becomes `(f0·a + g0·b, f1·a + g1·b) / 2^n`; `|f| + |g| <= 2^n` in each row.
pub(crate) struct Factors {
    pub f0: i64,
    pub g0: i64,
    pub f1: i64,
    pub g1: i64,
}

impl Factors {
    /// Rows before the first step, `f` in the low half of a word, `g` in the high half.
    pub const ROWS: (u64, u64) = (1, 1 << 32);

    /// The factors of the steps of `first` and then those of `self`, both of at most 31 steps.
    #[inline(always)]
    pub fn after(&self, first: &Self) -> Self {
        Self {
            f0: self.f0 * first.f0 + self.g0 * first.f1,
            g0: self.f0 * first.g0 + self.g0 * first.g1,
            f1: self.f1 * first.f0 + self.g1 * first.f1,
            g1: self.f1 * first.g0 + self.g1 * first.g1,
        }
    }

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

/// The leading bits of each number, counted from the highest bit of the longer one, above its `LOW` lowest bits: 64 in
/// all. Exact if both fit into one word. For `n` steps `n <= LOW <= 62 - n` is needed.
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

/// `STEPS` steps in constant time from approximations `a` and an odd `b`. If `SIGNS`, bit 1 tells whether the symbol
/// `(a|b)` of Jacobi changes its sign in all, see [`crate::legendre`]. Two bits of `b` above the lowest must be known
/// to the last step.
#[inline(always)]
pub(crate) fn steps<const STEPS: u32, const SIGNS: bool>(a: u64, b: u64) -> (Factors, u64) {
    #[cfg(target_arch = "x86_64")]
    let (row0, row1, flips) = crate::x86_64::binary_gcd::steps::<STEPS, SIGNS>(a, b, Factors::ROWS);
    #[cfg(not(target_arch = "x86_64"))]
    let (row0, row1, flips) = steps_portable::<STEPS, SIGNS>(a, b, Factors::ROWS);
    (Factors::unpack(row0, row1), flips)
}

/// The steps on rows, both factors of a row at once.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn steps_portable<const STEPS: u32, const SIGNS: bool>(
    mut a: u64,
    mut b: u64,
    (mut row0, mut row1): (u64, u64),
) -> (u64, u64, u64) {
    let mut flips = 0;
    for _ in 0..STEPS {
        let odd = opaque((a & 1).wrapping_neg());
        let (_, less) = a.overflowing_sub(b);
        let swap = odd & opaque((less as u64).wrapping_neg());
        if SIGNS {
            flips ^= a & b & swap; // both 3 modulo 4
        }
        let difference = (a ^ b) & swap;
        (a, b) = (a ^ difference, b ^ difference);
        let difference = (row0 ^ row1) & swap;
        (row0, row1) = (row0 ^ difference, row1 ^ difference);
        a = a.wrapping_sub(b & odd) >> 1;
        row0 = row0.wrapping_sub(row1 & odd);
        row1 = row1.wrapping_add(row1);
        if SIGNS {
            flips ^= halving_flips(b);
        }
    }
    (row0, row1, flips)
}

/// As [`steps`] with signs, skipping all trailing zeros of `a` at once, in time that depends on `a` and `b`.
#[inline(always)]
pub(crate) fn steps_vartime<const STEPS: u32>(a: u64, b: u64) -> (Factors, u64) {
    #[cfg(target_arch = "x86_64")]
    let (row0, row1, flips) =
        crate::x86_64::binary_gcd::steps_vartime::<STEPS>(a, b, Factors::ROWS);
    #[cfg(not(target_arch = "x86_64"))]
    let (row0, row1, flips) = steps_portable_vartime::<STEPS>(a, b, Factors::ROWS);
    (Factors::unpack(row0, row1), flips)
}

/// As [`steps_portable`] with signs, skipping all trailing zeros of `a` at once.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn steps_portable_vartime<const STEPS: u32>(
    mut a: u64,
    mut b: u64,
    (mut row0, mut row1): (u64, u64),
) -> (u64, u64, u64) {
    let mut flips = 0;
    let mut left = STEPS;
    loop {
        let zeros = (a | 1 << left).trailing_zeros();
        a >>= zeros;
        row1 <<= zeros;
        left -= zeros;
        flips ^= u64::from(zeros) << 1 & halving_flips(b);
        if left == 0 {
            return (row0, row1, flips);
        }
        let (difference, less) = a.overflowing_sub(b);
        let swap = opaque((less as u64).wrapping_neg()); // as good as random: no jump
        flips ^= a & b & swap;
        b = b.wrapping_add(difference & swap);
        a = (difference ^ swap).wrapping_sub(swap);
        let row_difference = row0.wrapping_sub(row1);
        row1 = row1.wrapping_add(row_difference & swap);
        row0 = (row_difference ^ swap).wrapping_sub(swap);
    }
}

/// In bit 1: whether halving the other number changes the sign of a symbol over `b`, which is 3 or 5 modulo 8 then.
#[inline(always)]
pub(crate) fn halving_flips(b: u64) -> u64 {
    b ^ b >> 1
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
        // |f| + |g| <= 2^62, so that the sum is below 2^126 + 2^62
        let wide = a[i] as i128 * f as i128 + b[i] as i128 * g as i128 + carry;
        sum[i] = wide as u64;
        carry = wide >> 64;
    }
    (sum, carry as i64)
}

/// The low `N` words of `(top·2^(64N) + words) >> BITS`.
#[inline(always)]
pub(crate) fn shift_right<const N: usize, const BITS: u32>(words: &[u64; N], top: i64) -> [u64; N] {
    let mut shifted = [0; N];
    for i in 0..N {
        let above = if i + 1 < N { words[i + 1] } else { top as u64 };
        shifted[i] = words[i] >> BITS | above << (64 - BITS);
    }
    shifted
}

/// All ones unless `x` is zero.
#[inline(always)]
fn is_nonzero_mask(x: u64) -> u64 {
    let (_, is_zero) = sbb(x, 1, false);
    opaque((is_zero as u64).wrapping_sub(1))
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::x86_64::binary_gcd;

    #[test]
    fn assembly_equals_its_twin() {
        let edges = [
            0,
            1,
            2,
            3,
            5,
            7,
            1 << 31,
            1 << 32,
            1 << 63,
            u64::MAX - 1,
            u64::MAX,
        ];
        let mut values = edges.to_vec();
        let mut value = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..300 {
            value = value.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(23) ^ 1;
            values.extend([value, value >> (value & 63)]);
        }
        for a in &values {
            for b in values.iter().map(|b| b | 1) {
                let expected = steps_portable::<31, false>(*a, b, Factors::ROWS);
                let rows = binary_gcd::steps::<31, false>(*a, b, Factors::ROWS);
                assert_eq!(rows, expected, "{a:x} {b:x}");
                let expected = steps_portable::<30, true>(*a, b, Factors::ROWS);
                for (row0, row1, flips) in [
                    binary_gcd::steps::<30, true>(*a, b, Factors::ROWS),
                    binary_gcd::steps_vartime::<30>(*a, b, Factors::ROWS),
                    steps_portable_vartime::<30>(*a, b, Factors::ROWS),
                ] {
                    assert_eq!((row0, row1), (expected.0, expected.1), "{a:x} {b:x}");
                    assert_eq!(flips & 2, expected.2 & 2, "{a:x} {b:x}");
                }
            }
        }
    }
}
