//! Factors of many products, prepared so that a product reduces one word instead of four.
//!
//! ```text
//! a·w = Σ a[i]·(2^(64i)·w)      t = Σ a[i]·(2^(64(i + 1))·w mod p)      a·w = t/2^64 modulo p
//! ```
//!
//! The sum `t` has a word more than `p`, which a row of Montgomery's reduction clears. For four words that takes 21
//! products of words, where [`crate::Modulus::mul`] has 36. In exchange the result is less reduced.

use crate::Modulus;
use crate::montgomery::reduce_word_const;
use crate::primitives::mac;

/// A residue `w` in Montgomery form as the four residues `2^(64(i + 1))·w mod p`, `i = 0 … N-1`; the last is that form.
#[derive(Clone, Copy, Debug)]
pub struct Prepared<const N: usize> {
    pub(crate) multiples: [[u64; N]; N],
}

impl<const N: usize> Prepared<N> {
    /// Prepares `w`, a residue in Montgomery form. Cost: `N - 1` rows of a reduction, less than half a product.
    #[inline(always)]
    pub fn new(w: &[u64; N], modulus: &Modulus<N>) -> Self {
        let mut multiples = [*w; N];
        for i in (1..N).rev() {
            multiples[i - 1] = reduce_word_const(&multiples[i], &modulus.p, modulus.p_neg_inv);
        }
        Self { multiples }
    }

    /// `a·w` modulo `p`, in the form that `a` has, for any `a` with `(N + a/2^(64N))·p < 2^(64N)`. Time: constant.
    ///
    /// Below `(N + a/2^(64N))·p`. Each word of `a` but the last adds less than `2^64·p` to `t`, and so does the row of
    /// the reduction. The last word adds `a/2^(64N)` of that. Then `t` is divided by `2^64`.
    #[inline(always)]
    pub fn mul(&self, a: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
        #[cfg(target_arch = "aarch64")]
        if N == 4 || N == 6 {
            return crate::aarch64::mul_prepared(a, &self.multiples, modulus);
        }
        let (mut t, mut top) = ([0; N], 0);
        for i in 0..N {
            let mut carry = 0;
            for j in 0..N {
                (t[j], carry) = mac(a[i], self.multiples[i][j], t[j], carry);
            }
            top += carry; // t < 2^(64(N + 1))
        }
        let m = t[0].wrapping_mul(modulus.p_neg_inv);
        let (_, mut carry) = mac(m, modulus.p[0], t[0], 0);
        for j in 1..N {
            (t[j - 1], carry) = mac(m, modulus.p[j], t[j], carry);
        }
        t[N - 1] = top + carry;
        t
    }
}
