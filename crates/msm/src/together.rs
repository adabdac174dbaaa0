//! Several sums side by side.
//!
//! One after the other each sum has a tail: threads that are done wait for those that are not. Here the tasks of all
//! sums make one list, the longest first, and a thread that is free takes the next. One tail is left, as short as the
//! shortest tasks. Each sum is planned for its share of the threads, by weight, so that all cut the points about
//! equally fine.
//!
//! A thread has the buckets of one task at a time, as with one sum. [`memory_bytes_together`] counts them once, for the
//! group whose buckets take the most.

use crate::census::Census;
use crate::doors::SumDoor;
use crate::memory;
use crate::plan::Others;
use crate::points::Weighed;
use crate::steps::Waiting;
use crate::{LengthMismatch, MsmPoint, PointList};
use frumious_field::Integer;
use frumious_parallel::{for_each_chunk_mut, map_in_order, trace};

/// A sum to be taken beside others, or over several lists of points.
pub struct Pending<'a, A: MsmPoint> {
    waiting: Box<dyn Waiting<A::Projective> + 'a>,
    total: Option<A::Projective>,
}

impl<'a, A: MsmPoint> Pending<'a, A> {
    /// `Σ scalars[i]·points[i]`, not begun yet.
    ///
    /// # Errors
    /// [`LengthMismatch`] if the two lengths differ.
    pub fn new(
        points: impl Into<PointList<'a, A>>,
        scalars: &'a [Integer<A::Scalar>],
    ) -> Result<Self, LengthMismatch> {
        Self::of_lists([points.into()], [scalars])
    }

    /// The sum over all pairs of `N` lists, `Σ scalars[k][i]·points[k][i]`. It has one set of buckets, so it takes less
    /// than a sum for each list.
    ///
    /// # Errors
    /// [`LengthMismatch`] if a list has another number of scalars than of points.
    pub fn of_lists<const N: usize>(
        points: [PointList<'a, A>; N],
        scalars: [&'a [Integer<A::Scalar>]; N],
    ) -> Result<Self, LengthMismatch> {
        let mut checked = Vec::with_capacity(N);
        for (points, scalars) in points.into_iter().zip(scalars) {
            LengthMismatch::check(points.len(), scalars.len())?;
            checked.push(Weighed { points, scalars });
        }
        Ok(Self {
            waiting: <A as SumDoor>::wait(checked),
            total: None,
        })
    }

    /// The sum, once it has been [`taken`](together_vartime).
    pub fn total(self) -> Option<A::Projective> {
        self.total
    }
}

/// A [`Pending`] sum over any group.
pub trait AnyPending: sealed::Steps + Send {}

impl<A: MsmPoint> AnyPending for Pending<'_, A> {}

pub(crate) mod sealed {
    use crate::plan::Others;

    /// The steps of a sum, in this order; the second for all sums at once.
    pub trait Steps: Send + Sync {
        /// Looks at all pairs; what the sum weighs.
        fn look(&mut self) -> f64;
        /// Plans for so many threads, beside other sums or alone; the cost of each task.
        fn plan(&mut self, threads: usize, others: Others) -> Vec<f64>;
        /// Units of the planned work, as [`advance`](frumious_parallel::advance) counts them.
        fn units(&self) -> u64;
        /// Does a task.
        fn run(&self, task: usize);
        /// Puts the tasks' results together.
        fn finish(&mut self);
    }
}

impl<A: MsmPoint> sealed::Steps for Pending<'_, A> {
    fn look(&mut self) -> f64 {
        self.waiting.look()
    }

    fn plan(&mut self, threads: usize, others: Others) -> Vec<f64> {
        self.waiting.plan(threads, others)
    }

    fn units(&self) -> u64 {
        self.waiting.units()
    }

    fn run(&self, task: usize) {
        self.waiting.run(task);
    }

    fn finish(&mut self) {
        self.total = Some(self.waiting.finish());
    }
}

/// Takes the sums, on the pool of the caller. Each is the same as by [`msm_vartime`](crate::msm_vartime).
///
/// Time: depends on scalars and points.
pub fn together_vartime(sums: &mut [&mut dyn AnyPending]) {
    let threads = frumious_parallel::current_num_threads();
    let others = match sums.len() {
        1 => Others::None,
        _ => Others::Beside,
    };
    let mut weights = vec![0.0; sums.len()];
    let mut looking: Vec<_> = sums.iter_mut().zip(&mut weights).collect();
    trace::kind("census", || {
        for_each_chunk_mut(&mut looking, 1, |_, sums| {
            for (sum, weight) in sums {
                **weight = sum.look();
            }
        });
    });
    let total = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut costs: Vec<Vec<f64>> = vec![Vec::new(); sums.len()];
    let mut planning: Vec<_> = sums.iter_mut().zip(&weights).zip(&mut costs).collect();
    for_each_chunk_mut(&mut planning, 1, |_, sums| {
        for ((sum, weight), costs) in sums {
            let share = (threads as f64 * **weight / total).round() as usize;
            **costs = sum.plan(share.max(1), others);
        }
    });
    let mut tasks: Vec<(f64, usize, usize)> = Vec::new();
    for (sum, costs) in costs.iter().enumerate() {
        let own = costs.iter().enumerate();
        tasks.extend(own.map(|(task, cost)| (*cost, sum, task)));
    }
    tasks.sort_by(|left, right| right.0.total_cmp(&left.0));
    frumious_parallel::expect_units(sums.iter().map(|sum| sum.units()).sum());
    trace::kind("buckets", || {
        let sums = &*sums;
        map_in_order(tasks.len(), |index| {
            let (_, sum, task) = tasks[index];
            sums[sum].run(task);
        });
    });
    for_each_chunk_mut(sums, 1, |_, sums| {
        sums.iter_mut().for_each(|sum| sum.finish());
    });
}

/// Memory in bytes that [`together_vartime`] takes on the pool of the caller for so many sums in two groups, besides
/// points and scalars. None has more than `points` points.
pub fn memory_bytes_together<A: MsmPoint, B: MsmPoint>(sums: usize, points: usize) -> u64 {
    let threads = frumious_parallel::current_num_threads();
    let of_thread = memory::most_of_thread::<A>(points, threads)
        .max(memory::most_of_thread::<B>(points, threads));
    (sums * Census::bytes(points) + threads * of_thread) as u64
}
