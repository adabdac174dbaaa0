//! The rounding of doubles on this thread, which a host program may have changed.

use core::arch::asm;

/// True if doubles are rounded to the nearest, and no exception traps: as Rust's programs begin, and must go on.
pub(super) fn is_to_nearest() -> bool {
    control() & (ROUNDING | MASKS) == MASKS
}

/// The control and status register of SSE and AVX.
fn control() -> u32 {
    let mut control = 0_u32;
    // SAFETY: every x86-64 CPU has the instruction; it writes the word that the reference is to.
    unsafe {
        asm!("stmxcsr [{}]", in(reg) &raw mut control, options(nostack, preserves_flags));
    }
    control
}

/// The bits of the rounding mode: none is set for the nearest. Source: Intel, Software Developer's Manual, volume 1,
/// section 10.2.3.
const ROUNDING: u32 = 3 << 13;
/// The bits that keep exceptions from trapping, which a rounding is.
const MASKS: u32 = 0x3f << 7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::BlockProducts;
    use crate::{Block, Fma, Modulus52, Prime};
    use std::panic::catch_unwind;

    #[derive(Clone, Copy, Debug)]
    struct Fr;

    impl Prime<5> for Fr {
        const MODULUS: &'static Modulus52<5> = &Modulus52::new(&[
            0xffff_ffff_0000_0001,
            0x53bd_a402_fffe_5bfe,
            0x3339_d808_09a1_d805,
            0x73ed_a753_299d_7d48,
        ]);
    }

    /// Runs `work` on a thread of its own with other bits in the register.
    fn with(control: u32, work: impl FnOnce() -> bool + Send) -> bool {
        let work = || {
            // SAFETY: the thread ends after it, and does nothing with doubles.
            unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const control) };
            work()
        };
        std::thread::scope(|scope| scope.spawn(work).join().is_ok_and(|done| done))
    }

    #[test]
    fn no_thread_that_rounds_otherwise_gets_a_product() {
        let Some(fma) = Fma::detect() else {
            println!("SKIP: no AVX2 and FMA");
            return;
        };
        let usual = control();
        for mode in 1..4 {
            let control = usual | mode << 13;
            assert!(with(control, || Fma::detect().is_none()), "{mode}");
            let refused = || {
                let (mut a, b) = ([Block([[3; 8]; 5])], [Block([[5; 8]; 5])]);
                catch_unwind(move || fma.run(BlockProducts::<Fr, 5>::new(&mut a, &b))).is_err()
            };
            assert!(with(control, refused), "{mode}");
        }
        let trapping = usual & !(1 << 12); // inexact results
        assert!(with(trapping, || Fma::detect().is_none()));
        let flushing = usual | 1 << 15 | 1 << 6; // subnormal doubles, of which there are none
        assert!(with(flushing, || Fma::detect().is_some()));
    }
}
