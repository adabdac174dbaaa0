//! Straus' method, for so few points that buckets would stay empty.
//!
//! Each point has a table of its multiples up to the largest digit, and all scalars share one chain of doublings. What
//! a window needs, one multiple of each point, is summed before that chain and for all windows at once. These are
//! affine additions in batches, in which a table is a sequence of points like any other and a window is a bucket.
//! Source: Straus 1964, "Addition chains of vectors" (problem 5125).

use crate::census::Census;
use crate::group::order;
use crate::kernel::Signed;
use crate::points::Weighed;
use crate::recode::{Digits, Windows, covered_bits};
use crate::sums::{Backend, Sums};
use crate::{BucketPoint, PointList};
use core::ops::Range;
use frumious_field::Integer;

/// True if this method is at least as fast as buckets for so many pairs, where `most` is the limit for one thread.
///
/// It runs on one thread, as the tables are needed by all windows; so with more threads buckets win earlier.
pub(crate) fn is_better(pairs: usize, most: usize, threads: usize) -> bool {
    pairs <= if threads == 1 { most } else { most.min(24) }
}

/// The sum over the pairs of `lists` that are in `census`, the identity if there are none: that of each list, added up.
pub(crate) fn msm_vartime<A, B>(backend: B, lists: &[Weighed<'_, A>], census: &Census) -> A::Sum
where
    A: BucketPoint,
    B: Backend<A>,
{
    let windows = windows(order::<A>(), census.longest());
    let of_list = |(number, list): (usize, &Weighed<'_, A>)| {
        let indices: Vec<usize> = census.indices(number).collect();
        let pairs = pairs(&indices, list.scalars, &windows);
        let tables = multiples_vartime(backend, list.points, &pairs);
        sum_vartime(backend, &tables, &windows, &pairs)
    };
    let sums = lists.iter().enumerate().map(of_list);
    sums.reduce(|sum, of_list| sum + of_list)
        .unwrap_or(A::NEUTRAL)
}

/// For each point the multiples that a scalar of any size may need, at infinity for the point at infinity.
pub(crate) fn tables_vartime<A: BucketPoint, B: Backend<A>>(backend: B, points: &[A]) -> Vec<A> {
    let table = |index| Pair {
        index,
        digits: None,
        table: index * MULTIPLES..(index + 1) * MULTIPLES,
    };
    let pairs: Vec<Pair> = (0..points.len()).map(table).collect();
    multiples_vartime(backend, points.into(), &pairs)
}

/// `Σ scalars[i]·points[i]` for the points whose [`tables_vartime`] these are.
pub(crate) fn sum_with_tables_vartime<A: BucketPoint, B: Backend<A>>(
    backend: B,
    tables: &[A],
    scalars: &[Integer<A::ScalarField>],
) -> A::Sum {
    let windows = windows(order::<A>(), MOST_BITS);
    let pair = |(index, scalar): (_, &Integer<_>)| Pair {
        index,
        digits: Some(windows.digits(scalar.words())),
        table: index * MULTIPLES..(index + 1) * MULTIPLES,
    };
    let pairs: Vec<Pair> = scalars.iter().enumerate().map(pair).collect();
    sum_vartime(backend, tables, &windows, &pairs)
}

/// The windows for scalars of at most `longest` signed bits.
fn windows(order: &[u64; 4], longest: u32) -> Windows {
    let bits = covered_bits(order, longest);
    Windows::new(order, bits, bits.div_ceil(WIDTH) as usize)
}

/// The sum of the multiples that the digits ask for.
fn sum_vartime<A: BucketPoint, B: Backend<A>>(
    backend: B,
    tables: &[A],
    windows: &Windows,
    pairs: &[Pair],
) -> A::Sum {
    let mut sums = backend.buckets(tables.into(), windows.all().len(), B::SIZES.spare);
    // Window by window, as the overflow is then in order already.
    for (index, window) in windows.all().iter().enumerate() {
        for pair in pairs {
            let digit = pair.digits.as_ref().map_or(0, |digits| digits.of(window));
            if digit != 0 {
                let multiple = pair.table.start + digit.unsigned_abs() as usize - 1;
                // Infinite only if the point is, or is none of the group.
                if !tables[multiple].is_infinity_vartime() {
                    sums.add_point(index, Signed::new(multiple, digit < 0));
                }
            }
        }
    }
    sums.settle();
    let mut result = A::NEUTRAL;
    let all: Vec<usize> = (0..windows.all().len()).collect();
    let window_sums = sums.points(&all);
    sums.release();
    for (window, sum) in windows.all().iter().zip(window_sums).rev() {
        result = A::double_times(&result, window.width);
        if let Some(sum) = sum {
            result = sum.add_to(&result);
        }
    }
    result
}

/// A scalar and its point.
struct Pair {
    /// Which point.
    index: usize,
    /// None as long as the scalar is not known.
    digits: Option<Digits>,
    /// Where the multiples of the point are.
    table: Range<usize>,
}

/// The pairs, with room for the multiples up to the largest digit of each: ones need no table.
fn pairs<F>(indices: &[usize], scalars: &[Integer<F>], windows: &Windows) -> Vec<Pair> {
    let mut end = 0;
    let pair = |index: &usize| {
        let digits = windows.digits(scalars[*index].words());
        let largest = windows
            .all()
            .iter()
            .map(|window| digits.of(window).unsigned_abs() as usize)
            .max();
        let start = end;
        end += largest.unwrap_or(1);
        Pair {
            index: *index,
            digits: Some(digits),
            table: start..end,
        }
    };
    indices.iter().map(pair).collect()
}

/// `P, 2P, 3P, …` for each pair in its place; the point at infinity for that point, too.
fn multiples_vartime<A, B>(backend: B, points: PointList<'_, A>, pairs: &[Pair]) -> Vec<A>
where
    A: BucketPoint,
    B: Backend<A>,
{
    let len = pairs.last().map_or(0, |pair| pair.table.end);
    let mut tables = backend.buckets(points, len, 0);
    for pair in pairs {
        if !points.get(pair.index).is_infinity_vartime() {
            tables.add_point(pair.table.start, Signed::new(pair.index, false));
        }
    }
    tables.settle();
    let longest = pairs.iter().map(|pair| pair.table.len()).max();
    let doublings = longest.unwrap_or(1).next_power_of_two().ilog2();
    for known in (0..doublings).map(|power| 1 << power) {
        for Range { start, end } in pairs.iter().map(|pair| pair.table.clone()) {
            for slot in start..(start + known).min(end.saturating_sub(known)) {
                tables.add_slot(slot + known, start + known - 1); // a copy, as the slot is empty
                tables.add_slot(slot + known, slot);
            }
        }
        tables.flush_slots();
    }
    let infinity = A::from_coordinates(Default::default(), Default::default());
    let all: Vec<usize> = (0..len).collect();
    let multiples = tables.points(&all);
    tables.release();
    let multiples = multiples.into_iter();
    multiples.map(|point| point.unwrap_or(infinity)).collect()
}

/// Bits of a window: tables of `2^(WIDTH-1)` multiples and `254/WIDTH` windows take the fewest additions at 5.
const WIDTH: u32 = 5;

/// The largest digit of a window.
const MULTIPLES: usize = 1 << (WIDTH - 1);

/// No scalar has more signed bits (see `census`).
const MOST_BITS: u32 = 255;
