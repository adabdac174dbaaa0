//! The same in constant time: digits of four bits, whose tables are short enough to be read from end to end.
//!
//! Narrower digits cost more products (36 of them for `s = 32`, and 28 squarings) but each table has 16 entries. All
//! are read for each look-up. Reading 256 would cost more than it saves.

use super::SqrtField;
use frumious_limbs::modular::opaque;
use subtle::CtOption;

/// Bits of a digit.
const DIGIT_BITS: u32 = 4;
/// Entries of a table.
const ENTRIES: usize = 1 << DIGIT_BITS;
/// Most digits of a logarithm.
const MAX_DIGITS: usize = 8;

/// Tables of a field, 4 KiB for `s = 32`.
#[derive(Debug)]
pub(super) struct NarrowTables<F> {
    /// Block `i`, entry `j`: `g^(-j·16^i)`, where `g` is the root of unity of the field.
    powers: Vec<[F; ENTRIES]>,
    /// Entry `j`: the key of `g^(j·2^(s-4))`.
    keys: [u64; ENTRIES],
}

impl<F: SqrtField> NarrowTables<F> {
    const DIGITS: usize = {
        assert!(
            F::TWO_ADICITY.is_multiple_of(DIGIT_BITS),
            "only whole digits"
        );
        let digits = (F::TWO_ADICITY / DIGIT_BITS) as usize;
        assert!(digits <= MAX_DIGITS);
        digits
    };

    /// Builds the tables from the inverse of `g`.
    pub fn new(inverse: F) -> Self {
        let mut base = inverse;
        let powers: Vec<[F; ENTRIES]> = (0..Self::DIGITS)
            .map(|_| {
                let mut power = F::ONE;
                let block = core::array::from_fn(|_| {
                    let entry = power;
                    power *= base;
                    entry
                });
                base = power; // base^16
                block
            })
            .collect();
        // the last block runs through the group of order 16: entry j is the inverse of g^(j·2^(s-4))
        let last = &powers[Self::DIGITS - 1];
        let keys = core::array::from_fn(|j| last[(ENTRIES - j) % ENTRIES].table_key());
        for (j, key) in keys.iter().enumerate() {
            assert!(!keys[..j].contains(key), "table keys are not distinct");
        }
        Self { powers, keys }
    }

    /// `candidate·g^(-d/2)` for `root_of_unity = g^d` and even `d`; something else for odd `d`. Time: constant.
    ///
    /// `root_of_unity` must be zero or have an order that divides `2^s`.
    fn correct(&self, candidate: F, root_of_unity: F) -> F {
        let digits = Self::DIGITS;
        // rising[n] = root_of_unity^(16^n)
        let mut rising = [root_of_unity; MAX_DIGITS];
        for n in 1..digits {
            rising[n] = rising[n - 1].square_repeated(DIGIT_BITS);
        }
        let mut logarithm = 0u64;
        for n in 0..digits {
            // g^(d·16^(digits - 1 - n)) without the digits below n has order dividing 16
            let at = digits - 1 - n;
            let mut remaining = rising[at];
            for known in 0..n {
                remaining *= self.power(at + known, digit(logarithm, known));
            }
            logarithm |= self.digit(&remaining) << (n as u32 * DIGIT_BITS);
        }
        let half = logarithm >> 1;
        (0..digits).fold(candidate, |corrected, n| {
            corrected * self.power(n, digit(half, n))
        })
    }

    /// `g^(-digit·16^block)`. Time: depends on `block` only.
    pub fn power(&self, block: usize, digit: u64) -> F {
        F::lookup(&self.powers[block], digit)
    }

    /// The `j` of the element `g^(j·2^(s-4))`; 0 if its key is that of no such element. Time: constant.
    pub fn digit(&self, element: &F) -> u64 {
        let key = element.table_key();
        let mut found = 0;
        for (j, other) in self.keys.iter().enumerate() {
            let difference = key ^ other;
            let differs = (difference | difference.wrapping_neg()) >> 63;
            found |= j as u64 & opaque(differs.wrapping_sub(1));
        }
        found
    }
}

fn digit(logarithm: u64, n: usize) -> u64 {
    logarithm >> (n as u32 * DIGIT_BITS) & (ENTRIES as u64 - 1)
}

/// A square root of `value`, none for a non-residue; which of the two is not specified. Time: constant.
///
/// With the chain of `bls12_381::Fr` 327 squarings and products, the check at the end included. Tonelli-Shanks in the
/// constant-time form of RFC 9380 ([`crate::sqrt_tonelli_shanks`]) takes more than 800.
pub fn sqrt<F: SqrtField>(value: &F) -> CtOption<F> {
    let power = F::CHAIN.power(value, F::square_repeated);
    let candidate = power * *value;
    let tables = F::sqrt_tables();
    let root = tables.narrow.correct(candidate, candidate * power);
    CtOption::new(root, root.square().ct_eq(value))
}
