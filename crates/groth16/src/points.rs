//! Points where they are: in memory, or encoded in a mapped key.

use crate::engine::Projective;
use frumious_field::Integer;
use frumious_msm::{Encoded, EncodedPoint, LengthMismatch, Points, msm_vartime};

/// A list of affine points. Copying it copies no points.
#[derive(Clone, Copy)]
pub enum PointList<'a, A> {
    /// In memory.
    Slice(&'a [A]),
    /// In their memory form as bytes, decoded when asked for.
    Encoded(Encoded<'a, A>),
}

impl<'a, A: EncodedPoint> PointList<'a, A> {
    /// Number of points.
    pub fn len(&self) -> usize {
        match self {
            Self::Slice(points) => points.len(),
            Self::Encoded(points) => Points::len(points),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The point at `index`, not checked to be in its group.
    ///
    /// # Panics
    /// When `index >= len`.
    pub fn get(&self, index: usize) -> A {
        match self {
            Self::Slice(points) => points[index],
            Self::Encoded(points) => Points::get(points, index),
        }
    }

    /// `Σ scalars[i]·points[i]`.
    ///
    /// # Errors
    /// [`LengthMismatch`] for another number of scalars than of points.
    pub(crate) fn sum_vartime(
        &self,
        scalars: &[Integer<A::Scalar>],
    ) -> Result<Projective<A>, LengthMismatch> {
        match self {
            Self::Slice(points) => msm_vartime(*points, scalars),
            Self::Encoded(points) => msm_vartime(points, scalars),
        }
    }
}
