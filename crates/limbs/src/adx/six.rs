//! Products, squares and reductions of six words in x86-64 assembly (MULX, ADCX, ADOX).
//!
//! Six words do not fit the registers beside seven accumulators, so factors are read from memory, and numbers of twelve
//! words ([`crate::Wide`]) are written there. `N` must be 6 in all that follows (a parameter so that generic callers
//! need no cast).

use super::Adx;
use crate::Modulus;
use crate::x86_64::six_words;
use core::arch::asm;
use core::mem::offset_of;

impl Adx {
    /// Montgomery product `a·b·2^(-384) mod p` of six words, reduced: see [`crate::portable::mul_lazy`] for its twin
    /// and the bounds, `a·b < 2^384·p` and `b < 2^383`. Time: constant.
    ///
    /// # Panics
    /// Unless `N` is 6, at compile time.
    #[inline(always)]
    pub fn mul_six<const N: usize>(
        self,
        a: &[u64; N],
        b: &[u64; N],
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 6, "the assembly is for six words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointers are to six words each, and to a modulus of six words.
        let product = unsafe { mul_6(b.as_ptr(), a.as_ptr(), modulus) };
        six_words(product)
    }

    /// As [`Adx::mul_six`] for `a·b <= 2^384·p·(1 - 2^(-62))` and `a < 2^383`, with four products of words less.
    ///
    /// # Panics
    /// Unless `N` is 6, at compile time.
    #[inline(always)]
    pub fn mul_six_folded<const N: usize>(
        self,
        a: &[u64; N],
        b: &[u64; N],
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 6, "the assembly is for six words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointers are to six words each, and to a modulus of six words.
        let product = unsafe { mul_6_folded(a.as_ptr(), b.as_ptr(), modulus) };
        six_words(product)
    }
}

// Adds rdx·(the six words at x + offset) to t6:…:t0, both carry flags being clear. The sum must fit seven words.
#[rustfmt::skip]
macro_rules! row {
    ($x:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $t6:literal) => {
        concat!(
            "mulx {high}, {low}, [", $x, "]\n adcx {", $t0, "}, {low}\n adox {", $t1, "}, {high}\n",
            "mulx {high}, {low}, [", $x, " + 8]\n adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "mulx {high}, {low}, [", $x, " + 16]\n adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
            "mulx {high}, {low}, [", $x, " + 24]\n adcx {", $t3, "}, {low}\n adox {", $t4, "}, {high}\n",
            "mulx {high}, {low}, [", $x, " + 32]\n adcx {", $t4, "}, {low}\n adox {", $t5, "}, {high}\n",
            "mulx {high}, {low}, [", $x, " + 40]\n adcx {", $t5, "}, {low}\n adox {", $t6, "}, {high}\n",
            "adc {", $t6, "}, 0\n",
        )
    };
}

// The first row: rdx·(the six words at x) in t6:…:t0.
#[rustfmt::skip]
macro_rules! first_row {
    ($x:literal) => {
        concat!(
            "mulx {t1}, {t0}, [", $x, "]\n",
            "mulx {t2}, {low}, [", $x, " + 8]\n add {t1}, {low}\n",
            "mulx {t3}, {low}, [", $x, " + 16]\n adc {t2}, {low}\n",
            "mulx {t4}, {low}, [", $x, " + 24]\n adc {t3}, {low}\n",
            "mulx {t5}, {low}, [", $x, " + 32]\n adc {t4}, {low}\n",
            "mulx {t6}, {low}, [", $x, " + 40]\n adc {t5}, {low}\n",
            "adc {t6}, 0\n",
        )
    };
}

// Adds m·p to t7:…:t0, with the m below 2^128 that clears t0 and t1, which are free afterwards. The sum must fit eight words.
//
// Two words at once, because reductions wait for each other: for one word m[0] must be found and multiplied, for two m[1] on the way, which
// is a third product but no second wait. Lowest products are not formed: they are what clears the word, so they carry exactly if
// it is not zero, and so does adding -1 to it.
#[rustfmt::skip]
macro_rules! reduce {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $t6:literal, $t7:literal) => {
        concat!(
            // m in low, high
            "mov rdx, [{m} + {inv}]\n mulx {high}, {low}, {", $t0, "}\n",
            "imul rdx, {", $t1, "}\n add {high}, rdx\n",
            "mov rdx, [{m} + {second}]\n imul rdx, {", $t0, "}\n add {high}, rdx\n",
            "xor edx, edx\n dec rdx\n adcx {", $t0, "}, rdx\n", // both flags were clear
            "mov {", $t0, "}, {high}\n mov rdx, {low}\n",
            multiple!($t1, $t2, $t3, $t4, $t5, $t6),
            "mov {low:e}, 0\n adcx {", $t6, "}, {low}\n adox {", $t7, "}, {low}\n adc {", $t7, "}, 0\n",
            "mov rdx, {", $t0, "}\n xor {", $t0, ":e}, {", $t0, ":e}\n dec {", $t0, "}\n adcx {", $t1, "}, {", $t0, "}\n",
            multiple!($t2, $t3, $t4, $t5, $t6, $t7),
            "adc {", $t7, "}, 0\n",
        )
    };
}

// t0·2^(-64) to t7:…:t1 by the residue 2^(-64), which takes no m and so no wait; t0 becomes t7. The sum must fit seven words.
#[rustfmt::skip]
macro_rules! fold {
    ($t0:literal, $($t:literal),*) => {
        concat!(
            "mov rdx, {", $t0, "}\n xor {", $t0, ":e}, {", $t0, ":e}\n", // also clears the flags
            row!("{m} + {fold}", $($t,)* $t0),
        )
    };
}

// Adds the words 1 to 6 of rdx·p to t6:…:t1, and the carry flag, which stands for word 0; the overflow flag being clear.
#[rustfmt::skip]
macro_rules! multiple {
    ($t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $t6:literal) => {
        concat!(
            "mulx {high}, {low}, [{m} + {p}]\n adox {", $t1, "}, {high}\n",
            "mulx {high}, {low}, [{m} + {p} + 8]\n adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "mulx {high}, {low}, [{m} + {p} + 16]\n adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
            "mulx {high}, {low}, [{m} + {p} + 24]\n adcx {", $t3, "}, {low}\n adox {", $t4, "}, {high}\n",
            "mulx {high}, {low}, [{m} + {p} + 32]\n adcx {", $t4, "}, {low}\n adox {", $t5, "}, {high}\n",
            "mulx {high}, {low}, [{m} + {p} + 40]\n adcx {", $t5, "}, {low}\n adox {", $t6, "}, {high}\n",
        )
    };
}

// The words less p, unless that borrows; six registers to spare.
#[rustfmt::skip]
macro_rules! subtract_p {
    ($r0:literal, $r1:literal, $r2:literal, $r3:literal, $r4:literal, $r5:literal;
     $s0:literal, $s1:literal, $s2:literal, $s3:literal, $s4:literal, $s5:literal) => {
        concat!(
            "mov ", $s0, ", ", $r0, "\n sub ", $s0, ", [{m} + {p}]\n",
            "mov ", $s1, ", ", $r1, "\n sbb ", $s1, ", [{m} + {p} + 8]\n",
            "mov ", $s2, ", ", $r2, "\n sbb ", $s2, ", [{m} + {p} + 16]\n",
            "mov ", $s3, ", ", $r3, "\n sbb ", $s3, ", [{m} + {p} + 24]\n",
            "mov ", $s4, ", ", $r4, "\n sbb ", $s4, ", [{m} + {p} + 32]\n",
            "mov ", $s5, ", ", $r5, "\n sbb ", $s5, ", [{m} + {p} + 40]\n",
            "cmovnc ", $r0, ", ", $s0, "\n cmovnc ", $r1, ", ", $s1, "\n cmovnc ", $r2, ", ", $s2, "\n",
            "cmovnc ", $r3, ", ", $s3, "\n cmovnc ", $r4, ", ", $s4, "\n cmovnc ", $r5, ", ", $s5, "\n",
        )
    };
}

// Below the macros, which they use too.
mod reduction;
mod square_repeated;
mod wide;

pub(crate) use wide::{add_wide, sub_wide};

/// The product below `p`, by two rows and a reduction of two words. Eight accumulators change roles. ADCX carries the
/// low halves and ADOX the high ones. For `a < 2^383` and any `b`: before each two rows the sum is below
/// `a + p < 2^384`, by the no-carry argument of the portable twin. So two rows and their multiple of `p`, which is
/// below `2^128·(a + p)`, fit eight words.
///
/// # Safety
/// BMI2 and ADX must be present; `a` and `b` must point to six readable words, `modulus` to a modulus of six words.
#[inline(always)]
#[rustfmt::skip]
unsafe fn mul_6<const N: usize>(a: *const u64, b: *const u64, modulus: *const Modulus<N>) -> [u64; 6] {
    let (r0, r1, r2, r3, r4, r5): (u64, u64, u64, u64, u64, u64);
    macro_rules! multiply {
        ($word:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $t6:literal) => {
            concat!(
                "mov rdx, [{b} + ", $word, "]\n xor {", $t6, ":e}, {", $t6, ":e}\n", // also clears the flags
                row!("{a}", $t0, $t1, $t2, $t3, $t4, $t5, $t6),
            )
        };
    }
    // SAFETY: reads those words and the modulus, and writes registers only; the caller vouches for the CPU.
    unsafe {
        asm!(
            "mov rdx, [{b}]",
            first_row!("{a}"),
            multiply!("8", "t1", "t2", "t3", "t4", "t5", "t6", "t7"),
            reduce!("t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"),
            multiply!("16", "t2", "t3", "t4", "t5", "t6", "t7", "t0"),
            multiply!("24", "t3", "t4", "t5", "t6", "t7", "t0", "t1"),
            reduce!("t2", "t3", "t4", "t5", "t6", "t7", "t0", "t1"),
            multiply!("32", "t4", "t5", "t6", "t7", "t0", "t1", "t2"),
            multiply!("40", "t5", "t6", "t7", "t0", "t1", "t2", "t3"),
            reduce!("t4", "t5", "t6", "t7", "t0", "t1", "t2", "t3"),
            subtract_p!("{t6}", "{t7}", "{t0}", "{t1}", "{t2}", "{t3}"; "{t4}", "{t5}", "{low}", "{high}", "rdx", "{a}"),
            a = inout(reg) a => _, b = in(reg) b, m = in(reg) modulus,
            p = const offset_of!(Modulus<N>, p), inv = const offset_of!(Modulus<N>, p_neg_inv),
            second = const offset_of!(Modulus<N>, p_neg_inv_second),
            t0 = out(reg) r2, t1 = out(reg) r3, t2 = out(reg) r4, t3 = out(reg) r5, t4 = out(reg) _, t5 = out(reg) _,
            t6 = out(reg) r0, t7 = out(reg) r1, low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3, r4, r5]
}

/// The product below `p` by rows, the four lowest words folded and the other two reduced at once.
///
/// Bounds, for `a < 2^383`: after a fold the sum is below `(1 + 2^(-63))·2^64·p`, a row adds less than `2^64·a`, which
/// seven words hold. Two rows and `m·p` are then below `2^128·(a + p)`, as in [`mul_6`]. And of the quotient `a·b` is
/// at most `p·(1 - 2^(-62))`, `m·p` less than `p`, and the folds less than `2^(-63)·p`: below `2p`.
///
/// # Safety
/// BMI2 and ADX must be present; `a` and `b` must point to six readable words, `modulus` to a modulus of six words.
#[inline(always)]
#[rustfmt::skip]
unsafe fn mul_6_folded<const N: usize>(a: *const u64, b: *const u64, modulus: *const Modulus<N>) -> [u64; 6] {
    let (r0, r1, r2, r3, r4, r5): (u64, u64, u64, u64, u64, u64);
    macro_rules! multiply {
        ($word:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $t6:literal) => {
            concat!(
                "mov rdx, [{b} + ", $word, "]\n xor {low:e}, {low:e}\n", // clears the flags
                row!("{a}", $t0, $t1, $t2, $t3, $t4, $t5, $t6),
            )
        };
    }
    // SAFETY: reads those words and the modulus, and writes registers only; the caller vouches for the CPU.
    unsafe {
        asm!(
            "mov rdx, [{b}]",
            first_row!("{a}"),
            fold!("t0", "t1", "t2", "t3", "t4", "t5", "t6"),
            multiply!("8", "t1", "t2", "t3", "t4", "t5", "t6", "t0"),
            fold!("t1", "t2", "t3", "t4", "t5", "t6", "t0"),
            multiply!("16", "t2", "t3", "t4", "t5", "t6", "t0", "t1"),
            fold!("t2", "t3", "t4", "t5", "t6", "t0", "t1"),
            multiply!("24", "t3", "t4", "t5", "t6", "t0", "t1", "t2"),
            fold!("t3", "t4", "t5", "t6", "t0", "t1", "t2"),
            multiply!("32", "t4", "t5", "t6", "t0", "t1", "t2", "t3"),
            "xor {t7:e}, {t7:e}", "mov rdx, [{b} + 40]",
            row!("{a}", "t5", "t6", "t0", "t1", "t2", "t3", "t7"),
            reduce!("t4", "t5", "t6", "t0", "t1", "t2", "t3", "t7"),
            subtract_p!("{t6}", "{t0}", "{t1}", "{t2}", "{t3}", "{t7}"; "{t4}", "{t5}", "{low}", "{high}", "rdx", "{a}"),
            a = inout(reg) a => _, b = in(reg) b, m = in(reg) modulus,
            p = const offset_of!(Modulus<N>, p), fold = const offset_of!(Modulus<N>, fold) + size_of::<[u64; 6]>(), // 2^(-64) is the second
            inv = const offset_of!(Modulus<N>, p_neg_inv),
            second = const offset_of!(Modulus<N>, p_neg_inv_second),
            t0 = out(reg) r1, t1 = out(reg) r2, t2 = out(reg) r3, t3 = out(reg) r4, t4 = out(reg) _, t5 = out(reg) _,
            t6 = out(reg) r0, t7 = out(reg) r5, low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3, r4, r5]
}
