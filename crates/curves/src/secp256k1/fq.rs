//! The base field of secp256k1: integers modulo `p = 2^256 - 2^32 - 977`, with `p = 3 mod 4`.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{Choice, ConstantTimeEq, CtOption, impl_folded_field};
use frumious_limbs::{PseudoMersenne, modular, words};
use zeroize::Zeroize;

/// An element of the base field: a residue, always below `p`.
#[derive(Clone, Copy, Default, Zeroize)]
pub struct Fq([u64; 4]);

impl Fq {
    /// `p = 2^256 - 2^32 - 977` (SEC 2, section 2.4.1).
    const M: PseudoMersenne<0x1_0000_03d1> = PseudoMersenne;

    const TWO_ADICITY: u32 = 1;
    const ROOT_OF_UNITY: Self = Self(Self::M.neg_const(&[1, 0, 0, 0])); // -1

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
        let root = self.sqrt_candidate();
        CtOption::new(root, root.square().ct_eq(self))
    }

    /// `self^((p + 1)/4)`, by 253 squarings and 13 products.
    ///
    /// In binary the exponent is 223 ones, a zero, 22 ones, four zeros, two ones, two zeros; `ones(k)` is the power of
    /// `k` ones.
    fn sqrt_candidate(&self) -> Self {
        let join = |high: &Self, count: u32, low: &Self| high.square_repeated(count).mul(low);
        let ones_2 = join(self, 1, self);
        let ones_3 = join(&ones_2, 1, self);
        let ones_6 = join(&ones_3, 3, &ones_3);
        let ones_9 = join(&ones_6, 3, &ones_3);
        let ones_11 = join(&ones_9, 2, &ones_2);
        let ones_22 = join(&ones_11, 11, &ones_11);
        let ones_44 = join(&ones_22, 22, &ones_22);
        let ones_88 = join(&ones_44, 44, &ones_44);
        let ones_176 = join(&ones_88, 88, &ones_88);
        let ones_220 = join(&ones_176, 44, &ones_44);
        let ones_223 = join(&ones_220, 3, &ones_3);
        let upper = join(&ones_223, 23, &ones_22);
        join(&upper, 6, &ones_2).square_repeated(2)
    }

    /// The element `words`, which the caller knows to be below `p`.
    #[inline(always)]
    pub(super) const fn from_words_unchecked(words: [u64; 4]) -> Self {
        Self(words)
    }

    /// `-self` if `negative` is 1, `self` if it is 0. Time: constant.
    #[inline(always)]
    pub(super) fn negate_if(&self, negative: u64) -> Self {
        let mask = modular::opaque(negative.wrapping_neg());
        Self(words::select_mask(&self.0, &self.neg().0, mask))
    }

    /// True if the value is odd, as encodings ask of `y`. Time: constant.
    pub fn is_odd(&self) -> Choice {
        Choice::from((self.0[0] & 1) as u8)
    }
}

impl_folded_field!(Fq);
