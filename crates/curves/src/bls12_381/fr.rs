//! The scalar field of BLS12-381, a prime of 255 bits with 2^32 dividing `r - 1`.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{
    CtOption, PowerChain, SqrtField, SqrtTables, impl_montgomery_field, impl_word_field,
};
use frumious_limbs::{Modulus, modular, words};
use std::sync::OnceLock;
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
    const ROOT_OF_UNITY: Self = Self::from_words_reduced([
        0x3829_971f_439f_0d2b,
        0xb636_8350_8c22_80b9,
        0xd09b_6819_22c8_13b4,
        0x16a2_a19e_dfe8_1f20,
    ]);

    /// `5^((r-1)/2^32)`: 5 is the smallest non-residue, and this the root that snarkjs uses.
    pub const NONRESIDUE_ROOT: Self = Self::from_words_reduced([
        0x1b78_8f50_0b91_2f1f,
        0xc402_4ff2_70b3_e094,
        0x0fd5_6dc8_d168_d6c0,
        0x0212_d79e_5b41_6b6f,
    ]);

    /// A uniform element from the operating system's generator.
    ///
    /// # Errors
    /// [`RandomError`] if the generator gives no bytes.
    pub fn random() -> Result<Self, RandomError> {
        Ok(Self::from_uniform_bytes(&*uniform_bytes()?))
    }

    /// A square root, none for a non-residue; which of the two is not specified. Time: constant.
    /// Source: see [`frumious_field::sqrt_dlog`].
    pub fn sqrt(&self) -> CtOption<Self> {
        frumious_field::sqrt_dlog::sqrt(self)
    }

    /// A square root, none for a non-residue; which of the two is not specified. Time depends on `self`.
    /// Source: see [`frumious_field::sqrt_dlog`].
    pub fn sqrt_vartime(&self) -> Option<Self> {
        frumious_field::sqrt_vartime(self)
    }

    /// `1/sqrt(self)`, one of the two; none for zero or a non-residue. Time depends on `self`.
    pub fn inverse_sqrt_vartime(&self) -> Option<Self> {
        frumious_field::inverse_sqrt_vartime(self)
    }

    /// A square root of `numerator/denominator` without an inversion; none if that is a non-residue or the denominator
    /// is zero. Time depends on both.
    pub fn sqrt_ratio_vartime(numerator: &Self, denominator: &Self) -> Option<Self> {
        frumious_field::sqrt_ratio_vartime(numerator, denominator)
    }

    /// True if the value is above `(r - 1)/2`, as encodings ask of a coordinate. Time: constant.
    pub fn is_lexicographically_largest(&self) -> subtle::Choice {
        const HALF: [u64; 4] = words::halve(&Fr::MODULUS);
        words::less_than(&HALF, &self.to_canonical_limbs())
    }
}

impl_montgomery_field!(Fr, 4, 32, batch_invert_words_vartime);
impl_word_field!(Fr, Reduced, Reduced);

impl SqrtField for Fr {
    const CHAIN: PowerChain = CHAIN;
    const WINDOW_BITS: u32 = 8;

    fn table_key(&self) -> u64 {
        self.0[0]
    }

    fn lookup(table: &[Self], index: u64) -> Self {
        Self(modular::lookup(table.iter().map(|entry| &entry.0), index))
    }

    fn sqrt_tables() -> &'static SqrtTables<Self> {
        static TABLES: OnceLock<SqrtTables<Fr>> = OnceLock::new();
        TABLES.get_or_init(SqrtTables::new)
    }

    fn square_repeated(&self, count: u32) -> Self {
        self.square_repeated(count)
    }
}

/// A chain to `(Q - 1)/2` for the odd part `Q` of `r - 1`: 218 squarings and 42 products. A randomised search over sets
/// of small powers found no fewer.
#[rustfmt::skip]
const CHAIN: PowerChain = PowerChain {
    // powers 1, 2, 4, 5, 9, 18, 23, 41, 59, 61, 77, 95, 100, 101, 103
    small: &[(0, 0), (1, 1), (0, 2), (2, 3), (4, 4), (3, 5), (5, 6), (5, 7), (1, 8), (5, 8), (5, 10), (3, 11), (0, 12), (1, 13)],
    first: 14,
    windows: &[
        (3, 13), (5, 10), (6, 7), (7, 14), (5, 13), (3, 9), (9, 14), (8, 11), (7, 7), (12, 13), (4, 6), (8, 8), (8, 0),
        (14, 10), (10, 8), (14, 7), (6, 14), (7, 9), (6, 7), (15, 11), (3, 3), (5, 11), (7, 13), (7, 11),
        (6, 9), (6, 9), (5, 11), (6, 9), (5, 11), (3, 3), (5, 11),
    ],
};

// The chain is right: checked by the compiler.
const _: () = {
    let (reached, wanted) = (CHAIN.exponent::<4>(), words::halve(&Fr::ODD_PART));
    assert!(words::bit_length_vartime(&words::sub(&reached, &wanted).0) == 0);
};
