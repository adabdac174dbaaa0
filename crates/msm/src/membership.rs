//! Many points at a time: are all in the group of order `r`?
//!
//! A point is in its group if a relation between it, one multiple of it and images of both holds ([`Membership`]). The
//! multiples of many points are made side by side, as in [`scale`](crate::scale). Each step is a batch of affine
//! additions with one inversion, in lanes where there are such. The digits are 1 and -1, so that there is no table. A
//! table's multiples of a point of small order could be at infinity.
//! Source: non-adjacent forms, Handbook of Elliptic and Hyperelliptic Curve Cryptography, section 9.1.4.
//!
//! Of thousands of points it is faster to check random sums of them, in which each takes part or not. Bits of a point,
//! eight at a time, name one of 256 buckets. The sum over all buckets whose number has a certain bit is a random sum,
//! and [`reduce`] makes all eight from one set of buckets.

use crate::BucketPoint;
use crate::Choices;
use crate::buckets::Scalar;
use crate::kernel::{Portable, Signed};
use crate::lanes::InLanes;
use crate::recode::Window;
use crate::reduce;
use crate::scale::ScaledPoint;
use crate::sums::{Backend, Sums};
use frumious_curves::Membership;

/// True if all points, each of which must be on its curve, are in the group of order `r`. Infinity is.
///
/// The same as `is_in_subgroup` of each. On one thread: give some thousands at a time, and share them among threads.
/// Memory: at most 1.5 MB in G1 and 3 MB in G2. Time: variable in the points.
pub fn are_in_group_vartime<A: ScaledPoint>(points: &[A]) -> bool {
    A::FACTOR == 0 || A::all_in_group_vartime(points)
}

/// As [`are_in_group_vartime`], by random sums.
///
/// Never false if all are in the group. If one is not, true with a probability of at most 2^-128.
///
/// `choices` has a row for each point, of independent random bits. Whoever made the points did not know them. On one
/// thread: give some thousands of points at a time. Memory: 2 MB more than [`are_in_group_vartime`].
///
/// Bound: let one point be outside. A term's coefficient of it is one of two neighbours, 0 and 1 or 1 and 2, by one of
/// the point's own bits. Whatever the other points add, at most one of the two gives a sum in the group. There are 128
/// terms, each with a bit of its own.
///
/// # Panics
/// Unless there are as many rows as points.
#[track_caller]
pub fn are_in_group_by_sums_vartime<A: ScaledPoint>(points: &[A], choices: &[Choices]) -> bool {
    assert_eq!(points.len(), choices.len(), "a row for each point");
    A::FACTOR == 0 || A::all_in_group_by_sums_vartime(points, choices)
}

/// The buckets of a byte of [`Choices`]: as those of digits of nine bits with sign.
const WINDOWS: [Window; size_of::<Choices>()] =
    [Window { start: 0, width: 9 }; size_of::<Choices>()];

/// As [`are_in_group_by_sums_vartime`], compiled where it is called.
pub(crate) fn dispatch_by_sums_vartime<A: BucketPoint + Membership>(
    points: &[A],
    choices: &[Choices],
) -> bool {
    match frumious_field::lanes::active() {
        Some(cpu) => are_in_group_by_sums_with_vartime(InLanes(cpu), points, choices),
        None => are_in_group_by_sums_with_vartime(Scalar::<Portable<A>>::NEW, points, choices),
    }
}

/// As [`are_in_group_by_sums_vartime`] on one backend.
pub(crate) fn are_in_group_by_sums_with_vartime<A: BucketPoint + Membership, B: Backend<A>>(
    backend: B,
    points: &[A],
    choices: &[Choices],
) -> bool {
    let count = WINDOWS.iter().map(Window::buckets).sum();
    let mut buckets = backend.buckets(points.into(), count, B::SIZES.spare);
    for (index, (point, choices)) in points.iter().zip(choices).enumerate() {
        if index.is_multiple_of(POINTS_PER_QUESTION) {
            frumious_parallel::check_cancelled();
        }
        if point.is_infinity_vartime() {
            continue;
        }
        for (window, choice) in choices.iter().enumerate() {
            let bucket = window << 8 | usize::from(*choice);
            buckets.add_point(bucket, Signed::new(index, false));
        }
    }
    buckets.settle();
    let terms = reduce::terms_vartime(&mut buckets, &WINDOWS, B::SIZES.columns);
    buckets.release();
    let sums: Vec<A> = terms.into_iter().map(|(_, sum)| sum).collect();
    are_in_group_with_vartime(backend, &sums)
}

/// As [`are_in_group_vartime`], compiled where it is called.
pub(crate) fn dispatch_vartime<A: BucketPoint + Membership>(points: &[A]) -> bool {
    match frumious_field::lanes::active() {
        Some(cpu) => are_in_group_with_vartime(InLanes(cpu), points),
        None => are_in_group_with_vartime(Scalar::<Portable<A>>::NEW, points),
    }
}

/// As [`are_in_group_vartime`] on one backend.
pub(crate) fn are_in_group_with_vartime<A: BucketPoint + Membership, B: Backend<A>>(
    backend: B,
    points: &[A],
) -> bool {
    let digits = signed_digits(A::FACTOR);
    points.chunks(BLOCK).all(|points| {
        let multiples = multiples(backend, points, &digits);
        let relations = points.iter().zip(&multiples).map(|(p, m)| p.relation(m));
        vanish(backend, &relations.collect::<Vec<_>>())
    })
}

/// `Σ digits[i]·2^i·P` for each point.
fn multiples<A: BucketPoint, B: Backend<A>>(backend: B, points: &[A], digits: &[i8]) -> Vec<A> {
    let count = points.len();
    let finite: Vec<usize> = (0..count)
        .filter(|k| !points[*k].is_infinity_vartime())
        .collect();
    let mut sums = backend.buckets(points.into(), count, B::SIZES.spare);
    for digit in digits.iter().rev() {
        sums.double_slots(count);
        if *digit != 0 {
            for k in &finite {
                sums.add_point(*k, Signed::new(*k, *digit < 0));
            }
            sums.settle();
        }
    }
    let slots: Vec<usize> = (0..count).collect();
    let found = sums.points(&slots);
    sums.release();
    let infinity = A::from_coordinates(Default::default(), Default::default());
    (found.into_iter())
        .map(|point| point.unwrap_or(infinity))
        .collect()
}

/// True if the sum of each row is infinity.
fn vanish<A: BucketPoint, B: Backend<A>>(backend: B, rows: &[[A; 6]]) -> bool {
    let points = rows.as_flattened();
    let mut sums = backend.buckets(points.into(), rows.len(), B::SIZES.spare);
    for column in 0..6 {
        for (slot, row) in rows.iter().enumerate() {
            if !row[column].is_infinity_vartime() {
                sums.add_point(slot, Signed::new(6 * slot + column, false));
            }
        }
        sums.settle();
    }
    let slots: Vec<usize> = (0..rows.len()).collect();
    let vanish = sums.points(&slots).iter().all(Option::is_none);
    sums.release();
    vanish
}

/// The non-adjacent form, from the lowest digit.
fn signed_digits(mut factor: u128) -> Vec<i8> {
    let mut digits = Vec::new();
    while factor != 0 {
        let digit = match factor & 3 {
            1 => 1,
            3 => -1,
            _ => 0,
        };
        // No overflow: halved first, and a digit of -1 adds one half.
        factor = (factor >> 1) + u128::from(digit == -1);
        digits.push(digit);
    }
    digits
}

/// Some thousands of additions: milliseconds.
const POINTS_PER_QUESTION: usize = 256;

/// Points at a time: a batch.
const BLOCK: usize = 1024;
