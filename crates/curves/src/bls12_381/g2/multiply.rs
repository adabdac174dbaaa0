//! Scalar multiplication in G2 in four dimensions: `ψ` multiplies by `x`, and a scalar has four digits in base `|x|`.
//!
//! `k = d0 + d1·|x| + d2·|x|² + d3·|x|³` with digits of 64 bits, as `r < x⁴`. With `x < 0` the product is
//! `d0·P - d1·ψ(P) + d2·ψ²(P) - d3·ψ³(P)`, all four with the same 64 doublings and one table. Source: Galbraith, Lin
//! and Scott 2009 ("Endomorphisms for faster elliptic curve cryptography on a large class of curves"). Before them
//! Galbraith and Scott 2008 (eprint 2008/117, section 3).

use super::G2Projective;
use crate::bls12_381::constants::X;
use crate::bls12_381::{Fq2, Fr};
use crate::weierstrass;
use frumious_field::{Choice, ConditionallySelectable};

/// Bits of a window of the constant-time method.
const WINDOW: u32 = 5;
/// 65 bits hold any digit below `|x|`, recoded.
const WINDOWS: u32 = 13;
/// 16 in every window.
const OFFSET: u128 = {
    let mut offset = 0;
    let mut window = 0;
    while window < WINDOWS {
        offset |= 1 << (WINDOW * window + WINDOW - 1);
        window += 1;
    }
    assert!((offset + X as u128) >> (WINDOW * WINDOWS) == 0);
    offset
};

impl G2Projective {
    /// `scalar·self` in constant time, for a point of G2: elsewhere `ψ` is another multiple.
    ///
    /// Cost: 60 doublings, 67 additions, of which 15 make a table of 17 multiples that is read whole each time.
    pub fn mul(&self, scalar: &Fr) -> Self {
        let mut table = [Self::IDENTITY; (1 << (WINDOW - 1)) + 1];
        table[1] = *self;
        for i in 2..table.len() {
            table[i] = if i % 2 == 0 {
                table[i / 2].double()
            } else {
                table[i - 1] + *self
            };
        }
        // Adding 16 to every window first makes each signed digit its window minus 16.
        let shifted = digits(scalar).map(|digit| u128::from(digit) + OFFSET);
        let mut sum = Self::IDENTITY;
        for window in (0..WINDOWS).rev() {
            if window != WINDOWS - 1 {
                let window = weierstrass::double_repeated(sum.coordinates(), WINDOW, Self::mul_3b);
                sum = Self::from_coordinates(window);
            }
            for (power, digit) in shifted.iter().enumerate() {
                let digit = (digit >> (WINDOW * window)) as i64 & 31;
                let entry = lookup(&table, digit - 16, Choice::from(power as u8 & 1));
                sum += entry.psi_power(power);
            }
        }
        sum
    }

    /// `scalar·self` for a point of G2; time depends on the scalar.
    ///
    /// Interleaved non-adjacent forms of width 5: 64 doublings and about 43 additions, a table of 8 odd multiples.
    pub fn mul_vartime(&self, scalar: &Fr) -> Self {
        let twice = self.double();
        let mut table = [*self; 8];
        for i in 1..table.len() {
            table[i] = table[i - 1] + twice;
        }
        let forms = digits(scalar).map(non_adjacent_form_vartime);
        let highest = |form: &[i8; 66]| form.iter().rposition(|digit| *digit != 0);
        let length = forms.iter().filter_map(highest).max();
        let mut sum = Self::IDENTITY;
        for bit in (0..length.map_or(0, |last| last + 1)).rev() {
            sum = sum.double();
            for (power, form) in forms.iter().enumerate() {
                let digit = form[bit];
                if digit != 0 {
                    let multiple = table[digit.unsigned_abs() as usize / 2].psi_power(power);
                    let negative = (digit < 0) != (power % 2 == 1);
                    sum += if negative { -multiple } else { multiple };
                }
            }
        }
        sum
    }

    /// `ψ^power`, `power < 4`.
    #[inline(always)]
    fn psi_power(&self, power: usize) -> Self {
        match power {
            0 => *self,
            1 => self.psi(),
            2 => self.psi_squared(),
            _ => self.psi_squared().psi(),
        }
    }
}

/// `±table[|digit|]`, reading every entry; negative if the digit is or `flip`, not if both.
fn lookup(table: &[G2Projective], digit: i64, flip: Choice) -> G2Projective {
    let sign = digit >> 63;
    let magnitude = ((digit ^ sign) - sign) as u64;
    let mut entry = G2Projective {
        x: Fq2::select_entry(table.iter().map(|point| &point.x), magnitude),
        y: Fq2::select_entry(table.iter().map(|point| &point.y), magnitude),
        z: Fq2::select_entry(table.iter().map(|point| &point.z), magnitude),
    };
    let negative = flip ^ Choice::from((sign & 1) as u8);
    entry.y.conditional_assign(&-entry.y, negative);
    entry
}

/// The four digits of a scalar in base `|x|`, least significant first. Time: constant.
pub(super) fn digits(scalar: &Fr) -> [u64; 4] {
    let mut rest = scalar.to_canonical_limbs();
    core::array::from_fn(|_| {
        let mut remainder = 0;
        for word in rest.iter_mut().rev() {
            (*word, remainder) = divide_by_x(remainder, *word);
        }
        remainder
    })
}

/// Quotient and remainder of `high·2^64 + low` by `|x|`, for `high < |x|`. Time: constant, unlike the CPU's division.
///
/// Source: Möller and Granlund 2011 ("Improved division by invariant integers"), algorithm 4.
fn divide_by_x(high: u64, low: u64) -> (u64, u64) {
    /// `floor((2^128 - 1)/|x|) - 2^64`; the divisor has its highest bit set.
    const RECIPROCAL: u64 = (u128::MAX / X as u128 - (1 << 64)) as u64;
    // Below 2^128, as (RECIPROCAL + 2^64)·|x| is; one more in the quotient may wrap, and is then taken back.
    let estimate =
        u128::from(RECIPROCAL) * u128::from(high) + (u128::from(high) << 64 | u128::from(low));
    let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
    let mut remainder = low.wrapping_sub(quotient.wrapping_mul(X));
    let too_large = mask(remainder > estimate as u64);
    quotient = quotient.wrapping_add(too_large);
    remainder = remainder.wrapping_add(X & too_large);
    let too_small = mask(remainder >= X);
    (
        quotient.wrapping_sub(too_small),
        remainder.wrapping_sub(X & too_small),
    )
}

/// All ones if `condition`.
#[inline(always)]
fn mask(condition: bool) -> u64 {
    frumious_limbs::modular::opaque(u64::from(condition).wrapping_neg())
}

/// Digits of the width-5 non-adjacent form: zero or odd in `-15..16`, at most one non-zero in five.
fn non_adjacent_form_vartime(digit: u64) -> [i8; 66] {
    let mut form = [0; 66];
    let mut rest = i128::from(digit);
    let mut bit = 0;
    while rest != 0 {
        if rest & 1 == 1 {
            let low = (rest & 31) as i8;
            form[bit] = if low >= 16 { low - 32 } else { low };
            rest -= i128::from(form[bit]);
        }
        rest >>= 1;
        bit += 1;
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_scalar() {
        let mut scalar = Fr::from_u64(5);
        let base = Fr::from_u64(X);
        let mut scalars = vec![Fr::ZERO, Fr::ONE, -Fr::ONE, base, base - Fr::ONE];
        let powers = [base, base.square(), base.square() * base];
        scalars.extend(
            powers
                .iter()
                .flat_map(|x| [*x, -*x, *x - Fr::ONE, *x + Fr::ONE]),
        );
        for _ in 0..200 {
            scalar = scalar.square() + base;
            scalars.push(scalar);
        }
        for scalar in scalars {
            let digits = digits(&scalar);
            assert!(digits.iter().all(|digit| *digit < X));
            let sum = digits
                .iter()
                .rev()
                .fold(Fr::ZERO, |sum, digit| sum * base + Fr::from_u64(*digit));
            assert_eq!(sum, scalar);
        }
    }

    #[test]
    fn division_at_the_edges() {
        for high in [0, 1, X / 2, X - 2, X - 1] {
            for low in [0, 1, X - 1, X, X + 1, u64::MAX - 1, u64::MAX] {
                let wide = u128::from(high) << 64 | u128::from(low);
                let exact = ((wide / u128::from(X)) as u64, (wide % u128::from(X)) as u64);
                assert_eq!(divide_by_x(high, low), exact);
            }
        }
    }
}
