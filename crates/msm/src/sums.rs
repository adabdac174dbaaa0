//! Sums of points by bucket, as the methods above them see them: the boundary between the backends.
//!
//! The methods (Pippenger's, Straus', the reduction) say which point or bucket is added to which bucket. What is below
//! decides when, forms batches of additions that need nothing of each other, and makes them.

use crate::census::Census;
use crate::kernel::Signed;
use crate::plan::{Costs, Task};
use crate::recode::{Window, Windows};
use crate::{BucketPoint, PointList};
use core::ops::Range;
use frumious_field::Integer;

/// A backend: which buckets there are, and what their use costs.
pub(crate) trait Backend<A: BucketPoint>: Copy + Send + Sync {
    /// Its buckets.
    type Buckets<'a>: Sums<A>;

    /// For the choice of the windows.
    const COSTS: Costs;

    /// Sizes that it is fast with.
    const SIZES: Sizes;

    /// `count` empty buckets and `spare` slots behind them: [`Sizes::spare`], or none if no bucket gets more than two
    /// points.
    fn buckets(self, points: PointList<'_, A>, count: usize, spare: usize) -> Self::Buckets<'_>;

    /// Has `points` added from now on: none may wait.
    fn turn_to<'a>(buckets: &mut Self::Buckets<'a>, points: PointList<'a, A>);

    /// Adds the points of `pairs`, which are those in use, to the buckets of their digits.
    fn add_pairs(self, buckets: &mut Self::Buckets<'_>, pairs: &Pairs<'_, A::ScalarField>) {
        let range = pairs.windows.clone();
        for (first, offsets) in pairs.chunks() {
            for index in offsets.iter().map(|offset| first + usize::from(*offset)) {
                let scalar = pairs.scalars[index].words();
                pairs
                    .digits
                    .for_each_digit(scalar, range.clone(), |window, digit| {
                        let bucket = pairs.first_buckets[window - range.start];
                        let bucket = bucket + digit.unsigned_abs() as usize - 1;
                        buckets.add_point(bucket, Signed::new(index, digit < 0));
                    });
            }
        }
    }

    /// The most memory that batches take, beside slots and points.
    fn batch_bytes() -> usize;
}

/// Numbers of slots and pairs for which a backend is fast.
pub(crate) struct Sizes {
    /// Size of a bucket in memory.
    pub(crate) slot_bytes: usize,
    /// The most pairs for which Straus' method is at least as fast as buckets on one thread.
    pub(crate) straus: usize,
    /// Number of spare slots for the usual case.
    pub(crate) spare: usize,
    /// Number of spare slots for points that crowd into few buckets; none if the usual ones serve.
    pub(crate) crowd: usize,
    /// Columns of the rows that the many buckets of a task are cut into, at most `spare`: a step adds twice as many
    /// points.
    pub(crate) columns: usize,
}

/// The pairs of a task that are of one list, and the digits in its windows.
pub(crate) struct Pairs<'p, F> {
    pub(crate) scalars: &'p [Integer<F>],
    pub(crate) census: &'p Census,
    /// All windows.
    pub(crate) digits: &'p Windows,
    /// Those of the task.
    pub(crate) windows: Range<usize>,
    /// Chunks of the census.
    pub(crate) chunks: Range<usize>,
    /// For each window of the task the bucket of the digits 1 and -1; those of greater digits follow.
    pub(crate) first_buckets: &'p [usize],
}

impl<F> Pairs<'_, F> {
    /// The windows of the task.
    pub(crate) fn windows(&self) -> &[Window] {
        &self.digits.all()[self.windows.clone()]
    }

    /// The pairs that may have a digit in one of the windows, as in [`Census::offsets`].
    pub(crate) fn chunks(&self) -> impl Iterator<Item = (usize, &[u16])> {
        let bits = self.windows()[0].least_bits();
        let chunks = self.chunks.clone();
        chunks.map(move |chunk| {
            frumious_parallel::check_cancelled();
            let entries = Task::entries_of(chunk, self.windows(), self.census);
            frumious_parallel::advance(entries as u64);
            self.census.offsets(chunk, bits)
        })
    }
}

/// Slots, each with a point or empty: the buckets and, behind them, spare ones.
pub(crate) trait Sums<A: BucketPoint>: Sized {
    /// Adds a point, not at infinity, to a bucket, now or later.
    fn add_point(&mut self, bucket: usize, source: Signed);

    /// Makes every addition that waits: afterwards each bucket holds its sum, and the spare slots are empty.
    fn settle(&mut self);

    /// `slots[target] += slots[source]`, now or at the next [`flush_slots`](Sums::flush_slots); either may be empty.
    ///
    /// Between two flushes no slot is a target twice, or target and source. Nothing of `add_point` may wait.
    fn add_slot(&mut self, target: usize, source: usize);

    /// Makes the additions of slots that wait.
    fn flush_slots(&mut self);

    /// `slots[k] += slots[k]` for each `k < count`; those that are empty stay so. Nothing may wait.
    fn double_slots(&mut self, count: usize);

    /// Index of the first of the spare slots behind the buckets.
    fn first_spare(&self) -> usize;

    /// The points in some slots, none for each that is empty.
    fn points(&self, slots: &[usize]) -> Vec<Option<A>>;

    /// Leaves memory that can be used again to the thread.
    fn release(self);
}
