//! The bucket method: the plan's tasks, each by itself, and their results put together.

use crate::BucketPoint;
use crate::census::{Census, SCALAR_BYTES};
use crate::group::order;
use crate::plan::{Others, Plan, Task};
use crate::points::Weighed;
use crate::recode::Window;
use crate::reduce::{self, ShiftedPoint};
use crate::settings::CACHE_BYTES;
use crate::sums::{Backend, Pairs, Sums};
use core::cmp::Reverse;
use frumious_parallel::trace;

/// The sum over the pairs of `lists` that are in `census`.
pub(crate) fn msm_vartime<A, B>(backend: B, lists: &[Weighed<'_, A>], census: &Census) -> A::Sum
where
    A: BucketPoint,
    B: Backend<A>,
{
    let threads = frumious_parallel::current_num_threads();
    let plan = plan::<A, B>(census, threads, Others::None);
    run_vartime(backend, lists, census, &plan)
}

/// The sum of each of `count` windows of `bits` bits together, `Σ dᵢ·Pᵢ` over the digits in it, with its lowest bit.
/// Digits of windows of c bits are from `-2^(c-1)` up, below `2^(c-1)`. Scalars have two bits fewer than the windows.
pub(crate) fn windows_vartime<A, B>(
    backend: B,
    list: Weighed<'_, A>,
    (bits, count): (u32, u32),
) -> Vec<(u32, A::Sum)>
where
    A: BucketPoint,
    B: Backend<A>,
{
    let census = Census::take(std::slice::from_ref(&list));
    let (slot, costs) = (B::SIZES.slot_bytes, &B::COSTS);
    let threads = frumious_parallel::current_num_threads();
    let order = order::<A>();
    let plan = Plan::of_windows(order, (bits, count), &census, slot, costs, threads);
    let mut terms = terms_vartime(backend, &[list], &census, &plan);
    terms.sort_unstable_by_key(|(bit, _)| Reverse(*bit));
    // The terms of a window have powers of two from its lowest bit to its highest.
    let sum_of = |window: &Window| {
        let end = terms.partition_point(|(bit, _)| *bit >= window.start);
        let start = terms.partition_point(|(bit, _)| *bit >= window.start + window.width);
        (window.start, sum_vartime(&terms[start..end], window.start))
    };
    plan.windows.all().iter().map(sum_of).collect()
}

/// The cheapest plan for a backend, as [`Plan::choose`].
pub(crate) fn plan<A: BucketPoint, B: Backend<A>>(
    census: &Census,
    threads: usize,
    others: Others,
) -> Plan {
    let (slot, costs) = (B::SIZES.slot_bytes, &B::COSTS);
    Plan::choose(order::<A>(), census, slot, costs, threads, others)
}

/// As [`msm_vartime`], by a given plan.
pub(crate) fn run_vartime<A, B>(
    backend: B,
    lists: &[Weighed<'_, A>],
    census: &Census,
    plan: &Plan,
) -> A::Sum
where
    A: BucketPoint,
    B: Backend<A>,
{
    of_terms_vartime(terms_vartime(backend, lists, census, plan))
}

/// The terms of all tasks.
fn terms_vartime<A, B>(
    backend: B,
    lists: &[Weighed<'_, A>],
    census: &Census,
    plan: &Plan,
) -> Vec<ShiftedPoint<A>>
where
    A: BucketPoint,
    B: Backend<A>,
{
    frumious_parallel::expect_units(plan.units(census));
    let parts = trace::kind("buckets", || {
        frumious_parallel::map_in_order(plan.tasks.len(), |index| {
            task_vartime(backend, lists, census, plan, &plan.tasks[index])
        })
    });
    parts.into_iter().flatten().collect()
}

/// The sum of the terms of all tasks.
pub(crate) fn of_terms_vartime<A: BucketPoint>(mut terms: Vec<ShiftedPoint<A>>) -> A::Sum {
    terms.sort_unstable_by_key(|(bit, _)| Reverse(*bit));
    if frumious_parallel::current_num_threads() == 1 {
        return sum_vartime(&terms, 0);
    }
    // In halves, for a third more doublings: in a sum of few points these are a tenth of the time.
    let (upper, lower) = terms.split_at(terms.len() / 2);
    let middle = upper.last().map_or(0, |(bit, _)| *bit);
    let (upper, lower) = frumious_parallel::join(
        || A::double_times(&sum_vartime(upper, middle), middle),
        || sum_vartime(lower, 0),
    );
    upper + lower
}

/// `Σ 2^(bit - start)·point` over terms whose bits fall, to `start` at the least.
fn sum_vartime<A: BucketPoint>(terms: &[ShiftedPoint<A>], start: u32) -> A::Sum {
    let mut sum = A::NEUTRAL;
    let mut reached = start; // sum stands for 2^(reached - start)·sum
    for (bit, point) in terms {
        sum = A::double_times(&sum, reached.max(*bit) - bit);
        sum = point.add_to(&sum);
        reached = *bit;
    }
    A::double_times(&sum, reached - start)
}

/// The sum of the windows of one task over its chunks, in terms. Allocates the buckets, and frees them: all lists have
/// the same ones.
pub(crate) fn task_vartime<A, B>(
    backend: B,
    lists: &[Weighed<'_, A>],
    census: &Census,
    plan: &Plan,
    task: &Task,
) -> Vec<ShiftedPoint<A>>
where
    A: BucketPoint,
    B: Backend<A>,
{
    let windows = &plan.windows.all()[task.windows.clone()];
    let mut first_buckets = Vec::with_capacity(windows.len());
    let mut count = 0;
    for window in windows {
        first_buckets.push(count);
        count += window.buckets();
    }
    let mut buckets = backend.buckets(lists[0].points, count, B::SIZES.spare);
    trace::moves(|| moved_bytes::<A, B>(windows, task, census, count));
    for (number, list) in lists.iter().enumerate() {
        let chunks = census.of_list(number, &task.chunks);
        if chunks.is_empty() {
            continue;
        }
        B::turn_to(&mut buckets, list.points);
        let pairs = Pairs {
            scalars: list.scalars,
            census,
            digits: &plan.windows,
            windows: task.windows.clone(),
            chunks,
            first_buckets: &first_buckets,
        };
        backend.add_pairs(&mut buckets, &pairs);
        buckets.settle();
    }
    trace::kind("reduction", || {
        let terms = reduce::terms_vartime(&mut buckets, windows, B::SIZES.columns);
        buckets.release();
        terms
    })
}

/// Bytes that a task with so many buckets reads and writes: its pairs, and the buckets if the cache does not hold them.
fn moved_bytes<A: BucketPoint, B: Backend<A>>(
    windows: &[Window],
    task: &Task,
    census: &Census,
    buckets: usize,
) -> u64 {
    let chunks = task.chunks.clone();
    let read = chunks.map(|chunk| census.at_least_in(chunk, windows[0].least_bits()));
    let read = read.sum::<usize>() * (A::ENCODED_BYTES + SCALAR_BYTES);
    let far = match buckets * B::SIZES.slot_bytes > CACHE_BYTES.get() {
        true => 2 * B::SIZES.slot_bytes * task.entries(windows, census),
        false => 0,
    };
    (read + far) as u64
}
