//! The scalar field of BN254: integers modulo the group order `r`, with 2^28 dividing `r - 1`.

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
    const ROOT_OF_UNITY: Self = Self::from_words_reduced([
        0x9bd6_1b6e_725b_19f0,
        0x402d_111e_4111_2ed4,
        0x00e0_a7eb_8ef6_2abc,
        0x2a3c_09f0_a58a_7e85,
    ]);

    /// The same, by the name that it has in fields where the two differ.
    pub const NONRESIDUE_ROOT: Self = Self::ROOT_OF_UNITY;

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
}

impl_montgomery_field!(Fr, 4, 32, batch_invert_words_vartime);
impl_word_field!(Fr);

impl SqrtField for Fr {
    const CHAIN: PowerChain = CHAIN;
    const WINDOW_BITS: u32 = 7;

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

/// A chain to `(Q - 1)/2` for the odd part `Q` of `r - 1`: 221 squarings and 43 products. A randomised search over sets
/// of small powers found no fewer.
#[rustfmt::skip]
const CHAIN: PowerChain = PowerChain {
    // powers 1, 2, 4, 5, 9, 14, 18, 23, 37, 41, 59, 77
    small: &[(0, 0), (1, 1), (0, 2), (2, 3), (3, 4), (4, 4), (3, 6), (5, 7), (2, 8), (6, 9), (6, 10)],
    first: 11,
    windows: &[
        (1, 8), (4, 9), (10, 11), (4, 7), (7, 7), (10, 8), (6, 11), (13, 9), (5, 7), (7, 3), (12, 10), (2, 9), (5, 10), (8, 10), (2, 7), (10, 3), (2, 7),
        (9, 7), (7, 8), (10, 7), (3, 7), (3, 3), (8, 4), (10, 10), (5, 10), (1, 0), (7, 7), (8, 4), (10, 11), (4, 10), (1, 4), (10, 10), (4, 10), (9, 11), (1, 3),
    ],
};

// The chain is right: checked by the compiler.
const _: () = {
    let (reached, wanted) = (CHAIN.exponent::<4>(), words::halve(&Fr::ODD_PART));
    assert!(words::bit_length_vartime(&words::sub(&reached, &wanted).0) == 0);
};
