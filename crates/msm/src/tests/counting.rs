//! A kernel that counts what it is asked for, so that costs are tested by numbers and not by a clock.

use super::integers;
use crate::buckets::Scalar;
use crate::census::Census;
use crate::group::order;
use crate::kernel::{BatchAdd, MAX_BATCH, Portable, Signed};
use crate::pippenger::run_vartime;
use crate::plan::{Costs, Others, Plan};
use crate::points::Weighed;
use crate::sums::Backend;
use crate::{BucketPoint, PointList};
use core::cell::Cell;
use frumious_curves::bn254::G1Affine;
use frumious_parallel::with_threads;
use std::collections::HashSet;

thread_local! {
    static WORK: Cell<Work> = const { Cell::new(Work { additions: 0, batches: 0 }) };
}

/// The work of kernels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    pub(super) additions: usize,
    /// Batches that are not empty.
    pub(super) batches: usize,
}

impl Work {
    /// In additions: an inversion takes about as long as eight of them.
    pub(super) fn cost(self) -> usize {
        self.additions + 8 * self.batches
    }
}

/// [`Portable`], which also checks that callers keep their side of the contract.
pub(super) struct Counting<A: BucketPoint>(Portable<A>);

impl<A: BucketPoint> Default for Counting<A> {
    fn default() -> Self {
        Self(Portable::default())
    }
}

fn count<S: Copy>(batch: &[(u32, S)]) {
    assert!(batch.len() <= MAX_BATCH);
    let mut work = WORK.get();
    work.additions += batch.len();
    work.batches += usize::from(!batch.is_empty());
    WORK.set(work);
}

impl<A: BucketPoint> BatchAdd<A> for Counting<A> {
    type Slot = <Portable<A> as BatchAdd<A>>::Slot;

    fn slot(point: &A, negate: bool) -> Self::Slot {
        Portable::slot(point, negate)
    }

    fn point(slot: &Self::Slot) -> A {
        Portable::point(slot)
    }

    fn add_points(
        &mut self,
        slots: &mut [Self::Slot],
        batch: &[(u32, Signed)],
        points: PointList<'_, A>,
        cancelled: &mut Vec<u32>,
    ) {
        count(batch);
        let targets: HashSet<u32> = batch.iter().map(|(target, _)| *target).collect();
        assert_eq!(targets.len(), batch.len(), "targets are distinct");
        for (target, source) in batch {
            assert!(!Self::point(&slots[*target as usize]).is_infinity_vartime());
            assert!(!points.get(source.index()).is_infinity_vartime());
        }
        self.0.add_points(slots, batch, points, cancelled);
    }

    fn add_slots(
        &mut self,
        slots: &mut [Self::Slot],
        batch: &[(u32, u32)],
        cancelled: &mut Vec<u32>,
    ) {
        count(batch);
        let targets: HashSet<u32> = batch.iter().map(|(target, _)| *target).collect();
        assert_eq!(targets.len(), batch.len(), "targets are distinct");
        for (target, source) in batch {
            assert!(!targets.contains(source), "no target is a source");
            assert!(!Self::point(&slots[*target as usize]).is_infinity_vartime());
            assert!(!Self::point(&slots[*source as usize]).is_infinity_vartime());
        }
        self.0.add_slots(slots, batch, cancelled);
    }
}

/// The sum on one thread by the plan that `choose` makes, and the work it took.
pub(super) fn counted_vartime<A: BucketPoint>(
    points: &[A],
    scalars: &[[u64; 4]],
    choose: impl Fn(&Census) -> Plan + Send + Sync,
) -> (A::Sum, Work) {
    with_threads(1, || {
        let scalars = &integers::<A>(scalars);
        let points = points.into();
        let lists = [Weighed { points, scalars }];
        let census = Census::take(&lists);
        let plan = choose(&census);
        WORK.set(Work {
            additions: 0,
            batches: 0,
        });
        let sum = run_vartime(Scalar::<Counting<A>>::NEW, &lists, &census, &plan);
        (sum, WORK.get())
    })
    .expect("a thread starts")
}

/// The costs of the scalar backend.
pub(super) const COSTS: Costs = <Scalar<Portable<G1Affine>> as Backend<G1Affine>>::COSTS;

/// As [`counted_vartime`], by the plan of the cost model for one thread.
pub(super) fn planned_vartime<A: BucketPoint>(
    points: &[A],
    scalars: &[[u64; 4]],
) -> (A::Sum, Work) {
    counted_vartime(points, scalars, |census| {
        Plan::choose(
            order::<A>(),
            census,
            size_of::<A>(),
            &COSTS,
            1,
            Others::None,
        )
    })
}
