//! Tables for logarithms in the group of order `2^s`, and the correction of a candidate by half a logarithm.

use super::SqrtField;
use super::constant_time::NarrowTables;
use super::digits::Digits;
use super::lanes::LaneTables;
use crate::WordField;
use std::sync::OnceLock;

/// Tables of a field: 32 KiB of powers and 8 KiB of digits for `s = 32` and digits of 8 bits.
#[derive(Debug)]
pub struct SqrtTables<F> {
    /// Block `i`, entry `j`: `g^(-j·2^(W·i))`, where `g` is the root of unity of the field.
    powers: Vec<F>,
    /// By the key of `g^(j·2^(s-W))`: `j`.
    digits: Digits,
    /// Those that are read in constant time.
    pub(super) narrow: NarrowTables<F>,
    /// Those for lanes, once they are used.
    lanes: OnceLock<LaneTables<F>>,
}

/// Most digits of a logarithm: 4-bit digits of 32 bits.
const MAX_DIGITS: usize = 8;

impl<F: SqrtField> SqrtTables<F> {
    const ENTRIES: usize = 1 << F::WINDOW_BITS;
    const DIGITS: usize = {
        assert!(F::WINDOW_BITS <= 8, "a digit must fit a byte");
        assert!(
            F::TWO_ADICITY.is_multiple_of(F::WINDOW_BITS),
            "only whole digits"
        );
        let digits = (F::TWO_ADICITY / F::WINDOW_BITS) as usize;
        assert!(digits <= MAX_DIGITS && F::TWO_ADICITY <= 64);
        digits
    };

    /// Builds the tables, in some ten microseconds.
    #[expect(clippy::missing_panics_doc, reason = "a root of unity is not zero")]
    pub fn new() -> Self {
        let inverse = F::ROOT_OF_UNITY
            .invert_vartime()
            .expect("a root of unity is not zero");
        let mut powers = Vec::with_capacity(Self::DIGITS * Self::ENTRIES);
        let mut base = inverse;
        for _ in 0..Self::DIGITS {
            let mut power = F::ONE;
            for _ in 0..Self::ENTRIES {
                powers.push(power);
                power *= base;
            }
            base = power; // base^(2^W)
        }
        // the last block runs through the group of order 2^W: entry j is the inverse of g^(j·2^(s-W))
        let last = &powers[(Self::DIGITS - 1) * Self::ENTRIES..];
        let keys: Vec<(u64, u8)> = (0..Self::ENTRIES)
            .map(|j| {
                (
                    last[(Self::ENTRIES - j) % Self::ENTRIES].table_key(),
                    j as u8,
                )
            })
            .collect();
        Self {
            powers,
            digits: Digits::new(&keys),
            narrow: NarrowTables::new(inverse),
            lanes: OnceLock::new(),
        }
    }

    /// `candidate·g^(-d/2)` for `root_of_unity = g^d`, none if `d` is odd.
    ///
    /// `root_of_unity` must have an order that divides `2^s`, as a power to an exponent `Q` has.
    pub(super) fn correct_vartime(&self, candidate: F, root_of_unity: F) -> Option<F> {
        let digits = Self::DIGITS;
        // rising[n] = root_of_unity^(2^(W·n))
        let mut rising = [root_of_unity; MAX_DIGITS];
        for n in 1..digits {
            rising[n] = rising[n - 1].square_repeated(F::WINDOW_BITS);
        }
        let mut logarithm = 0u64;
        for n in 0..digits {
            // g^(d·2^(W·(digits - 1 - n))) without the digits below n has order dividing 2^W
            let at = digits - 1 - n;
            let mut remaining = rising[at];
            for known in 0..n {
                remaining *= self.power(at + known, digit::<F>(logarithm, known));
            }
            logarithm |= (self.digit(&remaining) as u64) << (n as u32 * F::WINDOW_BITS);
            if n == 0 && logarithm & 1 == 1 {
                return None;
            }
        }
        let half = logarithm >> 1;
        let mut corrected = candidate;
        for n in 0..digits {
            corrected *= self.power(n, digit::<F>(half, n));
        }
        Some(corrected)
    }

    /// `g^(-digit·2^(W·block))`. Panics unless `block < TWO_ADICITY/W` and `digit < 2^W`.
    #[inline]
    pub fn power(&self, block: usize, digit: usize) -> F {
        self.powers[block * Self::ENTRIES + digit]
    }

    /// The `j < 2^W` of the element `g^(j·2^(s-W))`; without meaning for any other element.
    #[inline]
    pub fn digit(&self, element: &F) -> u8 {
        self.digits.of(element.table_key())
    }

    /// `g^(-digit·16^block)`, looked up in constant time. Panics unless `block < TWO_ADICITY/4`; one for `digit` 0.
    #[inline]
    pub fn narrow_power(&self, block: usize, digit: u64) -> F {
        self.narrow.power(block, digit)
    }

    /// The `j < 16` of the element `g^(j·2^(s-4))` in constant time; without meaning for any other element.
    #[inline]
    pub fn narrow_digit(&self, element: &F) -> u64 {
        self.narrow.digit(element)
    }
}

impl<F: SqrtField> Default for SqrtTables<F> {
    fn default() -> Self {
        Self::new()
    }
}

fn digit<F: SqrtField>(logarithm: u64, n: usize) -> usize {
    (logarithm >> (n as u32 * F::WINDOW_BITS)) as usize & ((1 << F::WINDOW_BITS) - 1)
}

impl<F: SqrtField + WordField> LaneTables<F> {
    /// The tables of a field, built at the first use from the others.
    pub fn of_field() -> &'static Self {
        let tables = F::sqrt_tables();
        let build = || Self::new(|block, digit| tables.power(block, digit));
        tables.lanes.get_or_init(build)
    }
}
