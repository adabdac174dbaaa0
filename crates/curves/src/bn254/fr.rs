//! The scalar field of BN254: integers modulo the group order `r`, with 2^28 dividing `r - 1`.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{CtOption, impl_montgomery_field, impl_word_field, sqrt_tonelli_shanks};
use frumious_limbs::{Modulus, words};
use zeroize::Zeroize;

/// An element of the scalar field: a residue in Montgomery form with `R = 2^256`, always below `r`.
#[derive(Clone, Copy, Default, Zeroize)]
pub struct Fr([u64; 4]);

impl Fr {
    /// `r = 21888242871839275222246405745257275088548364400416034343698204186575808495617` (EIP-196).
    const M: Modulus<4> = Modulus::new([
        0x43e1_f593_f000_0001,
        0x2833_e848_79b9_7091,
        0xb850_45b6_8181_585d,
        0x3064_4e72_e131_a029,
    ]);

    const TWO_ADICITY: u32 = 28;

    /// `t = (r - 1)/2^28`, odd.
    const ODD_PART: [u64; 4] = words::shift_right(&Self::MODULUS, 28);

    /// `5^t`: 5 is the smallest non-residue, and the root that snarkjs uses.
    const ROOT_OF_UNITY: Self = Self::from_u64(5).pow_const_vartime(&Self::ODD_PART);

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
}

impl_montgomery_field!(Fr, 4, 32);
impl_word_field!(Fr);
