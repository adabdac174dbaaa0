//! Signed digits of a scalar, each computed from the scalar alone.
//!
//! A scalar `s` is first brought near zero: `v = s - m·r` with `|v| ≤ r/2 + 10·2^192`, so that `r - 1` is as
//! cheap as 1. Windows of widths `c_0, c_1, …` starting at bits `o_0 = 0, o_1 = c_0, …` cover `B` bits. With
//!
//! ```text
//! K = Σ_w 2^(c_w - 1)·2^(o_w)        v + K = Σ_w e_w·2^(o_w),  0 ≤ e_w < 2^(c_w)
//! v = Σ_w d_w·2^(o_w)                d_w = e_w - 2^(c_w - 1)  in  [-2^(c_w - 1), 2^(c_w - 1))
//! ```
//!
//! one addition of a constant makes every digit a bit field: no carry runs from window to window, no digits
//! are stored. The constant `K - m·r` is tabulated for each `m`.
//!
//! `B` is the bit length of `r`, or less if no scalar needs so much; `0 ≤ v + K < 2^B` in both cases:
//! - `B` the length of `r`, all widths at least 4: then `K < 2^(B-1)·(1 + 1/15)`, so that `v + K` is below
//!   `(0.534 + r/2^(B+1))·2^B`, below `2^B` for `r < 0.93·2^B`; and `K ≥ 2^(B-1) > r/2 + 10·2^192`.
//! - `|v| ≤ 2^(B-2)`, all widths at least 2: then `K < 2^(B-1)·(1 + 1/3)` and `v + K < (2/3 + 1/4)·2^B`.

use core::ops::Range;

/// The narrowest window for which the bound above holds.
pub(crate) const MIN_WIDTH: u32 = 4;

/// The number `B` of bits to cover for scalars of at most `longest` [`signed_bits`], at least 2.
pub(crate) fn covered_bits(order: &[u64; 4], longest: u32) -> u32 {
    (longest + 1).min(256 - order[3].leading_zeros())
}

/// Brings scalars near zero modulo the group's order.
#[derive(Clone, Copy)]
pub(crate) struct Centring {
    /// About `(j + 1/2)·r / 2^192` for `j = 0, 1, …`; `u64::MAX` if that is beyond `2^256`.
    pub(crate) thresholds: [u64; FOLDS - 1],
    /// `offset - m·r mod 2^256`.
    pub(crate) offsets: [[u64; 4]; FOLDS],
}

impl Centring {
    /// For `v` itself.
    pub(crate) fn new(order: &[u64; 4]) -> Self {
        Self::with_offset(order, [0; 4])
    }

    /// For `v + offset`.
    fn with_offset(order: &[u64; 4], offset: [u64; 4]) -> Self {
        let mut offsets = [offset; FOLDS];
        for m in 1..FOLDS {
            offsets[m] = sub(&offsets[m - 1], order);
        }
        // (j + 1/2)·r in units of 2^192, from the top word of r alone: at most j + 3/2 < FOLDS units too low.
        let mut thresholds = [u64::MAX; FOLDS - 1];
        for (j, threshold) in thresholds.iter_mut().enumerate() {
            let exact = u128::from(order[3]) * (2 * j as u128 + 1) / 2;
            *threshold = u64::try_from(exact).unwrap_or(u64::MAX);
        }
        Self {
            thresholds,
            offsets,
        }
    }

    /// `scalar - m·r + offset`, as a 256-bit two's complement number.
    #[inline(always)]
    pub(crate) fn apply(&self, scalar: &[u64; 4]) -> [u64; 4] {
        // Scalars below the order are in the first two cases, about as often in the one as in the other: no branch there.
        let mut m = usize::from(scalar[3] > self.thresholds[0]);
        if scalar[3] > self.thresholds[1] {
            m = self
                .thresholds
                .partition_point(|threshold| scalar[3] > *threshold);
        }
        add(scalar, &self.offsets[m])
    }
}

/// Length of `v` in two's complement, 0 for `v = 0`: otherwise the least `β ≥ 1` with `-2^(β-1) ≤ v < 2^(β-1)`.
#[inline(always)]
pub(crate) fn signed_bits(v: &[u64; 4]) -> u32 {
    let sign = ((v[3] as i64) >> 63) as u64;
    for (k, word) in v.iter().enumerate().rev() {
        let magnitude = word ^ sign;
        if magnitude != 0 {
            return 64 * k as u32 + 64 - magnitude.leading_zeros() + 1;
        }
    }
    u32::from(sign != 0)
}

/// The division of a scalar into windows, and the digits in them.
pub(crate) struct Windows {
    windows: Vec<Window>,
    centring: Centring,
}

/// One window: bits `start .. start + width`.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// The lowest bit.
    pub(crate) start: u32,
    /// Number of bits.
    pub(crate) width: u32,
}

impl Window {
    /// Number of buckets: digits are `-2^(width-1) ..= 2^(width-1) - 1`, of both signs in one bucket.
    pub(crate) fn buckets(&self) -> usize {
        1 << (self.width - 1)
    }

    /// The least [`signed_bits`] of a scalar that may have a digit here. `v` has none when `β < start`, as the digits
    /// of the windows below reach at least from `-2^(start-1)` to `2^(start-2)`.
    pub(crate) fn least_bits(&self) -> u32 {
        self.start.max(1)
    }
}

impl Windows {
    /// `count` windows of nearly equal width: a narrow last window would crowd all points into few buckets.
    ///
    /// `bits` is from [`covered_bits`]. No window is narrower than [`MIN_WIDTH`], or than 2 if `bits` are fewer than
    /// the order has; or there is one only. Panics otherwise: some scalars near half the order would get wrong digits.
    pub(crate) fn new(order: &[u64; 4], bits: u32, count: usize) -> Self {
        let windows: Vec<Window> = split(bits, count as u32).collect();
        let narrowest = if bits < covered_bits(order, 256) {
            2
        } else {
            MIN_WIDTH
        };
        let wide_enough = windows.iter().all(|window| window.width >= narrowest);
        assert!(count == 1 || wide_enough, "{bits} bits in {count} windows");
        let mut offset = [0; 4];
        for window in &windows {
            let bit = window.start + window.width - 1;
            offset[bit as usize / 64] |= 1 << (bit % 64);
        }
        Self {
            windows,
            centring: Centring::with_offset(order, offset),
        }
    }

    /// The constants that bring a scalar `s` to `v + K`.
    pub(crate) fn centring(&self) -> &Centring {
        &self.centring
    }

    /// The windows, lowest first.
    pub(crate) fn all(&self) -> &[Window] {
        &self.windows
    }

    /// Calls `visit(window, digit)` for each non-zero digit of `scalar` in the windows of `range`.
    #[inline(always)]
    pub(crate) fn for_each_digit(
        &self,
        scalar: &[u64; 4],
        range: Range<usize>,
        mut visit: impl FnMut(usize, i32),
    ) {
        let digits = self.digits(scalar);
        for index in range {
            let digit = digits.of(&self.windows[index]);
            if digit != 0 {
                visit(index, digit);
            }
        }
    }

    /// All digits of a scalar.
    #[inline(always)]
    pub(crate) fn digits(&self, scalar: &[u64; 4]) -> Digits {
        let [w0, w1, w2, w3] = self.centring.apply(scalar);
        Digits([w0, w1, w2, w3, 0])
    }
}

/// `v + K`, of which every digit is a bit field.
pub(crate) struct Digits([u64; 5]);

impl Digits {
    /// The digit in a window.
    #[inline(always)]
    pub(crate) fn of(&self, window: &Window) -> i32 {
        let word = window.start as usize / 64;
        let pair = u128::from(self.0[word]) | u128::from(self.0[word + 1]) << 64;
        let field = (pair >> (window.start % 64)) as u32 & ((1 << window.width) - 1);
        field as i32 - (1 << (window.width - 1))
    }
}

/// Cuts `bits` bits into `count` windows whose widths differ by at most one, the wider ones first.
pub(crate) fn split(bits: u32, count: u32) -> impl Iterator<Item = Window> {
    let (width, wider) = (bits / count, bits % count);
    (0..count).map(move |index| Window {
        start: index * width + index.min(wider),
        width: width + u32::from(index < wider),
    })
}

#[inline(always)]
fn add(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut sum = [0; 4];
    let mut carry = false;
    for k in 0..4 {
        (sum[k], carry) = a[k].carrying_add(b[k], carry);
    }
    sum
}

fn sub(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut difference = [0; 4];
    let mut borrow = false;
    for k in 0..4 {
        (difference[k], borrow) = a[k].borrowing_sub(b[k], borrow);
    }
    difference
}

/// Multiples of `r` from 0 up that may be taken off a 256-bit scalar: `2^256 < 9.5·r` for orders above 2^252.76.
const FOLDS: usize = 10;

#[cfg(test)]
mod tests;
