//! The kernel over the scalar field of coordinates: five products, a square and seven additions a point.
//!
//! For `(x1, y1) + (x2, y2)` with slope `λ = numerator/denominator`:
//!
//! ```text
//! numerator / denominator = (y2 - y1)/(x2 - x1)     or  (3·x1² + a)/(2·y1)  for equal points
//! x3 = λ² - x1 - x2          y3 = λ·(x1 - x3) - y1
//! ```
//!
//! The denominators of a batch are inverted together (Montgomery 1987, section 10.3.1), in G2 by their norms. Their
//! running product is kept in two chains, over even and odd places. The first pass has one product an addition, and in
//! a single chain each would wait for the one before.
//!
//! Sums are kept reduced, so that equal coordinates are equal words; between the two passes values are lazy.

use super::{BatchAdd, Norms, Signed};
use crate::{BucketPoint, PointList};
use core::marker::PhantomData;
use frumious_field::kernel;
use frumious_field::{Choice, ConditionallySelectable, Field, KernelField, dispatch_kernel};

/// The kernel that runs everywhere: sums are kept as plain affine points.
#[derive(Clone, Copy, Debug)]
pub struct Portable<A>(PhantomData<A>);

/// An affine point that starts a cache line, so that reading one at random misses once in G1, twice in G2.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Aligned<A>(A);

impl<A> Default for Portable<A> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<A: BucketPoint> BatchAdd<A> for Portable<A> {
    type Slot = Aligned<A>;

    #[inline(always)]
    fn slot(point: &A, negate: bool) -> Aligned<A> {
        let (x, y) = point.coordinates();
        Aligned(A::from_coordinates(x, if negate { -y } else { y }))
    }

    #[inline(always)]
    fn point(slot: &Aligned<A>) -> A {
        slot.0
    }

    // Neither batch is inlined: only as arguments are `slots` and `batch` known not to overlap, which is worth a third.
    #[inline(never)]
    fn add_points(
        &mut self,
        slots: &mut [Aligned<A>],
        batch: &[(u32, Signed)],
        points: PointList<'_, A>,
        cancelled: &mut Vec<u32>,
    ) {
        let signs = [Choice::from(0), Choice::from(1)];
        let read = Read {
            point: |_: &[Aligned<A>], source| signed_point(points, source, &signs),
            x: |_: &[Aligned<A>], source: Signed| points.get(source.index()).coordinates().0,
        };
        add_dispatched_vartime(slots, batch, cancelled, read);
    }

    #[inline(never)]
    fn add_slots(
        &mut self,
        slots: &mut [Aligned<A>],
        batch: &[(u32, u32)],
        cancelled: &mut Vec<u32>,
    ) {
        let read = Read {
            point: |slots: &[Aligned<A>], source: u32| slots[source as usize].0,
            x: |slots: &[Aligned<A>], source: u32| slots[source as usize].0.coordinates().0,
        };
        add_dispatched_vartime(slots, batch, cancelled, read);
    }
}

/// Readers of second summands: of whole points for the first pass, of their `x` alone for the second.
#[derive(Clone, Copy)]
struct Read<P, X> {
    point: P,
    x: X,
}

/// The point of a list with the sign of its source. Out of line a proof takes 1.5% longer (Zen 3, without LTO).
#[inline(always)]
fn signed_point<A: BucketPoint>(
    points: PointList<'_, A>,
    source: Signed,
    signs: &[Choice; 2],
) -> A {
    // Half of the signs are negative, at random: a selection, as a branch would be mispredicted.
    let (x, y) = points.get(source.index()).coordinates();
    let sign = signs[usize::from(source.is_negative())];
    A::from_coordinates(x, A::Base::conditional_select(&y, &-y, sign))
}

/// The batch, on the backend in use: compiled for each, unless products choose it themselves.
#[inline(always)]
fn add_dispatched_vartime<A: BucketPoint, S: Copy>(
    slots: &mut [Aligned<A>],
    batch: &[(u32, S)],
    cancelled: &mut Vec<u32>,
    read: Read<impl Fn(&[Aligned<A>], S) -> A + Copy, impl Fn(&[Aligned<A>], S) -> A::Base + Copy>,
) {
    if <A::Kernel<kernel::Portable> as Norms>::CHOOSES_IN_PRODUCTS {
        let cpu = kernel::Portable;
        add_vartime::<A, A::Kernel<_>, _>(cpu, slots, batch, cancelled, read);
    } else {
        dispatch_kernel!(cpu => add_vartime::<A, A::Kernel<_>, _>(cpu, slots, batch, cancelled, read));
    }
}

/// The batch, for either kind of source.
///
/// The chains are two variables and the loops go by pairs. A chain picked by index would live in memory. It would be
/// copied in halves of 16 bytes right after it was stored in words: a fifth slower.
#[inline(always)]
fn add_vartime<A: BucketPoint, V: Norms<Scalar = A::Base>, S: Copy>(
    cpu: V::Cpu,
    slots: &mut [Aligned<A>],
    batch: &[(u32, S)],
    cancelled: &mut Vec<u32>,
    read: Read<impl Fn(&[Aligned<A>], S) -> A + Copy, impl Fn(&[Aligned<A>], S) -> A::Base + Copy>,
) {
    if batch.is_empty() {
        return;
    }
    let mut steps = Vec::with_capacity(batch.len());
    let one = V::load(cpu, A::Base::ONE).norm();
    let (mut even, mut odd) = (one, one);
    let (pairs, last) = batch.as_chunks::<2>();
    for [left, right] in pairs {
        let step: Step<V> = prepare_vartime(cpu, slots, *left, even, cancelled, read.point);
        even = even * step.norm;
        steps.push(step);
        let step: Step<V> = prepare_vartime(cpu, slots, *right, odd, cancelled, read.point);
        odd = odd * step.norm;
        steps.push(step);
    }
    for addition in last {
        let step: Step<V> = prepare_vartime(cpu, slots, *addition, even, cancelled, read.point);
        even = even * step.norm;
        steps.push(step);
    }
    let inverse = (even * odd)
        .store()
        .invert_vartime()
        .expect("a product of denominators, none of which is zero");
    let inverse = V::Norm::load(cpu, inverse);
    (even, odd) = (inverse * odd, inverse * even);
    let (step_pairs, last_step) = steps.as_chunks::<2>();
    for (addition, step) in last.iter().zip(last_step) {
        even = finish(cpu, slots, *addition, even, step, read.x);
    }
    for ([left, right], steps) in pairs.iter().zip(step_pairs).rev() {
        odd = finish(cpu, slots, *right, odd, &steps[1], read.x);
        even = finish(cpu, slots, *left, even, &steps[0], read.x);
    }
}

/// The part of the first pass that the second needs.
#[derive(Clone, Copy)]
struct Step<V: Norms> {
    /// The numerator of the slope as a fraction over the norm of its denominator.
    numerator: V,
    norm: V::Norm,
    /// Product of the norms before this one in its chain.
    before: V::Norm,
}

/// First pass: the slope as a fraction, that of the line through both points or, if they are equal, of the tangent.
///
/// The rare case overwrites numerator and denominator word by word. Were it a branch that returns them, they would be
/// merged in memory. They would be copied in halves right after they were stored in words: a twentieth slower.
#[inline(always)]
fn prepare_vartime<A: BucketPoint, V: Norms<Scalar = A::Base>, S: Copy>(
    cpu: V::Cpu,
    slots: &[Aligned<A>],
    (target, source): (u32, S),
    before: V::Norm,
    cancelled: &mut Vec<u32>,
    read: impl Fn(&[Aligned<A>], S) -> A,
) -> Step<V> {
    let (x1, y1) = slots[target as usize].0.coordinates();
    let (x2, y2) = read(slots, source).coordinates();
    let mut numerator = y2 - y1;
    let mut denominator = x2 - x1;
    if denominator.is_zero_vartime() {
        (numerator, denominator) = tangent_vartime::<A>(x1, y1, y2).unwrap_or_else(|| {
            cancelled.push(target);
            (A::Base::ZERO, A::Base::ONE)
        });
    }
    let denominator = V::load(cpu, denominator);
    Step {
        numerator: V::load(cpu, numerator).above_norm(denominator),
        norm: denominator.norm(),
        before,
    }
}

/// Second pass: the sum. `inverse` is that of the product of the norms up to this one in its chain; returns that of the
/// product without it.
#[inline(always)]
fn finish<A: BucketPoint, V: Norms<Scalar = A::Base>, S: Copy>(
    cpu: V::Cpu,
    slots: &mut [Aligned<A>],
    (target, source): (u32, S),
    inverse: V::Norm,
    step: &Step<V>,
    read_x: impl Fn(&[Aligned<A>], S) -> A::Base,
) -> V::Norm {
    let slope = step.numerator.scaled(inverse * step.before); // λ
    let x2 = read_x(slots, source);
    let slot = &mut slots[target as usize].0;
    let (x1, y1) = slot.coordinates();
    let [x1, y1, x2] = [x1, y1, x2].map(|value| V::load(cpu, value));
    let x3 = slope.square() - x1 - x2;
    let y3 = slope * (x1 - x3) - y1;
    *slot = A::from_coordinates(x3.store(), y3.store());
    inverse * step.norm
}

/// The slope of the tangent, for points with equal `x`. None if the line through them is vertical: they are opposite,
/// or equal and of order two.
#[cold]
#[inline(never)]
fn tangent_vartime<A: BucketPoint>(
    x: A::Base,
    y1: A::Base,
    y2: A::Base,
) -> Option<(A::Base, A::Base)> {
    if y1 != y2 || y1.is_zero_vartime() {
        return None;
    }
    let square = x.square();
    Some((square.double() + square + A::COEFFICIENT_A, y1.double()))
}
