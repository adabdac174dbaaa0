//! Processes that this one starts: who tells them to end, and what their ends mean.

use std::io;
use std::process::{Command, ExitStatus, Stdio};
#[cfg(unix)]
use std::{
    io::Write, os::fd::OwnedFd, os::unix::net::UnixStream, os::unix::process::CommandExt,
    os::unix::process::ExitStatusExt, time::Duration,
};

#[cfg(unix)]
use rustix::{net::SendFlags, process::Signal};

/// A way into a process's standard input: our end, and what is given to it.
///
/// A pipe would end a program that has not ignored SIGPIPE, as those in C, when the process is gone.
#[cfg(unix)]
pub(crate) fn way_in() -> io::Result<(WayIn, Stdio)> {
    let (ours, theirs) = UnixStream::pair()?;
    Ok((WayIn(ours), OwnedFd::from(theirs).into()))
}

/// See [`way_in`].
#[cfg(unix)]
pub(crate) struct WayIn(UnixStream);

#[cfg(unix)]
impl Write for WayIn {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::net::send(&self.0, bytes, NO_SIGNAL)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(not(unix))]
pub(crate) fn way_in() -> io::Result<(io::PipeWriter, Stdio)> {
    let (theirs, ours) = io::pipe()?;
    Ok((ours, theirs.into()))
}

#[cfg(all(unix, not(target_vendor = "apple")))]
const NO_SIGNAL: SendFlags = SendFlags::NOSIGNAL;

/// The library sets it for the whole socket.
#[cfg(target_vendor = "apple")]
const NO_SIGNAL: SendFlags = SendFlags::empty();

/// Gives a process a group of its own: the terminal's Ctrl-C reaches the command alone, which ends its processes.
#[cfg(unix)]
pub(crate) fn set_apart(process: &mut Command) {
    process.process_group(0);
}

#[cfg(not(unix))]
pub(crate) fn set_apart(_process: &mut Command) {}

/// After an end that someone asked for, waits a moment for the same request to reach this process.
///
/// A service manager asks all processes of a service, in any order. Then neither module nor program is to blame.
#[cfg(unix)]
pub(crate) fn look_for_cancellation_after(status: ExitStatus) {
    const LOOKS: u32 = 50;
    let requests = [Signal::INT, Signal::TERM, Signal::HUP].map(Signal::as_raw);
    if status
        .signal()
        .is_some_and(|signal| requests.contains(&signal))
    {
        for _ in 0..LOOKS {
            frumious_parallel::check_cancelled();
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn look_for_cancellation_after(_status: ExitStatus) {}

/// Rust's answer to an allocation that fails.
#[cfg(unix)]
pub(crate) fn is_abort(status: ExitStatus) -> bool {
    status.signal() == Some(Signal::ABORT.as_raw())
}

/// True if another process ended it: nothing does so to itself.
#[cfg(unix)]
pub(crate) fn is_killed(status: ExitStatus) -> bool {
    status.signal() == Some(Signal::KILL.as_raw())
}

#[cfg(not(unix))]
pub(crate) fn is_killed(_status: ExitStatus) -> bool {
    false
}

#[cfg(not(unix))]
pub(crate) fn is_abort(_status: ExitStatus) -> bool {
    false
}
