//! The scalar field of BN254: integers modulo the group order `r`, with 2^28 dividing `r - 1`.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{
    ConditionallySelectable, ConstantTimeEq, CtOption, impl_lazy_field, impl_montgomery_field,
};
use frumious_limbs::Modulus;
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
    const ODD_PART: [u64; 4] = shift_right_28(&Self::MODULUS);

    /// `5^t`: 5 is the smallest non-residue, and the root that snarkjs uses.
    const ROOT_OF_UNITY: Self = Self::from_u64(5).pow_const_vartime(&Self::ODD_PART);

    /// A uniform element from the operating system's generator.
    pub fn random() -> Result<Self, RandomError> {
        Ok(Self::from_uniform_bytes(&*uniform_bytes()?))
    }

    /// A square root, none for a non-residue; which of the two is not specified. Time: constant.
    ///
    /// Source: Tonelli-Shanks in the constant-time form of RFC 9380, appendix I.4: with `a^((t-1)/2)` known, the
    /// square root in the group of order 2^28 is found bit by bit, every bit with the same number of squarings.
    pub fn sqrt(&self) -> CtOption<Self> {
        const EXPONENT: [u64; 4] = frumious_limbs::words::halve(&Fr::ODD_PART); // (t - 1)/2
        let w = self.pow_vartime(&EXPONENT); // the exponent is public
        let mut root = w * *self; // a^((t+1)/2)
        let mut error = root * w; // a^t = root²/a, of order dividing 2^28
        let mut generator = Self::ROOT_OF_UNITY;
        for order_log in (2..=Self::TWO_ADICITY).rev() {
            // error has order dividing 2^(order_log - 1) if a is a square
            let mut probe = error;
            for _ in 0..order_log - 2 {
                probe = probe.square();
            }
            let correct = !probe.ct_eq(&Self::ONE);
            root = Self::conditional_select(&root, &(root * generator), correct);
            generator = generator.square();
            error = Self::conditional_select(&error, &(error * generator), correct);
        }
        CtOption::new(root, root.square().ct_eq(self))
    }
}

/// `(words - 1) >> 28` for `words = 1 mod 2^28`.
const fn shift_right_28(words: &[u64; 4]) -> [u64; 4] {
    let mut shifted = [0; 4];
    let mut i = 0;
    while i < 4 {
        let above = if i < 3 { words[i + 1] << 36 } else { 0 };
        shifted[i] = words[i] >> 28 | above;
        i += 1;
    }
    shifted
}

impl_montgomery_field!(Fr, 4, 32);
impl_lazy_field!(Fr);
