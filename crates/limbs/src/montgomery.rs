//! A prime modulus with its Montgomery constants, and arithmetic on residues below it.

use crate::backend;
use crate::{modular, portable, power, unrolled, words};

/// An odd modulus `p` of `N` words whose top word is from 1 to 2^63 - 2, with the constants of Montgomery's method.
///
/// Residues are `[u64; N]` below `p`; the Montgomery form of `x` is `x·R mod p` with `R = 2^(64N)`. The bound on the
/// top word leaves one spare bit. So neither sums of two residues nor the rows of a product need a carry word. What
/// needs two spare bits asks for them (`frumious_field::Lazy`). Source: Montgomery 1985, "Modular multiplication
/// without trial division".
#[derive(Clone, Copy, Debug)]
pub struct Modulus<const N: usize> {
    /// The modulus `p`.
    pub p: [u64; N],
    /// `-p⁻¹ mod 2^64`.
    pub p_neg_inv: u64,
    /// The second word of `-p⁻¹ mod 2^128`.
    pub p_neg_inv_second: u64,
    /// `R mod p`: one in Montgomery form.
    pub r: [u64; N],
    /// `R² mod p`: a product with it goes into Montgomery form.
    pub r2: [u64; N],
    /// `p⁻¹ mod 2^128`.
    pub p_inv: [u64; 2],
    /// `2^(-128) mod p` and `2^(-64) mod p`, by which two low words are folded into the words above.
    pub fold: [[u64; N]; 2],
    /// Bit length of `p`.
    pub bits: u32,
    /// `floor(2^(bits + 8)/p)` or one less, for [`Modulus::mul_small_add`].
    pub reciprocal: u64,
}

impl<const N: usize> Modulus<N> {
    /// Computes the constants of `p`.
    ///
    /// # Panics
    /// Unless `p` is odd, above one, and its top word from 1 to 2^63 - 2. At compile time, where it is meant to be
    /// called.
    pub const fn new(p: [u64; N]) -> Self {
        assert!(p[0] & 1 == 1, "the modulus must be odd");
        assert!(
            p[N - 1] > 0 && p[N - 1] <= (1 << 63) - 2,
            "the top word must be from 1 to 2^63 - 2"
        );
        let p_neg_inv = negated_inverse(p[0]);
        let bits = words::bit_length_vartime(&p);
        assert!(bits > 1, "the modulus must not be one");
        let r = double_repeatedly(&power_of_two(bits - 1), 64 * N as u32 + 1 - bits, &p);
        let fold = reduce_word_const(&power_of_two(0), &p, p_neg_inv);
        let p_inv = inverse_of_two_words(&p);
        Self {
            p,
            p_neg_inv,
            p_neg_inv_second: !p_inv[1], // no carry, as the first word is odd
            r,
            r2: square_of_r(&r, &p, p_neg_inv),
            p_inv,
            fold: [reduce_word_const(&fold, &p, p_neg_inv), fold],
            bits,
            reciprocal: reciprocal(&p),
        }
    }

    /// `a + b mod p` for residues `a, b`.
    #[inline(always)]
    pub fn add(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        modular::add(a, b, &self.p)
    }

    /// `a - b mod p` for residues `a, b`.
    #[inline(always)]
    pub fn sub(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        modular::sub(a, b, &self.p)
    }

    /// `-a mod p` for a residue `a`; zero stays zero.
    #[inline(always)]
    pub fn neg(&self, a: &[u64; N]) -> [u64; N] {
        modular::neg(a, &self.p)
    }

    /// `a/2 mod p` for a residue `a`.
    #[inline(always)]
    pub fn halve(&self, a: &[u64; N]) -> [u64; N] {
        modular::halve(a, &self.p)
    }

    /// Montgomery product `a·b/R mod p` of residues, a residue. Factors below `2p` are allowed if
    /// `4p < R·(1 - 2^(-60))`.
    #[cfg_attr(any(debug_assertions, target_arch = "wasm32"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "wasm32")), inline(always))]
    pub fn mul(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        debug_assert!(self.is_factor_vartime(a) && self.is_factor_vartime(b));
        if N == 4
            && let Some(adx) = backend::adx()
        {
            return adx.mul(a, b, self);
        }
        if N == 6
            && let Some(adx) = backend::adx()
        {
            return adx.mul_six_folded(a, b, self);
        }
        if N == 4 {
            return unrolled::mul(a, b, modular::in_memory(self));
        }
        if N == 6 {
            return unrolled::mul_six(a, b, self);
        }
        let product = portable::mul_lazy(a, b, &self.p, self.p_neg_inv);
        modular::reduce_once(&product, &self.p)
    }

    /// As [`Modulus::mul`] for any `N` words `a` and a residue `b`.
    #[cfg_attr(any(debug_assertions, target_arch = "wasm32"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "wasm32")), inline(always))]
    pub fn mul_any(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        if N == 4
            && let Some(adx) = backend::adx()
        {
            return adx.mul_any(a, b, self);
        }
        if N == 6
            && let Some(adx) = backend::adx()
        {
            return adx.mul_six(a, b, self);
        }
        if N == 4 || N == 6 {
            return unrolled::mul_any(a, b, self);
        }
        let product = portable::mul_lazy(a, b, &self.p, self.p_neg_inv);
        modular::reduce_once(&product, &self.p)
    }

    /// Whether [`Modulus::mul`] may multiply by `a`.
    fn is_factor_vartime(&self, a: &[u64; N]) -> bool {
        let bound = if self.bits < 64 * N as u32 - 1 {
            words::double(&self.p)
        } else {
            self.p
        };
        words::less_than_vartime(a, &bound)
    }

    /// Montgomery square `a²/R mod p` of a residue, or of `a < 2p` if `4p < R·(1 - 2^(-60))`.
    #[cfg_attr(any(debug_assertions, target_arch = "wasm32"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "wasm32")), inline(always))]
    pub fn square(&self, a: &[u64; N]) -> [u64; N] {
        debug_assert!(self.is_factor_vartime(a));
        if N == 4
            && let Some(adx) = backend::adx()
        {
            return adx.square(a, self);
        }
        if N == 6
            && let Some(adx) = backend::adx()
        {
            return adx.square_six(a, self);
        }
        if N == 4 {
            return unrolled::square(a, modular::in_memory(self));
        }
        if N == 6 {
            return unrolled::square_six(a, self);
        }
        self.mul(a, a)
    }

    /// `a^(2^count)` in Montgomery form, for a residue `a`. Time depends on `count` only.
    #[inline]
    pub fn square_repeated(&self, a: &[u64; N], count: u32) -> [u64; N] {
        if N == 4
            && let Some(adx) = backend::adx()
        {
            return adx.square_repeated(a, count, self);
        }
        if N == 6
            && self.p[N - 1] < 1 << 61
            && let Some(adx) = backend::adx()
        {
            return adx.square_six_repeated(a, count, self);
        }
        let mut power = *a;
        for _ in 0..count {
            power = if N == 4 || N == 6 {
                unrolled::square(&power, modular::in_memory(self))
            } else {
                self.square(&power)
            };
        }
        power
    }

    /// `base^exponent` in Montgomery form by windows of four bits. Time depends on `exponent` only, which is public.
    #[inline]
    pub fn pow_vartime(&self, base: &[u64; N], exponent: &[u64]) -> [u64; N] {
        power::pow_vartime(
            &self.r,
            base,
            exponent,
            |a, b| self.mul(a, b),
            |a, count| self.square_repeated(a, count),
        )
    }

    /// The plain number whose Montgomery form is `a`.
    pub fn from_montgomery(&self, a: &[u64; N]) -> [u64; N] {
        let mut one = [0; N];
        one[0] = 1;
        self.mul(&one, a)
    }

    /// The Montgomery product in plain Rust, usable in constants.
    pub const fn mul_const(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        portable::mul_const(a, b, &self.p, self.p_neg_inv)
    }

    /// `a + b mod p`, for constants.
    pub const fn add_const(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        portable::reduce_once_const(&words::add(a, b).0, &self.p)
    }

    /// `-a mod p`, for constants.
    pub const fn neg_const(&self, a: &[u64; N]) -> [u64; N] {
        portable::reduce_once_const(&words::sub(&self.p, a).0, &self.p)
    }

    /// The Montgomery form of `a`, any `N` words, reduced first.
    pub const fn to_montgomery(&self, a: &[u64; N]) -> [u64; N] {
        self.mul_const(a, &self.r2)
    }

    /// `base^exponent` in Montgomery form, for constants. Time depends on the exponent.
    pub const fn pow_const_vartime<const E: usize>(
        &self,
        base: &[u64; N],
        exponent: &[u64; E],
    ) -> [u64; N] {
        let mut result = self.r;
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
}

/// `-x⁻¹ mod 2^64` of an odd `x`, by Newton's iteration: each step doubles the number of right bits, from 3.
pub(crate) const fn negated_inverse(x: u64) -> u64 {
    let mut inverse = x;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(inverse)));
        step += 1;
    }
    inverse.wrapping_neg()
}

/// `p⁻¹ mod 2^128` of an odd `p`, by one more step of Newton's iteration.
const fn inverse_of_two_words<const N: usize>(p: &[u64; N]) -> [u64; 2] {
    let second = if N > 1 { p[1] } else { 0 };
    let two_words = (second as u128) << 64 | p[0] as u128;
    let inverse = negated_inverse(p[0]).wrapping_neg() as u128;
    let inverse = inverse.wrapping_mul(2u128.wrapping_sub(two_words.wrapping_mul(inverse)));
    [inverse as u64, (inverse >> 64) as u64]
}

/// `2^bit` for `bit < 64N`.
const fn power_of_two<const N: usize>(bit: u32) -> [u64; N] {
    let mut power = [0; N];
    power[(bit / 64) as usize] = 1 << (bit % 64);
    power
}

/// `a·2^times mod p` for a residue `a`.
const fn double_repeatedly<const N: usize>(a: &[u64; N], times: u32, p: &[u64; N]) -> [u64; N] {
    let mut product = *a;
    let mut i = 0;
    while i < times {
        product = portable::reduce_once_const(&words::double(&product), p);
        i += 1;
    }
    product
}

/// `R² mod p` from `R mod p`: the Montgomery form of `2^N`, squared six times, is that of `2^(64N) = R`.
///
/// Every crate that uses a field evaluates this, so it takes few steps. By doublings alone the compiler took 0.2
/// to 0.4 s a modulus and crate.
const fn square_of_r<const N: usize>(r: &[u64; N], p: &[u64; N], p_neg_inv: u64) -> [u64; N] {
    let mut power = double_repeatedly(r, N as u32, p);
    let mut i = 0;
    while i < 6 {
        power = portable::mul_const(&power, &power, p, p_neg_inv);
        i += 1;
    }
    power
}

/// `a/2^64 mod p` for a residue `a`, by a row of Montgomery's reduction: `(a + m·p)/2^64` is below `p`.
#[inline(always)]
pub(crate) const fn reduce_word_const<const N: usize>(
    a: &[u64; N],
    p: &[u64; N],
    p_neg_inv: u64,
) -> [u64; N] {
    let m = a[0].wrapping_mul(p_neg_inv) as u128;
    let mut quotient = [0; N];
    let mut carry = (a[0] as u128 + m * p[0] as u128) >> 64;
    let mut i = 1;
    while i < N {
        carry += a[i] as u128 + m * p[i] as u128;
        quotient[i - 1] = carry as u64;
        carry >>= 64;
        i += 1;
    }
    quotient[N - 1] = carry as u64;
    quotient
}

/// `floor(2^(bits + 8)/p)` or one less, from the 64 leading bits of `p`.
const fn reciprocal<const N: usize>(p: &[u64; N]) -> u64 {
    let zeros = p[N - 1].leading_zeros();
    let below = if N > 1 && zeros > 0 {
        p[N - 2] >> (64 - zeros)
    } else {
        0
    };
    let leading = p[N - 1] << zeros | below;
    ((1u128 << 72) / (leading as u128 + 1)) as u64
}
