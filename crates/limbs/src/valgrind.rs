//! Requests to valgrind's memcheck, in programs that are built to run under it (`.ci/ct`). They tell secret bytes and
//! public bytes, and ask for the uses of secrets that it has seen.
//!
//! Memcheck follows every bit that it was told is undefined through registers and memory. It reports each conditional
//! jump and each address that depends on one. So a secret marked undefined is reported where time could depend on it
//! (Langley, "ctgrind", 2010).

#![allow(unsafe_code)]

use core::arch::asm;
use core::ffi::c_void;

/// True if this process runs under valgrind.
pub fn is_running() -> bool {
    request(RUNNING_ON_VALGRIND, [0; 2]) != 0
}

/// Uses of secrets seen so far by this process.
pub fn errors() -> usize {
    request(COUNT_ERRORS, [0; 2])
}

/// The value, of which every byte is secret from now on (of the value itself, not of what it points to).
pub fn secret<T>(mut value: T) -> T {
    mark(MAKE_UNDEFINED, &mut value);
    value
}

/// The value, of which every byte is public from now on: for [`crate::declassify`] alone.
#[inline(never)]
pub(crate) fn defined(mut value: bool) -> bool {
    mark(MAKE_DEFINED, &mut value);
    value
}

fn mark<T>(number: usize, value: &mut T) {
    let place: *mut c_void = core::ptr::from_mut(value).cast();
    request(number, [place as usize, size_of::<T>()]);
}

const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
/// Memcheck's own numbers begin at `'M' << 24 | 'C' << 16`.
const MAKE_UNDEFINED: usize = 0x4d43_0001;
const MAKE_DEFINED: usize = 0x4d43_0002;

/// Asks valgrind; outside of it nothing happens, and the answer is 0. Source: the valgrind manual, section 3.1 and
/// `valgrind.h`, whose magic instructions for AMD64 these are. Four rotations of RDI by 128 bits in all come first,
/// then an exchange of RBX with itself.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn request(number: usize, arguments: [usize; 2]) -> usize {
    let question = [number, arguments[0], arguments[1], 0, 0, 0];
    let answer: usize;
    // SAFETY: as they are the instructions leave every register as it was, except the flags; valgrind writes the answer into RDX and
    // the definedness of bytes, of which the program knows nothing. It reads `question`. That memory may change keeps the
    // compiler from carrying marked values past this in registers.
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") question.as_ptr(), inout("rdx") 0usize => answer,
            options(nostack),
        );
    }
    answer
}

/// Elsewhere there is none.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn request(_: usize, _: [usize; 2]) -> usize {
    0
}
