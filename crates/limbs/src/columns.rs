//! Products of four words and six by limbs of 30 bits, for CPUs that multiply 32 bits by 32: WebAssembly is such a one.
//!
//! A column is the sum of all products of limbs that belong to one power of 2^30. It fits 64 bits. So a step is a
//! product and a sum, and only a whole column is cut to a limb and a carry. By words, of which LLVM makes products of
//! halves, a step takes carries, too. Figures are in docs/decisions/browser.md.

use crate::Modulus;
use crate::straight::unrolled;

/// Words in limbs, the lowest first: [`limbs_of`] of them, zeros above.
type Limbs = [u64; LIMBS];

/// A product in limbs.
type Columns = [u64; 2 * LIMBS];

/// `a·b` in two halves. Time: constant. `N` must be 4 or 6.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn wide_product<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], [u64; N]) {
    let limbs = product::<N>(&split(a), &split(b));
    let (mut low, mut high) = ([0; N], [0; N]);
    unrolled!(i in 0..N => {
        low[i] = word(&limbs, BITS, 64 * i);
        high[i] = word(&limbs, BITS, 64 * (N + i));
    });
    (low, high)
}

/// Montgomery product `a·b/R mod p`, below `p + a·b/R`. Time: constant. `N` must be 4 or 6.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn mul<const N: usize>(a: &[u64; N], b: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    reduce(&product::<N>(&split(a), &split(b)), modulus)
}

/// As [`mul`] of `a` and `a`: products of different limbs once.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn square<const N: usize>(a: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    let a = split(a);
    let count = limbs_of(N);
    let twice = a.map(|limb| 2 * limb);
    let (mut limbs, mut column) = ([0; 2 * LIMBS], 0);
    unrolled!(k in 0..25 => {
        unrolled!(i in 0..13 => {
            if 2 * i == k && i < count {
                column += a[i] * a[i];
            } else if 2 * i < k && k - i < LIMBS && k - i < count {
                column += twice[i] * a[k - i];
            }
        });
        if k < 2 * count - 1 {
            limbs[k] = column & MASK;
            column >>= BITS;
        }
    });
    limbs[2 * count - 1] = column;
    reduce(&limbs, modulus)
}

/// `low/R mod p`, at most `p`. Time: constant. `N` must be 4 or 6.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn reduce_low<const N: usize>(low: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
    let mut limbs = [0; 2 * LIMBS];
    limbs[..LIMBS].copy_from_slice(&split(low));
    reduce(&limbs, modulus)
}

/// The limbs of `a·b` of `N` words each. No overflow: a column is at most `13·(2^30 - 1)²` and the carry. That is below
/// 2^34.
#[inline(always)]
fn product<const N: usize>(a: &Limbs, b: &Limbs) -> Columns {
    let count = limbs_of(N);
    let (mut limbs, mut column) = ([0; 2 * LIMBS], 0);
    unrolled!(k in 0..25 => {
        unrolled!(i in 0..13 => {
            if i <= k && k - i < LIMBS && k - i < count && i < count {
                column += a[i] * b[k - i];
            }
        });
        if k < 2 * count - 1 {
            limbs[k] = column & MASK;
            column >>= BITS;
        }
    });
    limbs[2 * count - 1] = column;
    limbs
}

/// `t/R mod p`, below `p + t/R`: Montgomery's reduction a limb at a time. The last limb has fewer bits, as in R. So the
/// result begins in the middle of a limb: its first limb has the other bits.
///
/// No overflow: as in [`product`], with a limb of `t` more.
#[inline(always)]
fn reduce<const N: usize>(t: &Columns, modulus: &Modulus<N>) -> [u64; N] {
    let p = split(&modulus.p);
    let count = limbs_of(N);
    let last_bits = 64 * N - BITS * (count - 1);
    let first_bits = BITS - last_bits;
    let (mut multiples, mut column) = ([0; LIMBS], 0);
    unrolled!(k in 0..13 => {
        if k < count {
            column += t[k];
            unrolled!(i in 0..13 => {
                if i < k {
                    column += multiples[i] * p[k - i];
                }
            });
            let bits = if k == count - 1 { last_bits } else { BITS };
            multiples[k] = column.wrapping_mul(modulus.p_neg_inv) & ((1 << bits) - 1);
            column = (column + multiples[k] * p[0]) >> bits;
        }
    });
    let mut limbs = [0; 2 * LIMBS];
    limbs[0] = column & ((1 << first_bits) - 1);
    column >>= first_bits;
    unrolled!(k in 0..25 => {
        if k >= count && k < 2 * count - 1 {
            column += t[k];
            unrolled!(i in 0..13 => {
                if i <= k && k - i < LIMBS && k - i < count && i < count {
                    column += multiples[i] * p[k - i];
                }
            });
            limbs[k + 1 - count] = column & MASK;
            column >>= BITS;
        }
    });
    limbs[count] = column + t[2 * count - 1];
    let mut reduced = [0; N];
    unrolled!(i in 0..N => {
        reduced[i] = word(&limbs, first_bits, 64 * i);
    });
    reduced
}

/// The word from a bit on, where the first limb has `first_bits`.
#[inline(always)]
fn word(limbs: &Columns, first_bits: usize, bit: usize) -> u64 {
    // As if the number began with zeros that make the first limb whole.
    let bit = bit + BITS - first_bits;
    let start = |limb: usize| (BITS * limb).saturating_sub(BITS - first_bits) + BITS - first_bits;
    let mut word = 0;
    unrolled!(j in 0..4 => {
        let limb = bit / BITS + j;
        if limb < 2 * LIMBS && start(limb) <= bit {
            word |= limbs[limb] >> (bit - start(limb));
        } else if limb < 2 * LIMBS && start(limb) - bit < 64 {
            word |= limbs[limb] << (start(limb) - bit);
        }
    });
    word
}

#[inline(always)]
fn split<const N: usize>(words: &[u64; N]) -> Limbs {
    assert!(N == 4 || N == 6, "four words or six"); // decided at compile time
    let mut limbs = [0; LIMBS];
    unrolled!(k in 0..13 => {
        if k < limbs_of(N) {
            let (first, shift) = (BITS * k / 64, BITS * k % 64);
        let mut limb = words[first] >> shift;
        if shift > 64 - BITS && first + 1 < N {
            limb |= words[first + 1] << (64 - shift);
        }
        limbs[k] = limb & MASK;
        }
    });
    limbs
}

/// Limbs of `n` words.
const fn limbs_of(n: usize) -> usize {
    (64 * n).div_ceil(BITS)
}

/// True where this is faster than products of words.
pub(crate) const ARE_FASTER: bool = cfg!(target_pointer_width = "32");

/// Limbs of six words, the most.
const LIMBS: usize = limbs_of(6);

/// Bits of a limb: with 31 a column would not fit 64 bits.
const BITS: usize = 30;

const MASK: u64 = (1 << BITS) - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{modular, portable, unrolled, words};

    /// The prime of BLS12-381.
    const P: Modulus<6> = Modulus::new([
        0xb9fe_ffff_ffff_aaab,
        0x1eab_fffe_b153_ffff,
        0x6730_d2a0_f6b0_f624,
        0x6477_4b84_f385_12bf,
        0x4b1b_a7b6_434b_acd7,
        0x1a01_11ea_397f_e69a,
    ]);

    /// The prime of BN254.
    const Q: Modulus<4> = Modulus::new([
        0x3c20_8c16_d87c_fd47,
        0x9781_6a91_6871_ca8d,
        0xb850_45b6_8181_585d,
        0x3064_4e72_e131_a029,
    ]);

    /// The largest moduli: all their limbs are, and the multiples' too.
    const LARGE: Modulus<6> = Modulus::new(largest());
    const LARGE_FOUR: Modulus<4> = Modulus::new(largest());

    const fn largest<const N: usize>() -> [u64; N] {
        let mut words = [u64::MAX; N];
        words[N - 1] = (1 << 63) - 2;
        words
    }

    /// Edges, and words that look random.
    fn numbers<const N: usize>(p: &[u64; N]) -> Vec<[u64; N]> {
        let half = 0xffff_ffff;
        let mut one = [0; N];
        one[0] = 1;
        let below = words::sub(p, &one).0;
        let mut numbers = vec![[0; N], [u64::MAX; N], [half; N], [!half; N], *p, one, below];
        for bit in (0..64 * N).step_by(15) {
            let mut power = [0; N];
            power[bit / 64] = 1 << (bit % 64);
            numbers.push(power);
        }
        let mut word = 1_u64;
        for _ in 0..60 {
            numbers.push(core::array::from_fn(|_| {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                word ^ word >> 29
            }));
        }
        numbers
    }

    #[test]
    fn products_are_those_of_words() {
        fn check<const N: usize>(modulus: &Modulus<N>) {
            let numbers = numbers(&modulus.p);
            for a in &numbers {
                for b in &numbers {
                    let by_words = unrolled::wide_product(a, b);
                    assert_eq!(wide_product(a, b), by_words, "{a:x?} {b:x?}");
                }
            }
        }
        check(&P);
        check(&Q);
    }

    /// Of residues: zero, one, `p - 1` and others.
    #[test]
    fn montgomery_products_are_those_of_words() {
        fn check<const N: usize>(modulus: &Modulus<N>) {
            let residue = |mut number: [u64; N]| {
                number[N - 1] %= modulus.p[N - 1];
                number
            };
            let numbers: Vec<[u64; N]> = numbers(&modulus.p).into_iter().map(residue).collect();
            let reduced = |t: [u64; N]| modular::reduce_once(&t, &modulus.p);
            let by_words = |a: &[u64; N], b: &[u64; N]| {
                reduced(portable::mul_lazy(a, b, &modulus.p, modulus.p_neg_inv))
            };
            for a in &numbers {
                for b in &numbers {
                    let product = reduced(mul(a, b, modulus));
                    assert_eq!(product, by_words(a, b), "{a:x?} {b:x?}");
                }
                assert_eq!(reduced(square(a, modulus)), by_words(a, a), "{a:x?}");
            }
        }
        check(&P);
        check(&Q);
        check(&LARGE);
        check(&LARGE_FOUR);
    }

    /// Both are at most `p` and a little more; of one residue.
    #[test]
    fn reductions_are_those_of_words() {
        fn check<const N: usize>(modulus: &Modulus<N>) {
            let reduced = |t: [u64; N]| modular::reduce_once(&t, &modulus.p);
            for low in numbers(&modulus.p) {
                let by_columns = reduce_low(&low, modulus);
                let is_at_most_p = !words::less_than_vartime(&modulus.p, &by_columns);
                assert!(is_at_most_p, "{low:x?}");
                let by_words = unrolled::reduce_low(&low, modulus);
                assert_eq!(reduced(by_columns), reduced(by_words), "{low:x?}");
            }
        }
        check(&P);
        check(&Q);
        check(&LARGE);
        check(&LARGE_FOUR);
    }
}
