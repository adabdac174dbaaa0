//! Arithmetic modulo primes just below a power of two, `p = 2^256 - c`, on plain residues: no Montgomery form.
//!
//! A product of eight words is reduced by folding: `high·2^256 + low = high·c + low mod p`, until four words are left.
//! For secp256k1's base field `c = 2^32 + 977` is one word, and a fold takes four products of words; for its scalar
//! field `c` has three words. Residues use all 256 bits, so that sums have a carry. Source: Menezes, van Oorschot,
//! Vanstone, "Handbook of Applied Cryptography", section 14.3.4, algorithm 14.47.

mod invert;

use crate::backend;
use crate::modular::{self, opaque};
use crate::primitives::{adc, mac};
use crate::{power, unrolled, words};

/// The arithmetic of a prime `p = 2^256 - c` with `c = C0 + C1·2^64 + C2·2^128`: one word below 2^63, or three with
/// `C2 = 1`.
///
/// Residues are `[u64; 4]` below `p`. The words of `c` are parameters so that the assembly has them as immediate
/// operands.
#[derive(Clone, Copy, Debug)]
pub struct PseudoMersenne<const C0: u64, const C1: u64 = 0, const C2: u64 = 0>;

impl<const C0: u64, const C1: u64, const C2: u64> PseudoMersenne<C0, C1, C2> {
    /// The modulus `p`.
    pub const P: [u64; 4] = {
        assert!(C0 & 1 == 1, "the modulus must be odd");
        assert!(
            if Self::ONE_WORD {
                C0 >> 63 == 0
            } else {
                C2 == 1
            },
            "bounds of the folds"
        );
        words::sub(&[0; 4], &Self::C).0
    };

    /// `2^256 - p`.
    pub const C: [u64; 4] = [C0, C1, C2, 0];

    /// `-p⁻¹ mod 2^64`.
    const P_NEG_INV: u64 = crate::montgomery::negated_inverse(Self::P[0]);

    const ONE_WORD: bool = C1 == 0 && C2 == 0;

    /// The modulus, by a value of the type.
    pub const fn modulus(&self) -> [u64; 4] {
        Self::P
    }

    /// `a + b mod p` for residues `a, b`. Time: constant.
    #[inline(always)]
    pub fn add(&self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        #[cfg(target_arch = "x86_64")]
        {
            crate::x86_64::pseudo_mersenne::add(a, b, &Self::C)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let (sum, carry) = words::add(a, b);
            Self::reduce_once(&sum, carry)
        }
    }

    /// `a - b mod p` for residues `a, b`. Time: constant.
    #[inline(always)]
    pub fn sub(&self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        modular::sub(a, b, &Self::P)
    }

    /// `-a mod p` for a residue `a`; zero stays zero. Time: constant.
    #[inline(always)]
    pub fn neg(&self, a: &[u64; 4]) -> [u64; 4] {
        modular::neg(a, &Self::P)
    }

    /// `a/2 mod p` for a residue `a`. Time: constant.
    #[inline(always)]
    pub fn halve(&self, a: &[u64; 4]) -> [u64; 4] {
        let odd = opaque((a[0] & 1).wrapping_neg());
        let (even, carry) = words::add(a, &Self::P.map(|word| word & odd));
        let mut half = words::halve(&even);
        half[3] |= carry << 63;
        half
    }

    /// `factor·a mod p` for a residue `a` and `factor < 2^31`. Time: constant.
    #[inline(always)]
    pub fn mul_small(&self, a: &[u64; 4], factor: u32) -> [u64; 4] {
        debug_assert!(factor < 1 << 31);
        let mut product = [0; 4];
        let mut carry = 0;
        for i in 0..4 {
            (product[i], carry) = mac(a[i], u64::from(factor), 0, carry);
        }
        Self::fold_last(&product, carry)
    }

    /// `a·b mod p` for any words `a, b`, a residue. Time: constant.
    #[inline(always)]
    pub fn mul(&self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        if let Some(adx) = backend::adx() {
            return if Self::ONE_WORD {
                adx.mul_folded::<C0>(a, b)
            } else {
                adx.mul_folded_three::<C0, C1>(a, b)
            };
        }
        Self::reduce_halves(unrolled::wide_product(a, b))
    }

    /// `a² mod p` for any words `a`, a residue. Time: constant.
    #[inline(always)]
    pub fn square(&self, a: &[u64; 4]) -> [u64; 4] {
        if let Some(adx) = backend::adx() {
            return if Self::ONE_WORD {
                adx.square_folded::<C0>(a)
            } else {
                adx.square_folded_three::<C0, C1>(a)
            };
        }
        Self::reduce_halves(unrolled::wide_square(a))
    }

    /// `a^(2^count) mod p` for any words `a`. Time depends on `count` only.
    #[inline]
    pub fn square_repeated(&self, a: &[u64; 4], count: u32) -> [u64; 4] {
        if Self::ONE_WORD
            && let Some(adx) = backend::adx()
        {
            let mut power = *a;
            for _ in 0..count {
                power = adx.square_folded_lazy::<C0>(&power);
            }
            return Self::reduce_once(&power, 0);
        }
        let mut power = Self::reduce_once(a, 0);
        for _ in 0..count {
            power = self.square(&power);
        }
        power
    }

    /// `base^exponent`, little-endian words. Time depends on `exponent` only.
    pub fn pow_vartime(&self, base: &[u64; 4], exponent: &[u64]) -> [u64; 4] {
        power::pow_vartime(
            &[1, 0, 0, 0],
            base,
            exponent,
            |a, b| self.mul(a, b),
            |a, count| self.square_repeated(a, count),
        )
    }

    /// `a mod p` for any words `a`. Time: constant.
    #[inline(always)]
    pub fn reduce_words(&self, a: &[u64; 4]) -> [u64; 4] {
        Self::reduce_once(a, 0)
    }

    /// `t mod p` for eight words `t`. Time: constant.
    #[inline(always)]
    pub fn reduce(&self, t: &[u64; 8]) -> [u64; 4] {
        let [t0, t1, t2, t3, high @ ..] = *t;
        Self::reduce_halves(([t0, t1, t2, t3], high))
    }

    #[inline(always)]
    fn reduce_halves((low, high): ([u64; 4], [u64; 4])) -> [u64; 4] {
        if Self::ONE_WORD {
            // high·c + low < 2^256·(c + 1): a fifth word of at most c
            let [u0, u1, u2, u3, u4, ..] = fold(&low, &high, &[C0]);
            return Self::fold_last(&[u0, u1, u2, u3], u4);
        }
        let (u, [u4, u5, u6]) = Self::fold_half(low, high);
        let (u, u4) = Self::fold_above(u, [u4, u5, u6]);
        Self::fold_last(&u, u4)
    }

    /// `high·c + low` for a `c` of three words: three words more, the last of them 0 or 1.
    #[inline(always)]
    fn fold_half(low: [u64; 4], high: [u64; 4]) -> ([u64; 4], [u64; 3]) {
        let mut t = low;
        let t4 = unrolled::add_waiting_row(&mut t, &high, C0);
        let [t0, t1, t2, t3] = t;
        let mut t = [t1, t2, t3, t4];
        let t5 = unrolled::add_waiting_row(&mut t, &high, C1);
        let [t1, t2, t3, t4] = t;
        let ([t2, t3, t4, t5], carry) = words::add(&[t2, t3, t4, t5], &high);
        ([t0, t1, t2, t3], [t4, t5, carry])
    }

    /// The same for what that leaves above four words; then the fifth word is at most 7.
    #[inline(always)]
    fn fold_above([t0, t1, t2, t3]: [u64; 4], [u0, u1, u2]: [u64; 3]) -> ([u64; 4], u64) {
        let mask = u2.wrapping_neg();
        let (v2, carry) = adc(u0, C0 & mask, false); // what the words 1 and u2 give
        let (v3, carry) = adc(u1, C1 & mask, carry);
        let v4 = u2 + u64::from(carry);
        let (t0, carry) = mac(u0, C0, t0, 0);
        let (t1, carry) = mac(u1, C0, t1, carry);
        let (t1, second) = mac(u0, C1, t1, 0);
        let (w2, w3) = mac(u1, C1, carry, second);
        let (t2, carry) = adc(t2, w2, false);
        let (t3, first) = adc(t3, w3, carry);
        let (t2, carry) = adc(t2, v2, false);
        let (t3, second) = adc(t3, v3, carry);
        ([t0, t1, t2, t3], v4 + u64::from(first) + u64::from(second))
    }

    /// `low + 2^256·high mod p` with `high·c < 2^192`.
    #[inline(always)]
    fn fold_last(low: &[u64; 4], high: u64) -> [u64; 4] {
        // a carry leaves less than 2^192, so that the last step's bound holds
        let (u0, carry) = mac(high, C0, low[0], 0);
        let (u1, carry) = mac(high, C1, low[1], carry);
        let (u2, carry) = mac(high, C2, low[2], carry);
        let (u3, carry) = low[3].overflowing_add(carry);
        Self::reduce_once(&[u0, u1, u2, u3], u64::from(carry))
    }

    /// `t + 2^256·carry mod p` where that is below `2p`.
    #[inline(always)]
    fn reduce_once(t: &[u64; 4], carry: u64) -> [u64; 4] {
        #[cfg(target_arch = "x86_64")]
        {
            crate::x86_64::pseudo_mersenne::reduce_once(t, carry, &Self::C)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let (reduced, second) = words::add(t, &Self::C);
            words::select_mask(t, &reduced, opaque((carry | second).wrapping_neg()))
        }
    }

    /// `a·b mod p`, a residue, for constants.
    pub const fn mul_const(&self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let mut t = wide_product(a, b);
        let mut folds = 0;
        while folds < 4 {
            let [t0, t1, t2, t3, high @ ..] = t;
            t = fold(&[t0, t1, t2, t3], &high, &[C0, C1, C2]);
            folds += 1;
        }
        Self::reduce_once_const(&[t[0], t[1], t[2], t[3]], 0)
    }

    /// `base^exponent`, for constants. Time depends on the exponent.
    pub const fn pow_const_vartime<const E: usize>(
        &self,
        base: &[u64; 4],
        exponent: &[u64; E],
    ) -> [u64; 4] {
        let mut result = [1, 0, 0, 0];
        let mut bit = words::bit_length_vartime(exponent);
        while bit > 0 {
            bit -= 1;
            result = self.mul_const(&result, &result);
            if exponent[(bit / 64) as usize] >> (bit % 64) & 1 == 1 {
                result = self.mul_const(&result, base);
            }
        }
        result
    }

    /// `a + b mod p` for residues, for constants.
    pub const fn add_const(&self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let (sum, carry) = words::add(a, b);
        Self::reduce_once_const(&sum, carry)
    }

    /// `-a mod p` for a residue, for constants.
    pub const fn neg_const(&self, a: &[u64; 4]) -> [u64; 4] {
        Self::reduce_once_const(&words::sub(&Self::P, a).0, 0)
    }

    /// `a mod p` for any words `a`, for constants.
    pub const fn reduce_words_const(&self, a: &[u64; 4]) -> [u64; 4] {
        Self::reduce_once_const(a, 0)
    }

    const fn reduce_once_const(t: &[u64; 4], carry: u64) -> [u64; 4] {
        let (reduced, second) = words::add(t, &Self::C);
        words::select_mask(
            t,
            &reduced,
            core::hint::black_box((carry | second).wrapping_neg()),
        ) // a mask that the optimiser knows nothing of
    }
}

/// `high·c + low`, for which eight words must suffice.
#[inline(always)]
const fn fold<const H: usize, const W: usize>(
    low: &[u64; 4],
    high: &[u64; H],
    c: &[u64; W],
) -> [u64; 8] {
    let mut sum = [low[0], low[1], low[2], low[3], 0, 0, 0, 0];
    let mut j = 0;
    while j < W {
        let mut carry = 0;
        let mut i = 0;
        while i < H {
            (sum[i + j], carry) = mac(high[i], c[j], sum[i + j], carry);
            i += 1;
        }
        let mut i = H + j;
        while i < 8 {
            let (word, overflow) = sum[i].overflowing_add(carry);
            (sum[i], carry) = (word, overflow as u64);
            i += 1;
        }
        j += 1;
    }
    sum
}

/// `a·b`.
#[inline(always)]
const fn wide_product(a: &[u64; 4], b: &[u64; 4]) -> [u64; 8] {
    let mut product = [0; 8];
    let mut i = 0;
    while i < 4 {
        let mut carry = 0;
        let mut j = 0;
        while j < 4 {
            (product[i + j], carry) = mac(a[i], b[j], product[i + j], carry);
            j += 1;
        }
        product[i + 4] = carry;
        i += 1;
    }
    product
}
