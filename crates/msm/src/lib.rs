#![forbid(unsafe_code)]
//! Multi-scalar multiplication `Σ sᵢ·Pᵢ` over BN254 and BLS12-381, G1 and G2, and over Bandersnatch.
//!
//! Everything here is **variable time** in scalars and points, by decision: a prover's witness goes through it.
//!
//! Method: Pippenger's buckets with signed windows. A scalar is cut into digits. For each digit position (a *window*)
//! the points are summed into one *bucket* per digit value, and `Σ d·bucket[d]` is formed by suffix sums. All three
//! steps add affine points in batches that share one field inversion. Sources: Bernstein, Doumen, Lange, Oosterwijk,
//! "Faster batch forgery identification" (eprint 2012/549), section 4, for the buckets. Botrel, El Housni, "EdMSM"
//! (eprint 2022/1400), for affine batches in them.
//!
//! The modules, in the order in which one call uses them:
//!
//! | module | idea |
//! |---|---|
//! | [`bandersnatch`] | the entry for Banderwagon, which converts its points |
//! | [`points`](PointList) | where points come from: slices, or bytes decoded on the fly |
//! | `group` | the demands on a curve; the groups that meet them |
//! | `census` | which scalars need which windows: zeros and infinities vanish here, small scalars stay cheap |
//! | `plan` | the cost model: how many windows, how many tasks |
//! | `recode` | signed digits of a scalar, each found without the others |
//! | `sums` | the boundary between the backends: slots to which points and slots are added |
//! | `buckets` | points into buckets, in batches without conflicts |
//! | [`kernel`] | the batch addition itself, on words |
//! | [`lanes`] | buckets and batch additions in vector lanes, eight side by side |
//! | `reduce` | buckets to a few points with powers of two |
//! | `straus` | the method for a handful of points |
//! | [`multiples`](Multiples) | many multiples of one point, by the same batches |
//! | [`scale`](scale_vartime) | many points times one scalar, or one each, and butterflies, by the same batches |
//! | [`on_curve`](are_on_curve_vartime) | whether each of many points is on its curve |
//! | [`weighed`](sum_in_group_vartime) | sums with random weights that also tell if all points are in their group |
//! | `settings` | sizes that a machine may have its own of |
//! | `memory` | what a sum takes, known before it begins |
//! | `naive` | the twin for the tests |
//!
//! Memory, freed before the call returns but for what lanes keep, is told by [`memory_bytes`]. It is about 2.2 bytes a
//! scalar, and for each busy thread `(b + 1024)·(S + 4) + 768·S` bytes and 30 KB. The size `S` of a sum is 64 for
//! BN254's G1 and Bandersnatch, 128 for its G2 and for BLS12-381's G1, 192 for its G2. A task has `b` buckets: at most
//! `max(2^19/S, 2^(c-1))` for windows of `c` bits, with usual [`SETTINGS`]. That is 2.4 MB a thread in BN254's G1 for
//! 2^20 random scalars (`c = 16`), and never more than 9.1 MB (`c = 18`). In lanes a thread has 0.3 MB more (0.6 MB in
//! G2; 0.4 and 0.8 over BLS12-381). It keeps 0.25 MB (0.5; 0.37 and 0.7) for the next call. It has as much more, and
//! its slots again, while points crowd into few buckets.
//!
//! Points that fill more than some ten megabytes are read 5 to 10% faster from memory in huge pages. That is up to who
//! allocates them: `frumious_mapping::Memory` asks for huge pages.
//!
//! Roads not taken (measured: `peers/record/2026-11-21-open-points.md`). Splitting scalars by the endomorphism (twice
//! the points, half the windows) gains 5 to 10% in lanes from 2^7 to 2^11 points of G1. It loses above. On the scalar
//! backends it gains 3 to 10% up to 2^14. That is before the cost of the splitting and of the second set of points (2
//! to 6%). Sorting all points by bucket, so that no batch has conflicts, reads the points at random once a window. The
//! order of the key is kinder to caches and to mapped files.

pub mod bandersnatch;
mod buckets;
mod census;
mod doors;
pub mod fixed;
mod group;
pub mod kernel;
pub mod lanes;
mod membership;
mod memory;
mod multiples;
#[cfg(test)]
mod naive;
mod on_curve;
mod pippenger;
mod plan;
mod points;
mod recode;
mod reduce;
mod scale;
mod settings;
mod steps;
mod straus;
mod sums;
#[cfg(test)]
mod tests;
mod together;
mod weighed;

use doors::SumDoor;
pub use doors::{EncodedPoint, MsmPoint};
use frumious_parallel::trace;
use group::BucketPoint;
pub use group::Choices;
pub use membership::{are_in_group_by_sums_vartime, are_in_group_vartime};
pub use memory::memory_bytes;
pub use multiples::Multiples;
pub use on_curve::are_on_curve_vartime;
use points::Weighed;
pub use points::{Encoded, PointList};
pub use scale::{
    Factors, ScaledPoint, butterflies_vartime, scalar_digits_vartime, scale_each_vartime,
    scale_vartime,
};
pub use settings::{SETTINGS, settings_in_use};
pub use together::{AnyPending, Pending, memory_bytes_together, together_vartime};
pub use weighed::sum_in_group_vartime;

use frumious_field::Integer;
use kernel::Portable;

/// `Σ scalars[i]·points[i]`, the identity for no points at all.
///
/// Shapes: `n` points and `n` scalars.
/// Points are on the curve and of that order; the point at infinity `(0, 0)` is allowed anywhere. Other points, as
/// long as their coordinates are reduced, lead to a result of no meaning, and to no panic.
///
/// Parallel over the pool of the caller; the result is the same group element for any number of threads.
///
/// Time: variable.
///
/// # Errors
/// [`LengthMismatch`] if the two lengths differ; nothing is computed then.
///
/// ```
/// # mod frumious {
/// #     pub use ::frumious_curves as curves;
/// #     pub use ::frumious_field as field;
/// #     pub use ::frumious_msm as msm;
/// # }
/// use frumious::curves::bn254::{Fr, G1Affine, G1Projective};
/// use frumious::field::Integer;
/// use frumious::msm::msm_vartime;
///
/// let points = [G1Affine::GENERATOR, (G1Projective::GENERATOR.double()).to_affine()]; // G, 2G
/// let sum = msm_vartime(&points, &[3, 4].map(Integer::from_u64))?; // 3·G + 4·2G
/// assert_eq!(sum, G1Projective::GENERATOR.mul_vartime(&Fr::from_u64(11)));
/// # Ok::<(), frumious::msm::LengthMismatch>(())
/// ```
pub fn msm_vartime<'a, A: MsmPoint>(
    points: impl Into<PointList<'a, A>>,
    scalars: &[Integer<A::Scalar>],
) -> Result<A::Projective, LengthMismatch> {
    of_pairs_vartime(points, scalars)
}

/// As [`msm_vartime`], for whatever buckets hold.
fn of_pairs_vartime<'a, A: SumDoor>(
    points: impl Into<PointList<'a, A>>,
    scalars: &[Integer<A::ScalarField>],
) -> Result<A::Sum, LengthMismatch> {
    let points = points.into();
    LengthMismatch::check(points.len(), scalars.len())?;
    Ok(A::sum_vartime(points, scalars))
}

/// As [`msm_vartime`], for slices of one length. Called by functions of this crate that are not generic, and by these
/// alone. Kernels have up to 30 000 instructions, and would be compiled again in every crate with a generic caller.
fn sum_vartime<A: BucketPoint>(
    points: PointList<'_, A>,
    scalars: &[Integer<A::ScalarField>],
) -> A::Sum {
    match frumious_field::lanes::active() {
        Some(cpu) if points.len() < lanes::MAX_POINTS => {
            backend_vartime(lanes::InLanes(cpu), &[Weighed { points, scalars }])
        }
        _ => backend_vartime(
            buckets::Scalar::<Portable<A>>::NEW,
            &[Weighed { points, scalars }],
        ),
    }
}

/// The sum over all pairs of the lists, on one backend.
fn backend_vartime<A: BucketPoint, B: sums::Backend<A>>(
    backend: B,
    lists: &[Weighed<'_, A>],
) -> A::Sum {
    let census = trace::kind("census", || census::Census::take(lists));
    let threads = frumious_parallel::current_num_threads();
    if straus::is_better(census.total(), B::SIZES.straus, threads) {
        straus::msm_vartime(backend, lists, &census)
    } else {
        pippenger::msm_vartime(backend, lists, &census)
    }
}

/// The numbers of points and of scalars given to [`msm_vartime`] are not the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{points} points but {scalars} scalars")]
pub struct LengthMismatch {
    /// Number of points.
    pub points: usize,
    /// Number of scalars.
    pub scalars: usize,
}

impl LengthMismatch {
    fn check(points: usize, scalars: usize) -> Result<(), Self> {
        if points == scalars {
            Ok(())
        } else {
            Err(Self { points, scalars })
        }
    }
}
