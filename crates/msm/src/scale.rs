//! Many points times one scalar: `s·P_i` for each `i`.
//!
//! All points share the schedule of one scalar. A bit takes a doubling of every product, and a digit that is not zero
//! one addition to every product. So each step is a batch of affine additions with one inversion, in lanes where there
//! are such. The endomorphism halves the doublings. Both halves of the scalar have digits in non-adjacent form. Each
//! point has a table of odd multiples, of itself and of its image. A point takes 127 doublings and some 55 additions.
//! Sources: Gallant, Lambert, Vanstone, CRYPTO 2001; batches as in the rest of the crate.

use crate::BucketPoint;
use crate::buckets::Scalar;
use crate::kernel::{Portable, Signed};
use crate::lanes::InLanes;
use crate::points::PointList;
use crate::sums::{Backend, Sums};
use frumious_curves::{DIGITS, Endomorphism};

/// A scalar as the digits of its halves: the schedule of products with it. Secret if the scalar is.
pub type ScalarDigits = [[i16; DIGITS]; 2];

/// The digits of a scalar for [`scale_vartime`].
pub fn scalar_digits_vartime<A: Endomorphism>(scalar: &A::Scalar) -> ScalarDigits {
    A::digits_vartime(scalar, WIDTH)
}

/// `products[i] = s·points[i]`, infinity as `(0, 0)`, for the scalar with those
/// [digits](scalar_digits_vartime).
///
/// Points are of the group's order or at infinity. Others lead to results that mean nothing, and to no panic.
///
/// On one thread: give some thousands at a time, and share them among threads. Memory: 0.7 MB, over BLS12-381 1.1.
/// Time: variable in the scalar.
///
/// # Panics
/// If the lengths differ.
pub fn scale_vartime<A: ScaledPoint>(
    points: PointList<'_, A>,
    digits: &ScalarDigits,
    products: &mut [A],
) {
    assert!(
        points.len() == products.len(),
        "{} points but `products` has {} places",
        points.len(),
        products.len()
    );
    A::scale_all_vartime(points, digits, products);
}

/// A point whose multiples [`scale_vartime`] takes: those of G1 of both curves.
pub trait ScaledPoint: BucketPoint + Endomorphism {
    /// As [`scale_vartime`], compiled for this group in this crate.
    fn scale_all_vartime(points: PointList<'_, Self>, digits: &ScalarDigits, products: &mut [Self]);
}

/// As [`scale_vartime`], compiled where it is called.
pub(crate) fn dispatch_vartime<A: BucketPoint + Endomorphism>(
    points: PointList<'_, A>,
    digits: &ScalarDigits,
    products: &mut [A],
) {
    match frumious_field::lanes::active() {
        Some(cpu) => scale_with_vartime(InLanes(cpu), points, digits, products),
        None => scale_with_vartime(Scalar::<Portable<A>>::NEW, points, digits, products),
    }
}

/// As [`scale_vartime`] on one backend.
pub(crate) fn scale_with_vartime<A: BucketPoint + Endomorphism, B: Backend<A>>(
    backend: B,
    points: PointList<'_, A>,
    digits: &ScalarDigits,
    products: &mut [A],
) {
    let mut table = Vec::new();
    for (index, products) in products.chunks_mut(BLOCK).enumerate() {
        let start = index * BLOCK;
        table.clear();
        table.extend((start..start + products.len()).map(|k| points.get(k)));
        block_vartime(backend, &mut table, digits, products);
    }
}

/// The products of a block; `table` has its points.
fn block_vartime<A: BucketPoint + Endomorphism, B: Backend<A>>(
    backend: B,
    table: &mut Vec<A>,
    digits: &ScalarDigits,
    products: &mut [A],
) {
    let count = products.len();
    extend_table(backend, table, count);
    let highest = digits
        .iter()
        .flat_map(|half| half.iter().rposition(|digit| *digit != 0));
    let steps = highest.max().map_or(0, |highest| highest + 1);
    // Which points are at infinity is the same in each of the multiples.
    let finite: Vec<u32> = (0..count as u32)
        .filter(|k| !table[*k as usize].is_infinity_vartime())
        .collect();
    let mut sums = backend.buckets((&table[..]).into(), count, B::SPARE);
    for bit in (0..steps).rev() {
        sums.double_slots(count);
        for (half, digits) in digits.iter().enumerate() {
            let digit = digits[bit];
            if digit != 0 {
                let multiple = half * MULTIPLES + usize::from(digit.unsigned_abs() / 2);
                for k in &finite {
                    let k = *k as usize;
                    sums.add_point(k, Signed::new(multiple * count + k, digit < 0));
                }
                sums.settle();
            }
        }
    }
    let slots: Vec<usize> = (0..count).collect();
    for (product, found) in products.iter_mut().zip(sums.points(&slots)) {
        *product = found.unwrap_or(infinity());
    }
    sums.release();
}

/// Behind the points their odd multiples from 3 on, then the images of all.
fn extend_table<A: BucketPoint + Endomorphism, B: Backend<A>>(
    backend: B,
    table: &mut Vec<A>,
    count: usize,
) {
    // Slots: the doubles, then each multiple.
    let mut sums = backend.buckets((&table[..]).into(), MULTIPLES * count, B::SPARE);
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
}

fn infinity<A: BucketPoint>() -> A {
    A::from_coordinates(Default::default(), Default::default())
}

/// Width of the digits. With 5 a point takes four additions fewer, and its table twice the memory.
const WIDTH: u32 = 4;

/// Multiples of a point in its table: 1, 3, 5, 7.
const MULTIPLES: usize = 1 << (WIDTH - 2);

/// Points at a time: a batch.
const BLOCK: usize = 1024;
