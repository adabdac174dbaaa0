//! Montgomery reduction of twelve words.

use crate::adx::Adx;
use crate::{Modulus, Wide};
use core::arch::asm;
use core::mem::offset_of;

impl Adx {
    /// `value·2^(-384) mod p`, reduced, for a value below `2^384·p`, or below twice that if `TWICE`; see
    /// [`Modulus::reduce_wide`]. Time: constant.
    #[inline(always)]
    pub fn reduce_wide_six<const TWICE: bool, const N: usize>(
        self,
        value: &Wide<N>,
        modulus: &Modulus<N>,
    ) -> [u64; N] {
        assert!(N == 6, "the assembly is for six words"); // decided at compile time
        // SAFETY: `self` proves BMI2 and ADX; the pointers are to twelve words and to a modulus of six words.
        let words = unsafe { reduce_6::<TWICE, N>(value.as_ptr(), modulus) };
        core::array::from_fn(|i| words[i])
    }
}

/// The reduced number. The low half, with multiples of `p` that clear it, stays below `2^384 + p` times `2^64`, so seven
/// words hold it; its quotient is at most `p`, to which the high half is added.
///
/// # Safety
/// BMI2 and ADX must be present; `value` must point to twelve readable words, `modulus` to a modulus of six words.
#[inline(always)]
#[rustfmt::skip]
unsafe fn reduce_6<const TWICE: bool, const N: usize>(value: *const u64, modulus: *const Modulus<N>) -> [u64; 6] {
    let (r0, r1, r2, r3, r4, r5): (u64, u64, u64, u64, u64, u64);
    macro_rules! step {
        ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal, $t6:literal) => {
            concat!(
                "xor {", $t6, ":e}, {", $t6, ":e}\n",
                reduce!($t0, $t1, $t2, $t3, $t4, $t5, $t6),
            )
        };
    }
    macro_rules! reduction {
        ($($last:expr),*) => {
            asm!(
                "mov {t0}, [{x}]", "mov {t1}, [{x} + 8]", "mov {t2}, [{x} + 16]",
                "mov {t3}, [{x} + 24]", "mov {t4}, [{x} + 32]", "mov {t5}, [{x} + 40]",
                step!("t0", "t1", "t2", "t3", "t4", "t5", "t6"),
                step!("t1", "t2", "t3", "t4", "t5", "t6", "t0"),
                step!("t2", "t3", "t4", "t5", "t6", "t0", "t1"),
                step!("t3", "t4", "t5", "t6", "t0", "t1", "t2"),
                step!("t4", "t5", "t6", "t0", "t1", "t2", "t3"),
                step!("t5", "t6", "t0", "t1", "t2", "t3", "t4"),
                "add {t6}, [{x} + 48]", "adc {t0}, [{x} + 56]", "adc {t1}, [{x} + 64]",
                "adc {t2}, [{x} + 72]", "adc {t3}, [{x} + 80]", "adc {t4}, [{x} + 88]",
                $($last,)*
                x = inout(reg) value => _, spare = out(reg) _, m = in(reg) modulus,
                p = const offset_of!(Modulus<N>, p), inv = const offset_of!(Modulus<N>, p_neg_inv),
                t0 = out(reg) r1, t1 = out(reg) r2, t2 = out(reg) r3, t3 = out(reg) r4, t4 = out(reg) r5, t5 = out(reg) _,
                t6 = out(reg) r0, low = out(reg) _, high = out(reg) _, out("rdx") _,
                options(pure, readonly, nostack),
            )
        };
    }
    macro_rules! subtract {
        () => {
            subtract_p!("{t6}", "{t0}", "{t1}", "{t2}", "{t3}", "{t4}"; "{t5}", "{low}", "{high}", "rdx", "{x}", "{spare}")
        };
    }
    // SAFETY: reads those words and the modulus, and writes registers only; the caller vouches for the CPU.
    unsafe {
        if TWICE {
            reduction!(subtract!(), subtract!());
        } else {
            reduction!(subtract!());
        }
    }
    [r0, r1, r2, r3, r4, r5]
}
