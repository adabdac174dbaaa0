//! Product with a prepared factor of four words in x86-64 assembly.

use super::Adx;
use crate::x86_64::four_words;
use crate::{Modulus, Prepared};
use core::arch::asm;
use core::mem::offset_of;

impl Adx {
    /// As [`Prepared::mul`], its twin. `N` must be 4 (a parameter so that generic callers need no cast).
    ///
    /// # Panics
    /// Unless `N` is 4, at compile time.
    #[inline(always)]
    pub fn mul_prepared<const N: usize>(
        self,
        a: &[u64; N],
        factor: &Prepared<N>,
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 4, "the assembly is for four words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointers are to a factor and a modulus of four words.
        let product = unsafe { mul_prepared_4([a[0], a[1], a[2], a[3]], factor, modulus) };
        four_words(product)
    }
}

/// The product, below `(4 + a/2^256)·p`, which must be below 2^256.
///
/// All rows are added at the same place, so that none waits for a reduction. ADCX carries the low halves, ADOX the high
/// halves. Bound: the sum is below `2^64` times the result at all times, hence below 2^320.
///
/// # Safety
/// BMI2 and ADX must be present; `factor` and `modulus` must point to such of four words.
#[inline(always)]
#[rustfmt::skip]
unsafe fn mul_prepared_4<const N: usize>(a: [u64; 4], factor: *const Prepared<N>, modulus: *const Modulus<N>) -> [u64; 4] {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // Adds rdx·(four words) to t4:t3:t2:t1:t0.
    macro_rules! row {
        ($rdx:literal, $base:literal, $offset:literal) => {
            concat!(
                $rdx, "\n xor {low:e}, {low:e}\n", // clears both carries
                "mulx {high}, {low}, [{", $base, "} + ", $offset, "]\n adcx {t0}, {low}\n adox {t1}, {high}\n",
                "mulx {high}, {low}, [{", $base, "} + ", $offset, " + 8]\n adcx {t1}, {low}\n adox {t2}, {high}\n",
                "mulx {high}, {low}, [{", $base, "} + ", $offset, " + 16]\n adcx {t2}, {low}\n adox {t3}, {high}\n",
                "mulx {high}, {low}, [{", $base, "} + ", $offset, " + 24]\n adcx {t3}, {low}\n adox {t4}, {high}\n",
                "adc {t4}, 0\n",
            )
        };
    }
    // SAFETY: reads the factor and the modulus and writes registers only; the caller vouches for the CPU.
    unsafe {
        asm!(
            "mulx {t1}, {t0}, [{f}]",
            "mulx {t2}, {low}, [{f} + 8]", "add {t1}, {low}",
            "mulx {t3}, {low}, [{f} + 16]", "adc {t2}, {low}",
            "mulx {t4}, {low}, [{f} + 24]", "adc {t3}, {low}",
            "adc {t4}, 0",
            row!("mov rdx, {a1}", "f", "32"),
            row!("mov rdx, {a2}", "f", "64"),
            row!("mov rdx, {a3}", "f", "96"),
            row!("mov rdx, [{m} + {inv}]\n imul rdx, {t0}", "m", "{p}"),
            inout("rdx") a[0] => _, a1 = in(reg) a[1], a2 = in(reg) a[2], a3 = in(reg) a[3], f = in(reg) factor,
            m = in(reg) modulus, p = const offset_of!(Modulus<N>, p), inv = const offset_of!(Modulus<N>, p_neg_inv),
            t0 = out(reg) _, t1 = out(reg) r0, t2 = out(reg) r1, t3 = out(reg) r2, t4 = out(reg) r3,
            low = out(reg) _, high = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3]
}
