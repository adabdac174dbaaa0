//! The same in lanes: eight logarithms side by side, and two groups of eight by turns, as one chain of squares waits
//! for itself.
//!
//! Everything but the look-ups is in lanes. Digits are found lane by lane, in tables of their own whose entries are in
//! lane form. a root takes the same products as one alone, and is the same root.

use super::digits::Digits;
use super::{PowerChain, SqrtField};
use crate::WordField;
use crate::lanes::Lanes5;
use frumious_simd::{LANES, Lanes, MASK_52, Mask, Prime, Vector};

/// Tables of a field for lanes: 64 KiB, of which look-ups for `s = 32` touch 32, and 8 KiB of digits.
#[derive(Debug)]
pub struct LaneTables<F> {
    /// Block `i`, entry `j`: `g^(-j·2^(W·i))` in lane form, where `g` is the root of unity of the field.
    powers: Box<[[F; ENTRIES]; MAX_BLOCKS]>,
    /// By the lowest limb of the lane form of `g^(j·2^(s-W))`: `j`.
    digits: Digits,
}

/// Entries of a block, for the widest digit.
const ENTRIES: usize = 256;
/// Most digits of a logarithm.
const MAX_BLOCKS: usize = 8;

impl<F: SqrtField + WordField> LaneTables<F> {
    /// From the powers `g^(-j·2^(W·i))` by `i` and `j`.
    pub(super) fn new(power: impl Fn(usize, usize) -> F) -> Self {
        // x·2^260 is the packed form of 2^shift·x
        let to_lane_form = F::from_u64(1 << <F as Prime<5>>::MODULUS.radix_shift);
        let mut powers = Box::new([[F::ZERO; ENTRIES]; MAX_BLOCKS]);
        let entries = 1 << F::WINDOW_BITS;
        for (i, block) in powers[..digits::<F>()].iter_mut().enumerate() {
            for (j, entry) in block[..entries].iter_mut().enumerate() {
                *entry = power(i, j) * to_lane_form;
            }
        }
        let last = &powers[digits::<F>() - 1];
        let key = |j: usize| last[(entries - j) % entries].to_words()[0] & MASK_52;
        let keys: Vec<(u64, u8)> = (0..entries).map(|j| (key(j), j as u8)).collect();
        Self {
            digits: Digits::new(&keys),
            powers,
        }
    }

    /// `values^(-1/2)`, of each one of the two, below `2p`, and the lanes whose value is a square, for values below
    /// `2p`. In other lanes, and in those of zeros, roots and mask have no meaning.
    #[inline(always)]
    pub fn inverse_sqrt<V: Vector, const G: usize>(
        &self,
        values: [Lanes5<F, V>; G],
    ) -> ([Lanes5<F, V>; G], [Mask; G]) {
        let mut roots = power(&F::CHAIN, values);
        let mut roots_of_unity = values;
        for g in 0..G {
            roots_of_unity[g] = roots[g].square() * values[g];
        }
        let logarithms = self.logarithms(roots_of_unity);
        for n in 0..digits::<F>() {
            for g in 0..G {
                let mut halves = logarithms[g];
                for logarithm in &mut halves {
                    *logarithm >>= 1;
                }
                roots[g] = roots[g] * self.powers::<V>(roots[g].cpu(), n, &halves, n);
            }
        }
        let mut squares = [Mask::NONE; G];
        for g in 0..G {
            for k in 0..LANES {
                squares[g].0 |= ((!logarithms[g][k] & 1) as u8) << k;
            }
        }
        (roots, squares)
    }

    /// `d` of each `g^d`, below `2^TWO_ADICITY`. Without meaning for anything else.
    #[inline(always)]
    fn logarithms<V: Vector, const G: usize>(
        &self,
        roots_of_unity: [Lanes5<F, V>; G],
    ) -> [[u64; LANES]; G] {
        // rising[n] = roots_of_unity^(2^(W·n))
        let mut rising = [roots_of_unity; MAX_BLOCKS];
        for n in 1..digits::<F>() {
            rising[n] = square_repeated(rising[n - 1], F::WINDOW_BITS);
        }
        let mut logarithms = [[0; LANES]; G];
        for n in 0..digits::<F>() {
            // as in `SqrtTables::correct_vartime`
            let at = digits::<F>() - 1 - n;
            let mut remaining = rising[at];
            for known in 0..n {
                for g in 0..G {
                    let cpu = remaining[g].cpu();
                    remaining[g] =
                        remaining[g] * self.powers::<V>(cpu, at + known, &logarithms[g], known);
                }
            }
            for g in 0..G {
                let keys = remaining[g].reduce().lowest_limbs();
                for k in 0..LANES {
                    let digit = u64::from(self.digits.of(keys[k]));
                    logarithms[g][k] |= digit << (n as u32 * F::WINDOW_BITS);
                }
            }
        }
        logarithms
    }

    /// `g^(-j·2^(W·block))` for digit `place` of each logarithm, `j`. Below `p`.
    #[inline(always)]
    fn powers<V: Vector>(
        &self,
        cpu: V::Cpu,
        block: usize,
        logarithms: &[u64; LANES],
        place: usize,
    ) -> Lanes5<F, V> {
        let block = &self.powers[block % MAX_BLOCKS];
        let mut rows = [block[0].as_words(); LANES];
        for k in 0..LANES {
            let digit = (logarithms[k] >> (place as u32 * F::WINDOW_BITS)) as u8;
            rows[k] = block[digit as usize & ((1 << F::WINDOW_BITS) - 1)].as_words();
        }
        Lanes::load_words::<4, 1>(cpu, rows)
    }
}

/// Digits of a logarithm.
const fn digits<F: SqrtField>() -> usize {
    (F::TWO_ADICITY / F::WINDOW_BITS) as usize
}

/// The bases, below `2p`, to the exponent of the chain. Below `2p`.
#[inline(always)]
fn power<F: WordField, V: Vector, const G: usize>(
    chain: &PowerChain,
    bases: [Lanes5<F, V>; G],
) -> [Lanes5<F, V>; G] {
    let mut small = [bases; PowerChain::MAX_SMALL];
    for (n, &(i, j)) in chain.small.iter().enumerate() {
        let (a, b) = (small[index(i)], small[index(j)]);
        for g in 0..G {
            small[index(n as u8 + 1)][g] = a[g] * b[g];
        }
    }
    let mut powers = small[index(chain.first)];
    for &(squarings, i) in chain.windows {
        powers = square_repeated(powers, u32::from(squarings));
        for g in 0..G {
            powers[g] = powers[g] * small[index(i)][g];
        }
    }
    powers
}

/// Within bounds for the compiler too.
#[inline(always)]
const fn index(small: u8) -> usize {
    small as usize % PowerChain::MAX_SMALL
}

#[inline(always)]
fn square_repeated<F: WordField, V: Vector, const G: usize>(
    mut powers: [Lanes5<F, V>; G],
    count: u32,
) -> [Lanes5<F, V>; G] {
    for _ in 0..count {
        for power in &mut powers {
            *power = power.square();
        }
    }
    powers
}
