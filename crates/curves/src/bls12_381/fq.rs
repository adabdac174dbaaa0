//! The base field of BLS12-381: integers modulo `p`, a prime of 381 bits with `p = 3 mod 4`.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{
    ConstantTimeEq, CtOption, PowerChain, impl_montgomery_field, impl_packed_words,
};
use frumious_limbs::{Modulus, Wide, words};
use frumious_simd::{Modulus52, Prime};
use zeroize::Zeroize;

/// An element of the base field: a residue in Montgomery form with `R = 2^384`, always below `p`.
#[derive(Clone, Copy, Default, Zeroize)]
pub struct Fq([u64; 6]);

impl Fq {
    /// `p = (x - 1)²·(x⁴ - x² + 1)/3 + x` for the curve's `x` (Bowe 2017, "BLS12-381").
    const M: Modulus<6> = Modulus::new([
        0xb9fe_ffff_ffff_aaab,
        0x1eab_fffe_b153_ffff,
        0x6730_d2a0_f6b0_f624,
        0x6477_4b84_f385_12bf,
        0x4b1b_a7b6_434b_acd7,
        0x1a01_11ea_397f_e69a,
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
        let root = self.inverse_sqrt_candidate() * *self;
        CtOption::new(root, root.square().ct_eq(self))
    }

    /// `self^((p - 3)/4)`: of a non-zero square, the inverse of a square root.
    pub(super) fn inverse_sqrt_candidate(&self) -> Self {
        CHAIN.power(self, Self::square_repeated)
    }

    /// True if the value is above `(p - 1)/2`, as encodings ask of `y`. Time: constant.
    pub fn is_lexicographically_largest(&self) -> subtle::Choice {
        const HALF: [u64; 6] = words::halve(&Fq::MODULUS);
        words::less_than(&HALF, &self.to_canonical_limbs())
    }

    /// The sum without a reduction: a factor of [`Wide`] products and nothing else.
    #[inline(always)]
    pub(super) fn add_unreduced(&self, other: &Self) -> Self {
        Self(words::add(&self.0, &other.0).0)
    }

    /// `self - other + 2p` for two numbers below `2p`, without a reduction: as [`Self::add_unreduced`].
    #[inline(always)]
    pub(super) fn sub_unreduced(&self, other: &Self) -> Self {
        const TWICE: [u64; 6] = words::double(&Fq::MODULUS);
        let minus = words::sub(&TWICE, &other.0).0;
        Self(words::add(&self.0, &minus).0)
    }

    /// `self - other + p` for two residues, without a reduction: as [`Self::add_unreduced`].
    #[inline(always)]
    pub(super) fn sub_unreduced_once(&self, other: &Self) -> Self {
        let minus = words::sub(&Self::MODULUS, &other.0).0;
        Self(words::add(&self.0, &minus).0)
    }

    /// `product = self·other`, not reduced.
    #[inline(always)]
    pub(super) fn wide_product(&self, other: &Self, product: &mut Wide<6>) {
        product.set_product(&self.0, &other.0);
    }

    /// `square = self²`, not reduced.
    #[inline(always)]
    pub(super) fn wide_square(&self, square: &mut Wide<6>) {
        square.set_square(&self.0);
    }

    /// The element whose form is `value/R mod p`, for `value` below `R·p`, which is `9.8·p²`; or below twice that if
    /// `TWICE`.
    #[inline(always)]
    pub(super) fn reduce_wide<const TWICE: bool>(value: &Wide<6>) -> Self {
        Self(Self::M.reduce_wide::<TWICE>(value))
    }

    /// `factor·p²`, zero in the field, by which a negative wide number becomes a positive one.
    pub(super) const fn multiple_of_square(factor: u64) -> Wide<6> {
        Self::M.multiple_of_square(factor)
    }
}

impl_montgomery_field!(Fq, 6, 48);
impl_packed_words!(Fq, 6);

impl Prime<8> for Fq {
    const MODULUS: &'static Modulus52<8> = &Modulus52::new(&Self::M.p);
}

/// A chain to `(p - 3)/4`: 377 squarings and 77 products, the least that a randomised search over sets of small powers
/// found.
#[rustfmt::skip]
const CHAIN: PowerChain = PowerChain {
    // powers 1, 2, 3, 5, 7, 6, 11, 18, 25, 29, 21, 39, 13, 38, 23, 63
    small: &[
        (0, 0), (1, 0), (1, 2), (3, 1), (2, 2), (3, 5), (4, 6), (4, 7), (7, 6), (2, 7), (10, 7), (6, 1), (8, 12),
        (10, 1), (13, 8),
    ],
    first: 12,
    windows: &[
        (9, 0), (4, 0), (6, 4), (5, 10), (6, 4), (7, 14), (6, 15), (6, 13), (6, 13), (5, 7), (5, 6), (4, 0), (5, 14),
        (7, 11), (4, 6), (6, 8), (8, 12), (6, 6), (5, 10), (6, 13), (5, 14), (6, 8), (6, 4), (6, 9), (7, 14),
        (10, 11), (6, 11), (7, 3), (8, 7), (5, 14), (5, 9), (6, 11), (4, 2), (8, 12), (7, 10), (8, 4), (4, 6),
        (5, 6), (7, 4), (4, 6), (8, 7), (7, 4), (5, 10), (5, 6), (3, 4), (6, 15), (6, 15), (5, 6), (8, 10), (8, 15),
        (6, 15), (6, 15), (3, 3), (5, 8), (6, 15), (4, 6), (6, 15), (6, 15), (6, 15), (6, 15), (6, 15), (5, 10),
        (6, 10), (3, 1),
    ],
};

// The chain is right: checked by the compiler.
const _: () = {
    let (reached, wanted) = (CHAIN.exponent::<6>(), words::shift_right(&Fq::MODULUS, 2));
    assert!(words::bit_length_vartime(&words::sub(&reached, &wanted).0) == 0);
};
