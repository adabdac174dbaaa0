//! The base field of BN254: integers modulo `p`, a prime of 254 bits with `p = 3 mod 4`.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{ConstantTimeEq, CtOption, impl_montgomery_field, impl_word_field};
use frumious_limbs::{Modulus, words};
use zeroize::Zeroize;

/// An element of the base field: a residue in Montgomery form with `R = 2^256`, always below `p`.
#[derive(Clone, Copy, Default, Zeroize)]
pub struct Fq([u64; 4]);

impl Fq {
    /// `p = 21888242871839275222246405745257275088696311157297823662689037894645226208583` (EIP-196).
    const M: Modulus<4> = Modulus::new([
        0x3c20_8c16_d87c_fd47,
        0x9781_6a91_6871_ca8d,
        0xb850_45b6_8181_585d,
        0x3064_4e72_e131_a029,
    ]);

    const TWO_ADICITY: u32 = 1;
    const ROOT_OF_UNITY: Self = Self(Self::M.neg_const(&Self::M.r)); // -1

    /// A uniform element from the operating system's generator.
    ///
    /// # Errors
    /// [`RandomError`] if the generator gives no bytes.
    pub fn random() -> Result<Self, RandomError> {
        Ok(Self::from_uniform_bytes(&*uniform_bytes()?))
    }

    /// A square root, none for a non-residue; which of the two is not specified. Time: constant.
    /// Source: `p = 3 mod 4`, so `a^((p + 1)/4)` squares to `a·a^((p - 1)/2)`.
    pub fn sqrt(&self) -> CtOption<Self> {
        const EXPONENT: [u64; 4] =
            words::add(&words::halve(&words::halve(&Fq::MODULUS)), &[1, 0, 0, 0]).0;
        let root = self.pow_vartime(&EXPONENT); // the exponent is public
        CtOption::new(root, root.square().ct_eq(self))
    }

    /// True if the value is above `(p - 1)/2`, as encodings ask of `y`. Time: constant.
    pub fn is_lexicographically_largest(&self) -> subtle::Choice {
        const HALF: [u64; 4] = words::halve(&Fq::MODULUS);
        words::less_than(&HALF, &self.to_canonical_limbs())
    }
}

impl_montgomery_field!(Fq, 4, 32, batch_invert_words_vartime);
impl_word_field!(Fq);
