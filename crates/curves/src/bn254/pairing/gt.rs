//! The target group of the pairing.

use crate::bn254::{Fq12, Fr};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

/// A value of the pairing: an element of the subgroup of order `r` of Fq12, written multiplicatively.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Zeroize)]
pub struct Gt(pub(super) Fq12);

impl Gt {
    /// One.
    pub const IDENTITY: Self = Self(Fq12::ONE);

    /// True if this is one.
    pub fn is_identity(&self) -> Choice {
        self.ct_eq(&Self::IDENTITY)
    }

    /// The value as an element of Fq12. Its twelve coefficients in the order of nesting, `c0` before `c1`, are the ones
    /// that snarkjs writes as `vk_alphabeta_12`.
    pub const fn as_fq12(&self) -> &Fq12 {
        &self.0
    }

    /// `self·other`.
    pub fn mul(&self, other: &Self) -> Self {
        Self(self.0 * other.0)
    }

    /// `self²`, for less than a product costs.
    pub fn square(&self) -> Self {
        Self(self.0.cyclotomic_square())
    }

    /// `1/self`: the conjugate, almost free.
    pub fn invert(&self) -> Self {
        Self(self.0.conjugate())
    }

    /// `self^exponent`. Constant time in both: windows of four bits, each table entry read every time.
    pub fn pow(&self, exponent: &Fr) -> Self {
        let mut table = [Self::IDENTITY; 16];
        for i in 1..16 {
            table[i] = if i % 2 == 0 {
                table[i / 2].square()
            } else {
                table[i - 1] * *self
            };
        }
        let words = exponent.to_canonical_limbs();
        (0..64).rev().fold(Self::IDENTITY, |power, window| {
            let digit = (words[window / 16] >> (4 * (window % 16))) & 15;
            let mut factor = Self::IDENTITY;
            for (i, entry) in table.iter().enumerate() {
                factor.conditional_assign(entry, digit.ct_eq(&(i as u64)));
            }
            Self(power.0.cyclotomic_square_times(4)) * factor
        })
    }
}

frumious_field::impl_operator!(Mul mul MulAssign mul_assign, Gt, Gt, Gt::mul);

impl core::iter::Product for Gt {
    fn product<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::IDENTITY, |product, value| product * value)
    }
}

impl ConstantTimeEq for Gt {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl ConditionallySelectable for Gt {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self(Fq12::conditional_select(&a.0, &b.0, choice))
    }
}
