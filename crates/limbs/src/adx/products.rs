//! Sums of two and of four Montgomery products in x86-64 assembly.

use super::Adx;
use crate::Modulus;
use core::arch::asm;

impl Adx {
    /// `(a[0]·b[0] + … + a[K-1]·b[K-1])·2^(-256) mod p` of four words each, below `2p`; see
    /// [`crate::products::sum_of_products_lazy`], its twin, for the bound.
    ///
    /// Only for `N = 4` and `K` of 2 or 4 (parameters so that generic callers need no cast). Time: constant.
    #[inline(always)]
    pub fn sum_of_products_lazy<const N: usize, const K: usize>(
        self,
        a: &[[u64; N]; K],
        b: &[[u64; N]; K],
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 4 && (K == 2 || K == 4), "the sums that exist"); // decided at compile time
        let (a, b, p) = (a.as_ptr().cast(), b.as_ptr().cast(), modulus.p.as_ptr());
        // SAFETY: `self` proves BMI2 and ADX; `a` and `b` point to 4·K readable words each, `p` to four.
        let words = unsafe {
            if K == 2 {
                sum_of_two(a, b, p, modulus.p_neg_inv)
            } else {
                sum_of_four(a, b, p, modulus.p_neg_inv)
            }
        };
        core::array::from_fn(|i| words[i])
    }
}

// Adds rdx·(the four words at x + offset) to t4:t3:t2:t1:t0. Both carry flags must be clear; no carry leaves t4.
#[rustfmt::skip]
macro_rules! row {
    ($x:literal, $offset:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
        concat!(
            "mulx {high}, {low}, [{", $x, "} + ", $offset, "]\n",
            "adcx {", $t0, "}, {low}\n adox {", $t1, "}, {high}\n",
            "mulx {high}, {low}, [{", $x, "} + 8 + ", $offset, "]\n",
            "adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "mulx {high}, {low}, [{", $x, "} + 16 + ", $offset, "]\n",
            "adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
            "mulx {high}, {low}, [{", $x, "} + 24 + ", $offset, "]\n",
            "adcx {", $t3, "}, {low}\n adox {", $t4, "}, {high}\n",
            "adc {", $t4, "}, 0\n",
        )
    };
}

// Adds a[k]·b[k][i], where offset = 32·k and word = 8·i.
#[rustfmt::skip]
macro_rules! multiply {
    ($offset:literal, $word:literal, $($t:literal),*) => {
        concat!(
            "mov rdx, [{b} + ", $word, " + ", $offset, "]\n xor {low:e}, {low:e}\n", // also clears the flags
            row!("a", $offset, $($t),*),
        )
    };
}

// Adds m·p with m = t0·p_neg_inv, which clears t0; the next row starts one word higher.
#[rustfmt::skip]
macro_rules! reduce {
    ($t0:literal, $($t:literal),*) => {
        concat!(
            "mov rdx, {p_neg_inv}\n imul rdx, {", $t0, "}\n xor {low:e}, {low:e}\n",
            row!("p", "0", $t0, $($t),*),
        )
    };
}

// One word of every b[k], then the reduction; t4 starts as a fresh zero.
#[rustfmt::skip]
macro_rules! step {
    ($word:literal, [$($offset:literal),*], $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
        concat!(
            "xor {", $t4, ":e}, {", $t4, ":e}\n",
            $(multiply!($offset, $word, $t0, $t1, $t2, $t3, $t4),)*
            reduce!($t0, $t1, $t2, $t3, $t4),
        )
    };
}

// The function of that name that sums the products at the given offsets.
macro_rules! define_sum {
    ($name:ident, $offsets:tt) => {
        /// # Safety
        /// BMI2 and ADX must be present; `p` must point to four readable words, `a` and `b` to four for each product.
        #[inline(always)]
        #[rustfmt::skip]
        unsafe fn $name(a: *const u64, b: *const u64, p: *const u64, p_neg_inv: u64) -> [u64; 4] {
            let (r0, r1, r2, r3): (u64, u64, u64, u64);
            // SAFETY: reads those words and writes registers only; the caller vouches for both.
            unsafe {
                asm!(
                    "xor {t0:e}, {t0:e}\n xor {t1:e}, {t1:e}\n xor {t2:e}, {t2:e}\n xor {t3:e}, {t3:e}",
                    step!("0", $offsets, "t0", "t1", "t2", "t3", "t4"),
                    step!("8", $offsets, "t1", "t2", "t3", "t4", "t0"),
                    step!("16", $offsets, "t2", "t3", "t4", "t0", "t1"),
                    step!("24", $offsets, "t3", "t4", "t0", "t1", "t2"),
                    a = in(reg) a, b = in(reg) b, p = in(reg) p, p_neg_inv = in(reg) p_neg_inv,
                    t0 = out(reg) r1, t1 = out(reg) r2, t2 = out(reg) r3, t3 = out(reg) _, t4 = out(reg) r0,
                    low = out(reg) _, high = out(reg) _, out("rdx") _,
                    options(pure, readonly, nostack),
                );
            }
            [r0, r1, r2, r3]
        }
    };
}

define_sum!(sum_of_two, ["0", "32"]);
define_sum!(sum_of_four, ["0", "32", "64", "96"]);
