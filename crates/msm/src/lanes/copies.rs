//! Points into slots and back, without an addition.

use super::addition::{FromPoints, Lane, Sources};
use super::coordinate::LaneField;
use super::entries::Entry;
use super::slots::{self, Slot};
use crate::{BucketPoint, Points};
use frumious_field::Field;
use frumious_simd::{Kernel, LANES, Vector};

/// Points into slots: a multiple of eight entries.
pub(super) struct CopyPoints<'k, A: BucketPoint, P: ?Sized> {
    pub(super) slots: &'k mut [Slot<A::Base>],
    pub(super) entries: &'k [Entry],
    pub(super) points: &'k P,
}

impl<A: BucketPoint, P: Points<A> + ?Sized> Kernel for CopyPoints<'_, A, P> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let (groups, _) = self.entries.as_chunks::<LANES>();
        let points = FromPoints(self.points);
        for (i, entries) in groups.iter().enumerate() {
            for entry in groups.get(i + AHEAD).into_iter().flatten() {
                Sources::<A>::prefetch(points, self.slots, *entry);
            }
            let (x, y) = Sources::<A>::load::<V>(points, cpu, self.slots, entries);
            slots::store::<A::Base, V>(self.slots, entries, x.settled(), y.settled());
        }
    }
}

/// Groups ahead at which a point is asked for.
const AHEAD: usize = 6;

/// The points in eight slots, which are not empty.
pub(super) struct ReadSlots<'k, A: BucketPoint> {
    pub(super) slots: &'k [Slot<A::Base>],
    pub(super) indices: [u32; LANES],
}

impl<A: BucketPoint> Kernel for ReadSlots<'_, A> {
    type Output = [A; LANES];

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> [A; LANES] {
        let (x, y): (Lane<A, V>, Lane<A, V>) =
            slots::load::<A::Base, V>(cpu, self.slots, self.indices);
        let mut xs = [A::Base::ZERO; LANES];
        let mut ys = [A::Base::ZERO; LANES];
        x.store_x(&mut xs);
        y.store_y(&mut ys);
        let mut points = [A::from_coordinates(xs[0], ys[0]); LANES];
        for k in 1..LANES {
            points[k] = A::from_coordinates(xs[k], ys[k]);
        }
        points
    }
}
