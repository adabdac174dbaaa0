//! Sums with random weights, which tell besides if all of the points are in their group.
//!
//! Both the equations of a ceremony and the membership of its points are checked with random sums. A multiplication by
//! weights makes sums on its way, those of the windows. Where the cofactor has no small prime factor, they serve for
//! membership. In a window each point has a digit, a function of its weight.
//!
//! Bound: let one point be outside, all other weights be given. Modulo the group its order is a product of primes of
//! the cofactor. The digits of a window differ modulo each of them, so that at most one gives a sum in the group. At
//! most one weight has that digit in each window, as digits tell the weight. So at most one of 2^128 weights passes.
//! For this the windows must not depend on the weights: they are fixed.
//! Source of random weights: Bellare, Garay, Rabin, EUROCRYPT 1998, the small exponents test.

use crate::buckets::Scalar;
use crate::kernel::Portable;
use crate::lanes::{self, InLanes};
use crate::membership::{
    are_in_group_with_vartime, dispatch_by_sums_vartime, dispatch_vartime as are_in_group,
};
use crate::points::Weighed;
use crate::recode::split;
use crate::sums::Backend;
use crate::{BucketPoint, Choices, LengthMismatch, PointList, ScaledPoint, pippenger, sum_vartime};
use frumious_curves::Membership;
use frumious_field::Integer;
use frumious_parallel::map_indices;

/// `Σ wᵢ·Pᵢ`, if all of the points are in the group of order `r`; none if one is not. Each is on its curve.
///
/// The weights are independent, and uniform below 2^128. Whoever made the points did not know them. If all points are
/// in the group, never none. If one is not, a sum with a probability of at most 2^-128.
///
/// Parallel over the pool of the caller. Memory: as [`msm_vartime`](crate::msm_vartime), and where the group needs a
/// check of its own that of [`are_in_group_by_sums_vartime`](crate::are_in_group_by_sums_vartime) for each thread.
/// Time: variable.
///
/// # Errors
/// [`LengthMismatch`] if the two lengths differ.
pub fn sum_in_group_vartime<'a, A: ScaledPoint>(
    points: impl Into<PointList<'a, A>>,
    weights: &[Integer<A::ScalarField>],
) -> Result<Option<A::Sum>, LengthMismatch> {
    let points = points.into();
    LengthMismatch::check(points.len(), weights.len())?;
    Ok(A::sum_if_in_group_vartime(points, weights))
}

/// As [`sum_in_group_vartime`], compiled where it is called.
pub(crate) fn dispatch_vartime<A: BucketPoint + Membership>(
    points: PointList<'_, A>,
    weights: &[Integer<A::ScalarField>],
    to_affine: fn(A::Sum) -> A,
) -> Option<A::Sum> {
    if A::FACTOR == 0 {
        return Some(sum_vartime(points, weights));
    }
    if A::DIGIT_BITS < LEAST_DIGIT_BITS || points.len() < WINDOWS_FROM {
        return are_all_in_group(points, weights).then(|| sum_vartime(points, weights));
    }
    match frumious_field::lanes::active() {
        Some(cpu) if points.len() < lanes::MAX_POINTS => {
            by_windows_with_vartime(InLanes(cpu), points, weights, to_affine)
        }
        _ => by_windows_with_vartime(Scalar::<Portable<A>>::NEW, points, weights, to_affine),
    }
}

/// As [`sum_in_group_vartime`] on one backend, by the sums of windows.
pub(crate) fn by_windows_with_vartime<A: BucketPoint + Membership, B: Backend<A>>(
    backend: B,
    points: PointList<'_, A>,
    weights: &[Integer<A::ScalarField>],
    to_affine: fn(A::Sum) -> A,
) -> Option<A::Sum> {
    let list = Weighed {
        points,
        scalars: weights,
    };
    let count = WINDOW_BITS.div_ceil(A::DIGIT_BITS);
    debug_assert!(split(WINDOW_BITS, count).all(|window| window.width <= A::DIGIT_BITS));
    let sums = pippenger::windows_vartime(backend, list, (WINDOW_BITS, count));
    let affine: Vec<A> = sums.iter().map(|(_, sum)| to_affine(*sum)).collect();
    if !are_in_group_with_vartime(backend, &affine) {
        return None;
    }
    let mut total = A::NEUTRAL;
    let mut reached = WINDOW_BITS;
    for (start, sum) in sums.into_iter().rev() {
        total = A::double_times(&total, reached - start) + sum;
        reached = start;
    }
    Some(total)
}

/// True if all points are in the group; by random sums whose choices are the bits of the weights, if they are many.
fn are_all_in_group<A: BucketPoint + Membership>(
    points: PointList<'_, A>,
    weights: &[Integer<A::ScalarField>],
) -> bool {
    let verdicts = map_indices(points.len().div_ceil(PER_TASK), |task| {
        let range = task * PER_TASK..points.len().min((task + 1) * PER_TASK);
        let weights = &weights[range.clone()];
        let points: Vec<A> = range.map(|k| points.get(k)).collect();
        if points.len() < SUMS_FROM {
            return are_in_group(&points);
        }
        let choices: Vec<Choices> = weights.iter().map(choices).collect();
        dispatch_by_sums_vartime(&points, &choices)
    });
    verdicts.into_iter().all(|are_in| are_in)
}

/// The 128 bits of a weight.
fn choices<F>(weight: &Integer<F>) -> Choices {
    let [low, high, ..] = *weight.words();
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}

/// Bits of all windows: those of a weight, and two as digits have signs.
const WINDOW_BITS: u32 = 128 + 2;

/// Narrower windows are dearer than a check of membership by itself.
const LEAST_DIGIT_BITS: u32 = 8;

/// Points for which sums of fixed windows, with the buckets that these have, are cheaper than two sums.
const WINDOWS_FROM: usize = if cfg!(test) { 40 } else { 1 << 12 };

/// Points from which on random sums are faster than a check of each.
const SUMS_FROM: usize = if cfg!(test) { 20 } else { 1 << 10 };

/// Points of a task: 0.8 to 3 MB.
const PER_TASK: usize = if cfg!(test) { 30 } else { 1 << 14 };
