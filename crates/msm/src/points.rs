//! Where the points come from.

use crate::BucketPoint;
use core::marker::PhantomData;
use core::ops::Range;
use frumious_curves::engine::PairingGroup;
use frumious_field::{Integer, prefetch};

/// A list of affine points to be summed. Copying it copies no points.
///
/// One type for both forms, and not a trait: kernels have up to 30 000 instructions, and are compiled once a group.
///
/// [`msm_vartime`](crate::msm_vartime) reads each point once in a first pass. It then reads it twice for each window in
/// which its scalar has a digit, nearly in order of the index.
#[derive(Debug)]
pub enum PointList<'a, A> {
    /// In memory.
    Slice(&'a [A]),
    /// As bytes, decoded when they are asked for.
    Encoded(Encoded<'a, A>),
}

impl<A> Clone for PointList<'_, A> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for PointList<'_, A> {}

impl<'a, A> From<&'a [A]> for PointList<'a, A> {
    fn from(points: &'a [A]) -> Self {
        Self::Slice(points)
    }
}

impl<'a, A, const N: usize> From<&'a [A; N]> for PointList<'a, A> {
    fn from(points: &'a [A; N]) -> Self {
        Self::Slice(points)
    }
}

impl<'a, A> From<&'a Vec<A>> for PointList<'a, A> {
    fn from(points: &'a Vec<A>) -> Self {
        Self::Slice(points)
    }
}

impl<'a, A> From<Encoded<'a, A>> for PointList<'a, A> {
    fn from(points: Encoded<'a, A>) -> Self {
        Self::Encoded(points)
    }
}

impl<A: BucketPoint> PointList<'_, A> {
    /// The points `range` of these.
    ///
    /// # Panics
    /// When `range` is not within `0..len`.
    #[track_caller]
    pub fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::Slice(points) => Self::Slice(&points[range]),
            Self::Encoded(points) => {
                let bytes = range.start * A::ENCODED_BYTES..range.end * A::ENCODED_BYTES;
                Self::Encoded(Encoded {
                    bytes: &points.bytes[bytes],
                    ..*points
                })
            }
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        match self {
            Self::Slice(points) => points.len(),
            Self::Encoded(points) => points.bytes.len() / A::ENCODED_BYTES,
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The point at `index`, not checked to be on the curve or in its group. Infinity is `(0, 0)`.
    ///
    /// # Panics
    /// When `index >= len`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> A {
        match self {
            Self::Slice(points) => points[index],
            Self::Encoded(points) => points.get(index),
        }
    }

    /// A hint that the point at `index` will soon be asked for. It is worth a tenth to a third of the whole when the
    /// points do not fit the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: usize) {
        match self {
            Self::Slice(points) => prefetch(&points[index]),
            Self::Encoded(points) => prefetch(points.bytes(index)),
        }
    }
}

/// Points, and a scalar for each: what a sum is over, or a part of it.
pub struct Weighed<'a, A: BucketPoint> {
    pub(crate) points: PointList<'a, A>,
    pub(crate) scalars: &'a [Integer<A::ScalarField>],
}

/// Points as they lie in a mapped key, at any address: `x`, then `y`, each coordinate little-endian in Montgomery form,
/// infinity all zeros. `MontgomeryEncoding::BYTES` a point. They are decoded when they are
/// asked for, so that nothing is held twice.
///
/// ```
/// # mod frumious {
/// #     pub use ::frumious_curves as curves;
/// #     pub use ::frumious_field as field;
/// #     pub use ::frumious_msm as msm;
/// # }
/// use frumious::curves::bn254::{G1Affine, G1Projective};
/// use frumious::field::Integer;
/// use frumious::msm::{Encoded, msm_vartime};
///
/// let bytes = G1Affine::GENERATOR.to_montgomery_bytes();
/// let sum = msm_vartime(Encoded::<G1Affine>::new(&bytes), &[Integer::from_u64(2)])?; // 2·G
/// assert_eq!(sum, G1Projective::GENERATOR.double());
/// # Ok::<(), frumious::msm::LengthMismatch>(())
/// ```
#[derive(Debug)]
pub struct Encoded<'a, A> {
    bytes: &'a [u8],
    point: PhantomData<A>,
}

impl<A> Clone for Encoded<'_, A> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Encoded<'_, A> {}

impl<'a, A: BucketPoint + PairingGroup> Encoded<'a, A> {
    /// As many points as there are whole ones in `bytes`. Coordinates are not checked: others than residues below the
    /// modulus give some wrong sum, and no panic.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            point: PhantomData,
        }
    }
}

impl<'a, A: BucketPoint> Encoded<'a, A> {
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> A {
        A::decode_unchecked(self.bytes(index))
    }

    #[inline(always)]
    fn bytes(&self, index: usize) -> &'a [u8] {
        &self.bytes[index * A::ENCODED_BYTES..][..A::ENCODED_BYTES]
    }
}
