//! Values through empty blocks of assembly, where the assembly of Rust has registers that we know.

#![allow(unsafe_code)]

use core::arch::asm;

/// `value` through an empty assembly block, in its register: the optimiser cannot reason about it any more.
#[inline(always)]
pub(crate) fn opaque(mut value: u64) -> u64 {
    // SAFETY: no instruction.
    unsafe {
        asm!("/* {0} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags));
    }
    value
}

/// See [`crate::modular::in_memory`]: a word of a constant is up to four instructions, two words of memory are one.
#[inline(always)]
#[allow(clippy::pointers_in_nomem_asm_block)] // it is passed on, not followed
pub(crate) fn in_memory<T>(value: &T) -> &T {
    let mut pointer: *const T = value;
    // SAFETY: no instruction.
    unsafe {
        asm!("/* {0} */", inout(reg) pointer, options(pure, nomem, nostack, preserves_flags));
    }
    // SAFETY: the pointer is what it was made of, a reference that lives as long.
    unsafe { &*pointer }
}
