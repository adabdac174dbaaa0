//! The bucket method: the plan's tasks, each by itself, and their results put together.

use crate::buckets::{Buckets, SPARE};
use crate::census::Census;
use crate::kernel::{BatchAdd, Signed};
use crate::plan::{Plan, Task};
use crate::{MsmPoint, Points, reduce};

/// `Σ scalars[i]·points[i]` over the pairs in `census`.
pub(crate) fn msm_vartime<A, P, K>(
    points: &P,
    scalars: &[[u64; 4]],
    census: &Census,
) -> A::Projective
where
    A: MsmPoint,
    P: Points<A> + ?Sized,
    K: BatchAdd<A>,
{
    let plan = Plan::choose(
        &A::ORDER,
        census,
        size_of::<K::Slot>(),
        frumious_parallel::current_num_threads(),
    );
    run_vartime::<A, P, K>(points, scalars, census, &plan)
}

/// As [`msm_vartime`], by a given plan.
pub(crate) fn run_vartime<A, P, K>(
    points: &P,
    scalars: &[[u64; 4]],
    census: &Census,
    plan: &Plan,
) -> A::Projective
where
    A: MsmPoint,
    P: Points<A> + ?Sized,
    K: BatchAdd<A>,
{
    let parts = frumious_parallel::map_indices(plan.tasks.len(), |index| {
        task_vartime::<A, P, K>(points, scalars, census, plan, &plan.tasks[index])
    });
    let windows = plan.windows.all();
    let mut sums = vec![A::IDENTITY; windows.len()];
    for (task, part) in plan.tasks.iter().zip(parts) {
        for (window, sum) in task.windows.clone().zip(part) {
            sums[window] += sum;
        }
    }
    let mut result = A::IDENTITY;
    for (window, sum) in windows.iter().zip(sums).rev() {
        result = A::double_times(&result, window.width);
        result += sum;
    }
    result
}

/// The sums of the windows of one task over its chunks. Allocates the buckets, and frees them.
fn task_vartime<A, P, K>(
    points: &P,
    scalars: &[[u64; 4]],
    census: &Census,
    plan: &Plan,
    task: &Task,
) -> Vec<A::Projective>
where
    A: MsmPoint,
    P: Points<A> + ?Sized,
    K: BatchAdd<A>,
{
    let windows = &plan.windows.all()[task.windows.clone()];
    let sizes: Vec<usize> = windows.iter().map(|window| window.buckets()).collect();
    let first_buckets: Vec<usize> = sizes
        .iter()
        .scan(0, |next, size| {
            let first = *next;
            *next += size;
            Some(first)
        })
        .collect();
    let mut buckets = Buckets::<A, P, K>::new(points, sizes.iter().sum(), SPARE);
    for index in census.indices(task.chunks.clone(), windows[0].least_bits()) {
        plan.windows
            .for_each_digit(&scalars[index], task.windows.clone(), |window, digit| {
                let bucket = first_buckets[window - task.windows.start];
                let bucket = bucket + digit.unsigned_abs() as usize - 1;
                buckets.add_point(bucket, Signed::new(index, digit < 0));
            });
    }
    buckets.settle();
    reduce::window_sums_vartime(&mut buckets, &sizes)
}
