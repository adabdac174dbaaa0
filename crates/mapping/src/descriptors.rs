//! Open files of this process, which a program that it becomes would have.

use std::io;

/// From now on a program that this process becomes has none of its open files but the standard three.
///
/// Whoever started the process may have left it files that are open without `O_CLOEXEC`, as is usual in C. Neither
/// Landlock nor a filter of calls keeps a program from those.
///
/// # Errors
/// Those of the system, if it has neither the call (Linux before 5.11, some containers) nor `/proc`.
pub fn keep_files_from_programs() -> io::Result<()> {
    mark_all().or_else(|_| mark_each())
}

#[allow(unsafe_code)]
fn mark_all() -> io::Result<()> {
    let (first, last): (_, libc::c_long) = (libc::c_long::from(FIRST), -1); // as an unsigned int the last of all
    let flags = libc::CLOSE_RANGE_CLOEXEC as libc::c_long;
    // SAFETY: with this flag the call closes nothing, and it takes no pointer.
    match unsafe { libc::syscall(libc::SYS_close_range, first, last, flags) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// As [`mark_all`], one by one.
#[allow(unsafe_code)]
fn mark_each() -> io::Result<()> {
    for entry in std::fs::read_dir("/proc/self/fd")? {
        let name = entry?.file_name();
        let number: libc::c_int = (name.to_str())
            .and_then(|name| name.parse().ok())
            .ok_or(io::ErrorKind::InvalidData)?;
        if number < FIRST {
            continue;
        }
        // SAFETY: the call changes a flag and takes no pointer.
        let done = unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) };
        let error = io::Error::last_os_error();
        // It may have been closed meanwhile, as the folder itself is.
        if done < 0 && error.raw_os_error() != Some(libc::EBADF) {
            return Err(error);
        }
    }
    Ok(())
}

/// After the standard three.
const FIRST: libc::c_int = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    /// True if a program would have the file.
    #[allow(unsafe_code)]
    fn is_kept(file: &std::fs::File) -> bool {
        // SAFETY: the calls take no pointer, and the descriptor is open.
        unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETFD) & libc::FD_CLOEXEC == 0 }
    }

    #[allow(unsafe_code)]
    fn open() -> std::fs::File {
        let file = tempfile::tempfile().expect("a file");
        // SAFETY: as above.
        let changed = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFD, 0) };
        assert_eq!(changed, 0);
        assert!(is_kept(&file));
        file
    }

    #[test]
    fn files_are_kept_from_programs_in_both_ways() {
        let file = open();
        mark_all().expect("Linux has it");
        assert!(!is_kept(&file));
        let file = open();
        mark_each().expect("there is /proc");
        assert!(!is_kept(&file));
        keep_files_from_programs().expect("either works");
    }
}
