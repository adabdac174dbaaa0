//! The memory that a sum takes, known before it begins.

use crate::buckets::Scalar;
use crate::census::Census;
use crate::group::order;
use crate::kernel::Portable;
use crate::lanes::InLanes;
use crate::plan::Plan;
use crate::recode::Window;
use crate::settings::CACHE_BYTES;
use crate::sums::Backend;
use crate::{BucketPoint, MsmPoint, lanes};
use frumious_simd::Unit;

/// Memory in bytes that [`msm_vartime`](crate::msm_vartime) takes for `points` points on the pool of the caller,
/// besides points and scalars. An upper bound, near for scalars of full length: shorter ones take fewer buckets.
///
/// The same for every backend that may be chosen is not promised: the one in use counts.
pub fn memory_bytes<A: MsmPoint>(points: usize) -> u64 {
    let threads = frumious_parallel::current_num_threads();
    match frumious_field::lanes::active() {
        Some(_) if points < lanes::MAX_POINTS => of_backend::<A, InLanes<Unit>>(points, threads),
        _ => of_backend::<A, Scalar<Portable<A>>>(points, threads),
    }
}

fn of_backend<A: BucketPoint, B: Backend<A>>(points: usize, threads: usize) -> u64 {
    let census = Census::of_full_length(points, order::<A>());
    let plan = Plan::choose(order::<A>(), &census, B::SLOT_BYTES, &B::COSTS, threads);
    let buckets = plan.tasks.iter().map(|task| {
        let windows = &plan.windows.all()[task.windows.clone()];
        windows.iter().map(Window::buckets).sum::<usize>()
    });
    // Of shorter scalars a task may have more windows, as many as fit the cache.
    let buckets = buckets
        .max()
        .unwrap_or(0)
        .max(CACHE_BYTES.get() / B::SLOT_BYTES);
    let usual = buckets + B::SPARE;
    // Slots are copied to larger memory when points crowd.
    let crowded = match B::CROWD {
        0 => 0,
        spare => buckets + spare,
    };
    let of_thread = (usual + crowded) * (B::SLOT_BYTES + STAMP_BYTES) + B::batch_bytes();
    (Census::bytes(points) + threads * of_thread) as u64
}

/// The most that a backend keeps of a slot beside it.
const STAMP_BYTES: usize = 4;
