//! Product and square of four words modulo `p = 2^256 - c`, in x86-64 assembly with two carry chains. The number `c`
//! has one word, or two and a third that is one.
//!
//! The product takes 16 products of words, the square 10. With one word, folding the upper half takes four, and folding
//! what is left above four words one more. The longer `c` takes 8, 4 and 2. Each accumulator of the product takes the
//! place of an operand's word that is needed no more, so all of it fits into registers.

use super::Adx;
use core::arch::asm;

// Adds rdx·a, where rdx is loaded from b, to five words of which the last is fresh.
#[rustfmt::skip]
macro_rules! row {
    ($b:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal) => {
        concat!(
            "movq rdx, {", $b, "}\n xor {", $t4, ":e}, {", $t4, ":e}\n",
            "mulx {high}, {low}, {a0}\n adcx {", $t0, "}, {low}\n adox {", $t1, "}, {high}\n",
            "mulx {high}, {low}, {a1}\n adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "mulx {high}, {low}, {a2}\n adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
            "mulx {high}, {low}, {a3}\n adcx {", $t3, "}, {low}\n adox {", $t4, "}, {high}\n",
            "adc {", $t4, "}, 0\n",
        )
    };
}

// a·b, of which b[0] is in rdx: eight words in t0..t6, a3; a0, a1, a2 are free afterwards.
//
// ADCX carries the low halves, ADOX the high halves. Bound: after row i the sum is below 2^(64(i + 5)), so the last carries
// of both chains stay within its top word.
#[rustfmt::skip]
macro_rules! wide_product {
    () => {
        concat!(
            "mulx {t1}, {t0}, {a0}\n",
            "mulx {t2}, {low}, {a1}\n add {t1}, {low}\n",
            "mulx {t3}, {low}, {a2}\n adc {t2}, {low}\n",
            "mulx {t4}, {low}, {a3}\n adc {t3}, {low}\n",
            "adc {t4}, 0\n",
            row!("b1", "t1", "t2", "t3", "t4", "t5"),
            row!("b2", "t2", "t3", "t4", "t5", "t6"),
            // the last row's top word goes where the factor was
            "xor edx, edx\n movq rdx, {b3}\n",
            "mulx {high}, {low}, {a0}\n adcx {t3}, {low}\n adox {t4}, {high}\n",
            "mov {a0:e}, 0\n",
            "mulx {high}, {low}, {a1}\n adcx {t4}, {low}\n adox {t5}, {high}\n",
            "mulx {high}, {low}, {a2}\n adcx {t5}, {low}\n adox {t6}, {high}\n",
            "mulx {a3}, {low}, {a3}\n adcx {t6}, {low}\n adox {a3}, {a0}\n adc {a3}, 0\n",
        )
    };
}

// a² in a0, t1..t7, of a in a0..a3.
#[rustfmt::skip]
macro_rules! wide_square {
    () => {
        concat!(
            // the products of different words
            "mov rdx, {a0}\n",
            "mulx {t2}, {t1}, {a1}\n",
            "mulx {t3}, {high}, {a2}\n add {t2}, {high}\n",
            "mulx {t4}, {high}, {a3}\n adc {t3}, {high}\n adc {t4}, 0\n",
            "mov rdx, {a1}\n",
            "mulx {low}, {high}, {a2}\n",
            "mulx {t5}, {t6}, {a3}\n add {low}, {t6}\n adc {t5}, 0\n",
            "add {t3}, {high}\n adc {t4}, {low}\n adc {t5}, 0\n",
            "mov rdx, {a2}\n",
            "mulx {t6}, {high}, {a3}\n add {t5}, {high}\n adc {t6}, 0\n",
            // twice that, plus the squares
            "xor {t7:e}, {t7:e}\n",
            "mov rdx, {a0}\n mulx {high}, {a0}, rdx\n",
            "adcx {t1}, {t1}\n adox {t1}, {high}\n",
            "mov rdx, {a1}\n mulx {high}, {low}, rdx\n",
            "adcx {t2}, {t2}\n adox {t2}, {low}\n adcx {t3}, {t3}\n adox {t3}, {high}\n",
            "mov rdx, {a2}\n mulx {high}, {low}, rdx\n",
            "adcx {t4}, {t4}\n adox {t4}, {low}\n adcx {t5}, {t5}\n adox {t5}, {high}\n",
            "mov rdx, {a3}\n mulx {high}, {low}, rdx\n",
            "adcx {t6}, {t6}\n adox {t6}, {low}\n adcx {t7}, {t7}\n adox {t7}, {high}\n",
        )
    };
}

// Four words and a carry of zero or minus one in `low`, congruent to the eight words; c stays in rdx. `low` and `high` are spare.
//
// Bound: high·c + low < 2^256·(c + 1), so the fifth word is at most c, and after its fold a carry leaves less than c².
#[rustfmt::skip]
macro_rules! fold {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $t6:literal, $t7:literal) => {
        concat!(
            "mov rdx, {c}\n xor {high:e}, {high:e}\n", // both carry flags are clear
            "mulx {high}, {low}, {", $t4, "}\n adcx {", $t0, "}, {low}\n adox {", $t1, "}, {high}\n",
            "mov {", $t4, ":e}, 0\n",
            "mulx {high}, {low}, {", $t5, "}\n adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "mulx {high}, {low}, {", $t6, "}\n adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
            "mulx {high}, {low}, {", $t7, "}\n adcx {", $t3, "}, {low}\n adox {high}, {", $t4, "}\n",
            "adc {high}, 0\n",
            "mulx {high}, {low}, {high}\n",
            "add {", $t0, "}, {low}\n adc {", $t1, "}, {high}\n adc {", $t2, "}, 0\n adc {", $t3, "}, 0\n",
            "sbb {low}, {low}\n",
        )
    };
}

// Plus c, taken if it carries or `low` says so, with s0..s3 to spare.
#[rustfmt::skip]
macro_rules! correct {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $s0:literal, $s1:literal, $s2:literal, $s3:literal) => {
        concat!(
            "mov {", $s0, "}, {", $t0, "}\n add {", $s0, "}, rdx\n",
            "mov {", $s1, "}, {", $t1, "}\n adc {", $s1, "}, 0\n",
            "mov {", $s2, "}, {", $t2, "}\n adc {", $s2, "}, 0\n",
            "mov {", $s3, "}, {", $t3, "}\n adc {", $s3, "}, 0\n",
            "sbb {low}, 0\n",
            "cmovnz {", $t0, "}, {", $s0, "}\n cmovnz {", $t1, "}, {", $s1, "}\n",
            "cmovnz {", $t2, "}, {", $s2, "}\n cmovnz {", $t3, "}, {", $s3, "}\n",
        )
    };
}

// As `fold!` for c = c0 + c1·2^64 + 2^128, with n4, n5, n6 to spare; `rdx` is spare too.
//
// Bounds, for c < 2^129: high·c + low < 2^385 + 2^256, so n6 is 0 or 1; folding n6:n5:n4 leaves less than 2^259 and a fifth word of at most 7;
// and after its fold a carry leaves less than 7c.
#[rustfmt::skip]
macro_rules! fold_three {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $t6:literal, $t7:literal; $n4:literal, $n5:literal, $n6:literal) => {
        concat!(
            // the upper half times c0
            "mov rdx, {c0}\n xor {", $n4, ":e}, {", $n4, ":e}\n", // both carry flags are clear
            "mulx {high}, {low}, {", $t4, "}\n adcx {", $t0, "}, {low}\n adox {", $t1, "}, {high}\n",
            "mulx {high}, {low}, {", $t5, "}\n adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "mulx {high}, {low}, {", $t6, "}\n adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
            "mulx {high}, {low}, {", $t7, "}\n adcx {", $t3, "}, {low}\n adox {", $n4, "}, {high}\n adc {", $n4, "}, 0\n",
            // times c1
            "mov rdx, {c1}\n xor {", $n5, ":e}, {", $n5, ":e}\n",
            "mulx {high}, {low}, {", $t4, "}\n adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "mulx {high}, {low}, {", $t5, "}\n adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
            "mulx {high}, {low}, {", $t6, "}\n adcx {", $t3, "}, {low}\n adox {", $n4, "}, {high}\n",
            "mulx {high}, {low}, {", $t7, "}\n adcx {", $n4, "}, {low}\n adox {", $n5, "}, {high}\n adc {", $n5, "}, 0\n",
            // times 2^128
            "xor {", $n6, ":e}, {", $n6, ":e}\n",
            "add {", $t2, "}, {", $t4, "}\n adc {", $t3, "}, {", $t5, "}\n adc {", $n4, "}, {", $t6, "}\n adc {", $n5, "}, {", $t7, "}\n adc {", $n6, "}, 0\n",
            // n6:n5:n4 times c; t4 is zero, t5 the fifth word
            "mov rdx, {c0}\n xor {", $t5, ":e}, {", $t5, ":e}\n mov {", $t4, ":e}, 0\n",
            "mulx {high}, {low}, {", $n4, "}\n adcx {", $t0, "}, {low}\n adox {", $t1, "}, {high}\n",
            "mulx {high}, {low}, {", $n5, "}\n adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "adcx {", $t2, "}, {", $t4, "}\n adox {", $t3, "}, {", $t4, "}\n adcx {", $t3, "}, {", $t4, "}\n",
            "adox {", $t5, "}, {", $t4, "}\n adcx {", $t5, "}, {", $t4, "}\n",
            "mov rdx, {c1}\n", // both carry flags are clear, as the fifth word is small
            "mulx {high}, {low}, {", $n4, "}\n adcx {", $t1, "}, {low}\n adox {", $t2, "}, {high}\n",
            "mulx {high}, {low}, {", $n5, "}\n adcx {", $t2, "}, {low}\n adox {", $t3, "}, {high}\n",
            "adcx {", $t3, "}, {", $t4, "}\n adox {", $t5, "}, {", $t4, "}\n adcx {", $t5, "}, {", $t4, "}\n",
            "add {", $t2, "}, {", $n4, "}\n adc {", $t3, "}, {", $n5, "}\n adc {", $t5, "}, {", $n6, "}\n",
            "neg {", $n6, "}\n mov {", $t6, "}, {c0}\n and {", $t6, "}, {", $n6, "}\n and {", $n6, "}, rdx\n",
            "add {", $t2, "}, {", $t6, "}\n adc {", $t3, "}, {", $n6, "}\n adc {", $t5, "}, 0\n",
            // the fifth word times c
            "mulx {high}, {low}, {", $t5, "}\n mov rdx, {c0}\n mulx {", $t6, "}, {", $t7, "}, {", $t5, "}\n",
            "add {", $t6, "}, {low}\n adc {", $t5, "}, {high}\n",
            "add {", $t0, "}, {", $t7, "}\n adc {", $t1, "}, {", $t6, "}\n adc {", $t2, "}, {", $t5, "}\n adc {", $t3, "}, 0\n",
            "sbb {low}, {low}\n",
            // plus c, taken if it carries or `low` says so
            "add rdx, {", $t0, "}\n",
            "mov {", $t5, "}, {c1}\n adc {", $t5, "}, {", $t1, "}\n",
            "mov {", $t6, "}, {", $t2, "}\n adc {", $t6, "}, 1\n",
            "mov {", $t7, "}, {", $t3, "}\n adc {", $t7, "}, 0\n",
            "sbb {low}, 0\n",
            "cmovnz {", $t0, "}, rdx\n cmovnz {", $t1, "}, {", $t5, "}\n cmovnz {", $t2, "}, {", $t6, "}\n cmovnz {", $t3, "}, {", $t7, "}\n",
        )
    };
}

impl Adx {
    /// `a·b mod p` for `p = 2^256 - C`, a residue, for any words `a, b` and `C < 2^63`. Time: constant.
    #[inline(always)]
    #[rustfmt::skip]
    pub fn mul_folded<const C: u64>(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let (r0, r1, r2, r3): (u64, u64, u64, u64);
        const { assert!(C >> 63 == 0, "the bound of the last fold") };
        // SAFETY: registers only; `self` proves BMI2 and ADX.
        unsafe {
            asm!(
                wide_product!(),
                fold!("t0", "t1", "t2", "t3", "t4", "t5", "t6", "a3"),
                correct!("t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0"),
                a0 = inout(reg) a[0] => _, a1 = inout(reg) a[1] => _, a2 = inout(reg) a[2] => _, a3 = inout(reg) a[3] => _,
                inout("rdx") b[0] => _, b1 = in(xmm_reg) b[1], b2 = in(xmm_reg) b[2], b3 = in(xmm_reg) b[3],
                c = const C,
                t0 = out(reg) r0, t1 = out(reg) r1, t2 = out(reg) r2, t3 = out(reg) r3,
                t4 = out(reg) _, t5 = out(reg) _, t6 = out(reg) _, low = out(reg) _, high = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        [r0, r1, r2, r3]
    }

    /// `a² mod p` as [`Adx::mul_folded`]. Time: constant.
    #[inline(always)]
    #[rustfmt::skip]
    pub fn square_folded<const C: u64>(self, a: &[u64; 4]) -> [u64; 4] {
        let (r0, r1, r2, r3): (u64, u64, u64, u64);
        const { assert!(C >> 63 == 0, "the bound of the last fold") };
        // SAFETY: registers only; `self` proves BMI2 and ADX.
        unsafe {
            asm!(
                wide_square!(),
                fold!("a0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"),
                correct!("a0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"),
                a0 = inout(reg) a[0] => r0, a1 = inout(reg) a[1] => _, a2 = inout(reg) a[2] => _, a3 = inout(reg) a[3] => _,
                out("rdx") _, c = const C,
                t1 = out(reg) r1, t2 = out(reg) r2, t3 = out(reg) r3,
                t4 = out(reg) _, t5 = out(reg) _, t6 = out(reg) _, t7 = out(reg) _, low = out(reg) _, high = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        [r0, r1, r2, r3]
    }

    /// Four words congruent to `a²`, for chains of squarings. Time: constant.
    ///
    /// A carry out of the last fold leaves less than `c² < 2^126`, so adding `c` for it ends in the second word.
    #[inline(always)]
    #[rustfmt::skip]
    pub fn square_folded_lazy<const C: u64>(self, a: &[u64; 4]) -> [u64; 4] {
        let (r0, r1, r2, r3): (u64, u64, u64, u64);
        const { assert!(C >> 63 == 0, "the bound of the last fold") };
        // SAFETY: registers only; `self` proves BMI2 and ADX.
        unsafe {
            asm!(
                wide_square!(),
                fold!("a0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"),
                "and {low}, rdx", "add {a0}, {low}", "adc {t1}, 0",
                a0 = inout(reg) a[0] => r0, a1 = inout(reg) a[1] => _, a2 = inout(reg) a[2] => _, a3 = inout(reg) a[3] => _,
                out("rdx") _, c = const C,
                t1 = out(reg) r1, t2 = out(reg) r2, t3 = out(reg) r3,
                t4 = out(reg) _, t5 = out(reg) _, t6 = out(reg) _, t7 = out(reg) _, low = out(reg) _, high = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        [r0, r1, r2, r3]
    }

    /// `a·b mod p` for `p = 2^256 - c`, a residue, for any words `a, b` and `c = C0 + C1·2^64 + 2^128`. Time: constant.
    #[inline(always)]
    #[rustfmt::skip]
    pub fn mul_folded_three<const C0: u64, const C1: u64>(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let (r0, r1, r2, r3): (u64, u64, u64, u64);
        // SAFETY: registers only; `self` proves BMI2 and ADX.
        unsafe {
            asm!(
                wide_product!(),
                fold_three!("t0", "t1", "t2", "t3", "t4", "t5", "t6", "a3"; "a0", "a1", "a2"),
                a0 = inout(reg) a[0] => _, a1 = inout(reg) a[1] => _, a2 = inout(reg) a[2] => _, a3 = inout(reg) a[3] => _,
                inout("rdx") b[0] => _, b1 = in(xmm_reg) b[1], b2 = in(xmm_reg) b[2], b3 = in(xmm_reg) b[3],
                c0 = const C0, c1 = const C1,
                t0 = out(reg) r0, t1 = out(reg) r1, t2 = out(reg) r2, t3 = out(reg) r3,
                t4 = out(reg) _, t5 = out(reg) _, t6 = out(reg) _, low = out(reg) _, high = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        [r0, r1, r2, r3]
    }

    /// `a² mod p` as [`Adx::mul_folded_three`]. Time: constant.
    #[inline(always)]
    #[rustfmt::skip]
    pub fn square_folded_three<const C0: u64, const C1: u64>(self, a: &[u64; 4]) -> [u64; 4] {
        let (r0, r1, r2, r3): (u64, u64, u64, u64);
        // SAFETY: registers only; `self` proves BMI2 and ADX.
        unsafe {
            asm!(
                wide_square!(),
                fold_three!("a0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"; "a1", "a2", "a3"),
                a0 = inout(reg) a[0] => r0, a1 = inout(reg) a[1] => _, a2 = inout(reg) a[2] => _, a3 = inout(reg) a[3] => _,
                out("rdx") _, c0 = const C0, c1 = const C1,
                t1 = out(reg) r1, t2 = out(reg) r2, t3 = out(reg) r3,
                t4 = out(reg) _, t5 = out(reg) _, t6 = out(reg) _, t7 = out(reg) _, low = out(reg) _, high = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        [r0, r1, r2, r3]
    }
}
