//! The scalar field of BLS12-381, a prime of 255 bits with 2^32 dividing `r - 1`.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{CtOption, impl_montgomery_field, impl_word_field, sqrt_tonelli_shanks};
use frumious_limbs::{Modulus, words};
use zeroize::Zeroize;

/// An element of the scalar field: a residue in Montgomery form with `R = 2^256`, always below `r`.
#[derive(Clone, Copy, Default, Zeroize)]
pub struct Fr([u64; 4]);

impl Fr {
    /// `r = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001` (Bowe 2017, "BLS12-381").
    const M: Modulus<4> = Modulus::new([
        0xffff_ffff_0000_0001,
        0x53bd_a402_fffe_5bfe,
        0x3339_d808_09a1_d805,
        0x73ed_a753_299d_7d48,
    ]);

    const TWO_ADICITY: u32 = 32;

    /// `(r - 1)/2^32`, odd.
    const ODD_PART: [u64; 4] = words::shift_right(&Self::MODULUS, 32);

    /// `7^((r-1)/2^32)`: 7 generates the multiplicative group.
    const ROOT_OF_UNITY: Self = Self::from_u64(7).pow_const_vartime(&Self::ODD_PART);

    /// A uniform element from the operating system's generator.
    pub fn random() -> Result<Self, RandomError> {
        Ok(Self::from_uniform_bytes(&*uniform_bytes()?))
    }

    /// A square root, none for a non-residue; which of the two is not specified. Time: constant.
    /// Source: see [`sqrt_tonelli_shanks`].
    pub fn sqrt(&self) -> CtOption<Self> {
        const EXPONENT: [u64; 4] = words::halve(&Fr::ODD_PART);
        sqrt_tonelli_shanks(self, &EXPONENT)
    }

    /// Whether the value is above `(r - 1)/2`, as encodings ask of a coordinate. Time: constant.
    pub fn is_lexicographically_largest(&self) -> subtle::Choice {
        const HALF: [u64; 4] = words::halve(&Fr::MODULUS);
        words::less_than(&HALF, &self.to_canonical_limbs())
    }
}

impl_montgomery_field!(Fr, 4, 32);
impl_word_field!(Fr);
