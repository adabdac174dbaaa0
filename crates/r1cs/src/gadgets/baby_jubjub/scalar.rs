//! Integers modulo `l`, the order of [`Point::BASE8`](super::Point::BASE8).

use frumious_field::impl_montgomery_field;
use frumious_limbs::Modulus;
use zeroize::Zeroize;

/// An integer modulo `l`: a residue in Montgomery form with `R = 2^256`, always below `l`.
#[derive(Clone, Copy, Default, Zeroize)]
pub struct Scalar([u64; 4]);

impl Scalar {
    /// `l = 2736030358979909402780800718157159386076813972158567259200215660948447373041` (EIP-2494).
    const M: Modulus<4> = Modulus::new([
        0x6772_97dc_3921_26f1,
        0xab3e_edb8_3920_ee0a,
        0x370a_08b6_d030_2b0b,
        0x060c_89ce_5c26_3405,
    ]);

    const TWO_ADICITY: u32 = 4;

    /// `19^((l-1)/2^4)`: 19 is the smallest non-residue.
    const ROOT_OF_UNITY: Self = Self::from_words_reduced([
        0xaa5f_1ef0_9efc_fc0b,
        0xc052_c295_d8aa_6795,
        0x5e19_7770_aef1_311e,
        0x03a6_6642_c6ee_fa63,
    ]);
}

impl_montgomery_field!(Scalar, 4, 32);
