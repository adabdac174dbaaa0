//! A hint to load memory before it is needed.

#![allow(unsafe_code)]

/// Asks the CPU to bring all cache lines of `value` close, and goes on without waiting. Changes nothing else; on other
/// CPUs than x86-64 it does nothing at all.
#[inline(always)]
pub fn prefetch<T: ?Sized>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = core::ptr::from_ref(value).cast::<i8>();
        let bytes = size_of_val(value);
        for offset in (0..bytes).step_by(LINE_BYTES) {
            // SAFETY: a prefetch reads no value and never faults, and SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(offset)) };
        }
        if bytes > 0 && align_of_val(value) < LINE_BYTES {
            // SAFETY: as above. A value that starts within a line ends in one more.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(bytes - 1)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(target_arch = "x86_64")]
const LINE_BYTES: usize = 64;
