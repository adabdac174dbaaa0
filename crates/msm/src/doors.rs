//! The doors of this crate: functions that are compiled once for each group, here, and the traits of groups that have
//! them.

use frumious_curves::Group;
use frumious_curves::bandersnatch::{self, WeierstrassAffine};
use frumious_curves::bls12_381;
use frumious_curves::bn254::{Fr, G1Affine, G2Affine};
use frumious_curves::engine::PairingGroup;
use frumious_field::Integer;

use crate::group::BucketPoint;
use crate::multiples::MAX_WIDTH;
use crate::points::Weighed;
use crate::recode::MIN_WIDTH;
use crate::scale::{self, Factors, ScaledPoint, jacobian};
use crate::steps::Waiting;
use crate::{Choices, Multiples, PointList};

/// A group of points whose sums this crate takes: those of BN254 and of BLS12-381. Bandersnatch has a module of its
/// own.
pub trait MsmPoint:
    Group + SumDoor<Sum = <Self as Group>::Projective, ScalarField = <Self as Group>::Scalar>
{
}

impl<A> MsmPoint for A where
    A: Group + SumDoor<Sum = <A as Group>::Projective, ScalarField = <A as Group>::Scalar>
{
}

/// A point of a key. Sums are taken of its bytes as well, as [`Encoded`](crate::Encoded).
pub trait EncodedPoint: MsmPoint + PairingGroup + MultiplesDoors {}

impl<A: MsmPoint + PairingGroup + MultiplesDoors> EncodedPoint for A {}

/// The sum that is compiled for each group in this crate.
pub trait SumDoor: BucketPoint {
    /// As [`msm_vartime`](crate::msm_vartime), compiled for this group in this crate; with as many scalars as points.
    fn sum_vartime(
        points: PointList<'_, Self>,
        scalars: &[Integer<Self::ScalarField>],
    ) -> Self::Sum;

    /// The sum over all pairs of the lists in steps, to be taken beside others.
    fn wait<'a>(lists: Vec<Weighed<'a, Self>>) -> Box<dyn Waiting<Self::Sum> + 'a>;
}

/// Functions over multiples that are compiled for each group in this crate.
pub trait MultiplesDoors: BucketPoint {
    /// As [`Multiples::new_vartime`], with windows of about `width` bits.
    fn multiples_vartime(&self, width: u32) -> Multiples<Self>;

    /// As [`Multiples::multiply_vartime`].
    fn multiply_all_vartime(
        table: &Multiples<Self>,
        scalars: &[Integer<Self::ScalarField>],
        out: &mut [Self],
    );
}

impl<A: EncodedPoint> Multiples<A> {
    /// A table of windows of about `width` bits, 4 to 16, for multiples of `point`, which is of the group's order. In
    /// parallel.
    ///
    /// Memory: [`bytes`](Self::bytes), and beside it while it is made [`bytes_in_work`](Self::bytes_in_work) for each
    /// thread. Time: variable.
    pub fn new_vartime(point: &A, width: u32) -> Self {
        point.multiples_vartime(width.clamp(MIN_WIDTH, MAX_WIDTH))
    }

    /// `multiples[i] = scalars[i]·P` for each `i`, infinity as `(0, 0)`.
    ///
    /// On one thread: give some thousands at a time, at most 2^31, and share them among threads. Memory:
    /// [`bytes_in_work`](Self::bytes_in_work). Time: variable; zeros cost next to nothing, and a digit that is zero no
    /// addition.
    ///
    /// # Panics
    /// If the lengths differ.
    #[track_caller]
    pub fn multiply_vartime(&self, scalars: &[Integer<A::ScalarField>], multiples: &mut [A]) {
        assert!(
            scalars.len() == multiples.len(),
            "{} scalars but `multiples` has {} places",
            scalars.len(),
            multiples.len()
        );
        A::multiply_all_vartime(self, scalars, multiples);
    }
}

macro_rules! impl_sum_door {
    ($($affine:ty: $scalar:ty),* $(,)?) => {$(
        impl SumDoor for $affine {
            #[inline(never)]
            fn sum_vartime(points: PointList<'_, Self>, scalars: &[Integer<$scalar>]) -> Self::Sum {
                crate::sum_vartime(points, scalars)
            }

            #[inline(never)]
            fn wait<'a>(lists: Vec<Weighed<'a, Self>>) -> Box<dyn Waiting<Self::Sum> + 'a> {
                crate::steps::wait(lists)
            }
        }
    )*};
}

impl_sum_door!(
    G1Affine: Fr,
    G2Affine: Fr,
    bls12_381::G1Affine: bls12_381::Fr,
    bls12_381::G2Affine: bls12_381::Fr,
    WeierstrassAffine: bandersnatch::Fr,
);

macro_rules! impl_encoded_doors {
    ($affine:ty, $projective:ty, $scalar:ty) => {
        impl MultiplesDoors for $affine {
            #[inline(never)]
            fn multiples_vartime(&self, width: u32) -> Multiples<Self> {
                Multiples::with_width_vartime(self, width)
            }

            #[inline(never)]
            fn multiply_all_vartime(
                table: &Multiples<Self>,
                scalars: &[Integer<$scalar>],
                out: &mut [Self],
            ) {
                table.dispatch_vartime(scalars, out);
            }
        }
    };
}

impl_encoded_doors!(G1Affine, G1Projective, Fr);
impl_encoded_doors!(G2Affine, G2Projective, Fr);
impl_encoded_doors!(bls12_381::G1Affine, bls12_381::G1Projective, bls12_381::Fr);
impl_encoded_doors!(bls12_381::G2Affine, bls12_381::G2Projective, bls12_381::Fr);

/// With the functions for products of many points: `scale::jacobian` for G1, `scale` for G2.
macro_rules! impl_scaled_point {
    ($($affine:ty: $scale:path, $butterflies:path;)*) => {$(
        impl ScaledPoint for $affine {
            #[inline(never)]
            fn scale_all_vartime(
                points: PointList<'_, Self>,
                factors: Factors<'_>,
                products: &mut [Self],
            ) {
                $scale(points, factors, products);
            }

            #[inline(never)]
            fn butterfly_all_vartime(low: &mut [Self], high: &mut [Self], factors: Factors<'_>) {
                $butterflies(low, high, factors);
            }

            #[inline(never)]
            fn all_on_curve_vartime(points: &[Self]) -> bool {
                crate::on_curve::dispatch_vartime(points, &Self::GENERATOR)
            }

            #[inline(never)]
            fn all_in_group_vartime(points: &[Self]) -> bool {
                crate::membership::dispatch_vartime(points)
            }

            #[inline(never)]
            fn all_in_group_by_sums_vartime(points: &[Self], choices: &[Choices]) -> bool {
                crate::membership::dispatch_by_sums_vartime(points, choices)
            }

            #[inline(never)]
            fn sum_if_in_group_vartime(
                points: PointList<'_, Self>,
                weights: &[Integer<Self::ScalarField>],
            ) -> Option<Self::Sum> {
                crate::weighed::dispatch_vartime(points, weights, Self::from)
            }
        }
    )*};
}

impl_scaled_point!(
    G1Affine: jacobian::dispatch_vartime, jacobian::dispatch_butterflies_vartime;
    G2Affine: scale::dispatch_vartime, scale::dispatch_butterflies_vartime;
    bls12_381::G1Affine: jacobian::dispatch_vartime, jacobian::dispatch_butterflies_vartime;
    bls12_381::G2Affine: scale::dispatch_vartime, scale::dispatch_butterflies_vartime;
);
