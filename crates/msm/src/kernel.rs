//! The batch addition, and the boundary at which another processor's kernel takes its place.
//!
//! Everything above this module decides *which* points are added where; a kernel decides *how*. It owns the form
//! in which sums are kept in memory ([`BatchAdd::Slot`]) and does nothing but `slot += point` for many slots at once.
//! A kernel may assume that no two additions of a batch touch the same slot, and that no summand is at infinity.

mod exact;
mod norm;
mod portable;

use crate::{BucketPoint, PointList};
use zeroize::DefaultIsZeroes;

pub use exact::Exact;
pub use norm::{Denominator, Norms};
pub use portable::Portable;

/// Adds affine points in batches with one inversion for all, in the memory form of its own choice.
///
/// The duty of callers:
/// - the targets of one batch are distinct slots, none of which is also a source in it but of its own addition;
/// - no slot or point named in a batch is at infinity (the caller knows which slots are empty);
/// - a batch has at most [`MAX_BATCH`] additions.
///
/// The duty of a kernel: each target becomes the sum, by the doubling formula if both are equal. If they are
/// opposite, the target's index is pushed to `cancelled` and its value is of no meaning from then on.
pub trait BatchAdd<A: BucketPoint>: Default {
    /// A point that is not at infinity, in the kernel's form.
    type Slot: Copy + Send + Sync;

    /// `point` or, with `negate`, its opposite.
    fn slot(point: &A, negate: bool) -> Self::Slot;

    /// The way back.
    fn point(slot: &Self::Slot) -> A;

    /// `slots[target] += ±points[index]` for each addition of the batch.
    fn add_points(
        &mut self,
        slots: &mut [Self::Slot],
        batch: &[(u32, Signed)],
        points: PointList<'_, A>,
        cancelled: &mut Vec<u32>,
    );

    /// `slots[target] += slots[source]` for each `(target, source)` of the batch.
    fn add_slots(
        &mut self,
        slots: &mut [Self::Slot],
        batch: &[(u32, u32)],
        cancelled: &mut Vec<u32>,
    );
}

/// The largest batch. Usual ones have half as many additions; this size is no faster on Zen 5, and 2048 slower.
pub const MAX_BATCH: usize = crate::settings::MAX_BATCH;

/// The index of a point with a sign, in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signed(usize);

/// Where points are multiples of others, an index is a digit of a scalar, which may be secret.
impl DefaultIsZeroes for Signed {}

impl Signed {
    /// `index` is below `2^(usize::BITS - 1)`, as the length of any slice of points is.
    #[inline(always)]
    pub fn new(index: usize, negative: bool) -> Self {
        Self(index << 1 | usize::from(negative))
    }

    /// Which point.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 >> 1
    }

    /// True if its opposite is meant.
    #[inline(always)]
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}
