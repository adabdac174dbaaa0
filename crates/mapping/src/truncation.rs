//! A last word when a mapped file is truncated while it is read.
//!
//! The kernel raises SIGBUS at the first access to a page that lies beyond the new end of the file. There is nothing to
//! return to, so the process must end. The handler makes it end as for any other bad input: one line on stderr that
//! names the file, and exit code 2.
//!
//! A SIGBUS outside our mappings is left to whoever had it before: the handler restores the default action and returns.
//! The faulting instruction then runs again, and the process dies as it would have.
//!
//! The handler may do async-signal-safe things only (POSIX.1-2017, 2.4.3): it reads atomics and calls `write`, `_exit`
//! and `sigaction`. Mappings are therefore listed in a fixed table of atomics, not in a locked list.

#[cfg(not(unix))]
pub use elsewhere::{Registration, exit_on_truncated_mapping};
#[cfg(unix)]
pub use unix::{Registration, exit_on_truncated_mapping};

#[cfg(unix)]
mod unix {
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Ends the process with a message on stderr and exit code 2 when a mapped file turns out to be truncated.
    ///
    /// Without this call, such a process dies of SIGBUS. Meant for command-line programs, once, at their start: it
    /// replaces the process's SIGBUS handler. Up to 64 mappings at a time are recognised.
    pub fn exit_on_truncated_mapping() {
        // SAFETY: all-zero is a valid `sigaction` (no flags, empty mask), and the handler has the three-argument form
        // that SA_SIGINFO asks for; it does async-signal-safe things only.
        #[allow(unsafe_code)]
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = on_sigbus;
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO;
            libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
        }
    }

    /// One mapping: its address range and the name of its file. Free when `end` is zero.
    struct Slot {
        start: AtomicUsize,
        end: AtomicUsize,
        name: AtomicUsize,
        name_length: AtomicUsize,
    }

    /// Taken, but not filled in yet: no address range ends at 1.
    const CLAIMED: usize = 1;

    static SLOTS: [Slot; 64] = [const {
        Slot {
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            name: AtomicUsize::new(0),
            name_length: AtomicUsize::new(0),
        }
    }; 64];

    /// Lists a mapping for the handler until dropped, which must be before the mapping and the name go.
    pub struct Registration(Option<&'static Slot>);

    impl Registration {
        /// Takes a free slot; with none left, the mapping is not recognised by the handler, and nothing else changes.
        pub fn new(map: &[u8], path: &Path) -> Self {
            let claim = |slot: &&Slot| {
                slot.end
                    .compare_exchange(0, CLAIMED, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
            };
            let slot = SLOTS.iter().find(claim);
            if let Some(slot) = slot {
                let name = path.as_os_str().as_bytes();
                let addresses = map.as_ptr_range();
                slot.start
                    .store(addresses.start as usize, Ordering::Relaxed);
                slot.name.store(name.as_ptr() as usize, Ordering::Relaxed);
                slot.name_length.store(name.len(), Ordering::Relaxed);
                // The last page is mapped whole; up to there a fault is ours. Release: the fields above come first.
                slot.end.store(addresses.end as usize, Ordering::Release);
            }
            Self(slot)
        }
    }

    impl Drop for Registration {
        fn drop(&mut self) {
            if let Some(slot) = self.0 {
                slot.end.store(0, Ordering::Release);
            }
        }
    }

    extern "C" fn on_sigbus(_: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: under SA_SIGINFO the kernel passes a valid siginfo, whose address field is set for SIGBUS.
        #[allow(unsafe_code)]
        let address = unsafe { (*info).si_addr() } as usize;
        let ours = SLOTS.iter().find(|slot| {
            let end = slot.end.load(Ordering::Acquire);
            end > CLAIMED && (slot.start.load(Ordering::Relaxed)..end).contains(&address)
        });
        match ours {
            Some(slot) => {
                write_stderr(b"frumious: ");
                // SAFETY: the faulting thread is reading this mapping, so its `MappedFile`, which owns the name and
                // frees the slot before the name, is alive; the three fields were written before `end`.
                #[allow(unsafe_code)]
                write_stderr(unsafe {
                    std::slice::from_raw_parts(
                        slot.name.load(Ordering::Relaxed) as *const u8,
                        slot.name_length.load(Ordering::Relaxed),
                    )
                });
                write_stderr(b": the file was truncated while in use\n");
                // SAFETY: `_exit` is async-signal-safe and does not return.
                #[allow(unsafe_code)]
                unsafe {
                    libc::_exit(2)
                }
            }
            // SAFETY: all-zero means the default action (SIG_DFL is 0), without flags.
            #[allow(unsafe_code)]
            None => unsafe {
                let action: libc::sigaction = std::mem::zeroed();
                libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
            },
        }
    }

    /// Writes to stderr without the standard library's lock. A short or failed write is let go: nothing can be done.
    fn write_stderr(text: &[u8]) {
        // SAFETY: `text` is valid for its length; `write` is async-signal-safe.
        #[allow(unsafe_code)]
        unsafe {
            libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::path::Path;

    /// Does nothing here: other systems refuse to truncate a mapped file, or have no SIGBUS.
    pub fn exit_on_truncated_mapping() {}

    /// Nothing to list.
    pub struct Registration;

    impl Registration {
        /// Nothing to list.
        pub fn new(_: &[u8], _: &Path) -> Self {
            Self
        }
    }
}
