//! Many points at a time: is each on its curve?
//!
//! All points of a curve `y² = x³ + b` have the same `x³ - y²`, that of the generator. In lanes points are on an
//! isomorphic curve ([`lanes::coordinate`](crate::lanes::coordinate)), of which that holds as well.

use crate::BucketPoint;
use crate::lanes::on_curve::OnCurve;
use crate::scale::ScaledPoint;
use frumious_field::Field;
use frumious_simd::Runner;

/// True if each of the points is on its curve, or infinity. It may be outside of the group of order `r`.
///
/// Coordinates are reduced. On one thread: give some thousands at a time, and share them among threads. Memory: none.
/// Time: variable in the points.
pub fn are_on_curve_vartime<A: ScaledPoint>(points: &[A]) -> bool {
    A::all_on_curve_vartime(points)
}

/// As [`are_on_curve_vartime`], compiled where it is called. `generator` is any finite point of the curve.
pub(crate) fn dispatch_vartime<A: BucketPoint>(points: &[A], generator: &A) -> bool {
    match frumious_field::lanes::active() {
        Some(unit) => in_lanes_vartime(unit, points, generator),
        None => one_by_one_vartime(points, generator),
    }
}

/// As [`are_on_curve_vartime`] in lanes.
pub(crate) fn in_lanes_vartime<A: BucketPoint>(
    runner: impl Runner,
    points: &[A],
    generator: &A,
) -> bool {
    runner.run(OnCurve { points, generator })
}

/// As [`are_on_curve_vartime`] without lanes.
pub(crate) fn one_by_one_vartime<A: BucketPoint>(points: &[A], generator: &A) -> bool {
    let difference = |point: &A| {
        let (x, y) = point.coordinates();
        x.square() * x - y.square()
    };
    let expected = difference(generator);
    points
        .iter()
        .all(|point| difference(point) == expected || point.is_infinity_vartime())
}
