//! Points into slots and back, without an addition.

use super::addition::{Lane, load_points};
use super::coordinate::LaneField;
use super::entries::Entry;
use super::slots::{self, Slot};
use crate::{BucketPoint, PointList};
use frumious_field::Field;
use frumious_simd::{Kernel, LANES, Vector};

/// Points into slots: a multiple of eight entries.
pub(super) struct CopyPoints<'k, A: BucketPoint> {
    pub(super) slots: &'k mut [Slot<A::Base>],
    pub(super) entries: &'k [Entry],
    pub(super) points: PointList<'k, A>,
}

impl<A: BucketPoint> Kernel for CopyPoints<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let (groups, _) = self.entries.as_chunks::<LANES>();
        for (i, entries) in groups.iter().enumerate() {
            for entry in groups.get(i + AHEAD).into_iter().flatten() {
                self.points.prefetch(entry.point());
            }
            let (x, y) = load_points::<A, V>(cpu, self.points, entries);
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
