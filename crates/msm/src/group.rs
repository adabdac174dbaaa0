//! What the algorithms ask of a curve, and the groups that answer.

use core::ops::{Add, AddAssign, Neg};
use frumious_curves::bn254::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_field::kernel::Multiplier;
use frumious_field::{Field, KernelField, Lazy};

use crate::kernel::Exact;

/// An affine point of a group of prime order on a curve `y² = x³ + b` (`a = 0`), with `(0, 0)` for infinity.
///
/// The affine formulas of the batches need only the coordinates; the projective form is used where few
/// additions remain: to fold segments and windows together, and for small inputs.
pub trait MsmPoint: Copy + Send + Sync + 'static {
    /// The field of the coordinates.
    type Base: Field;
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

    /// Order of the group in little-endian words: of 254 or 255 bits, above `2^253.3` and below `0.93·2^bits`.
    const ORDER: [u64; 4];
    /// The neutral element.
    const IDENTITY: Self::Projective;

    /// `(x, y)`.
    fn coordinates(&self) -> (Self::Base, Self::Base);

    /// The point `(x, y)`, not checked to be on the curve.
    fn from_coordinates(x: Self::Base, y: Self::Base) -> Self;

    /// `2·point`.
    fn double(point: &Self::Projective) -> Self::Projective;

    /// `point + self`.
    fn add_to(&self, point: &Self::Projective) -> Self::Projective;

    /// Whether this is the point at infinity.
    #[inline(always)]
    fn is_infinity_vartime(&self) -> bool {
        let (x, y) = self.coordinates();
        x.is_zero_vartime() && y.is_zero_vartime()
    }
}

macro_rules! impl_msm_point {
    ($affine:ty, $projective:ty, $base:ty, $kernel:ident) => {
        impl MsmPoint for $affine {
            type Base = $base;
            type Projective = $projective;
            type Kernel<T: Multiplier> = $kernel<$base, T>;

            const ORDER: [u64; 4] = Fr::MODULUS;
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
        }
    };
}

impl_msm_point!(G1Affine, G1Projective, Fq, Lazy);
impl_msm_point!(G2Affine, G2Projective, Fq2, Exact);
