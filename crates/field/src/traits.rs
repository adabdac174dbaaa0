//! `Field` and `PrimeField`: what generic algorithms may ask of a field.

use crate::batch;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};

/// A finite field whose elements are small `Copy` values, always fully reduced.
///
/// Every method without the suffix `_vartime` runs in constant time.
pub trait Field:
    Copy
    + Send
    + Sync
    + 'static
    + Debug
    + Default
    + Eq
    + ConstantTimeEq
    + ConditionallySelectable
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// The additive identity.
    const ZERO: Self;
    /// The multiplicative identity.
    const ONE: Self;

    /// True if the element is zero.
    fn is_zero(&self) -> Choice {
        self.ct_eq(&Self::ZERO)
    }

    /// True if the element is zero, as a `bool` to branch on: only for public values.
    fn is_zero_vartime(&self) -> bool {
        *self == Self::ZERO
    }

    /// `2·self`.
    fn double(&self) -> Self;

    /// `self²`.
    fn square(&self) -> Self;

    /// `1/self`, none for zero.
    fn invert(&self) -> CtOption<Self>;

    /// `1/self`, none for zero; time depends on `self`.
    fn invert_vartime(&self) -> Option<Self>;

    /// What [`batch_invert_vartime`](crate::batch_invert_vartime) does; some fields do it in lanes.
    #[doc(hidden)]
    fn batch_invert_vartime(values: &mut [Self], scratch: &mut Vec<Self>) {
        batch::batch_invert_scalar_vartime(values, scratch);
    }

    /// `self^exponent`; `exponent` is little-endian 64-bit words. Time depends on their number only.
    fn pow(&self, exponent: &[u64]) -> Self {
        let mut result = Self::ONE;
        for word in exponent.iter().rev() {
            for bit in (0..64).rev() {
                let square = result.square();
                let is_set = Choice::from((word >> bit & 1) as u8);
                result = Self::conditional_select(&square, &(square * *self), is_set);
            }
        }
        result
    }

    /// `self^exponent`; `exponent` is little-endian 64-bit words. Time depends on `exponent` only.
    fn pow_vartime(&self, exponent: &[u64]) -> Self {
        let mut result = Self::ONE;
        for word in exponent.iter().rev() {
            for bit in (0..64).rev() {
                result = result.square();
                if word >> bit & 1 == 1 {
                    result *= *self;
                }
            }
        }
        result
    }
}

/// A field of prime order with a multiplicative subgroup of order 2^`TWO_ADICITY` for transforms.
pub trait PrimeField: Field {
    /// Bit length of the modulus.
    const MODULUS_BITS: u32;
    /// Largest `s` with 2^s dividing `p - 1`.
    const TWO_ADICITY: u32;
    /// An element of order exactly 2^`TWO_ADICITY`.
    const ROOT_OF_UNITY: Self;

    /// The integer `value` as a field element.
    fn from_u64(value: u64) -> Self;
}
