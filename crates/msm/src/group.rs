//! What the algorithms ask of a curve, and the groups that answer.

use core::ops::{Add, AddAssign, Neg};
use frumious_curves::bandersnatch::{self, Element, WeierstrassAffine};
use frumious_curves::bls12_381;
use frumious_curves::bn254::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_curves::engine::PairingGroup;
use frumious_field::kernel::Multiplier;
use frumious_field::{Field, Integer, KernelField, Lazy, Reduced, WordField, dispatch_kernel};

use crate::kernel::Exact;
use crate::lanes::coordinate::Coordinate;
use crate::{Encoded, Multiples};

/// An affine point of a group of prime order on a curve `y² = x³ + a·x + b`, with `(0, 0)` for infinity.
///
/// The group may also be a quotient, where several points stand for one element, as in Banderwagon: then sums of points
/// of order two occur, and vanish. The affine formulas of the batches need only the coordinates; the projective form is used where few
/// additions remain: to fold segments and windows together, and for small inputs.
pub trait MsmPoint: Copy + Send + Sync + 'static {
    /// Integers modulo the order of the group, which has 253 to 255 bits, is above `2^252.76` and below `0.93·2^bits`.
    type ScalarField: WordField;
    /// The field of the coordinates.
    type Base: Coordinate;
    /// The same group in a form that needs no inversion to add; all its operators are complete.
    type Projective: Copy
        + Send
        + Sync
        + Add<Output = Self::Projective>
        + AddAssign
        + Neg<Output = Self::Projective>
        + From<Self>;

    /// The coordinates as kernels compute with them.
    type Kernel<T: Multiplier>: KernelField<Scalar = Self::Base, Cpu = T>;

    /// The coefficient `a` of the curve.
    const COEFFICIENT_A: Self::Base;
    /// The neutral element.
    const IDENTITY: Self::Projective;

    /// `(x, y)`.
    fn coordinates(&self) -> (Self::Base, Self::Base);

    /// The point `(x, y)`, not checked to be on the curve.
    fn from_coordinates(x: Self::Base, y: Self::Base) -> Self;

    /// `2·point`.
    fn double(point: &Self::Projective) -> Self::Projective;

    /// `2^times·point`.
    fn double_times(point: &Self::Projective, times: u32) -> Self::Projective {
        (0..times).fold(*point, |point, _| Self::double(&point))
    }

    /// `point + self`.
    fn add_to(&self, point: &Self::Projective) -> Self::Projective;

    /// Whether this is the point at infinity.
    #[inline(always)]
    fn is_infinity_vartime(&self) -> bool {
        let (x, y) = self.coordinates();
        x.is_zero_vartime() && y.is_zero_vartime()
    }

    /// What [`msm_vartime`](crate::msm_vartime) does, compiled for this group in this crate; with as many scalars as points.
    #[doc(hidden)]
    fn sum_vartime(points: &[Self], scalars: &[Integer<Self::ScalarField>]) -> Self::Projective;
}

/// A point of a key: sums of such are taken of bytes as well, as [`Encoded`].
pub trait EncodedPoint:
    MsmPoint<
        Projective = <Self as PairingGroup>::Group,
        ScalarField = <Self as PairingGroup>::Scalar,
    > + PairingGroup
{
    /// As [`MsmPoint::sum_vartime`].
    #[doc(hidden)]
    fn sum_encoded_vartime(
        points: &Encoded<'_, Self>,
        scalars: &[Integer<Self::ScalarField>],
    ) -> <Self as MsmPoint>::Projective;

    /// What [`Multiples::new_vartime`] does with windows of about `width` bits, compiled for this group in this crate.
    #[doc(hidden)]
    fn multiples_vartime(&self, width: u32) -> Multiples<Self>;

    /// What [`Multiples::multiply_vartime`] does.
    #[doc(hidden)]
    fn multiply_all_vartime(
        table: &Multiples<Self>,
        scalars: &[Integer<Self::ScalarField>],
        out: &mut [Self],
    );
}

/// The order of a group, in words.
pub(crate) fn order<A: MsmPoint>() -> &'static [u64; 4] {
    &A::ScalarField::MODULUS_64.p
}

macro_rules! impl_msm_point {
    ($affine:ty, $projective:ty, $base:ty, $scalar:ty, $kernel:ident) => {
        impl MsmPoint for $affine {
            type ScalarField = $scalar;
            type Base = $base;
            type Projective = $projective;
            type Kernel<T: Multiplier> = $kernel<$base, T>;

            const COEFFICIENT_A: $base = <$base>::ZERO;
            const IDENTITY: $projective = <$projective>::IDENTITY;

            #[inline(always)]
            fn coordinates(&self) -> ($base, $base) {
                (self.x, self.y)
            }

            #[inline(always)]
            fn from_coordinates(x: $base, y: $base) -> Self {
                Self { x, y }
            }

            fn double(point: &$projective) -> $projective {
                point.double()
            }

            fn add_to(&self, point: &$projective) -> $projective {
                point.add_affine(self)
            }

            #[inline(never)]
            fn sum_vartime(points: &[Self], scalars: &[Integer<$scalar>]) -> $projective {
                crate::sum_vartime(points, scalars)
            }
        }

        impl EncodedPoint for $affine {
            #[inline(never)]
            fn sum_encoded_vartime(
                points: &Encoded<'_, Self>,
                scalars: &[Integer<$scalar>],
            ) -> $projective {
                crate::sum_vartime(points, scalars)
            }

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

impl_msm_point!(G1Affine, G1Projective, Fq, Fr, Lazy);
impl_msm_point!(G2Affine, G2Projective, Fq2, Fr, Exact);
impl_msm_point!(
    bls12_381::G1Affine,
    bls12_381::G1Projective,
    bls12_381::Fq,
    bls12_381::Fr,
    Exact
);
impl_msm_point!(
    bls12_381::G2Affine,
    bls12_381::G2Projective,
    bls12_381::Fq2,
    bls12_381::Fr,
    Exact
);

/// Sums of the curve's points are taken in the Weierstrass form, sums of sums in the Edwards form.
impl MsmPoint for WeierstrassAffine {
    type ScalarField = bandersnatch::Fr;
    type Base = bandersnatch::Fq;
    type Projective = Element;
    type Kernel<T: Multiplier> = Reduced<bandersnatch::Fq, T>;

    const COEFFICIENT_A: bandersnatch::Fq = WeierstrassAffine::A;
    const IDENTITY: Element = Element::IDENTITY;

    #[inline(always)]
    fn coordinates(&self) -> (bandersnatch::Fq, bandersnatch::Fq) {
        (self.x(), self.y())
    }

    #[inline(always)]
    fn from_coordinates(x: bandersnatch::Fq, y: bandersnatch::Fq) -> Self {
        Self::from_coordinates_unchecked(x, y)
    }

    fn double(point: &Element) -> Element {
        point.double()
    }

    /// Only the last doubling needs `T`.
    fn double_times(point: &Element, times: u32) -> Element {
        if times == 0 {
            return *point;
        }
        dispatch_kernel!(cpu => {
            let point = point.to_kernel::<Self::Kernel<_>>(cpu).projective();
            let point = (1..times).fold(point, |point, _| point.double());
            Element::from_kernel_unchecked(point.double_extended())
        })
    }

    fn add_to(&self, point: &Element) -> Element {
        point.add(&self.to_element())
    }

    #[inline(never)]
    fn sum_vartime(points: &[Self], scalars: &[Integer<bandersnatch::Fr>]) -> Element {
        crate::sum_vartime(points, scalars)
    }
}
