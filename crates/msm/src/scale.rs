//! Many products of a point and a scalar: `s·P_i` for one scalar, `s_i·P_i` for as many scalars as points.
//!
//! A bit takes a doubling of every product, and a digit that is not zero one addition to its product. With one scalar
//! that is an addition to every product; with many, about a fifth of the products get one. So each step is a batch of
//! affine additions with one inversion, in lanes where there are such. The endomorphism halves the doublings in G1, and
//! quarters them in G2. The parts of a scalar have digits in non-adjacent form. Each point has a table of odd
//! multiples, of itself and of its images. A point takes 127 doublings in G1, 65 in G2, and some 55 additions.
//!
//! In G1 with lanes there is a faster way, from each point to its product in registers: [`jacobian`].
//!
//! A butterfly, `l + w·h` and `l - w·h`, is a product and two more additions in the same batches: transforms of points
//! are made of them.
//! Sources: Gallant, Lambert, Vanstone, CRYPTO 2001; Galbraith, Lin, Scott 2009; batches as in the rest of the crate.

pub(crate) mod jacobian;

use crate::BucketPoint;
use crate::Choices;
use crate::buckets::Scalar;
use crate::kernel::{Portable, Signed};
use crate::lanes::InLanes;
use crate::points::PointList;
use crate::sums::{Backend, Sums};
use core::ops::Range;
use frumious_curves::{Endomorphism, Membership, ScalarDigits};
use frumious_field::Integer;
use zeroize::Zeroize;

/// The digits of a scalar for [`scale_vartime`].
pub fn scalar_digits_vartime<A: Endomorphism>(scalar: &A::Scalar) -> ScalarDigits {
    A::digits_vartime(scalar, WIDTH)
}

/// `products[i] = s·points[i]`, infinity as `(0, 0)`, for the scalar with those
/// [digits](scalar_digits_vartime).
///
/// Points are of the group's order or at infinity. Others lead to results that mean nothing, and to no panic.
///
/// On one thread: give some thousands at a time, and share them among threads. Memory: at most 2.6 MB, over BLS12-381
/// 3.7. Time: variable in the scalar.
///
/// # Panics
/// If the lengths differ.
pub fn scale_vartime<A: ScaledPoint>(
    points: PointList<'_, A>,
    digits: &ScalarDigits,
    products: &mut [A],
) {
    check_lengths(points.len(), products.len());
    A::scale_all_vartime(points, Factors::One(digits), products);
}

/// `products[i] = sᵢ·points[i]`, infinity as `(0, 0)`, for scalars with those [digits](scalar_digits_vartime).
///
/// All else as [`scale_vartime`].
///
/// # Panics
/// If the lengths differ.
pub fn scale_each_vartime<A: ScaledPoint>(
    points: PointList<'_, A>,
    digits: &[ScalarDigits],
    products: &mut [A],
) {
    check_lengths(points.len(), products.len());
    check_lengths(points.len(), digits.len());
    A::scale_all_vartime(points, Factors::Each(digits), products);
}

/// `low[i] + wᵢ·high[i]` in the place of `low[i]`, and `low[i] - wᵢ·high[i]` in that of `high[i]`.
///
/// All else as [`scale_vartime`].
///
/// # Panics
/// If the lengths differ, also that of [`Factors::Each`].
pub fn butterflies_vartime<A: ScaledPoint>(low: &mut [A], high: &mut [A], factors: Factors<'_>) {
    check_lengths(low.len(), high.len());
    if let Factors::Each(digits) = factors {
        check_lengths(low.len(), digits.len());
    }
    A::butterfly_all_vartime(low, high, factors);
}

#[track_caller]
fn check_lengths(points: usize, places: usize) {
    assert!(
        points == places,
        "{points} points but {places} places or scalars"
    );
}

/// The scalars that points are multiplied by, as their digits.
#[derive(Clone, Copy, Debug)]
pub enum Factors<'a> {
    /// The same for every point.
    One(&'a ScalarDigits),
    /// One for each point.
    Each(&'a [ScalarDigits]),
}

impl Factors<'_> {
    fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::One(digits) => Self::One(digits),
            Self::Each(digits) => Self::Each(&digits[range]),
        }
    }
}

/// A point whose multiples [`scale_vartime`] takes: those of G1 and G2 of both curves.
pub trait ScaledPoint: BucketPoint + Endomorphism + Membership {
    /// As [`scale_vartime`], compiled for this group in this crate.
    fn scale_all_vartime(points: PointList<'_, Self>, factors: Factors<'_>, products: &mut [Self]);

    /// As [`butterflies_vartime`], compiled for this group in this crate.
    fn butterfly_all_vartime(low: &mut [Self], high: &mut [Self], factors: Factors<'_>);

    /// As [`are_on_curve_vartime`](crate::are_on_curve_vartime), compiled for this group in this crate.
    fn all_on_curve_vartime(points: &[Self]) -> bool;

    /// As [`are_in_group_vartime`](crate::are_in_group_vartime), compiled for this group in this crate.
    fn all_in_group_vartime(points: &[Self]) -> bool;

    /// As [`are_in_group_by_sums_vartime`](crate::are_in_group_by_sums_vartime), compiled for this group in this crate.
    fn all_in_group_by_sums_vartime(points: &[Self], choices: &[Choices]) -> bool;

    /// As [`sum_in_group_vartime`](crate::sum_in_group_vartime), compiled for this group in this crate; with as many
    /// weights as points.
    fn sum_if_in_group_vartime(
        points: PointList<'_, Self>,
        weights: &[Integer<Self::ScalarField>],
    ) -> Option<Self::Sum>;
}

/// As [`scale_vartime`], compiled where it is called.
pub(crate) fn dispatch_vartime<A: BucketPoint + Endomorphism>(
    points: PointList<'_, A>,
    factors: Factors<'_>,
    products: &mut [A],
) {
    match frumious_field::lanes::active() {
        Some(cpu) => scale_with_vartime(InLanes(cpu), points, factors, products),
        None => scale_with_vartime(Scalar::<Portable<A>>::NEW, points, factors, products),
    }
}

/// As [`butterflies_vartime`], compiled where it is called.
pub(crate) fn dispatch_butterflies_vartime<A: BucketPoint + Endomorphism>(
    low: &mut [A],
    high: &mut [A],
    factors: Factors<'_>,
) {
    match frumious_field::lanes::active() {
        Some(cpu) => butterflies_with_vartime(InLanes(cpu), low, high, factors),
        None => butterflies_with_vartime(Scalar::<Portable<A>>::NEW, low, high, factors),
    }
}

/// As [`scale_vartime`] on one backend.
pub(crate) fn scale_with_vartime<A: BucketPoint + Endomorphism, B: Backend<A>>(
    backend: B,
    points: PointList<'_, A>,
    factors: Factors<'_>,
    products: &mut [A],
) {
    let mut work = Work::default();
    let block = block::<A>();
    for (index, products) in products.chunks_mut(block).enumerate() {
        let range = index * block..index * block + products.len();
        work.table.clear();
        work.table.extend(range.clone().map(|k| points.get(k)));
        extend_table(backend, &mut work.table, products.len());
        let sums = work.multiply(
            backend,
            factors.slice(range),
            (products.len(), products.len()),
        );
        store(&sums, 0, products);
        sums.release();
    }
}

/// As [`butterflies_vartime`] on one backend.
pub(crate) fn butterflies_with_vartime<A: BucketPoint + Endomorphism, B: Backend<A>>(
    backend: B,
    low: &mut [A],
    high: &mut [A],
    factors: Factors<'_>,
) {
    let mut work = Work::default();
    let block = block::<A>();
    let blocks = low.chunks_mut(block).zip(high.chunks_mut(block));
    for (index, (low, high)) in blocks.enumerate() {
        let count = low.len();
        let range = index * block..index * block + count;
        work.table.clear();
        work.table.extend_from_slice(high);
        extend_table(backend, &mut work.table, count);
        let first_low = work.table.len();
        work.table.extend_from_slice(low);
        let mut sums = work.multiply(backend, factors.slice(range), (count, 2 * count));
        // Slots: w·h + l, then w·h - l, the opposite of what is wanted.
        for k in 0..count {
            sums.add_slot(count + k, k); // a copy, as the slot is empty
        }
        for (k, point) in low.iter().enumerate() {
            if !point.is_infinity_vartime() {
                sums.add_point(k, Signed::new(first_low + k, false));
                sums.add_point(count + k, Signed::new(first_low + k, true));
            }
        }
        sums.settle();
        store(&sums, 0, low);
        store(&sums, count, high);
        sums.release();
        for point in high {
            *point = -*point;
        }
    }
}

/// The points in the slots from `first` on.
fn store<A: BucketPoint>(sums: &impl Sums<A>, first: usize, points: &mut [A]) {
    let slots: Vec<usize> = (first..first + points.len()).collect();
    for (point, found) in points.iter_mut().zip(sums.points(&slots)) {
        *point = found.unwrap_or(infinity());
    }
}

/// The ingredients of a block's products. Their memory serves for the next block.
struct Work<A> {
    /// The points' multiples, see [`extend_table`]; behind them anything else.
    table: Vec<A>,
    /// For each bit and part the additions that it takes, for scalars of their own: slot and multiple.
    steps: Vec<Vec<(u32, Signed)>>,
}

/// Digits of scalars do not outlive it.
impl<A> Drop for Work<A> {
    fn drop(&mut self) {
        self.steps.zeroize();
    }
}

impl<A> Default for Work<A> {
    fn default() -> Self {
        Self {
            table: Vec::new(),
            steps: Vec::new(),
        }
    }
}

impl<A: BucketPoint + Endomorphism> Work<A> {
    /// Buckets of `slots` slots. The first `count` have the products of as many points.
    fn multiply<B: Backend<A>>(
        &mut self,
        backend: B,
        factors: Factors<'_>,
        (count, slots): (usize, usize),
    ) -> B::Buckets<'_> {
        let Self { table, steps } = self;
        // Which points are at infinity is the same in each of the multiples.
        let is_finite = |k: usize| !table[k].is_infinity_vartime();
        let source = |part: usize, k: usize, digit: i8| {
            let multiple = part * MULTIPLES + usize::from(digit.unsigned_abs() / 2);
            Signed::new(multiple * count + k, digit < 0)
        };
        let mut sums = backend.buckets((&table[..]).into(), slots, B::SIZES.spare);
        match factors {
            Factors::One(digits) => {
                let finite: Vec<usize> = (0..count).filter(|k| is_finite(*k)).collect();
                for bit in (0..length::<A>(digits)).rev() {
                    sums.double_slots(count);
                    for part in 0..A::PARTS {
                        let digit = A::part(digits, part)[bit];
                        if digit != 0 {
                            for k in &finite {
                                sums.add_point(*k, source(part, *k, digit));
                            }
                            sums.settle();
                        }
                    }
                }
            }
            Factors::Each(all) => {
                reserve::<A>(steps, all);
                let mut bits = 0;
                for (k, digits) in all.iter().enumerate().filter(|(k, _)| is_finite(*k)) {
                    for part in 0..A::PARTS {
                        let digits = A::part(digits, part).iter().enumerate();
                        for (bit, digit) in digits.filter(|(_, d)| **d != 0) {
                            let step = &mut steps[A::PARTS * bit + part];
                            debug_assert!(step.len() < step.capacity());
                            step.push((k as u32, source(part, k, *digit)));
                            bits = bits.max(bit + 1);
                        }
                    }
                }
                for bit in (0..bits).rev() {
                    sums.double_slots(count);
                    for step in &mut steps[A::PARTS * bit..A::PARTS * (bit + 1)] {
                        for (slot, source) in step.drain(..) {
                            sums.add_point(slot as usize, source);
                        }
                        sums.settle();
                    }
                }
            }
        }
        sums
    }
}

/// Makes each step as large as digits that are not zero need, and wipes what it was. So none moves as it grows, which
/// would leave a copy.
fn reserve<A: Endomorphism>(steps: &mut Vec<Vec<(u32, Signed)>>, all: &[ScalarDigits]) {
    let mut counts = [0; size_of::<ScalarDigits>()];
    for digits in all {
        for part in 0..A::PARTS {
            for (bit, digit) in A::part(digits, part).iter().enumerate() {
                counts[A::PARTS * bit + part] += usize::from(*digit != 0);
            }
        }
    }
    steps.resize_with(counts.len(), Vec::new);
    for (step, count) in steps.iter_mut().zip(counts) {
        if step.capacity() < count {
            step.zeroize(); // all that it was allocated
            *step = Vec::with_capacity(count);
        }
    }
}

/// Number of digits up to the last that is not zero.
fn length<A: Endomorphism>(digits: &ScalarDigits) -> usize {
    let last = (0..A::PARTS).filter_map(|part| {
        let digits = A::part(digits, part);
        digits.iter().rposition(|digit| *digit != 0)
    });
    last.max().map_or(0, |last| last + 1)
}

/// Behind the points their odd multiples from 3 on, then the images of all, of each power of the endomorphism.
fn extend_table<A: BucketPoint + Endomorphism, B: Backend<A>>(
    backend: B,
    table: &mut Vec<A>,
    count: usize,
) {
    // Slots: the doubles, then each multiple.
    let mut sums = backend.buckets((&table[..]).into(), MULTIPLES * count, B::SIZES.spare);
    let finite = |k: &usize| !table[*k].is_infinity_vartime();
    for k in (0..count).filter(finite) {
        sums.add_point(k, Signed::new(k, false));
        sums.add_point(count + k, Signed::new(k, false));
    }
    sums.settle();
    sums.double_slots(count);
    for multiple in 1..MULTIPLES {
        if multiple > 1 {
            for k in 0..count {
                let slot = multiple * count + k;
                sums.add_slot(slot, slot - count); // a copy, as the slot is empty
            }
        }
        for k in 0..count {
            sums.add_slot(multiple * count + k, k);
        }
        sums.flush_slots();
    }
    let slots: Vec<usize> = (count..MULTIPLES * count).collect();
    let multiples = sums.points(&slots);
    sums.release();
    table.extend(
        multiples
            .into_iter()
            .map(|point| point.unwrap_or(infinity())),
    );
    for k in 0..table.len() {
        let image = table[k].endomorphism();
        table.push(image);
    }
    if A::PARTS == 4 {
        for k in 0..table.len() {
            let image = table[k].endomorphism_twice();
            table.push(image);
        }
    }
}

pub(crate) fn infinity<A: BucketPoint>() -> A {
    A::from_coordinates(Default::default(), Default::default())
}

/// Width of the digits. With 5 a point takes four additions fewer, and its table twice the memory.
const WIDTH: u32 = 4;

/// Multiples of a point in its table: 1, 3, 5, 7.
const MULTIPLES: usize = 1 << (WIDTH - 2);

/// Points at a time: a batch, whose tables fit a cache of level two.
fn block<A: Endomorphism>() -> usize {
    2048 / A::PARTS
}
