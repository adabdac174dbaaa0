//! The scalar field of secp256k1: integers modulo the group's order `n`.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{Choice, CtOption, impl_folded_field, sqrt_tonelli_shanks};
use frumious_limbs::{PseudoMersenne, words};
use zeroize::Zeroize;

/// An element of the scalar field: a residue, always below `n`.
#[derive(Clone, Copy, Default, Zeroize)]
pub struct Fr([u64; 4]);

impl Fr {
    /// `n = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141` (SEC 2, section 2.4.1) by
    /// `2^256 - n`.
    const M: PseudoMersenne<0x402d_a173_2fc9_bebf, 0x4551_2319_50b7_5fc4, 1> = PseudoMersenne;

    const TWO_ADICITY: u32 = 6;
    /// `(n - 1)/2^6`.
    const ODD_PART: [u64; 4] = words::shift_right(&Self::MODULUS, Self::TWO_ADICITY);
    /// `5^((n - 1)/2^6)`: 5 is no square.
    const ROOT_OF_UNITY: Self = Self::from_words_reduced([
        0x15b4_f83d_2d2a_d232,
        0xb96e_9abe_bbe4_51fa,
        0xa7dc_810e_0657_10cb,
        0x0d1f_8eab_98dc_d1ac,
    ]);

    /// A uniform element from the operating system's generator.
    ///
    /// # Errors
    /// [`RandomError`] if the generator gives no bytes.
    pub fn random() -> Result<Self, RandomError> {
        Ok(Self::from_uniform_bytes(&*uniform_bytes()?))
    }

    /// A square root, none for a non-residue; which of the two is not specified. Time: constant.
    pub fn sqrt(&self) -> CtOption<Self> {
        const EXPONENT: [u64; 4] = words::halve(&Fr::ODD_PART);
        sqrt_tonelli_shanks(self, &EXPONENT)
    }

    /// The residue of a number of 32 bytes, most significant first. Time: constant.
    ///
    /// From uniform bytes the result is within 2^-127 of uniform. ECDSA takes digests so, BIP-340 challenges.
    pub fn from_be_bytes_mod(bytes: &[u8; 32]) -> Self {
        Self::from_words_mod(&words::from_be_bytes(bytes))
    }

    /// True if the value is above `(n - 1)/2`: ECDSA's high `s`. Time: constant.
    pub fn is_high(&self) -> Choice {
        const HALF: [u64; 4] = words::halve(&Fr::MODULUS);
        words::less_than(&HALF, &self.0)
    }
}

impl_folded_field!(Fr);
