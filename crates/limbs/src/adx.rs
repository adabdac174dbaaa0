//! Montgomery product of four words in x86-64 assembly, with two carry chains (MULX, ADCX, ADOX); of six words in
//! `adx::six`.

#![allow(unsafe_code)]

mod prepared;
mod products;
mod pseudo_mersenne;
mod reduced;
pub(crate) mod six;
mod square;

use crate::Modulus;
use crate::x86_64::four_words;
use core::arch::asm;
use core::mem::offset_of;
use frumious_simd::cpu;

/// Proof that this CPU has BMI2 and ADX: only detection makes one, so holding it allows the assembly.
#[derive(Clone, Copy, Debug)]
pub struct Adx(());

impl Adx {
    /// The proof, if this CPU has both.
    pub fn detect() -> Option<Self> {
        cpu::has_adx().then_some(Self(()))
    }

    /// The proof, for [`crate::backend`], whose flag is set only after detection.
    #[inline(always)]
    pub(crate) const fn detected_before() -> Option<Self> {
        Some(Self(()))
    }

    /// Montgomery product `a·b·2^(-256) mod p` of four words, without the last subtraction; see
    /// [`crate::portable::mul_lazy`], its twin. `N` must be 4 (a parameter so that generic callers need no cast).
    ///
    /// Input: `b + p < 2^256·(1 - 2^(-60))`. Output: below `a·b/2^256 + p`, which must be below 2^256, too. Time:
    /// constant.
    ///
    /// # Panics
    /// Unless `N` is 4, at compile time.
    #[inline(always)]
    pub fn mul_lazy<const N: usize>(
        self,
        a: &[u64; N],
        b: &[u64; N],
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 4, "the assembly is for four words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointer is to a modulus of four words.
        let product = unsafe {
            mul_lazy_4::<false, N>([b[0], b[1], b[2], b[3]], [a[0], a[1], a[2], a[3]], modulus)
        };
        four_words(product)
    }

    /// As [`Adx::mul_lazy`] with the last subtraction: the output is below `p`. For residues [`Adx::mul`] is faster.
    ///
    /// # Panics
    /// Unless `N` is 4, at compile time.
    #[inline(always)]
    pub fn mul_any<const N: usize>(
        self,
        a: &[u64; N],
        b: &[u64; N],
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 4, "the assembly is for four words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointer is to a modulus of four words.
        let product = unsafe {
            mul_lazy_4::<true, N>([b[0], b[1], b[2], b[3]], [a[0], a[1], a[2], a[3]], modulus)
        };
        four_words(product)
    }
}

/// The product below `a·b/2^256 + p < 2^256`, for `a + p < 2^256·(1 - 2^(-60))` and any `b`. Below `p` if `REDUCED`,
/// for `a·b < 2^256·p`.
///
/// Row i adds `a·b[i]` and then `m·p` with `m = t[0]·p_neg_inv`, which clears the lowest word. The five accumulators
/// change roles from row to row instead of moving. ADCX carries the low halves, ADOX the high halves. Bound: after each
/// row `t < t/2^64 + a + p`, so that before each row `t < 2^256`. So each chain's last carry goes into the fifth word
/// and never out of it.
///
/// Both factors come in registers, the upper half of `b` in the low halves of two vector registers. Read through
/// pointers they would be spilled first, copied in halves of 16 bytes and waited for: a failed store forwarding.
/// Measured, that is a fifth slower in scalar multiplications and in MSM, and an eighth in transforms.
///
/// # Safety
/// BMI2 and ADX must be present; `modulus` must point to a modulus of four words.
#[inline(always)]
#[rustfmt::skip]
unsafe fn mul_lazy_4<const REDUCED: bool, const N: usize>(a: [u64; 4], b: [u64; 4], modulus: *const Modulus<N>) -> [u64; 4] {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // Adds rdx·(four words) to t4:t3:t2:t1:t0, with t4 a fresh zero and both carry flags clear.
    macro_rules! row {
        ($x0:literal, $x1:literal, $x2:literal, $x3:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
            concat!(
                "mulx {high}, {low}, ", $x0, "\n adcx {", $t0, "}, {low}\n adox {", $t1, "}, {high}\n",
                "mulx {high}, {low}, ", $x1, "\n adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
                "mulx {high}, {low}, ", $x2, "\n adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
                "mulx {high}, {low}, ", $x3, "\n adcx {", $t3, "}, {low}\n adox {", $t4, "}, {high}\n",
                "adc {", $t4, "}, 0\n",
            )
        };
    }
    macro_rules! multiply {
        ($b:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
            concat!($b, "\n xor {", $t4, ":e}, {", $t4, ":e}\n", row!("{a0}", "{a1}", "{a2}", "{a3}", $t0, $t1, $t2, $t3, $t4))
        };
    }
    macro_rules! reduce {
        ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
            concat!(
                "mov rdx, [{m} + {inv}]\n imul rdx, {", $t0, "}\n xor {low:e}, {low:e}\n",
                row!("[{m} + {p}]", "[{m} + {p} + 8]", "[{m} + {p} + 16]", "[{m} + {p} + 24]", $t0, $t1, $t2, $t3, $t4),
            )
        };
    }
    macro_rules! product {
        ($($last:literal,)*) => {
            asm!(
                // t = a·b[0]
                "mulx {t1}, {t0}, {a0}",
                "mulx {t2}, {low}, {a1}", "add {t1}, {low}",
                "mulx {t3}, {low}, {a2}", "adc {t2}, {low}",
                "mulx {t4}, {low}, {a3}", "adc {t3}, {low}",
                "adc {t4}, 0",
                reduce!("t0", "t1", "t2", "t3", "t4"),
                multiply!("mov rdx, {b1}", "t1", "t2", "t3", "t4", "t0"),
                reduce!("t1", "t2", "t3", "t4", "t0"),
                multiply!("movq rdx, {b2}", "t2", "t3", "t4", "t0", "t1"),
                reduce!("t2", "t3", "t4", "t0", "t1"),
                multiply!("movq rdx, {b3}", "t3", "t4", "t0", "t1", "t2"),
                reduce!("t3", "t4", "t0", "t1", "t2"),
                $($last,)*
                a0 = in(reg) a[0], a1 = in(reg) a[1], a2 = in(reg) a[2], a3 = in(reg) a[3],
                inout("rdx") b[0] => _, b1 = in(reg) b[1], b2 = in(xmm_reg) b[2], b3 = in(xmm_reg) b[3],
                m = in(reg) modulus, p = const offset_of!(Modulus<N>, p), inv = const offset_of!(Modulus<N>, p_neg_inv),
                t0 = out(reg) r1, t1 = out(reg) r2, t2 = out(reg) r3, t3 = out(reg) _, t4 = out(reg) r0,
                low = out(reg) _, high = out(reg) _,
                options(pure, readonly, nostack),
            )
        };
    }
    // SAFETY: reads the modulus and writes registers only; the caller vouches for the CPU.
    unsafe {
        if REDUCED {
            product!(
                // t - p in t3, low, high, rdx; taken unless it borrows
                "mov {t3}, {t4}", "sub {t3}, [{m} + {p}]",
                "mov {low}, {t0}", "sbb {low}, [{m} + {p} + 8]",
                "mov {high}, {t1}", "sbb {high}, [{m} + {p} + 16]",
                "mov rdx, {t2}", "sbb rdx, [{m} + {p} + 24]",
                "cmovnc {t4}, {t3}", "cmovnc {t0}, {low}", "cmovnc {t1}, {high}", "cmovnc {t2}, rdx",
            );
        } else {
            product!();
        }
    }
    [r0, r1, r2, r3]
}
