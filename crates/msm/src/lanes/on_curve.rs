//! Points on their curve, eight side by side.

use super::addition::Lane;
use super::coordinate::LaneField;
use crate::BucketPoint;
use frumious_field::Field;
use frumious_simd::{Kernel, LANES, Mask, Vector};

/// True if each of the points is on the curve of the generator, or infinity.
pub(crate) struct OnCurve<'k, A> {
    pub(crate) points: &'k [A],
    /// Any finite point of the curve.
    pub(crate) generator: &'k A,
}

impl<A: BucketPoint> Kernel for OnCurve<'_, A> {
    type Output = bool;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> bool {
        let (x, y) = load::<A, V>(cpu, &[*self.generator; LANES]);
        let expected = difference::<A, V>(x, y);
        let (groups, rest) = self.points.as_chunks::<LANES>();
        let mut last = [*self.generator; LANES];
        last[..rest.len()].copy_from_slice(rest);
        // One loop over all groups: the compiler writes the products out for each place that asks for them.
        for group in 0..=groups.len() {
            let points = groups.get(group).unwrap_or(&last);
            if !are_on_curve::<A, V>(cpu, points, expected) {
                return false;
            }
        }
        true
    }
}

/// True if the points have the `expected` difference, or are infinity.
#[inline(always)]
fn are_on_curve<A: BucketPoint, V: Vector>(
    cpu: V::Cpu,
    points: &[A; LANES],
    expected: Lane<A, V>,
) -> bool {
    let (x, y) = load::<A, V>(cpu, points);
    let same = difference::<A, V>(x, y).difference(expected).zeros();
    // Infinity is rare.
    same == Mask::ALL || same.0 | x.zeros().0 & y.zeros().0 == u8::MAX
}

/// The coordinates of eight points, settled.
#[inline(always)]
fn load<A: BucketPoint, V: Vector>(cpu: V::Cpu, points: &[A; LANES]) -> (Lane<A, V>, Lane<A, V>) {
    let mut x = [A::Base::ZERO; LANES];
    let mut y = [A::Base::ZERO; LANES];
    for k in 0..LANES {
        (x[k], y[k]) = points[k].coordinates();
    }
    let (x, y) = (
        Lane::<A, V>::load_x(cpu, &x),
        Lane::<A, V>::load_y(cpu, &y, Mask::NONE),
    );
    (x.settled(), y.settled())
}

/// `x³ - y²`, settled.
#[inline(always)]
fn difference<A: BucketPoint, V: Vector>(x: Lane<A, V>, y: Lane<A, V>) -> Lane<A, V> {
    Lane::<A, V>::third_y(x.times(x), x, y.times(y))
}
