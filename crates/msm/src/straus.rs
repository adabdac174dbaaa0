//! Straus' method, for so few points that buckets would stay empty.
//!
//! Each point has a table of its multiples up to the largest digit, and all scalars share one chain of doublings.
//! What a window needs, one multiple of each point, is summed before that chain and for all windows at once: affine
//! additions in batches, in which a table is a sequence of points like any other and a window is a bucket.
//! Source: Straus 1964, "Addition chains of vectors" (problem 5125).

use crate::buckets::{Buckets, SPARE};
use crate::census::Census;
use crate::kernel::{BatchAdd, Signed};
use crate::recode::{Windows, covered_bits};
use crate::{MsmPoint, Points};

/// Up to this many pairs this method is at least as fast as buckets (measured in G1, G2 and Bandersnatch).
pub(crate) const LIMIT: usize = 48;

/// `Σ scalars[i]·points[i]` over the pairs in `census`, the identity if there are none.
pub(crate) fn msm_vartime<A, P, K>(
    points: &P,
    scalars: &[[u64; 4]],
    census: &Census,
) -> A::Projective
where
    A: MsmPoint,
    P: Points<A> + ?Sized,
    K: BatchAdd<A>,
{
    let bits = covered_bits(&A::ORDER, census.longest());
    let windows = Windows::new(&A::ORDER, bits, bits.div_ceil(WIDTH) as usize);
    let indices: Vec<usize> = census.indices(0..census.chunks(), 1).collect();
    let table_len = windows.all()[0].buckets();
    let tables = multiples_vartime::<A, P, K>(points, &indices, table_len);
    let mut sums = Buckets::<A, [A], K>::new(&tables, windows.all().len(), SPARE);
    let digits: Vec<_> = indices
        .iter()
        .map(|index| windows.digits(&scalars[*index]))
        .collect();
    // Window by window, as the overflow is then in order already.
    for window in 0..windows.all().len() {
        for (pair, digits) in digits.iter().enumerate() {
            let digit = digits.of(&windows.all()[window]);
            if digit != 0 {
                let multiple = pair * table_len + digit.unsigned_abs() as usize - 1;
                // Infinite only if the point is none of the group.
                if !tables[multiple].is_infinity_vartime() {
                    sums.add_point(window, Signed::new(multiple, digit < 0));
                }
            }
        }
    }
    sums.settle();
    let mut result = A::IDENTITY;
    for (index, window) in windows.all().iter().enumerate().rev() {
        result = A::double_times(&result, window.width);
        if let Some(sum) = sums.point(index) {
            result = sum.add_to(&result);
        }
    }
    result
}

/// `[P, 2P, …, count·P]` for each of these points, one table after another; `count` is a power of two.
fn multiples_vartime<A, P, K>(points: &P, indices: &[usize], count: usize) -> Vec<A>
where
    A: MsmPoint,
    P: Points<A> + ?Sized,
    K: BatchAdd<A>,
{
    let mut tables = Buckets::<A, P, K>::new(points, indices.len() * count, 0);
    let starts = (0..indices.len()).map(|pair| pair * count);
    for (start, index) in starts.clone().zip(indices) {
        tables.add_point(start, Signed::new(*index, false));
    }
    let mut known = 1;
    while known < count {
        for start in starts.clone() {
            for slot in start..start + known {
                tables.add_slot(slot + known, start + known - 1); // a copy, as the slot is empty
                tables.add_slot(slot + known, slot);
            }
        }
        tables.flush_slots();
        known *= 2;
    }
    let infinity = A::from_coordinates(Default::default(), Default::default());
    (0..indices.len() * count)
        .map(|slot| tables.point(slot).unwrap_or(infinity))
        .collect()
}

/// Bits of a window: tables of `2^(WIDTH-1)` multiples and `254/WIDTH` windows take the fewest additions at 5.
const WIDTH: u32 = 5;
