//! Points into buckets: batches in which no bucket occurs twice.
//!
//! A point whose bucket is empty is copied there; if the bucket has no addition waiting, it joins the batch. If it has,
//! the pair (bucket, point) goes to the *overflow*. When the overflow is full it is sorted by bucket, the points of a
//! bucket are summed in a binary tree, all trees at once. The sums go to their buckets. Each step of that is a full
//! batch and each addition is one that has to be made anyway. So crowded buckets (equal scalars, a million ones, an
//! attacker's choice) cost the sorting and a few more inversions, never a round for each point.

use crate::kernel::{BatchAdd, Signed};
use crate::plan::Costs;
use crate::settings::BATCH;
use crate::sums::{Backend, Sizes, Sums};
use crate::{BucketPoint, PointList};
use core::marker::PhantomData;
use frumious_field::prefetch;

/// The scalar backends, by their kernel.
pub(crate) struct Scalar<K>(PhantomData<fn() -> K>);

impl<K> Scalar<K> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<K> Clone for Scalar<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Scalar<K> {}

impl<A: BucketPoint, K: BatchAdd<A>> Backend<A> for Scalar<K> {
    type Buckets<'a> = Buckets<'a, A, K>;

    /// Measured: in G1, G2 and Bandersnatch the number of windows that this picks takes 1% longer than the best on
    /// average, at most 4%.
    const COSTS: Costs = Costs {
        entry: 1.0,
        bucket: 1.4,
        far_bucket: 2.4,
        window: 40.0,
        task: 400.0,
    };
    const SIZES: Sizes = Sizes {
        slot_bytes: size_of::<K::Slot>(),
        straus: 64,  // in G1, G2 and Bandersnatch
        spare: 1024, // trees of some hundred additions a level
        crowd: 0,
        columns: 128,
    };

    fn batch_bytes() -> usize {
        // Waiting additions; and of each in a batch the numerators, denominators and products of the kernel. The terms
        // of a reduction take less than 256 of them.
        let full = BATCH.get().max(256);
        (4 * full + 4 * <Self as Backend<A>>::SIZES.spare) * 8 + 12 * full * size_of::<A>()
    }

    fn buckets(self, points: PointList<'_, A>, count: usize, spare: usize) -> Buckets<'_, A, K> {
        Buckets::new(points, count, spare)
    }

    fn turn_to<'a>(buckets: &mut Buckets<'a, A, K>, points: PointList<'a, A>) {
        buckets.points = points;
    }
}

/// Sums of points by bucket, with spare slots behind the buckets.
pub(crate) struct Buckets<'a, A: BucketPoint, K: BatchAdd<A>> {
    points: PointList<'a, A>,
    kernel: K,
    /// The buckets, then spare slots for the trees of the overflow, later for partial sums.
    slots: Vec<K::Slot>,
    /// Number of spare slots, and of points that overflow before they are summed.
    spare: usize,
    /// For each slot [`EMPTY`], or the number of the last batch that it was a target of.
    stamps: Vec<u32>,
    /// Number of the batch that is being collected, above [`EMPTY`].
    batch_number: u32,
    /// Number of additions that make a full batch, at most [`MAX_BATCH`](crate::kernel::MAX_BATCH).
    full: usize,
    /// Additions of points that wait, fewer than `full`.
    batch: Vec<(u32, Signed)>,
    /// Additions of slots to slots that wait; never while `batch` waits too.
    slot_batch: Vec<(u32, u32)>,
    overflow: Vec<(u32, Signed)>,
    cancelled: Vec<u32>,
}

impl<'a, A: BucketPoint, K: BatchAdd<A>> Buckets<'a, A, K> {
    fn new(points: PointList<'a, A>, count: usize, spare: usize) -> Self {
        // The value of an empty slot is never read; any will do.
        let filler = A::from_coordinates(Default::default(), Default::default());
        let full = BATCH.get();
        Self {
            points,
            kernel: K::default(),
            slots: vec![K::slot(&filler, false); count + spare],
            spare,
            stamps: vec![EMPTY; count + spare],
            batch_number: SETTLED + 1,
            full,
            batch: Vec::with_capacity(full),
            slot_batch: Vec::with_capacity(full),
            overflow: Vec::with_capacity(spare),
            cancelled: Vec::new(),
        }
    }

    /// Sums each run of equal buckets in `overflow` into the first of the spare slots that the run occupies.
    fn sum_trees(&mut self, overflow: &[(u32, Signed)]) {
        let mut trees: Vec<(usize, usize)> = Vec::new(); // (first slot, number of slots still to be summed)
        let mut start = self.first_spare();
        for run in overflow.chunk_by(|left, right| left.0 == right.0) {
            trees.push((start, run.len()));
            start += run.len();
        }
        loop {
            trees.retain(|(_, len)| *len > 1);
            if trees.is_empty() {
                return;
            }
            for (start, len) in &mut trees {
                let half = len.div_ceil(2);
                for k in half..*len {
                    self.add_slot(*start + k - half, *start + k);
                }
                *len = half;
            }
            self.flush_slots();
        }
    }

    fn flush_points(&mut self) {
        self.kernel.add_points(
            &mut self.slots,
            &self.batch,
            self.points,
            &mut self.cancelled,
        );
        self.batch.clear();
        self.empty_cancelled();
        self.batch_number += 1; // 2^32 batches would be 2^42 additions in one task
    }

    fn empty_cancelled(&mut self) {
        for slot in self.cancelled.drain(..) {
            self.stamps[slot as usize] = EMPTY;
        }
    }
}

impl<A: BucketPoint, K: BatchAdd<A>> Sums<A> for Buckets<'_, A, K> {
    #[inline(always)]
    fn add_point(&mut self, bucket: usize, source: Signed) {
        let stamp = &mut self.stamps[bucket];
        if *stamp == self.batch_number {
            self.overflow.push((bucket as u32, source));
            if self.overflow.len() == self.spare {
                self.settle();
            }
        } else if *stamp == EMPTY {
            *stamp = SETTLED;
            let point = self.points.get(source.index());
            self.slots[bucket] = K::slot(&point, source.is_negative());
        } else {
            *stamp = self.batch_number;
            self.batch.push((bucket as u32, source));
            prefetch(&self.slots[bucket]);
            self.points.prefetch(source.index());
            if self.batch.len() == self.full {
                self.flush_points();
            }
        }
    }

    #[inline(never)]
    fn settle(&mut self) {
        self.flush_points();
        let mut overflow = core::mem::take(&mut self.overflow);
        overflow.sort_unstable();
        let first_spare = self.first_spare();
        for (place, (_, source)) in overflow.iter().enumerate() {
            let point = self.points.get(source.index());
            self.slots[first_spare + place] = K::slot(&point, source.is_negative());
            self.stamps[first_spare + place] = SETTLED;
        }
        self.sum_trees(&overflow);
        let mut start = 0;
        for run in overflow.chunk_by(|left, right| left.0 == right.0) {
            self.add_slot(run[0].0 as usize, first_spare + start);
            start += run.len();
        }
        self.flush_slots();
        self.stamps[first_spare..].fill(EMPTY);
        overflow.clear();
        self.overflow = overflow;
    }

    #[inline(always)]
    fn add_slot(&mut self, target: usize, source: usize) {
        if self.stamps[source] == EMPTY {
            return;
        }
        if self.stamps[target] == EMPTY {
            self.stamps[target] = SETTLED;
            self.slots[target] = self.slots[source];
            return;
        }
        self.slot_batch.push((target as u32, source as u32));
        if self.slot_batch.len() == self.full {
            self.flush_slots();
        }
    }

    fn flush_slots(&mut self) {
        self.kernel
            .add_slots(&mut self.slots, &self.slot_batch, &mut self.cancelled);
        self.slot_batch.clear();
        self.empty_cancelled();
    }

    /// Kernels read a source before they write its target, so the two may be one.
    fn double_slots(&mut self, count: usize) {
        for slot in 0..count {
            if self.stamps[slot] != EMPTY {
                self.slot_batch.push((slot as u32, slot as u32));
            }
            if self.slot_batch.len() == self.full {
                self.flush_slots();
            }
        }
        self.flush_slots();
    }

    fn first_spare(&self) -> usize {
        self.slots.len() - self.spare
    }

    fn points(&self, slots: &[usize]) -> Vec<Option<A>> {
        let point = |slot: usize| (self.stamps[slot] != EMPTY).then(|| K::point(&self.slots[slot]));
        slots.iter().map(|slot| point(*slot)).collect()
    }

    fn release(self) {}
}

/// Stamp of a slot that holds no point.
const EMPTY: u32 = 0;

/// Stamp of a slot that holds a point and has no addition waiting.
const SETTLED: u32 = 1;
