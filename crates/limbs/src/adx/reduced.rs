//! Montgomery product of residues of four words in x86-64 assembly, reduced, with a short way from the factors to the
//! result.

use super::Adx;
use crate::Modulus;
use crate::x86_64::four_words;
use core::arch::asm;
use core::mem::offset_of;

impl Adx {
    /// Montgomery product `a·b·2^(-256) mod p` of residues of four words, reduced. Where `4p < 2^256`, factors below
    /// `2p` are allowed too. `N` must be 4 (a parameter so that generic callers need no cast).
    ///
    /// A seventh less latency than [`Adx::mul_any`], which takes more. Time: constant.
    ///
    /// # Panics
    /// Unless `N` is 4, at compile time.
    #[inline(always)]
    pub fn mul<const N: usize>(self, a: &[u64; N], b: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
        assert!(N == 4, "the assembly is for four words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointer is to a modulus of four words.
        let product = unsafe { mul_4([b[0], b[1], b[2], b[3]], [a[0], a[1], a[2], a[3]], modulus) };
        four_words(product)
    }
}

/// The product below `p`.
///
/// The two lowest words are folded: `t[0]·f` with the residue `f = 2^(-64)` replaces `t[0]/2^64`, without waiting for a
/// multiple of `p`. Two words are reduced at once in the usual way. `m = U·p^(-1) mod 2^128` for the six words `U` that
/// are left, and `(U - m·p)/2^128`, where the low words cancel, so that only their carries are looked at.
///
/// Bounds, with `a·b <= 2^256·p·(1 - 2^(-62))` and factors below 2^255: five words hold a sum before each shift,
/// because that is below `2^64·a + 2^64·f + 2p < 2^320` at all times. And `U < a·b/2^128 + (2^64 + 1)·p`, so the result
/// is between `-p` and `a·b/2^256 + 2^(-63)·p <= p`.
///
/// Operands come in registers for the reason given at [`super::mul_lazy_4`]. Three words of `b` are in vector
/// registers. That leaves fourteen others: as many as there are in builds with frame pointers.
///
/// # Safety
/// BMI2 and ADX must be present; `modulus` must point to a modulus of four words.
#[inline(always)]
#[rustfmt::skip]
unsafe fn mul_4<const N: usize>(a: [u64; 4], b: [u64; 4], modulus: *const Modulus<N>) -> [u64; 4] {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // Adds rdx·(four words) to t4:t3:t2:t1:t0, both carry flags being clear.
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
    macro_rules! fold {
        ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $zero:literal) => {
            concat!(
                "mov rdx, {", $t0, "}\n xor {", $zero, ":e}, {", $zero, ":e}\n",
                row!("[{m} + {f}]", "[{m} + {f} + 8]", "[{m} + {f} + 16]", "[{m} + {f} + 24]", $t1, $t2, $t3, $t4, $t5),
            )
        };
    }
    // The words 1 to 4 of rdx·p in a0..a3.
    macro_rules! multiple {
        () => {
            concat!(
                "mulx {a0}, {low}, [{m} + {p}]\n",
                "mulx {a1}, {low}, [{m} + {p} + 8]\n add {a0}, {low}\n",
                "mulx {a2}, {low}, [{m} + {p} + 16]\n adc {a1}, {low}\n",
                "mulx {a3}, {low}, [{m} + {p} + 24]\n adc {a2}, {low}\n adc {a3}, 0\n",
            )
        };
    }
    // SAFETY: reads the modulus and writes registers only; the caller vouches for the CPU.
    unsafe {
        asm!(
            // t = a·b[0]
            "mulx {t1}, {t0}, {a0}",
            "mulx {t2}, {low}, {a1}", "add {t1}, {low}",
            "mulx {t3}, {low}, {a2}", "adc {t2}, {low}",
            "mulx {t4}, {low}, {a3}", "adc {t3}, {low}",
            "adc {t4}, 0",
            multiply!("movq rdx, {b1}", "t1", "t2", "t3", "t4", "t5"),
            fold!("t0", "t1", "t2", "t3", "t4", "t5", "low"),
            fold!("t1", "t2", "t3", "t4", "t5", "t0", "t0"), // the sixth word is in t0, the seventh in t1
            "movq rdx, {b2}", "xor {low:e}, {low:e}",
            row!("{a0}", "{a1}", "{a2}", "{a3}", "t2", "t3", "t4", "t5", "t0"),
            multiply!("movq rdx, {b3}", "t3", "t4", "t5", "t0", "t1"),
            // m in low, t2
            "mov rdx, [{m} + {inv}]",
            "mulx {high}, {low}, {t2}",
            "imul {t2}, [{m} + {inv} + 8]",
            "imul rdx, {t3}", "add {t2}, rdx", "add {t2}, {high}",
            // minus m·p; word 1 of m·p is t3, so that m[1]·p[0] carries when added to a0 exactly if t3 < a0
            "mov rdx, {low}",
            multiple!(),
            "cmp {t3}, {a0}", "sbb {t4}, {a1}", "sbb {t5}, {a2}", "sbb {t0}, {a3}", "sbb {t1}, 0",
            "mov rdx, {t2}",
            multiple!(),
            "sub {t4}, {a0}", "sbb {t5}, {a1}", "sbb {t0}, {a2}", "sbb {t1}, {a3}",
            // plus p, taken if that carries, which is if it was negative
            "mov {a0}, {t4}", "add {a0}, [{m} + {p}]",
            "mov {a1}, {t5}", "adc {a1}, [{m} + {p} + 8]",
            "mov {a2}, {t0}", "adc {a2}, [{m} + {p} + 16]",
            "mov {a3}, {t1}", "adc {a3}, [{m} + {p} + 24]",
            "cmovc {t4}, {a0}", "cmovc {t5}, {a1}", "cmovc {t0}, {a2}", "cmovc {t1}, {a3}",
            a0 = inout(reg) a[0] => _, a1 = inout(reg) a[1] => _, a2 = inout(reg) a[2] => _, a3 = inout(reg) a[3] => _,
            inout("rdx") b[0] => _, b1 = in(xmm_reg) b[1], b2 = in(xmm_reg) b[2], b3 = in(xmm_reg) b[3],
            m = in(reg) modulus, p = const offset_of!(Modulus<N>, p), inv = const offset_of!(Modulus<N>, p_inv),
            f = const offset_of!(Modulus<N>, fold) + size_of::<[u64; 4]>(), // 2^(-64) is the second
            t0 = out(reg) r2, t1 = out(reg) r3, t2 = out(reg) _, t3 = out(reg) _, t4 = out(reg) r0, t5 = out(reg) r1,
            low = out(reg) _, high = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3]
}
