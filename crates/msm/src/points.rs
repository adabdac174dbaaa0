//! Where the points come from.

use crate::{BucketPoint, EncodedPoint};
use core::marker::PhantomData;
use frumious_field::Integer;
use frumious_field::limbs::prefetch;

/// A sequence of affine points to be summed: a slice or a vector of them, or [`Encoded`] ones. No other crate has more,
/// because the kernels of an MSM are compiled for each kind, and all of them in this crate.
///
/// [`msm_vartime`](crate::msm_vartime) reads each point once in a first pass. It then reads it twice for each window in
/// which its scalar has a digit, nearly in order of the index. So `get` costs no more than loads and shifts.
pub trait Points<A: BucketPoint>: Sync + sealed::Sealed {
    /// Number of points; does not change during a call.
    fn len(&self) -> usize;

    /// The point at `index`, which is below [`len`](Points::len). Infinity is `(0, 0)`.
    fn get(&self, index: usize) -> A;

    /// True if there are no points.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A hint that the point at `index` will soon be asked for: `frumious_limbs::prefetch` of its bytes.
    /// It is worth a tenth to a third of the whole when the points do not fit the cache.
    fn prefetch(&self, index: usize);

    /// What [`msm_vartime`](crate::msm_vartime) does, with as many scalars as points.
    #[doc(hidden)]
    fn sum_vartime(&self, scalars: &[Integer<A::ScalarField>]) -> A::Sum;
}

impl<A: BucketPoint> Points<A> for [A] {
    fn len(&self) -> usize {
        <[A]>::len(self)
    }

    #[inline(always)]
    fn get(&self, index: usize) -> A {
        self[index]
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        prefetch(&self[index]);
    }

    fn sum_vartime(&self, scalars: &[Integer<A::ScalarField>]) -> A::Sum {
        A::sum_vartime(self, scalars)
    }
}

impl<A: BucketPoint> Points<A> for Vec<A> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    #[inline(always)]
    fn get(&self, index: usize) -> A {
        self[index]
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        prefetch(&self[index]);
    }

    fn sum_vartime(&self, scalars: &[Integer<A::ScalarField>]) -> A::Sum {
        A::sum_vartime(self, scalars)
    }
}

/// Points as they lie in a mapped key, at any address: `x`, then `y`, each coordinate little-endian in Montgomery form,
/// infinity all zeros. `MontgomeryEncoding::BYTES` a point. They are decoded when they are
/// asked for, so that nothing is held twice.
///
/// ```
/// use frumious_curves::bn254::{G1Affine, G1Projective};
/// use frumious_field::Integer;
/// use frumious_msm::{Encoded, msm_vartime};
///
/// let bytes = G1Affine::GENERATOR.to_montgomery_bytes();
/// let sum = msm_vartime(&Encoded::<G1Affine>::new(&bytes), &[Integer::from_u64(2)])?; // 2·G
/// assert_eq!(sum, G1Projective::GENERATOR.double());
/// # Ok::<(), frumious_msm::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Encoded<'a, A> {
    bytes: &'a [u8],
    point: PhantomData<A>,
}

impl<'a, A: EncodedPoint> Encoded<'a, A> {
    /// As many points as there are whole ones in `bytes`. Coordinates are not checked: others than residues below the
    /// modulus give some wrong sum, and no panic.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            point: PhantomData,
        }
    }

    #[inline(always)]
    fn bytes(&self, index: usize) -> &'a [u8] {
        &self.bytes[index * A::BYTES..][..A::BYTES]
    }
}

impl<A: EncodedPoint> Points<A> for Encoded<'_, A> {
    fn len(&self) -> usize {
        self.bytes.len() / A::BYTES
    }

    #[inline(always)]
    fn get(&self, index: usize) -> A {
        A::from_montgomery_bytes_unchecked(self.bytes(index))
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        prefetch(self.bytes(index));
    }

    fn sum_vartime(&self, scalars: &[Integer<A::ScalarField>]) -> A::Sum {
        A::sum_encoded_vartime(self, scalars)
    }
}

mod sealed {
    /// Kinds of points that the kernels are compiled for.
    pub trait Sealed {}

    impl<A: crate::BucketPoint> Sealed for [A] {}
    impl<A: crate::BucketPoint> Sealed for Vec<A> {}
    impl<A: crate::EncodedPoint> Sealed for super::Encoded<'_, A> {}
}
