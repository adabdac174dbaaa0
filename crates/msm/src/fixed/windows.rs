//! Windows of single points: see [`Strategy::Windows`](super::Strategy::Windows).
//!
//! Source: Brickell, Gordon, McCurley, Wilson 1992, "Fast exponentiation with precomputation"; signed digits as in
//! `recode`.

use super::Error;
use super::build::{Run, SignedPower};
use super::group::FixedGroup;
use super::operations::{MAX_ENTRIES, Operation, Queue};
use super::strategy::{MAX_BITS, order_bits};
use crate::recode::{Centring, MIN_WIDTH, Windows, signed_bits};
use frumious_field::WordField;

/// The shape of the table: for each point, for each window, multiples from 1 up.
pub(super) struct WindowTable {
    points: usize,
    windows: Windows,
    centring: Centring,
    /// Place of each window's multiples among the entries of a point.
    offsets: Vec<usize>,
    entries_per_point: usize,
    first_entry: usize,
}

impl WindowTable {
    /// `count` windows for each of `points` points.
    ///
    /// Errors: windows that are too narrow or too wide, or too many entries.
    pub(super) fn new<G: FixedGroup>(
        points: usize,
        count: usize,
        first_entry: usize,
    ) -> Result<Self, Error> {
        let bits = order_bits::<G>();
        let widest = bits.checked_div(count).map(|_| bits.div_ceil(count));
        if widest.is_none_or(|widest| widest > MAX_BITS) || bits / count < MIN_WIDTH as usize {
            return Err(Error::Parameters {
                what: "number of windows",
                value: count,
            });
        }
        let windows = Windows::new(&G::Scalar::MODULUS_64.p, bits as u32, count);
        let mut offsets = Vec::with_capacity(count);
        let mut entries_per_point = 0;
        for window in windows.all() {
            offsets.push(entries_per_point);
            entries_per_point += window.buckets();
        }
        points
            .checked_mul(entries_per_point)
            .and_then(|entries| entries.checked_add(first_entry))
            .filter(|end| *end <= MAX_ENTRIES)
            .ok_or(Error::TooLarge)?;
        Ok(Self {
            points,
            windows,
            centring: Centring::new(&G::Scalar::MODULUS_64.p),
            offsets,
            entries_per_point,
            first_entry,
        })
    }

    /// Number of entries.
    pub(super) fn entries(&self) -> usize {
        self.points * self.entries_per_point
    }

    /// Number of points, from the first.
    pub(super) fn points(&self) -> usize {
        self.points
    }

    /// Number of windows.
    pub(super) fn windows(&self) -> usize {
        self.offsets.len()
    }

    /// About how many additions a scalar takes: one for each window that it reaches.
    #[inline]
    pub(super) fn additions(&self, scalar: &[u64; 4]) -> usize {
        let bits = signed_bits(&self.centring.apply(scalar)) as usize;
        let windows = self.offsets.len();
        // Widths differ by one bit at most: nearly `bits` divided by the width.
        (bits * windows)
            .div_ceil(order_bits_of(&self.windows))
            .min(windows)
    }

    /// The additions of one scalar, for the point `index`, which is covered.
    #[inline]
    pub(super) fn emit(&self, index: usize, scalar: &[u64; 4], queue: &mut Queue<'_>) {
        let first = self.first_entry + index * self.entries_per_point;
        let digits = self.windows.digits(scalar);
        for (window, offset) in self.windows.all().iter().zip(&self.offsets) {
            let digit = digits.of(window);
            if digit != 0 {
                let entry = first + offset + digit.unsigned_abs() as usize - 1;
                queue.push(Operation::add(entry, digit < 0));
            }
        }
    }

    /// The entries, in terms of a point. `1, …, 2^(w−1)` is one and all sums of `1, 2, 4, …, 2^(w−2)`.
    pub(super) fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::with_capacity(self.points * self.offsets.len());
        for point in 0..self.points {
            for window in self.windows.all() {
                let term = |bit: u32| SignedPower::power(point, (window.start + bit) as usize);
                runs.push(Run {
                    start: vec![term(0)],
                    increments: (0..window.width - 1).map(term).collect(),
                    skips_first: false,
                });
            }
        }
        runs
    }
}

/// Number of bits that the windows cover.
fn order_bits_of(windows: &Windows) -> usize {
    windows
        .all()
        .last()
        .map_or(1, |last| (last.start + last.width) as usize)
}
