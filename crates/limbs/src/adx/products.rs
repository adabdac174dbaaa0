//! Sums of two, four, six and seven Montgomery products in x86-64 assembly.
//!
//! The factors are read through tables of pointers. Copied side by side, they would be read in other widths than they
//! were just written in, for which the CPU waits. That is a failed store forwarding, measured 2 times slower in a
//! tower.

use super::Adx;
use crate::Modulus;
use crate::x86_64::four_words;
use core::arch::asm;
use core::mem::offset_of;

impl Adx {
    /// `(a[0]·b[0] + … + a[K-1]·b[K-1])·2^(-256) mod p` of four words each, not fully reduced; see
    /// [`crate::products::sum_of_products_lazy`], its twin, for the bounds.
    ///
    /// Only for `N = 4` and `K` of 6, or of 2, 4 or 7 if `(K + 1)·p <= 2^256` (parameters so that generic callers need
    /// no cast). Time: constant.
    ///
    /// # Panics
    /// For other `N`, `K` and `p`, at compile time.
    #[inline(always)]
    pub fn sum_of_products_lazy<const N: usize, const K: usize>(
        self,
        a: [&[u64; N]; K],
        b: [&[u64; N]; K],
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 4 && matches!(K, 2 | 4 | 6 | 7), "the sums that exist"); // decided at compile time
        let narrow = modulus.is_narrow(K);
        assert!(narrow || K == 6, "the sum may pass 2^256"); // so is this, for the constant moduli of fields
        let (a, b): (*const *const u64, *const *const u64) = (a.as_ptr().cast(), b.as_ptr().cast());
        let modulus: *const Modulus<4> = core::ptr::from_ref(modulus).cast();
        // SAFETY: `self` proves BMI2 and ADX; `a` and `b` are tables of K references to four words, `modulus` is one of
        // four words.
        let product = unsafe {
            match K {
                2 => sum_of_two(a, b, modulus),
                4 => sum_of_four(a, b, modulus),
                6 if narrow => sum_of_six(a, b, modulus),
                6 => sum_of_six_wide(a, b, modulus),
                _ => sum_of_seven(a, b, modulus),
            }
        };
        four_words(product)
    }
}

// Adds rdx·(the four words at x + offset) to t4:t3:t2:t1:t0, both carry flags being clear. Then CF holds a carry for t4
// and OF one out of t4.
#[rustfmt::skip]
macro_rules! row {
    ($x:literal, $offset:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal $(, $t5:literal)?) => {
        concat!(
            "mulx {high}, {low}, [{", $x, "} + ", $offset, "]\n",
            "adcx {", $t0, "}, {low}\n adox {", $t1, "}, {high}\n",
            "mulx {high}, {low}, [{", $x, "} + ", $offset, " + 8]\n",
            "adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "mulx {high}, {low}, [{", $x, "} + ", $offset, " + 16]\n",
            "adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
            "mulx {high}, {low}, [{", $x, "} + ", $offset, " + 24]\n",
            "adcx {", $t3, "}, {low}\n adox {", $t4, "}, {high}\n",
        )
    };
}

// Ends a row: five words hold all of it, or a sixth takes the carries of the fifth.
#[rustfmt::skip]
macro_rules! end_row {
    ($t4:literal) => {
        concat!("adc {", $t4, "}, 0\n")
    };
    ($t4:literal, $t5:literal) => {
        concat!(
            "mov {low:e}, 0\n adox {", $t5, "}, {low}\n",
            "adcx {", $t4, "}, {low}\n adc {", $t5, "}, 0\n",
        )
    };
}

// Adds a[k]·b[k][i], where entry = 8·k and word = 8·i.
#[rustfmt::skip]
macro_rules! multiply {
    ($entry:literal, $word:literal, [$t0:literal, $t1:literal, $t2:literal, $t3:literal, $($high:literal),*]) => {
        concat!(
            "mov rdx, [{b} + ", $entry, "]\n mov rdx, [rdx + ", $word, "]\n",
            "mov {x}, [{a} + ", $entry, "]\n xor {low:e}, {low:e}\n", // also clears the flags
            row!("x", "0", $t0, $t1, $t2, $t3, $($high),*),
            end_row!($($high),*),
        )
    };
}

// Adds m·p with m = t0·p_neg_inv, which clears t0; the next row starts one word higher.
#[rustfmt::skip]
macro_rules! reduce {
    ([$t0:literal, $t1:literal, $t2:literal, $t3:literal, $($high:literal),*]) => {
        concat!(
            "mov rdx, [{modulus} + {p_neg_inv}]\n imul rdx, {", $t0, "}\n xor {low:e}, {low:e}\n",
            row!("modulus", "{p}", $t0, $t1, $t2, $t3, $($high),*),
            end_row!($($high),*),
        )
    };
}

// One word of every b[k], then the reduction. The accumulator `fresh` starts at zero.
#[rustfmt::skip]
macro_rules! step {
    ($word:literal, [$($entry:literal),*], $fresh:literal, $accumulators:tt) => {
        concat!(
            "xor {", $fresh, ":e}, {", $fresh, ":e}\n",
            $(multiply!($entry, $word, $accumulators),)*
            reduce!($accumulators),
        )
    };
}

// The function of that name that sums the products of those entries, with five accumulators.
#[rustfmt::skip]
macro_rules! define_sum {
    ($name:ident, $entries:tt) => {
        /// # Safety
        /// BMI2 and ADX must be present; `a` and `b` must point to a pointer to four readable words for each product.
        #[inline(always)]
        unsafe fn $name(a: *const *const u64, b: *const *const u64, modulus: *const Modulus<4>) -> [u64; 4] {
            let (r0, r1, r2, r3): (u64, u64, u64, u64);
            // SAFETY: reads those words and writes registers only; the caller vouches for both.
            unsafe {
                asm!(
                    "xor {t0:e}, {t0:e}\n xor {t1:e}, {t1:e}\n xor {t2:e}, {t2:e}\n xor {t3:e}, {t3:e}",
                    step!("0", $entries, "t4", ["t0", "t1", "t2", "t3", "t4"]),
                    step!("8", $entries, "t0", ["t1", "t2", "t3", "t4", "t0"]),
                    step!("16", $entries, "t1", ["t2", "t3", "t4", "t0", "t1"]),
                    step!("24", $entries, "t2", ["t3", "t4", "t0", "t1", "t2"]),
                    p = const offset_of!(Modulus<4>, p), p_neg_inv = const offset_of!(Modulus<4>, p_neg_inv),
                    a = in(reg) a, b = in(reg) b, modulus = in(reg) modulus, x = out(reg) _,
                    t0 = out(reg) r1, t1 = out(reg) r2, t2 = out(reg) r3, t3 = out(reg) _, t4 = out(reg) r0,
                    low = out(reg) _, high = out(reg) _, out("rdx") _,
                    options(pure, readonly, nostack),
                );
            }
            [r0, r1, r2, r3]
        }
    };
}

define_sum!(sum_of_two, ["0", "8"]);
define_sum!(sum_of_four, ["0", "8", "16", "24"]);
define_sum!(sum_of_six, ["0", "8", "16", "24", "32", "40"]);
define_sum!(sum_of_seven, ["0", "8", "16", "24", "32", "40", "48"]);

/// With a sixth accumulator, because between rows the sum may pass 2^256.
///
/// # Safety
/// As [`sum_of_two`], for six products.
#[inline(always)]
#[rustfmt::skip]
unsafe fn sum_of_six_wide(a: *const *const u64, b: *const *const u64, modulus: *const Modulus<4>) -> [u64; 4] {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: reads those words and writes registers only; the caller vouches for both.
    unsafe {
        asm!(
            "xor {t0:e}, {t0:e}\n xor {t1:e}, {t1:e}\n xor {t2:e}, {t2:e}\n xor {t3:e}, {t3:e}\n xor {t4:e}, {t4:e}",
            step!("0", ["0", "8", "16", "24", "32", "40"], "t5", ["t0", "t1", "t2", "t3", "t4", "t5"]),
            step!("8", ["0", "8", "16", "24", "32", "40"], "t0", ["t1", "t2", "t3", "t4", "t5", "t0"]),
            step!("16", ["0", "8", "16", "24", "32", "40"], "t1", ["t2", "t3", "t4", "t5", "t0", "t1"]),
            step!("24", ["0", "8", "16", "24", "32", "40"], "t2", ["t3", "t4", "t5", "t0", "t1", "t2"]),
            p = const offset_of!(Modulus<4>, p), p_neg_inv = const offset_of!(Modulus<4>, p_neg_inv),
            a = in(reg) a, b = in(reg) b, modulus = in(reg) modulus, x = out(reg) _,
            t0 = out(reg) r2, t1 = out(reg) r3, t2 = out(reg) _, t3 = out(reg) _, t4 = out(reg) r0, t5 = out(reg) r1,
            low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3]
}
