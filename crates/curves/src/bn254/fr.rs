//! The scalar field of BN254: integers modulo the group order `r`, with 2^28 dividing `r - 1`.

use crate::random::{RandomError, uniform_bytes};
use frumious_field::{
    CtOption, PowerChain, SqrtField, SqrtTables, impl_montgomery_field, impl_word_field,
    sqrt_tonelli_shanks,
};
use frumious_limbs::{Modulus, words};
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

    /// A square root, none for a non-residue; which of the two is not specified. Time depends on `self`.
    /// Source: see [`frumious_field::sqrt_dlog`].
    pub fn sqrt_vartime(&self) -> Option<Self> {
        frumious_field::sqrt_vartime(self)
    }

    /// `1/sqrt(self)`, one of the two; none for zero or a non-residue. Time depends on `self`.
    pub fn inverse_sqrt_vartime(&self) -> Option<Self> {
        frumious_field::inverse_sqrt_vartime(self)
    }

    /// A square root of `numerator/denominator` without an inversion; none if that is a non-residue or the denominator is
    /// zero. Time depends on both.
    pub fn sqrt_ratio_vartime(numerator: &Self, denominator: &Self) -> Option<Self> {
        frumious_field::sqrt_ratio_vartime(numerator, denominator)
    }
}

impl_montgomery_field!(Fr, 4, 32);
impl_word_field!(Fr);

impl SqrtField for Fr {
    const CHAIN: PowerChain = CHAIN;
    const WINDOW_BITS: u32 = 7;

    fn table_key(&self) -> u64 {
        self.0[0]
    }

    fn sqrt_tables() -> &'static SqrtTables<Self> {
        static TABLES: OnceLock<SqrtTables<Fr>> = OnceLock::new();
        TABLES.get_or_init(SqrtTables::new)
    }

    fn square_repeated(&self, count: u32) -> Self {
        self.square_repeated(count)
    }
}

/// A chain to `(Q - 1)/2` for the odd part `Q` of `r - 1`: from a randomised search.
#[rustfmt::skip]
const CHAIN: PowerChain = PowerChain {
    // powers 1, 2, 3, 4, 5, 9, 13, 17, 19, 23
    small: &[(0, 0), (0, 1), (1, 1), (0, 3), (3, 4), (3, 5), (3, 6), (1, 7), (3, 8)],
    first: 9,
    windows: &[
        (4, 8), (7, 7), (6, 6), (4, 9), (7, 9), (9, 8), (7, 6), (10, 4), (6, 6), (2, 2), (7, 4), (10, 7), (5, 6), (3, 4), (3, 4), (8, 2), (9, 4), (3, 2), (9, 9), (5, 5), (2, 0), (10, 9), (3, 9), (3, 4), (8, 5), (8, 6), (3, 7), (5, 9), (7, 9), (8, 5), (6, 4), (8, 6), (1, 4), (8, 6), (3, 8), (3, 8), (7, 7), (3, 9),
    ],
};

// The chain is right: checked by the compiler.
const _: () = {
    let (reached, wanted) = (CHAIN.exponent::<4>(), words::halve(&Fr::ODD_PART));
    assert!(words::bit_length_vartime(&words::sub(&reached, &wanted).0) == 0);
};
