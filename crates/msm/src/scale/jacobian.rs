//! Products of G1 in lanes: each by doublings and additions of its own, in registers, from a table of the point's
//! multiples.
//!
//! A doubling in Jacobian coordinates takes no more products than one in affine coordinates with its share of an
//! inversion, and passes no memory. An addition takes more of them. In all it is a tenth faster than batches.
//!
//! With one scalar the rounds are its digits in non-adjacent form. With many, all points have a digit for every four
//! bits, from -8 to 7, where a zero costs as much as any other.
//!
//! No addition is exceptional for a point P of the group's order:
//!
//! - A sum is `a·P + b·λP`, where a and b are the leading bits of the two parts of a scalar.
//! - Were it `±m·P` for a small m, then `(a ∓ m, b)` would be in the lattice of pairs that give zero.
//! - The parts are the shortest pair of their scalar, so that pair would be zero: `a = ±m`.
//! - But a is zero or a multiple of 16 when a digit of at most 8 is added to it. In non-adjacent form it is a multiple
//!   of 32, and a digit at most 15.
//!
//! The same holds for `±m·λP`.

use super::{Factors, infinity};
use crate::buckets::Scalar;
use crate::kernel::{Portable, Signed};
use crate::lanes::InLanes;
use crate::lanes::double_and_add::{DoubleAndAdd, JacobianPoint, Round, SIDE_BY_SIDE, Sixteen};
use crate::points::PointList;
use crate::sums::{Backend, Sums};
use core::array;
use frumious_curves::{Endomorphism, ScalarDigits};
use frumious_simd::Runner;
use zeroize::{Zeroize, Zeroizing};

/// As [`scale_vartime`](crate::scale_vartime), compiled where it is called.
pub(crate) fn dispatch_vartime<A: JacobianPoint + Endomorphism>(
    points: PointList<'_, A>,
    factors: Factors<'_>,
    products: &mut [A],
) {
    match frumious_field::lanes::active() {
        Some(cpu) => scale_with_vartime(cpu, points, factors, products),
        None => {
            let backend = Scalar::<Portable<A>>::NEW;
            super::scale_with_vartime(backend, points, factors, products);
        }
    }
}

/// As [`butterflies_vartime`](crate::butterflies_vartime), compiled where it is called.
pub(crate) fn dispatch_butterflies_vartime<A: JacobianPoint + Endomorphism>(
    low: &mut [A],
    high: &mut [A],
    factors: Factors<'_>,
) {
    match frumious_field::lanes::active() {
        Some(cpu) => butterflies_with_vartime(cpu, low, high, factors),
        None => {
            let backend = Scalar::<Portable<A>>::NEW;
            super::butterflies_with_vartime(backend, low, high, factors);
        }
    }
}

/// As [`scale_vartime`](crate::scale_vartime) in lanes.
pub(crate) fn scale_with_vartime<A: JacobianPoint + Endomorphism>(
    runner: impl Runner,
    points: PointList<'_, A>,
    factors: Factors<'_>,
    products: &mut [A],
) {
    let mut work = Work::default();
    for (index, products) in products.chunks_mut(BLOCK).enumerate() {
        let range = index * BLOCK..index * BLOCK + products.len();
        work.points.clear();
        work.points.extend(range.clone().map(|k| points.get(k)));
        work.multiply_vartime(runner, factors.slice(range));
        products.copy_from_slice(&work.products[..products.len()]);
    }
}

/// As [`butterflies_vartime`](crate::butterflies_vartime) in lanes.
pub(crate) fn butterflies_with_vartime<A: JacobianPoint + Endomorphism, R: Runner>(
    runner: R,
    low: &mut [A],
    high: &mut [A],
    factors: Factors<'_>,
) {
    let mut work = Work::default();
    let blocks = low.chunks_mut(BLOCK).zip(high.chunks_mut(BLOCK));
    for (index, (low, high)) in blocks.enumerate() {
        let count = low.len();
        let range = index * BLOCK..index * BLOCK + count;
        work.points.clear();
        work.points.extend_from_slice(high);
        work.multiply_vartime(runner, factors.slice(range));
        let summands = &mut work.products;
        summands.truncate(count);
        summands.extend_from_slice(low);
        let backend = InLanes(runner);
        let mut sums = backend.buckets(
            (&*summands).into(),
            2 * count,
            <InLanes<R> as Backend<A>>::SIZES.spare,
        );
        for (k, point) in summands.iter().enumerate() {
            if !point.is_infinity_vartime() {
                sums.add_point(k % count, Signed::new(k, false));
                sums.add_point(count + k % count, Signed::new(k, k < count));
            }
        }
        sums.settle();
        super::store(&sums, 0, low);
        super::store(&sums, count, high);
        sums.release();
    }
}

/// The ingredients of a block's products. Their memory serves for the next block.
struct Work<A> {
    /// The points, infinity behind them up to a multiple of [`SIDE_BY_SIDE`].
    points: Vec<A>,
    table: Vec<A>,
    sixteens: Vec<Sixteen>,
    rounds: Vec<Round>,
    /// As many as points.
    products: Vec<A>,
}

impl<A> Default for Work<A> {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            table: Vec::new(),
            sixteens: Vec::new(),
            rounds: Vec::with_capacity(MOST_ROUNDS), // so that no copy of them is left
            products: Vec::new(),
        }
    }
}

/// Digits of scalars do not outlive it.
impl<A> Drop for Work<A> {
    fn drop(&mut self) {
        self.rounds.zeroize();
    }
}

impl<A: JacobianPoint + Endomorphism> Work<A> {
    /// The products of the points, and more.
    fn multiply_vartime(&mut self, runner: impl Runner, factors: Factors<'_>) {
        frumious_parallel::check_cancelled();
        let count = self.points.len();
        self.points
            .resize(count.next_multiple_of(SIDE_BY_SIDE), infinity());
        let multiples = match factors {
            Factors::One(_) => ODD,
            Factors::Each(_) => ALL,
        };
        self.fill_table(runner, multiples);
        self.rounds.clear();
        self.sixteens.clear();
        if let Factors::One(digits) = factors {
            common_rounds_vartime::<A>(digits, &mut self.rounds);
        }
        let (groups, _) = self.points.as_chunks::<SIDE_BY_SIDE>();
        for (index, points) in groups.iter().enumerate() {
            let mut absent = 0u16;
            for (k, point) in points.iter().enumerate() {
                absent |= u16::from(point.is_infinity_vartime()) << k;
            }
            let first = match factors {
                Factors::One(_) => 0,
                Factors::Each(digits) => {
                    let first = self.rounds.len();
                    let digits = &digits[index * SIDE_BY_SIDE..];
                    let own = &digits[..SIDE_BY_SIDE.min(digits.len())];
                    rounds_in_step_vartime::<A>(own, &mut self.rounds);
                    first
                }
            };
            self.sixteens.push(Sixteen {
                rounds: first..self.rounds.len(),
                absent,
            });
        }
        debug_assert!(self.rounds.len() <= MOST_ROUNDS);
        self.products.clear();
        self.products.resize(self.points.len(), infinity());
        A::double_and_add_vartime(
            runner,
            DoubleAndAdd {
                table: &self.table,
                height: 2 * multiples.rows.len(),
                sixteens: &self.sixteens,
                rounds: &self.rounds,
                products: &mut self.products,
            },
        );
    }

    /// For each sixteen points their multiples, then the images of those.
    fn fill_table<R: Runner>(&mut self, runner: R, multiples: &Multiples) {
        let Self { points, table, .. } = self;
        let count = points.len();
        let slots = (2 + multiples.steps.len()) * count;
        let spare = <InLanes<R> as Backend<A>>::SIZES.spare;
        let mut sums = InLanes(runner).buckets((&*points).into(), slots, spare);
        for (k, point) in points.iter().enumerate() {
            if !point.is_infinity_vartime() {
                sums.add_point(k, Signed::new(k, false));
                sums.add_point(count + k, Signed::new(k, false));
            }
        }
        sums.settle();
        sums.double_slots(count);
        for (row, step) in (2..).zip(multiples.steps) {
            for k in 0..count {
                sums.add_slot(row * count + k, (row - 1) * count + k); // a copy, as the slot is empty
            }
            for k in 0..count {
                sums.add_slot(row * count + k, step * count + k);
            }
            sums.flush_slots();
        }
        let mut slots = Vec::with_capacity(multiples.rows.len() * count);
        for first in (0..count).step_by(SIDE_BY_SIDE) {
            for row in multiples.rows {
                slots.extend(row * count + first..row * count + first + SIDE_BY_SIDE);
            }
        }
        let found = sums.points(&slots);
        sums.release();
        table.clear();
        for tables in found.chunks(multiples.rows.len() * SIDE_BY_SIDE) {
            let first = table.len();
            table.extend(tables.iter().map(|point| point.unwrap_or(infinity())));
            for k in first..table.len() {
                let image = table[k].endomorphism();
                table.push(image);
            }
        }
    }
}

/// Multiples of a point, as rows of slots: the first has its double, the second itself.
struct Multiples {
    /// For each row from the third the row that is added to the row before it.
    steps: &'static [usize],
    /// The rows of the table, in order.
    rows: &'static [usize],
}

/// 1, 3, ..., 15: for digits in non-adjacent form of [`WIDTH`].
const ODD: &Multiples = &Multiples {
    steps: &[0, 0, 0, 0, 0, 0, 0],
    rows: &[1, 2, 3, 4, 5, 6, 7, 8],
};

/// 1 to 8: for digits of [`WINDOW`] bits.
const ALL: &Multiples = &Multiples {
    steps: &[0, 1, 1, 1, 1, 1],
    rows: &[1, 0, 2, 3, 4, 5, 6, 7],
};

/// Round that are the same for all points.
fn common_rounds_vartime<A: Endomorphism>(digits: &ScalarDigits, rounds: &mut Vec<Round>) {
    let parts: Zeroizing<[_; 2]> =
        Zeroizing::new(array::from_fn(|part| non_adjacent(A::part(digits, part))));
    let mut doublings = 0;
    for bit in (0..DIGITS).rev() {
        doublings += 1;
        for (part, digits) in parts.iter().enumerate() {
            let digit = digits[bit];
            if digit != 0 {
                let row = part * ODD.rows.len() + usize::from(digit.unsigned_abs() / 2);
                rounds.push(Round {
                    // Nothing is to be doubled before the first addition.
                    doublings: if rounds.is_empty() { 0 } else { doublings },
                    rows: [row as u8; SIDE_BY_SIDE],
                    opposite: if digit < 0 { u16::MAX } else { 0 },
                    skipped: 0,
                });
                doublings = 0;
            }
        }
    }
    if !rounds.is_empty() {
        finish(doublings, rounds);
    }
}

/// Round of up to sixteen points with a scalar each.
fn rounds_in_step_vartime<A: Endomorphism>(digits: &[ScalarDigits], rounds: &mut Vec<Round>) {
    let mut windows = Zeroizing::new([[[0; WINDOWS]; SIDE_BY_SIDE]; 2]);
    for (part, windows) in windows.iter_mut().enumerate() {
        for (digits, windows) in digits.iter().zip(windows) {
            *windows = in_windows(A::part(digits, part));
        }
    }
    let first = rounds.len();
    let mut doublings = 0;
    for window in (0..WINDOWS).rev() {
        doublings += WINDOW as u8;
        for (part, windows) in windows.iter().enumerate() {
            let mut rows = [0; SIDE_BY_SIDE];
            let (mut opposite, mut skipped) = (0u16, 0u16);
            for (k, digits) in windows.iter().enumerate() {
                let digit = digits[window];
                opposite |= u16::from(digit < 0) << k;
                skipped |= u16::from(digit == 0) << k;
                let multiple = digit.unsigned_abs().saturating_sub(1);
                rows[k] = (part * ALL.rows.len()) as u8 + multiple;
            }
            if skipped == u16::MAX {
                continue;
            }
            // Nothing is to be doubled before the first addition.
            rounds.push(Round {
                doublings: if rounds.len() == first { 0 } else { doublings },
                rows,
                opposite,
                skipped,
            });
            doublings = 0;
        }
    }
    if rounds.len() > first {
        finish(doublings, rounds);
    }
}

/// Doublings after the last addition.
fn finish(doublings: u8, rounds: &mut Vec<Round>) {
    if doublings > 0 {
        rounds.push(Round {
            doublings,
            rows: [0; SIDE_BY_SIDE],
            opposite: 0,
            skipped: u16::MAX,
        });
    }
}

/// The number with these binary digits, of either sign, in non-adjacent form of [`WIDTH`].
fn non_adjacent(digits: &[i8]) -> [i8; DIGITS] {
    let mut form = [0; DIGITS];
    let mut carry = 0;
    for (bit, place) in form.iter_mut().enumerate() {
        // What is left of the number, modulo 2^WIDTH. Digits are at most 7, of four neighbours at most one.
        let ahead = digits[bit..].iter().take(WIDTH).rev();
        let rest = ahead.fold(0, |rest, digit| 2 * rest + i16::from(*digit)) + carry;
        if rest & 1 == 1 {
            *place = centred(rest, WIDTH);
        }
        carry = (i16::from(digits[bit]) + carry - i16::from(*place)) / 2;
    }
    debug_assert_eq!(carry, 0, "a part of a scalar is shorter than its digits");
    form
}

/// The number with these binary digits, of either sign, in digits of [`WINDOW`] bits from -8 to 7, from the lowest.
fn in_windows(digits: &[i8]) -> [i8; WINDOWS] {
    let mut windows = [0; WINDOWS];
    let mut carry = 0;
    for (window, digits) in windows.iter_mut().zip(digits.chunks(WINDOW)) {
        // Digits are at most 7, of four neighbours at most one, so this is at most 7·8 + 4.
        let value = digits.iter().rev();
        let value = value.fold(0, |value, digit| 2 * value + i16::from(*digit)) + carry;
        *window = centred(value, WINDOW);
        carry = (value - i16::from(*window)) >> WINDOW;
    }
    debug_assert_eq!(carry, 0, "a part of a scalar is shorter than its digits");
    windows
}

/// The number modulo 2^`bits`, `bits` below 8, between -2^(`bits` - 1) and 2^(`bits` - 1) - 1.
fn centred(value: i16, bits: usize) -> i8 {
    let half = 1 << (bits - 1);
    (((value + half) & ((1 << bits) - 1)) - half) as i8
}

/// Binary digits of half of a scalar.
const DIGITS: usize = size_of::<ScalarDigits>() / 2;

/// Width of the digits of one scalar. It takes 42 additions, with [`super::WIDTH`] 51.
const WIDTH: usize = 5;

/// Bits of a digit where points climb in step.
const WINDOW: usize = 4;

/// Digits of so many bits.
const WINDOWS: usize = DIGITS / WINDOW;

/// The most rounds of a block: in each window one for each part, and at the end doublings alone.
const MOST_ROUNDS: usize = BLOCK / SIDE_BY_SIDE * (2 * WINDOWS + 1);

/// Points at a time, whose tables are 0.5 MB, over BLS12-381 0.75.
const BLOCK: usize = 512;
