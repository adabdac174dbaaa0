//! Montgomery reduction of twelve words.

use crate::adx::Adx;
use crate::{Modulus, Wide};
use core::arch::asm;
use core::mem::offset_of;

impl Adx {
    /// `value·2^(-384) mod p`, reduced, for a value of at most `2^384·p·(1 - 2^(-62))`, or twice that if `TWICE`; see
    /// [`Modulus::reduce_wide`]. Time: constant.
    ///
    /// # Panics
    /// Unless `N` is 6, at compile time.
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

/// The reduced number. Four words are folded, two reduced at once, as in [`super::mul_6_folded`]: seven words hold the
/// low half with the folds and eight with `m·p`. That quotient is at most `p·(1 + 2^(-63))`, to which the high half is
/// added.
///
/// # Safety
/// BMI2 and ADX must be present; `value` must point to twelve readable words, `modulus` to a modulus of six words.
#[inline(always)]
#[rustfmt::skip]
unsafe fn reduce_6<const TWICE: bool, const N: usize>(value: *const u64, modulus: *const Modulus<N>) -> [u64; 6] {
    let (r0, r1, r2, r3, r4, r5): (u64, u64, u64, u64, u64, u64);
    macro_rules! reduction {
        ($($last:expr),*) => {
            asm!(
                "mov {t0}, [{x}]", "mov {t1}, [{x} + 8]", "mov {t2}, [{x} + 16]",
                "mov {t3}, [{x} + 24]", "mov {t4}, [{x} + 32]", "mov {t5}, [{x} + 40]",
                "xor {t6:e}, {t6:e}", "xor {t7:e}, {t7:e}",
                fold!("t0", "t1", "t2", "t3", "t4", "t5", "t6"),
                fold!("t1", "t2", "t3", "t4", "t5", "t6", "t0"),
                fold!("t2", "t3", "t4", "t5", "t6", "t0", "t1"),
                fold!("t3", "t4", "t5", "t6", "t0", "t1", "t2"),
                reduce!("t4", "t5", "t6", "t0", "t1", "t2", "t3", "t7"),
                "add {t6}, [{x} + 48]", "adc {t0}, [{x} + 56]", "adc {t1}, [{x} + 64]",
                "adc {t2}, [{x} + 72]", "adc {t3}, [{x} + 80]", "adc {t7}, [{x} + 88]",
                $($last,)*
                x = inout(reg) value => _, m = in(reg) modulus,
                p = const offset_of!(Modulus<N>, p), fold = const offset_of!(Modulus<N>, fold) + size_of::<[u64; 6]>(), // 2^(-64) is the second
                inv = const offset_of!(Modulus<N>, p_neg_inv),
            second = const offset_of!(Modulus<N>, p_neg_inv_second),
                t0 = out(reg) r1, t1 = out(reg) r2, t2 = out(reg) r3, t3 = out(reg) r4, t4 = out(reg) _, t5 = out(reg) _,
                t6 = out(reg) r0, t7 = out(reg) r5, low = out(reg) _, high = out(reg) _, out("rdx") _,
                options(pure, readonly, nostack),
            )
        };
    }
    macro_rules! subtract {
        () => {
            subtract_p!("{t6}", "{t0}", "{t1}", "{t2}", "{t3}", "{t7}"; "{t4}", "{t5}", "{low}", "{high}", "rdx", "{x}")
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
