//! Products and squares of twelve words, and their sums and differences.

use crate::adx::Adx;
use crate::{Modulus, Wide};
use core::arch::asm;

impl Adx {
    /// `out = a·b`, all twelve words, of any factors. Time: constant.
    ///
    /// # Panics
    /// Unless `N` is 6, at compile time.
    #[inline(always)]
    pub fn mul_wide_six<const N: usize>(self, a: &[u64; N], b: &[u64; N], out: &mut Wide<N>) {
        assert!(N == 6, "the assembly is for six words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointers are to six, six and twelve words.
        unsafe { mul_wide_6(a.as_ptr(), b.as_ptr(), out.as_mut_ptr()) }
    }

    /// `out = a²`, all twelve words, of any number. Time: constant.
    ///
    /// # Panics
    /// Unless `N` is 6, at compile time.
    #[inline(always)]
    pub fn square_wide_six<const N: usize>(self, a: &[u64; N], out: &mut Wide<N>) {
        assert!(N == 6, "the assembly is for six words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointers are to six and twelve words.
        unsafe { square_wide_6(a.as_ptr(), out.as_mut_ptr()) }
    }

    /// Montgomery square `a²·2^(-384) mod p` of six words with `a² <= 2^384·p·(1 - 2^(-62))`, reduced. Time: constant.
    #[inline(always)]
    pub fn square_six<const N: usize>(self, a: &[u64; N], modulus: &Modulus<N>) -> [u64; N] {
        let mut square = Wide::ZERO;
        self.square_wide_six(a, &mut square);
        self.reduce_wide_six::<false, N>(&square, modulus)
    }
}

/// # Safety
/// BMI2 and ADX must be present; `a` and `b` must point to six readable words, `out` to twelve writable ones that
/// overlap neither.
#[inline(always)]
#[rustfmt::skip]
unsafe fn mul_wide_6(a: *const u64, b: *const u64, out: *mut u64) {
    macro_rules! multiply {
        ($word:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $t6:literal) => {
            concat!(
                "mov rdx, [{b} + ", $word, "]\n xor {", $t6, ":e}, {", $t6, ":e}\n", // also clears the flags
                row!("{a}", $t0, $t1, $t2, $t3, $t4, $t5, $t6),
                "mov [{out} + ", $word, "], {", $t0, "}\n",
            )
        };
    }
    // SAFETY: reads and writes those words, otherwise registers only; the caller vouches for the CPU.
    unsafe {
        asm!(
            "mov rdx, [{b}]",
            first_row!("{a}"),
            "mov [{out}], {t0}",
            multiply!("8", "t1", "t2", "t3", "t4", "t5", "t6", "t0"),
            multiply!("16", "t2", "t3", "t4", "t5", "t6", "t0", "t1"),
            multiply!("24", "t3", "t4", "t5", "t6", "t0", "t1", "t2"),
            multiply!("32", "t4", "t5", "t6", "t0", "t1", "t2", "t3"),
            multiply!("40", "t5", "t6", "t0", "t1", "t2", "t3", "t4"),
            "mov [{out} + 48], {t6}", "mov [{out} + 56], {t0}", "mov [{out} + 64], {t1}",
            "mov [{out} + 72], {t2}", "mov [{out} + 80], {t3}", "mov [{out} + 88], {t4}",
            a = in(reg) a, b = in(reg) b, out = in(reg) out,
            t0 = out(reg) _, t1 = out(reg) _, t2 = out(reg) _, t3 = out(reg) _, t4 = out(reg) _, t5 = out(reg) _,
            t6 = out(reg) _, low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(nostack),
        );
    }
}

/// The fifteen products of different words first, then twice their sum (carried by ADCX) plus the squares (carried by
/// ADOX). The words 1 and 2 of the former are put aside in `out`, so that eight accumulators do.
///
/// # Safety
/// BMI2 and ADX must be present; `a` must point to six readable words, `out` to twelve writable ones that do not
/// overlap them.
#[inline(always)]
#[rustfmt::skip]
unsafe fn square_wide_6(a: *const u64, out: *mut u64) {
    // Adds rdx·a[i] at words `$low`, `$high`.
    macro_rules! add_product {
        ($offset:literal, $low:literal, $high:literal) => {
            concat!("mulx {high}, {low}, [{a} + ", $offset, "]\n adcx {", $low, "}, {low}\n adox {", $high, "}, {high}\n")
        };
    }
    // Doubles words 2i and 2i + 1, adds the square of a[i] and writes them.
    macro_rules! add_square {
        ($factor:literal, $word:literal, $low:literal, $high:literal) => {
            concat!(
                "mov rdx, [{a} + ", $factor, "]\n mulx {high}, {low}, rdx\n",
                "adcx {", $low, "}, {", $low, "}\n adox {", $low, "}, {low}\n mov [{out} + ", $word, "], {", $low, "}\n",
                "adcx {", $high, "}, {", $high, "}\n adox {", $high, "}, {high}\n mov [{out} + ", $word, " + 8], {", $high, "}\n",
            )
        };
    }
    // SAFETY: reads and writes those words, otherwise registers only; the caller vouches for the CPU.
    unsafe {
        asm!(
            // a[0]·a[1..]
            "mov rdx, [{a}]",
            "mulx {c2}, {c1}, [{a} + 8]",
            "mulx {c3}, {low}, [{a} + 16]", "add {c2}, {low}",
            "mulx {c4}, {low}, [{a} + 24]", "adc {c3}, {low}",
            "mulx {c5}, {low}, [{a} + 32]", "adc {c4}, {low}",
            "mulx {c6}, {low}, [{a} + 40]", "adc {c5}, {low}",
            "adc {c6}, 0",
            "mov [{out} + 8], {c1}", "mov [{out} + 16], {c2}",
            // a[1]·a[2..]
            "mov rdx, [{a} + 8]", "xor {c7:e}, {c7:e}",
            add_product!("16", "c3", "c4"), add_product!("24", "c4", "c5"),
            add_product!("32", "c5", "c6"), add_product!("40", "c6", "c7"),
            "adc {c7}, 0",
            // a[2]·a[3..]
            "mov rdx, [{a} + 16]", "xor {c8:e}, {c8:e}",
            add_product!("24", "c5", "c6"), add_product!("32", "c6", "c7"), add_product!("40", "c7", "c8"),
            "adc {c8}, 0",
            // a[3]·a[4..]; word 9 in c1, 10 in c2
            "mov rdx, [{a} + 24]", "xor {c1:e}, {c1:e}",
            add_product!("32", "c7", "c8"), add_product!("40", "c8", "c1"),
            "adc {c1}, 0",
            // a[4]·a[5]
            "mov rdx, [{a} + 32]",
            "mulx {c2}, {low}, [{a} + 40]", "add {c1}, {low}", "adc {c2}, 0",
            // twice that, plus the squares
            "mov rdx, [{a}]",
            "mulx {high}, {low}, rdx", "mov [{out}], {low}",
            "mov {low}, [{out} + 8]", "xor edx, edx", // clears the flags
            "adcx {low}, {low}", "adox {low}, {high}", "mov [{out} + 8], {low}",
            "mov rdx, [{a} + 8]", "mulx {high}, {low}, rdx", "mov rdx, [{out} + 16]",
            "adcx rdx, rdx", "adox rdx, {low}", "mov [{out} + 16], rdx",
            "adcx {c3}, {c3}", "adox {c3}, {high}", "mov [{out} + 24], {c3}",
            add_square!("16", "32", "c4", "c5"),
            add_square!("24", "48", "c6", "c7"),
            add_square!("32", "64", "c8", "c1"),
            "mov rdx, [{a} + 40]", "mulx {high}, {low}, rdx",
            "adcx {c2}, {c2}", "adox {c2}, {low}", "mov [{out} + 80], {c2}",
            "mov {low:e}, 0", "adcx {high}, {low}", "adox {high}, {low}", "mov [{out} + 88], {high}",
            a = in(reg) a, out = in(reg) out,
            c1 = out(reg) _, c2 = out(reg) _, c3 = out(reg) _, c4 = out(reg) _, c5 = out(reg) _, c6 = out(reg) _,
            c7 = out(reg) _, c8 = out(reg) _, low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(nostack),
        );
    }
}

// One operation on the first words and another on all others, in place.
#[rustfmt::skip]
macro_rules! chain {
    ($name:ident, $first:literal, $next:literal) => {
        /// In place, modulo `2^768`; for any x86-64. `N` must be 6.
        #[inline(always)]
        pub(crate) fn $name<const N: usize>(x: &mut Wide<N>, y: &Wide<N>) {
            assert!(N == 6, "the assembly is for six words"); // decided at compile time
            // SAFETY: reads and writes the twelve words of each.
            unsafe {
                asm!(
                    "mov {a}, [{y}]", concat!($first, " [{x}], {a}"),
                    "mov {a}, [{y} + 8]", concat!($next, " [{x} + 8], {a}"),
                    "mov {a}, [{y} + 16]", concat!($next, " [{x} + 16], {a}"),
                    "mov {a}, [{y} + 24]", concat!($next, " [{x} + 24], {a}"),
                    "mov {a}, [{y} + 32]", concat!($next, " [{x} + 32], {a}"),
                    "mov {a}, [{y} + 40]", concat!($next, " [{x} + 40], {a}"),
                    "mov {a}, [{y} + 48]", concat!($next, " [{x} + 48], {a}"),
                    "mov {a}, [{y} + 56]", concat!($next, " [{x} + 56], {a}"),
                    "mov {a}, [{y} + 64]", concat!($next, " [{x} + 64], {a}"),
                    "mov {a}, [{y} + 72]", concat!($next, " [{x} + 72], {a}"),
                    "mov {a}, [{y} + 80]", concat!($next, " [{x} + 80], {a}"),
                    "mov {a}, [{y} + 88]", concat!($next, " [{x} + 88], {a}"),
                    x = in(reg) x.as_mut_ptr(), y = in(reg) y.as_ptr(), a = out(reg) _,
                    options(nostack),
                );
            }
        }
    };
}
chain!(add_wide, "add", "adc");
chain!(sub_wide, "sub", "sbb");
