//! The memory that a sum takes, known before it begins.

use crate::buckets::Scalar;
use crate::census::Census;
use crate::group::order;
use crate::kernel::Portable;
use crate::lanes::InLanes;
use crate::pippenger::plan;
use crate::plan::{Others, Plan};
use crate::recode::Window;
use crate::settings::CACHE_BYTES;
use crate::sums::Backend;
use crate::{BucketPoint, MsmPoint, lanes};
use frumious_parallel::map_indices;
use frumious_simd::Unit;

/// Memory in bytes that [`msm_vartime`](crate::msm_vartime) takes for `points` points on the pool of the caller,
/// besides points and scalars. An upper bound, near for scalars of full length whose buckets fill `msm.cache_bytes`:
/// shorter or fewer ones take fewer buckets.
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
    let plan = plan::<A, B>(&census, threads, Others::None);
    (Census::bytes(points) + threads * of_thread::<A, B>(&plan)) as u64
}

/// The most memory of a thread with sums side by side, of which each is planned for a share of `threads`.
pub(crate) fn most_of_thread<A: MsmPoint>(points: usize, threads: usize) -> usize {
    match frumious_field::lanes::active() {
        Some(_) if points < lanes::MAX_POINTS => {
            most_of_thread_on::<A, InLanes<Unit>>(points, threads)
        }
        _ => most_of_thread_on::<A, Scalar<Portable<A>>>(points, threads),
    }
}

fn most_of_thread_on<A: BucketPoint, B: Backend<A>>(points: usize, threads: usize) -> usize {
    let census = Census::of_full_length(points, order::<A>());
    let of_share = |share| of_thread::<A, B>(&plan::<A, B>(&census, share, Others::Beside));
    // The fewer threads, the wider the windows.
    let shares = threads.max(1).ilog2() as usize + 1;
    let each = map_indices(shares, |log| of_share(1 << log));
    each.into_iter().max().unwrap_or(0)
}

/// The memory of a thread that does one task of a plan after the other.
fn of_thread<A: BucketPoint, B: Backend<A>>(plan: &Plan) -> usize {
    let buckets = plan.tasks.iter().map(|task| {
        let windows = &plan.windows.all()[task.windows.clone()];
        windows.iter().map(Window::buckets).sum::<usize>()
    });
    // Of shorter scalars a task may have more windows, as many as fit the cache.
    let buckets = buckets
        .max()
        .unwrap_or(0)
        .max(CACHE_BYTES.get() / B::SIZES.slot_bytes);
    let usual = buckets + B::SIZES.spare;
    // Slots are copied to larger memory when points crowd.
    let crowded = match B::SIZES.crowd {
        0 => 0,
        spare => buckets + spare,
    };
    (usual + crowded) * (B::SIZES.slot_bytes + STAMP_BYTES) + B::batch_bytes()
}

/// The most that a backend keeps of a slot beside it.
const STAMP_BYTES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::bn254::{G1Affine, G2Affine};

    fn shares_fit<A: MsmPoint>() {
        type OnScalars<A> = Scalar<Portable<A>>;
        for threads in [2, 3, 7, 24, 64, 100] {
            for points in [1000, 40_000, 500_000] {
                let most = most_of_thread_on::<A, OnScalars<A>>(points, threads);
                for share in 1..=threads {
                    for fewer in [points, points / 3] {
                        let census = Census::of_full_length(fewer, order::<A>());
                        let plan = plan::<A, OnScalars<A>>(&census, share, Others::Beside);
                        assert!(
                            of_thread::<A, OnScalars<A>>(&plan) <= most,
                            "{points} points, {share} of {threads} threads"
                        );
                    }
                }
            }
        }
    }

    /// Whatever a sum's share of the threads is, and if it has fewer points.
    #[test]
    fn no_share_takes_more_than_is_told() {
        shares_fit::<G1Affine>();
        shares_fit::<G2Affine>();
    }
}
