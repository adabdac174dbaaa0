//! Montgomery product of four words in x86-64 assembly, with two carry chains (MULX, ADCX, ADOX).

#![allow(unsafe_code)]

mod products;

use crate::Modulus;
use core::arch::asm;

/// Proof that this CPU has BMI2 and ADX: only detection makes one, so holding it allows the assembly.
#[derive(Clone, Copy, Debug)]
pub struct Adx(());

impl Adx {
    /// The proof, if this CPU has both.
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("adx")).then_some(Self(()))
    }

    /// For [`crate::backend`], whose flag is set only after detection.
    #[inline(always)]
    pub(crate) const fn detected_before() -> Self {
        Self(())
    }

    /// Montgomery product `a·b·2^(-256) mod p` of four words, without the last subtraction; see
    /// [`crate::portable::mul_lazy`], its twin. `N` must be 4 (a parameter so that generic callers need no cast).
    ///
    /// Input: `a·b < 2^256·p`, `b < 2^255`. Output: below `2p`. Time: constant.
    #[inline(always)]
    pub fn mul_lazy<const N: usize>(
        self,
        a: &[u64; N],
        b: &[u64; N],
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 4, "the assembly is for four words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointers are to four readable words each.
        let words = unsafe {
            mul_4::<false>(
                b.as_ptr(),
                a.as_ptr(),
                modulus.p.as_ptr(),
                modulus.p_neg_inv,
            )
        };
        core::array::from_fn(|i| words[i])
    }

    /// As [`Adx::mul_lazy`] with the last subtraction: the output is below `p`.
    #[inline(always)]
    pub fn mul<const N: usize>(self, a: &[u64; N], b: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
        assert!(N == 4, "the assembly is for four words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointers are to four readable words each.
        let words = unsafe {
            mul_4::<true>(
                b.as_ptr(),
                a.as_ptr(),
                modulus.p.as_ptr(),
                modulus.p_neg_inv,
            )
        };
        core::array::from_fn(|i| words[i])
    }
}

/// The product below `2p`, or below `p` if `REDUCED`, for `a < 2^255` and any `b` with `a·b < 2^256·p`.
///
/// Row i adds `a·b[i]` and then `m·p` with `m = t[0]·p_neg_inv`, which clears the lowest word.
/// The five accumulators change roles from row to row instead of moving. ADCX carries the low halves, ADOX the
/// high halves. Bound: before each row `t < 2^256`, by the no-carry argument of the portable twin, so each
/// chain's last carry goes into the fifth word and never out of it.
///
/// # Safety
/// BMI2 and ADX must be present; `a`, `b`, `p` must point to four readable words each.
#[inline(always)]
unsafe fn mul_4<const REDUCED: bool>(
    a: *const u64,
    b: *const u64,
    p: *const u64,
    p_neg_inv: u64,
) -> [u64; 4] {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // Adds rdx·[x] to t4:t3:t2:t1:t0, with t4 a fresh zero.
    macro_rules! row {
        ($x:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
            concat!(
                "mulx {high}, {low}, [{",
                $x,
                "}]\n",
                "adcx {",
                $t0,
                "}, {low}\n adox {",
                $t1,
                "}, {high}\n",
                "mulx {high}, {low}, [{",
                $x,
                "} + 8]\n",
                "adcx {",
                $t1,
                "}, {low}\n adox {",
                $t2,
                "}, {high}\n",
                "mulx {high}, {low}, [{",
                $x,
                "} + 16]\n",
                "adcx {",
                $t2,
                "}, {low}\n adox {",
                $t3,
                "}, {high}\n",
                "mulx {high}, {low}, [{",
                $x,
                "} + 24]\n",
                "adcx {",
                $t3,
                "}, {low}\n adox {",
                $t4,
                "}, {high}\n",
            )
        };
    }
    macro_rules! multiply {
        ($i:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
            concat!(
                "mov rdx, [{b} + ",
                $i,
                "]\n",
                "xor {",
                $t4,
                ":e}, {",
                $t4,
                ":e}\n", // also clears both carry flags
                row!("a", $t0, $t1, $t2, $t3, $t4),
                "adc {",
                $t4,
                "}, 0\n",
            )
        };
    }
    macro_rules! reduce {
        ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
            concat!(
                "mov rdx, {p_neg_inv}\n imul rdx, {",
                $t0,
                "}\n",
                "xor {low:e}, {low:e}\n",
                row!("p", $t0, $t1, $t2, $t3, $t4),
                "adc {",
                $t4,
                "}, 0\n",
            )
        };
    }
    macro_rules! product {
        ($($last:literal,)*) => {
            asm!(
                // t = a·b[0]
                "mov rdx, [{b}]",
                "mulx {t1}, {t0}, [{a}]",
                "mulx {t2}, {low}, [{a} + 8]", "add {t1}, {low}",
                "mulx {t3}, {low}, [{a} + 16]", "adc {t2}, {low}",
                "mulx {t4}, {low}, [{a} + 24]", "adc {t3}, {low}",
                "adc {t4}, 0",
                reduce!("t0", "t1", "t2", "t3", "t4"),
                multiply!("8", "t1", "t2", "t3", "t4", "t0"),
                reduce!("t1", "t2", "t3", "t4", "t0"),
                multiply!("16", "t2", "t3", "t4", "t0", "t1"),
                reduce!("t2", "t3", "t4", "t0", "t1"),
                multiply!("24", "t3", "t4", "t0", "t1", "t2"),
                reduce!("t3", "t4", "t0", "t1", "t2"),
                $($last,)*
                a = in(reg) a, b = in(reg) b, p = in(reg) p, p_neg_inv = in(reg) p_neg_inv,
                t0 = out(reg) r1, t1 = out(reg) r2, t2 = out(reg) r3, t3 = out(reg) _, t4 = out(reg) r0,
                low = out(reg) _, high = out(reg) _, out("rdx") _,
                options(pure, readonly, nostack),
            )
        };
    }
    // SAFETY: reads four words behind each pointer and writes registers only; the caller vouches for both.
    unsafe {
        if REDUCED {
            product!(
                // t - p in t3, low, high, rdx; taken unless it borrows
                "mov {t3}, {t4}",
                "sub {t3}, [{p}]",
                "mov {low}, {t0}",
                "sbb {low}, [{p} + 8]",
                "mov {high}, {t1}",
                "sbb {high}, [{p} + 16]",
                "mov rdx, {t2}",
                "sbb rdx, [{p} + 24]",
                "cmovnc {t4}, {t3}",
                "cmovnc {t0}, {low}",
                "cmovnc {t1}, {high}",
                "cmovnc {t2}, rdx",
            );
        } else {
            product!();
        }
    }
    [r0, r1, r2, r3]
}
