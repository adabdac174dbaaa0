//! Numbers of double length: products that are added before they are reduced, once for the whole sum.
//!
//! Where words are many, Karatsuba's method pays in extension fields, and its sums and differences are taken before the
//! reduction. They need no care: numbers are kept modulo `2^(128N)`, in two's complement. Only before a reduction must
//! the number be known to lie in a range, into which a multiple of `p²` moves it. Source: Aranha, Karabina, Longa,
//! Gebotys, López, "Faster explicit formulas for computing pairings over ordinary curves", eprint 2010/526, section 5.
//! There each difference is corrected at once instead.

mod number;

pub use number::Wide;

use crate::backend;
use crate::primitives::{adc, mac, sbb};
use crate::{Modulus, columns, modular, unrolled, words};

impl<const N: usize> Wide<N> {
    /// `self = a·b` for any two numbers. Time: constant.
    #[cfg_attr(any(debug_assertions, target_arch = "wasm32"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "wasm32")), inline(always))]
    pub fn set_product(&mut self, a: &[u64; N], b: &[u64; N]) {
        if N == 6
            && let Some(adx) = backend::adx()
        {
            return adx.mul_wide_six(a, b, self);
        }
        if N == 6 && columns::ARE_FASTER {
            (self.low, self.high) = columns::wide_product(a, b);
        } else if N == 4 || N == 6 {
            (self.low, self.high) = unrolled::wide_product(a, b);
        } else {
            *self = Self::product_const(a, b);
        }
    }

    /// `self = a²` for any number. Time: constant.
    #[cfg_attr(any(debug_assertions, target_arch = "wasm32"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "wasm32")), inline(always))]
    pub fn set_square(&mut self, a: &[u64; N]) {
        if N == 6
            && let Some(adx) = backend::adx()
        {
            return adx.square_wide_six(a, self);
        }
        if N == 4 || N == 6 {
            (self.low, self.high) = unrolled::wide_square(a);
        } else {
            *self = Self::product_const(a, a);
        }
    }

    /// `a·b` in plain Rust, for constants too.
    #[inline(always)]
    pub const fn product_const(a: &[u64; N], b: &[u64; N]) -> Self {
        let mut product = Self::ZERO;
        let mut i = 0;
        while i < N {
            let mut carry = 0;
            let mut j = 0;
            while j < N {
                let sum;
                (sum, carry) = mac(a[j], b[i], product.word(i + j), carry);
                product.set_word(i + j, sum);
                j += 1;
            }
            product.high[i] = carry;
            i += 1;
        }
        product
    }

    /// `self += other`.
    #[inline(always)]
    pub fn add_assign(&mut self, other: &Self) {
        #[cfg(target_arch = "x86_64")]
        if N == 6 {
            return crate::adx::six::add_wide(self, other);
        }
        let mut carry = false;
        for i in 0..N {
            (self.low[i], carry) = adc(self.low[i], other.low[i], carry);
        }
        for i in 0..N {
            (self.high[i], carry) = adc(self.high[i], other.high[i], carry);
        }
    }

    /// `self -= other`.
    #[inline(always)]
    pub fn sub_assign(&mut self, other: &Self) {
        #[cfg(target_arch = "x86_64")]
        if N == 6 {
            return crate::adx::six::sub_wide(self, other);
        }
        let mut borrow = false;
        for i in 0..N {
            (self.low[i], borrow) = sbb(self.low[i], other.low[i], borrow);
        }
        for i in 0..N {
            (self.high[i], borrow) = sbb(self.high[i], other.high[i], borrow);
        }
    }
}

impl<const N: usize> Modulus<N> {
    /// `factor·p²`, which adds nothing modulo `p`.
    ///
    /// # Panics
    /// If `factor·p²` is not below `2^(128N)`.
    pub const fn multiple_of_square(&self, factor: u64) -> Wide<N> {
        let square = Wide::product_const(&self.p, &self.p);
        let mut multiple = Wide::ZERO;
        let mut carry = 0;
        let mut i = 0;
        while i < 2 * N {
            let word;
            (word, carry) = mac(square.word(i), factor, 0, carry);
            multiple.set_word(i, word);
            i += 1;
        }
        assert!(carry == 0, "the multiple fits");
        multiple
    }

    /// `value·2^(-64N) mod p`, reduced, for a value of at most `2^(64N)·p·(1 - 2^(-62))`, or twice that if `TWICE`.
    /// Time: constant.
    ///
    /// That is Montgomery's reduction: of a product of two forms it gives the form of the product. Needs
    /// `3p < 2^(64N)`.
    #[cfg_attr(any(debug_assertions, target_arch = "wasm32"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "wasm32")), inline(always))]
    pub fn reduce_wide<const TWICE: bool>(&self, value: &Wide<N>) -> [u64; N] {
        if N == 6
            && let Some(adx) = backend::adx()
        {
            return adx.reduce_wide_six::<TWICE, N>(value, self);
        }
        let modulus = modular::in_memory(self);
        let low = if N == 6 && columns::ARE_FASTER {
            columns::reduce_low(&value.low, modulus)
        } else if N == 4 || N == 6 {
            unrolled::reduce_low(&value.low, modulus)
        } else {
            let mut t = value.low;
            for _ in 0..N {
                let m = t[0].wrapping_mul(modulus.p_neg_inv);
                let (_, mut carry) = mac(m, modulus.p[0], t[0], 0);
                for j in 1..N {
                    (t[j - 1], carry) = mac(m, modulus.p[j], t[j], carry);
                }
                t[N - 1] = carry; // below 2^(64N): nothing is carried further
            }
            t
        };
        let (mut t, _) = words::add(&low, &value.high);
        for _ in 0..1 + usize::from(TWICE) {
            t = modular::reduce_once(&t, &modulus.p);
        }
        t
    }
}
