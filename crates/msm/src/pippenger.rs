//! The bucket method: the plan's tasks, each by itself, and their results put together.

use crate::census::Census;
use crate::plan::{Plan, Task};
use crate::sums::{Backend, Pairs, Sums};
use crate::{MsmPoint, Points, reduce};

/// `Σ scalars[i]·points[i]` over the pairs in `census`.
pub(crate) fn msm_vartime<A, P, B>(
    backend: B,
    points: &P,
    scalars: &[[u64; 4]],
    census: &Census,
) -> A::Projective
where
    A: MsmPoint,
    P: Points<A> + ?Sized,
    B: Backend<A>,
{
    let plan = Plan::choose(
        &A::ORDER,
        census,
        B::SLOT_BYTES,
        &B::COSTS,
        frumious_parallel::current_num_threads(),
    );
    run_vartime(backend, points, scalars, census, &plan)
}

/// As [`msm_vartime`], by a given plan.
pub(crate) fn run_vartime<A, P, B>(
    backend: B,
    points: &P,
    scalars: &[[u64; 4]],
    census: &Census,
    plan: &Plan,
) -> A::Projective
where
    A: MsmPoint,
    P: Points<A> + ?Sized,
    B: Backend<A>,
{
    let parts = frumious_parallel::map_indices(plan.tasks.len(), |index| {
        task_vartime(backend, points, scalars, census, plan, &plan.tasks[index])
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
fn task_vartime<A, P, B>(
    backend: B,
    points: &P,
    scalars: &[[u64; 4]],
    census: &Census,
    plan: &Plan,
    task: &Task,
) -> Vec<A::Projective>
where
    A: MsmPoint,
    P: Points<A> + ?Sized,
    B: Backend<A>,
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
    let mut buckets = backend.buckets(points, sizes.iter().sum(), B::SPARE);
    let pairs = Pairs {
        scalars,
        census,
        digits: &plan.windows,
        task,
        first_buckets: &first_buckets,
    };
    backend.add_pairs(&mut buckets, &pairs);
    buckets.settle();
    reduce::window_sums_vartime(&mut buckets, &sizes, B::SEGMENTS)
}
