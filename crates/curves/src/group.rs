//! `Group`: what is a group, answered once for protocols and for sums of many points.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Neg, Sub};
use frumious_field::{PrimeField, WordField};

/// A group of prime order, by its affine points as keys and proofs hold them. [`Group::Projective`] is the form to
/// compute with.
///
/// `Default` is the neutral element, `-` negates. From a projective form the affine one comes in constant time, by one
/// inversion.
pub trait Group:
    Copy + Debug + Default + Eq + Neg<Output = Self> + From<Self::Projective> + Send + Sync + 'static
{
    /// Integers modulo the order.
    type Scalar: PrimeField + WordField;
    /// The same group in a form that needs no inversion to add; its operators are complete, and `Default` is the
    /// neutral element.
    type Projective: Copy
        + Debug
        + Default
        + Eq
        + Send
        + Sync
        + Add<Output = Self::Projective>
        + AddAssign
        + Sub<Output = Self::Projective>
        + Neg<Output = Self::Projective>
        + From<Self>;

    /// The generator that the curve's standard names.
    const GENERATOR: Self;

    /// `self + point`. Constant time.
    fn plus(&self, point: &Self::Projective) -> Self::Projective;

    /// `2·point`. Constant time.
    fn double(point: &Self::Projective) -> Self::Projective;

    /// `scalar·point`. Constant time.
    fn multiply(point: &Self::Projective, scalar: &Self::Scalar) -> Self::Projective;

    /// `scalar·point`.
    fn multiply_vartime(point: &Self::Projective, scalar: &Self::Scalar) -> Self::Projective;

    /// The affine forms of many points, with one inversion.
    fn normalise_vartime(points: &[Self::Projective]) -> Vec<Self>;
}

/// Gives an affine type of the usual names [`Group`].
macro_rules! impl_group {
    ($affine:ty, $projective:ty, $scalar:ty, $normalise:path) => {
        impl From<$projective> for $affine {
            fn from(point: $projective) -> Self {
                point.to_affine()
            }
        }

        impl crate::Group for $affine {
            type Scalar = $scalar;
            type Projective = $projective;

            const GENERATOR: Self = Self::GENERATOR;

            fn plus(&self, point: &$projective) -> $projective {
                point.add_affine(self)
            }

            fn double(point: &$projective) -> $projective {
                point.double()
            }

            fn multiply(point: &$projective, scalar: &$scalar) -> $projective {
                point.mul(scalar)
            }

            fn multiply_vartime(point: &$projective, scalar: &$scalar) -> $projective {
                point.mul_vartime(scalar)
            }

            fn normalise_vartime(points: &[$projective]) -> Vec<Self> {
                $normalise(points)
            }
        }
    };
}
pub(crate) use impl_group;
