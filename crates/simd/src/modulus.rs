//! A prime modulus in limbs of 52 bits, with its constants, all computed at compile time.

use core::fmt::Debug;

/// An odd modulus `p` in `L` limbs of 52 bits, least significant first, with the constants of Montgomery's method for
/// `R = 2^(52L)`. It has 5 limbs for 4 words (R = 2^260), 8 limbs for 6 words (R = 2^416).
///
/// The lane form of `x` is `x·R mod p`; the packed form, in which elements lie in memory, is `x·2^(64W) mod p` in `W`
/// words of 64 bits. The lane form is `2^radix_shift` times the packed one.
#[derive(Clone, Copy, Debug)]
pub struct Modulus52<const L: usize> {
    /// The modulus `p`.
    pub p: [u64; L],
    /// `R - p`: adding it subtracts `p` modulo `R`.
    pub p_complement: [u64; L],
    /// `-p⁻¹ mod 2^52`.
    pub p_neg_inv: u64,
    /// `2^(-52) mod p`: a limb times this, one limb higher, stands for the limb.
    pub one_limb_lower: [u64; L],
    /// `R mod p`: one in lane form.
    pub one: [u64; L],
    /// `floor(R/p)`: values up to this multiple of `p` fit `L` limbs, and two factors may have it as the product of
    /// their bounds.
    pub headroom: u64,
    /// `floor(2^(52L + reciprocal_shift)/p)`, below 2^52.
    pub reciprocal: u64,
    /// The number of bits below the point of a quotient by `reciprocal`.
    pub reciprocal_shift: u32,
    /// `52L - 64W`, the exponent of the factor from packed to lane form.
    pub radix_shift: u32,
    /// Number of 64-bit words, `W`.
    pub words: usize,
}

/// A prime field by its modulus: what [`Lanes`](crate::Lanes) are generic over.
pub trait Prime<const L: usize>: Copy + Debug + 'static {
    /// The modulus with its constants.
    const MODULUS: &'static Modulus52<L>;
}

impl<const L: usize> Modulus52<L> {
    /// Computes the constants of `p`, given in `W` words.
    ///
    /// # Panics
    /// Unless `p` is odd, its highest word is not zero, `L` limbs hold `W` words, `2^(radix_shift + 1) ≤ headroom <
    /// 2^50`, and `R mod p ≥ 2^-49·R`. At compile time, where it is meant to be called.
    pub const fn new<const W: usize>(p: &[u64; W]) -> Self {
        assert!(p[0] & 1 == 1, "the modulus must be odd");
        assert!(p[W - 1] > 0, "the highest word must not be zero");
        assert!(52 * L >= 64 * W, "limbs for all words");
        let radix_shift = (52 * L - 64 * W) as u32;
        let limbs: [u64; L] = limbs_of(p);
        // Long division of a power of two by p: after n steps the quotient is floor(2^n/p), the remainder 2^n mod p.
        let mut division = Division {
            remainder: [0; L],
            quotient: 0,
        };
        division.remainder[0] = 1;
        division.advance(&limbs, 52 * L as u32);
        let (one, headroom) = (division.remainder, division.quotient);
        assert!(
            headroom >> (radix_shift + 1) > 0,
            "a loaded value times a product"
        );
        assert!(
            one[L - 1] >= 8,
            "for the bound of products by columns: headroom·p below (1 - 2^-49)·R"
        );
        let reciprocal_shift = headroom.leading_zeros() - 12;
        assert!(reciprocal_shift >= 3, "for the bound of `carry_weakly`");
        division.advance(&limbs, reciprocal_shift);
        Self {
            p: limbs,
            p_complement: complement(&limbs),
            p_neg_inv: negated_inverse(limbs[0]),
            one_limb_lower: inverse_of_radix(&limbs),
            one,
            headroom,
            reciprocal: division.quotient,
            reciprocal_shift,
            radix_shift,
            words: W,
        }
    }

    /// `k·p` for `k ≤ headroom`, for constants.
    ///
    /// # Panics
    /// If `k` is above the headroom.
    pub const fn multiple(&self, k: u64) -> [u64; L] {
        assert!(k <= self.headroom, "a multiple that fits the limbs");
        let mut product = [0; L];
        let mut carry = 0u128;
        let mut i = 0;
        while i < L {
            carry += self.p[i] as u128 * k as u128;
            product[i] = carry as u64 & MASK_52;
            carry >>= 52;
            i += 1;
        }
        product
    }

    /// `R² mod p`, for constants: the factor that brings numbers into lane form.
    pub const fn r_squared(&self) -> [u64; L] {
        let mut value = self.one;
        let mut i = 0;
        while i < 52 * L {
            (value, _) = double_mod(&value, &self.p);
            i += 1;
        }
        value
    }

    /// The lane form, below `p`, of an element in packed form, for constants: `2^radix_shift·packed mod p`.
    ///
    /// Input: `packed < p`. Time: depends on nothing but the modulus; not hardened, meant for public constants.
    ///
    /// # Panics
    /// If this modulus has another number of words than `W`.
    pub const fn lane_form<const W: usize>(&self, packed: &[u64; W]) -> [u64; L] {
        assert!(W == self.words, "the words of this modulus");
        let mut value: [u64; L] = limbs_of(packed);
        let mut i = 0;
        while i < self.radix_shift {
            (value, _) = double_mod(&value, &self.p);
            i += 1;
        }
        value
    }
}

/// The low 52 bits.
pub const MASK_52: u64 = (1 << 52) - 1;

/// The number in `words`, cut into limbs of 52 bits. Bits that do not fit are dropped.
pub const fn limbs_of<const W: usize, const L: usize>(words: &[u64; W]) -> [u64; L] {
    let mut limbs = [0; L];
    let mut i = 0;
    while i < L {
        let (word, bit) = (52 * i / 64, 52 * i % 64);
        if word < W {
            limbs[i] = words[word] >> bit;
        }
        if bit > 12 && word + 1 < W {
            limbs[i] |= words[word + 1] << (64 - bit);
        }
        limbs[i] &= MASK_52;
        i += 1;
    }
    limbs
}

struct Division<const L: usize> {
    remainder: [u64; L],
    quotient: u64,
}

impl<const L: usize> Division<L> {
    const fn advance(&mut self, p: &[u64; L], steps: u32) {
        let mut i = 0;
        while i < steps {
            let (remainder, quotient_bit) = double_mod(&self.remainder, p);
            self.remainder = remainder;
            self.quotient = self.quotient << 1 | quotient_bit;
            i += 1;
        }
    }
}

/// `2·a mod p` for `a < p`, and how often `p` was subtracted, 0 or 1.
const fn double_mod<const L: usize>(a: &[u64; L], p: &[u64; L]) -> ([u64; L], u64) {
    let mut twice = [0; L];
    let mut difference = [0; L];
    let (mut carry, mut borrow) = (0, 0);
    let mut i = 0;
    while i < L {
        carry += a[i] << 1;
        twice[i] = carry & MASK_52;
        carry >>= 52;
        let limb = twice[i].wrapping_sub(p[i]).wrapping_sub(borrow);
        difference[i] = limb & MASK_52;
        borrow = limb >> 63;
        i += 1;
    }
    if borrow == 0 {
        (difference, 1)
    } else {
        (twice, 0)
    }
}

/// `2^(52L) - p` for `p > 0`.
const fn complement<const L: usize>(p: &[u64; L]) -> [u64; L] {
    let mut limbs = [0; L];
    let mut carry = 1;
    let mut i = 0;
    while i < L {
        carry += MASK_52 - p[i];
        limbs[i] = carry & MASK_52;
        carry >>= 52;
        i += 1;
    }
    limbs
}

/// `2^(-52) mod p`, by halving 1.
const fn inverse_of_radix<const L: usize>(p: &[u64; L]) -> [u64; L] {
    let mut value = [0; L];
    value[0] = 1;
    let mut step = 0;
    while step < 52 {
        let odd = value[0] & 1;
        let mut carry = 0;
        let mut i = 0;
        while i < L {
            carry += value[i] + odd * p[i];
            value[i] = carry & MASK_52;
            carry >>= 52;
            i += 1;
        }
        i = 0;
        while i < L {
            let above = if i + 1 < L { value[i + 1] } else { carry };
            value[i] = value[i] >> 1 | (above & 1) << 51;
            i += 1;
        }
        step += 1;
    }
    value
}

/// `-x⁻¹ mod 2^52` of an odd `x`, by Newton's iteration: each step doubles the number of right bits, from 3.
const fn negated_inverse(x: u64) -> u64 {
    let mut inverse = x;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(inverse)));
        step += 1;
    }
    inverse.wrapping_neg() & MASK_52
}
