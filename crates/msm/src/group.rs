//! The groups whose sums are taken, and what kernels ask of their points: no other crate can add a group, nor needs to
//! know.

use core::ops::{Add, AddAssign, Neg};
use frumious_curves::bandersnatch::{self, Element, WeierstrassAffine};
use frumious_curves::bls12_381;
use frumious_curves::bn254::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_curves::engine::MontgomeryEncoding;
use frumious_field::kernel::Multiplier;
use frumious_field::{Field, Lazy, Reduced, WordField, dispatch_kernel};
use frumious_limbs::words;

use crate::kernel::{Exact, Norms};
use crate::lanes::coordinate::Coordinate;

/// The random bits of a point, each of which says whether it is part of a sum.
pub type Choices = [u8; 16];

/// An affine point of a group of prime order on a curve `y² = x³ + a·x + b`, with `(0, 0)` for infinity, as buckets
/// have it.
///
/// The group may also be a quotient, where several points stand for one element, as in Banderwagon. Then sums of points
/// of order two occur, and vanish. The affine formulas of the batches need only the coordinates. The form of sums is
/// used where few additions remain: to fold segments and windows together, and for small inputs.
pub trait BucketPoint: Copy + Send + Sync + 'static {
    /// Integers modulo the order of the group, which has 253 to 255 bits, is above `2^252.76` and below `0.93·2^bits`.
    type ScalarField: WordField;
    /// The field of the coordinates.
    type Base: Coordinate;
    /// The same group in a form that needs no inversion to add; all its operators are complete.
    type Sum: Copy
        + Send
        + Sync
        + Add<Output = Self::Sum>
        + AddAssign
        + Neg<Output = Self::Sum>
        + From<Self>;

    /// The coordinates as kernels compute with them.
    type Kernel<T: Multiplier>: Norms<Scalar = Self::Base, Cpu = T>;

    /// The cost of an addition, in those of G1 of the same curve. It shares out threads; a tenth does not matter.
    const WEIGHT: f64 = 1.0;

    /// The coefficient `a` of the curve.
    const COEFFICIENT_A: Self::Base;
    /// The neutral element.
    const NEUTRAL: Self::Sum;

    /// `(x, y)`.
    fn coordinates(&self) -> (Self::Base, Self::Base);

    /// The point `(x, y)`, not checked to be on the curve.
    fn from_coordinates(x: Self::Base, y: Self::Base) -> Self;

    /// Length of an encoded point.
    const ENCODED_BYTES: usize;

    /// The point whose coordinates in Montgomery form are `bytes`, not checked to be on the curve. There are
    /// [`ENCODED_BYTES`](Self::ENCODED_BYTES) of them.
    fn decode_unchecked(bytes: &[u8]) -> Self;

    /// `2^times·point`.
    fn double_times(point: &Self::Sum, times: u32) -> Self::Sum;

    /// `point + self`.
    fn add_to(&self, point: &Self::Sum) -> Self::Sum;

    /// True if this is the point at infinity.
    #[inline(always)]
    fn is_infinity_vartime(&self) -> bool {
        let (x, y) = self.coordinates();
        x.is_zero_vartime() && y.is_zero_vartime()
    }
}

/// The order of a group, in words.
pub(crate) fn order<A: BucketPoint>() -> &'static [u64; 4] {
    &A::ScalarField::MODULUS_64.p
}

macro_rules! impl_bucket_point {
    ($affine:ty, $projective:ty, $base:ty, $scalar:ty, $kernel:ident, $weight:literal) => {
        impl BucketPoint for $affine {
            type ScalarField = $scalar;
            type Base = $base;
            type Sum = $projective;
            type Kernel<T: Multiplier> = $kernel<$base, T>;

            const WEIGHT: f64 = $weight;
            const COEFFICIENT_A: $base = <$base>::ZERO;
            const NEUTRAL: $projective = <$projective>::IDENTITY;

            #[inline(always)]
            fn coordinates(&self) -> ($base, $base) {
                (self.x, self.y)
            }

            #[inline(always)]
            fn from_coordinates(x: $base, y: $base) -> Self {
                Self { x, y }
            }

            const ENCODED_BYTES: usize = <Self as MontgomeryEncoding>::BYTES;

            #[inline(always)]
            fn decode_unchecked(bytes: &[u8]) -> Self {
                <Self as MontgomeryEncoding>::from_montgomery_bytes_unchecked(bytes)
            }

            fn double_times(point: &$projective, times: u32) -> $projective {
                (0..times).fold(*point, |point, _| point.double())
            }

            fn add_to(&self, point: &$projective) -> $projective {
                point.add_affine(self)
            }
        }
    };
}

impl_bucket_point!(G1Affine, G1Projective, Fq, Fr, Lazy, 1.0);
impl_bucket_point!(G2Affine, G2Projective, Fq2, Fr, Exact, 3.0);
impl_bucket_point!(
    bls12_381::G1Affine,
    bls12_381::G1Projective,
    bls12_381::Fq,
    bls12_381::Fr,
    Exact,
    1.0
);
impl_bucket_point!(
    bls12_381::G2Affine,
    bls12_381::G2Projective,
    bls12_381::Fq2,
    bls12_381::Fr,
    Exact,
    3.0
);

/// Sums of the curve's points are taken in the Weierstrass form, sums of sums in the Edwards form.
impl BucketPoint for WeierstrassAffine {
    type ScalarField = bandersnatch::Fr;
    type Base = bandersnatch::Fq;
    type Sum = Element;
    type Kernel<T: Multiplier> = Reduced<bandersnatch::Fq, T>;

    const COEFFICIENT_A: bandersnatch::Fq = WeierstrassAffine::A;
    const NEUTRAL: Element = Element::IDENTITY;

    #[inline(always)]
    fn coordinates(&self) -> (bandersnatch::Fq, bandersnatch::Fq) {
        (self.x(), self.y())
    }

    #[inline(always)]
    fn from_coordinates(x: bandersnatch::Fq, y: bandersnatch::Fq) -> Self {
        Self::from_coordinates_unchecked(x, y)
    }

    const ENCODED_BYTES: usize = 64;

    fn decode_unchecked(bytes: &[u8]) -> Self {
        let coordinate = |at: usize| {
            let words = words::from_le_bytes(&bytes[at..at + 32]);
            bandersnatch::Fq::from_montgomery_limbs_unchecked(words)
        };
        Self::from_coordinates_unchecked(coordinate(0), coordinate(32))
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
}
