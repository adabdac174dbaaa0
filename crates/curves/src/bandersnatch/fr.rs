//! The scalar field of Bandersnatch: integers modulo the order `r` of its prime subgroup, 253 bits.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{CtOption, impl_montgomery_field, impl_word_field, sqrt_tonelli_shanks};
use frumious_limbs::{Modulus, words};
use zeroize::Zeroize;

/// An element of the scalar field: a residue in Montgomery form with `R = 2^256`, always below `r`.
#[derive(Clone, Copy, Default, Zeroize)]
pub struct Fr([u64; 4]);

impl Fr {
    /// `r = 13108968793781547619861935127046491459309155893440570251786403306729687672801` (Masson, Sanso, Zhang,
    /// "Bandersnatch", eprint 2021/1152).
    const M: Modulus<4> = Modulus::new([
        0x74fd_06b5_2876_e7e1,
        0xff8f_8700_7419_0471,
        0x0cce_7602_0268_7600,
        0x1cfb_69d4_ca67_5f52,
    ]);

    const TWO_ADICITY: u32 = 5;

    /// `(r - 1)/2^5`, odd.
    const ODD_PART: [u64; 4] = words::shift_right(&Self::MODULUS, 5);

    /// `7^((r-1)/2^5)`: 7 is the smallest non-residue.
    const ROOT_OF_UNITY: Self = Self::from_words_reduced([
        0xc65a_62a1_234b_d960,
        0x34bb_3e0c_b7ed_22ae,
        0x36b6_675f_52c7_0082,
        0x1947_0b7e_fe80_2f9b,
    ]);

    /// A uniform element from the operating system's generator.
    ///
    /// # Errors
    /// [`RandomError`] if the generator gives no bytes.
    pub fn random() -> Result<Self, RandomError> {
        Ok(Self::from_uniform_bytes(&*uniform_bytes()?))
    }

    /// The canonical encoding in Verkle protocols: the value's 32 bytes, least significant first.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.to_le_bytes()
    }

    /// The inverse of [`to_bytes`](Self::to_bytes); none unless the value is below `r`.
    pub fn from_bytes(bytes: &[u8; 32]) -> CtOption<Self> {
        Self::from_le_bytes(bytes)
    }

    /// The integer of 32 bytes in the order of [`to_bytes`](Self::to_bytes), modulo `r`. For hashes; not uniform.
    pub fn from_bytes_reduced(bytes: &[u8; 32]) -> Self {
        Self::from_limbs_reduced(words::from_le_bytes(bytes))
    }

    /// Any number of four words, modulo `r`.
    pub(super) fn from_limbs_reduced(limbs: [u64; 4]) -> Self {
        Self(Self::M.mul_any(&limbs, &Self::M.r2))
    }

    /// A square root, none for a non-residue; which of the two is not specified. Time: constant.
    /// Source: see [`sqrt_tonelli_shanks`].
    pub fn sqrt(&self) -> CtOption<Self> {
        const EXPONENT: [u64; 4] = words::halve(&Fr::ODD_PART);
        sqrt_tonelli_shanks(self, &EXPONENT)
    }
}

impl_montgomery_field!(Fr, 4, 32, batch_invert_words_vartime);
impl_word_field!(Fr);
