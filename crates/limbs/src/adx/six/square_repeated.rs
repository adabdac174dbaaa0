//! Squares over and over of six words, for chains of squarings where only latency counts.
//!
//! One loop in assembly: values stay below `2p` from one squaring to the next and are corrected once at the end,
//! nothing is copied. The CPU goes on with the reduction's first rows while the square's upper half is still on its
//! way.

use crate::Modulus;
use crate::adx::Adx;
use core::arch::asm;
use core::mem::offset_of;

impl Adx {
    /// `a^(2^count)` in Montgomery form, reduced, for a residue `a` of six words and a modulus below `2^381`; see
    /// [`Modulus::square_repeated`]. `N` must be 6 (a parameter so that generic callers need no cast).
    ///
    /// Bound: from `a < 2p` comes `a²/2^384 + (1 + 2^(-63))·p < (4p/2^384 + 1 + 2^(-63))·p`, below `2p` again.
    ///
    /// Time: depends on `count` only.
    ///
    /// # Panics
    /// Unless `N` is 6, at compile time.
    #[inline]
    pub fn square_six_repeated<const N: usize>(
        self,
        a: &[u64; N],
        count: u32,
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 6, "the assembly is for six words"); // decided at compile time
        debug_assert!(modulus.p[5] < 1 << 61);
        if count == 0 {
            return *a;
        }
        let mut work = Work {
            value: core::array::from_fn(|i| a[i]),
            square: [0; 12],
            left: u64::from(count),
        };
        // SAFETY: `self` proves BMI2 and ADX; the pointers are to work space and to a modulus of six words; `count` is not zero.
        let words = unsafe { square_6_repeated(&mut work, modulus) };
        core::array::from_fn(|i| words[i])
    }
}

/// The values that do not fit the registers.
#[repr(C)]
struct Work {
    value: [u64; 6],
    square: [u64; 12],
    left: u64,
}

/// Squares `value` as often as `left` says: [`super::wide`]'s square and [`super::reduction`]'s rows.
///
/// # Safety
/// BMI2 and ADX must be present; `work` and `modulus` (of six words) must be valid, and `left` not zero.
#[inline(never)]
#[rustfmt::skip]
unsafe fn square_6_repeated<const N: usize>(work: *mut Work, modulus: *const Modulus<N>) -> [u64; 6] {
    let (r0, r1, r2, r3, r4, r5): (u64, u64, u64, u64, u64, u64);
    // Adds rdx·value[i] at words `$low`, `$high`.
    macro_rules! add_product {
        ($i:literal, $low:literal, $high:literal) => {
            concat!("mulx {high}, {low}, [{w} + 8*", $i, "]\n adcx {", $low, "}, {low}\n adox {", $high, "}, {high}\n")
        };
    }
    // Doubles words 2i and 2i + 1, adds the square of value[i] and writes them.
    macro_rules! add_square {
        ($i:literal, $low:literal, $high:literal) => {
            concat!(
                "mov rdx, [{w} + 8*", $i, "]\n mulx {high}, {low}, rdx\n",
                "adcx {", $low, "}, {", $low, "}\n adox {", $low, "}, {low}\n mov [{w} + 48 + 16*", $i, "], {", $low, "}\n",
                "adcx {", $high, "}, {", $high, "}\n adox {", $high, "}, {high}\n mov [{w} + 56 + 16*", $i, "], {", $high, "}\n",
            )
        };
    }
    // SAFETY: reads and writes the work space, reads the modulus, otherwise registers only; the caller vouches for the CPU.
    unsafe {
        asm!(
            "2:",
            // value[0]·value[1..]
            "mov rdx, [{w}]",
            "mulx {t2}, {t1}, [{w} + 8]",
            "mulx {t3}, {low}, [{w} + 16]", "add {t2}, {low}",
            "mulx {t4}, {low}, [{w} + 24]", "adc {t3}, {low}",
            "mulx {t5}, {low}, [{w} + 32]", "adc {t4}, {low}",
            "mulx {t6}, {low}, [{w} + 40]", "adc {t5}, {low}",
            "adc {t6}, 0",
            "mov [{w} + 56], {t1}", "mov [{w} + 64], {t2}",
            // value[1]·value[2..]
            "mov rdx, [{w} + 8]", "xor {t0:e}, {t0:e}",
            add_product!("2", "t3", "t4"), add_product!("3", "t4", "t5"),
            add_product!("4", "t5", "t6"), add_product!("5", "t6", "t0"),
            "adc {t0}, 0",
            // value[2]·value[3..]
            "mov rdx, [{w} + 16]", "xor {t7:e}, {t7:e}",
            add_product!("3", "t5", "t6"), add_product!("4", "t6", "t0"), add_product!("5", "t0", "t7"),
            "adc {t7}, 0",
            // value[3]·value[4..]; word 9 in t1, 10 in t2
            "mov rdx, [{w} + 24]", "xor {t1:e}, {t1:e}",
            add_product!("4", "t0", "t7"), add_product!("5", "t7", "t1"),
            "adc {t1}, 0",
            // value[4]·value[5]
            "mov rdx, [{w} + 32]",
            "mulx {t2}, {low}, [{w} + 40]", "add {t1}, {low}", "adc {t2}, 0",
            // twice that, plus the squares
            "mov rdx, [{w}]",
            "mulx {high}, {low}, rdx", "mov [{w} + 48], {low}",
            "mov {low}, [{w} + 56]", "xor edx, edx", // clears the flags
            "adcx {low}, {low}", "adox {low}, {high}", "mov [{w} + 56], {low}",
            "mov rdx, [{w} + 8]", "mulx {high}, {low}, rdx", "mov rdx, [{w} + 64]",
            "adcx rdx, rdx", "adox rdx, {low}", "mov [{w} + 64], rdx",
            "adcx {t3}, {t3}", "adox {t3}, {high}", "mov [{w} + 72], {t3}",
            add_square!("2", "t4", "t5"),
            add_square!("3", "t6", "t0"),
            add_square!("4", "t7", "t1"),
            "mov rdx, [{w} + 40]", "mulx {high}, {low}, rdx",
            "adcx {t2}, {t2}", "adox {t2}, {low}", "mov [{w} + 128], {t2}",
            "mov {low:e}, 0", "adcx {high}, {low}", "adox {high}, {low}", "mov [{w} + 136], {high}",
            // words 3 to 5 are still in t3, t4, t5
            "mov {t0}, [{w} + 48]", "mov {t1}, [{w} + 56]", "mov {t2}, [{w} + 64]",
            "xor {t6:e}, {t6:e}", "xor {t7:e}, {t7:e}",
            fold!("t0", "t1", "t2", "t3", "t4", "t5", "t6"),
            fold!("t1", "t2", "t3", "t4", "t5", "t6", "t0"),
            fold!("t2", "t3", "t4", "t5", "t6", "t0", "t1"),
            fold!("t3", "t4", "t5", "t6", "t0", "t1", "t2"),
            reduce!("t4", "t5", "t6", "t0", "t1", "t2", "t3", "t7"),
            "add {t6}, [{w} + 96]", "adc {t0}, [{w} + 104]", "adc {t1}, [{w} + 112]",
            "adc {t2}, [{w} + 120]", "adc {t3}, [{w} + 128]", "adc {t7}, [{w} + 136]",
            "mov [{w}], {t6}", "mov [{w} + 8], {t0}", "mov [{w} + 16], {t1}",
            "mov [{w} + 24], {t2}", "mov [{w} + 32], {t3}", "mov [{w} + 40], {t7}",
            "dec qword ptr [{w} + 144]",
            "jnz 2b", // public: how often
            subtract_p!("{t6}", "{t0}", "{t1}", "{t2}", "{t3}", "{t7}"; "{t4}", "{t5}", "{low}", "{high}", "rdx", "{w}"),
            w = inout(reg) work => _, m = in(reg) modulus,
            p = const offset_of!(Modulus<N>, p), fold = const offset_of!(Modulus<N>, fold) + size_of::<[u64; 6]>(), // 2^(-64) is the second
            inv = const offset_of!(Modulus<N>, p_neg_inv),
            second = const offset_of!(Modulus<N>, p_neg_inv_second),
            t0 = out(reg) r1, t1 = out(reg) r2, t2 = out(reg) r3, t3 = out(reg) r4, t4 = out(reg) _, t5 = out(reg) _,
            t6 = out(reg) r0, t7 = out(reg) r5, low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(nostack),
        );
    }
    [r0, r1, r2, r3, r4, r5]
}
