//! Open files of this process, which a program that it becomes would have.

use std::io;

/// From now on a program that this process becomes has none of its open files but the standard three.
///
/// Whoever started the process may have left it files that are open without `O_CLOEXEC`, as is usual in C. Neither
/// Landlock nor a filter of calls keeps a program from those.
///
/// # Errors
/// Those of the system, as of Linux before 5.11.
#[allow(unsafe_code)]
pub fn keep_files_from_programs() -> io::Result<()> {
    let (first, last) = (3, libc::c_long::from(u32::MAX));
    let flags = libc::c_long::from(libc::CLOSE_RANGE_CLOEXEC);
    // SAFETY: with this flag the call closes nothing, and it takes no pointer.
    match unsafe { libc::syscall(libc::SYS_close_range, first, last, flags) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
