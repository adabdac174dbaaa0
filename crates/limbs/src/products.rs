//! Sums of products with one reduction, and small multiples: what extension fields are made of.
//!
//! A coefficient of a product in an extension field is a sum of products in the prime field. Reducing the sum instead
//! of each product saves half of the reductions. That is more than Karatsuba's method saves in products, and it needs
//! no numbers of double length. Source: Longa, "Efficient algorithms for large prime characteristic fields and their
//! application to bilinear pairings", eprint 2022/367, algorithm 2.

use crate::Modulus;
use crate::modular::reduce_once;
use crate::primitives::{mac, sbb};
use crate::{Wide, backend};

impl<const N: usize> Modulus<N> {
    /// `(a[0]·b[0] + … + a[K-1]·b[K-1])/R mod p`: a sum of Montgomery products of residues. Time: constant.
    ///
    /// Needs `K·p²/2^(64N) + p <= 2^(64N)`: up to 22 products for the moduli of BN254, two for one of 255 bits. On
    /// x86-64 the cheapest a product are seven for a modulus of 253 bits.
    #[cfg_attr(any(debug_assertions, target_arch = "wasm32"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "wasm32")), inline(always))]
    pub fn sum_of_products<const K: usize>(
        &self,
        a: [&[u64; N]; K],
        b: [&[u64; N]; K],
    ) -> [u64; N] {
        if N == 6 && K > 0 && self.quotient_bound(K) == 1 && backend::adx().is_some() {
            return self.sum_of_wide_products(a, b);
        }
        let mut sum = self.sum_of_products_lazy(a, b);
        for _ in 0..self.quotient_bound(K) {
            sum = reduce_once(&sum, &self.p);
        }
        sum
    }

    /// As [`Modulus::sum_of_products`], for lengths of which an accumulator does not fit the registers beside the
    /// factors.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sum_of_wide_products<const K: usize>(
        &self,
        a: [&[u64; N]; K],
        b: [&[u64; N]; K],
    ) -> [u64; N] {
        let (mut sum, mut product) = (Wide::ZERO, Wide::ZERO);
        sum.set_product(a[0], b[0]);
        for k in 1..K {
            product.set_product(a[k], b[k]);
            sum.add_assign(&product);
        }
        self.reduce_wide::<false>(&sum)
    }

    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sum_of_products_lazy<const K: usize>(
        &self,
        a: [&[u64; N]; K],
        b: [&[u64; N]; K],
    ) -> [u64; N] {
        if N == 4
            && (matches!(K, 2 | 4 | 7) && self.is_narrow(K) || K == 6)
            && let Some(adx) = backend::adx()
        {
            return adx.sum_of_products_lazy(a, b, self);
        }
        #[cfg(target_arch = "aarch64")]
        if (N == 4 || N == 6) && self.is_narrow(K) {
            return crate::aarch64::sum_of_products_lazy(a, b, self);
        }
        sum_of_products_lazy(a, b, self)
    }

    /// The most times that `p` is contained in a lazy sum of `k` products: the sum is below `k·p²/2^(64N) + p`.
    const fn quotient_bound(&self, k: usize) -> u64 {
        1 + ((k as u128 * (self.p[N - 1] as u128 + 1)) >> 64) as u64
    }

    /// True if a lazy sum of `k` products stays below `2^(64N)` between its rows too: `(k + 1)·p <= 2^(64N)`, see the
    /// bound of [`sum_of_products_lazy`]. Five accumulators then hold all of it.
    pub(crate) const fn is_narrow(&self, k: usize) -> bool {
        self.quotient_bound(k + 1) == 1
    }

    /// `factor·x + y mod p` for a residue `x`, `y < 4p` and `factor < 16`; cheaper than additions from about 4 on.
    ///
    /// The quotient is estimated from the ten or so leading bits. Let `s = bits - 8`, `t = factor·x + y < 19p` and
    /// `c = floor(2^(16+s)/p)` or one less. Then `q = floor(floor(t/2^s)·c/2^16)` satisfies `0 <= t/p - q < 2`, because
    /// the two roundings lose at most `2^s/p + 2·(t/2^s)/2^16 + 1 < 1/128 + 38/256 + 1`. Time: constant.
    #[cfg_attr(any(debug_assertions, target_arch = "wasm32"), inline(never))]
    #[cfg_attr(not(any(debug_assertions, target_arch = "wasm32")), inline(always))]
    pub fn mul_small_add(&self, x: &[u64; N], factor: u64, y: &[u64; N]) -> [u64; N] {
        debug_assert!(factor < 16);
        debug_assert!(
            self.p[N - 1] >> 8 > 0,
            "leading bits are taken from the top word"
        );
        let mut t = [0; N];
        let mut carry = 0;
        for i in 0..N {
            (t[i], carry) = mac(x[i], factor, y[i], carry);
        }
        let shift = self.bits - 8 - 64 * (N as u32 - 1);
        let leading = carry << (64 - shift) | t[N - 1] >> shift;
        let quotient = (leading * self.reciprocal) >> 16;
        let (mut high, mut borrow) = (0, false);
        for i in 0..N {
            let low;
            (low, high) = mac(self.p[i], quotient, high, 0);
            (t[i], borrow) = sbb(t[i], low, borrow);
        }
        reduce_once(&t, &self.p)
    }
}

/// As [`Modulus::sum_of_products`] without the last subtractions, in plain Rust. Output: below `K·p²/2^(64N) + p`,
/// which must fit `N` words.
///
/// Bound: with `A` the sum of all `a[k]`, before each row `t < A + p`, as `(t + A·b + m·p)/2^64` is below that again
/// for words `b, m`. So the word above the `N` ones, here `top`, stays small.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn sum_of_products_lazy<const N: usize, const K: usize>(
    a: [&[u64; N]; K],
    b: [&[u64; N]; K],
    modulus: &Modulus<N>,
) -> [u64; N] {
    let mut t = [0; N];
    let mut top = 0u64;
    for i in 0..N {
        let mut overflow = 0;
        for k in 0..K {
            let mut carry = 0;
            for j in 0..N {
                (t[j], carry) = mac(a[k][j], b[k][i], t[j], carry);
            }
            let carried;
            (top, carried) = top.overflowing_add(carry);
            overflow += u64::from(carried);
        }
        let m = t[0].wrapping_mul(modulus.p_neg_inv);
        let (_, mut carry) = mac(m, modulus.p[0], t[0], 0);
        for j in 1..N {
            (t[j - 1], carry) = mac(m, modulus.p[j], t[j], carry);
        }
        let carried;
        (t[N - 1], carried) = top.overflowing_add(carry);
        top = overflow + u64::from(carried);
    }
    debug_assert!(top == 0);
    t
}
