//! Ctrl-C, and the request of a system to end: the work stops where it can, outputs stay whole, and what is kept is
//! told.
//!
//! Work stops by unwinding. A program that aborts on a panic cannot unwind (the profile `quick`): there the process
//! ends with the same words and the same exit code. Nothing has to be undone: an output that is not whole has no name,
//! or is one to go on with. Linux ends the processes that this one started; elsewhere they end when their time is over.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
#[cfg(unix)]
use std::{thread, time::Duration};

use frumious_app::failure::{Code, Failure};
use frumious_parallel::Cancellation;

use crate::arguments::Command;
use crate::progress;

/// The work of this process.
static WORK: OnceLock<Cancellation> = OnceLock::new();

#[cfg(unix)]
static LISTENS: std::sync::Once = std::sync::Once::new();

/// True once a signal has asked the work to stop.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Tells the failure of work that does not stop.
static TELL: OnceLock<Tell> = OnceLock::new();

type Tell = Box<dyn Fn(&Failure) + Send + Sync>;

/// The key that the command goes on with if it was begun before.
static RESUMABLE: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Held by who tells how the command ended, until the process has.
static LAST_WORD: Mutex<()> = Mutex::new(());

/// The exit code of work that does not stop, where another program's contract stands for ours.
static FAILED: OnceLock<u8> = OnceLock::new();

/// From now on what does not stop ends with this exit code.
pub fn fail_with(code: u8) {
    let _ = FAILED.set(code); // once in a process
}

/// From now on `tell` is called with the failure of work that was asked to stop and does not. It is that of `command`.
pub fn tell_with(command: &Command, tell: impl Fn(&Failure) + Send + Sync + 'static) {
    let _ = RESUMABLE.set(command.resumable_key().map(Path::to_owned)); // once in a process
    let _ = TELL.set(Box::new(tell));
}

/// From now on nobody else tells how the command ended. Once in a process.
pub fn take_last_word() {
    std::mem::forget(LAST_WORD.lock().unwrap_or_else(PoisonError::into_inner));
}

/// The work of this process. Until something [listens](listen), a signal ends the process.
pub fn work() -> Cancellation {
    WORK.get_or_init(Cancellation::new).clone()
}

/// From now on a signal stops the work that runs under the result. Starts a thread, the first time.
///
/// A signal that was ignored when the process started stays ignored. `nohup` ignores the end of a terminal. A shell
/// ignores Ctrl-C for what it runs in the background.
pub fn listen() -> Cancellation {
    #[cfg(unix)]
    LISTENS.call_once(|| {
        // Where no handler can be had a signal ends the process, as it would anyway.
        let Ok(mut signals) = signal_hook::iterator::Signals::new(heeded()) else {
            return;
        };
        let _ = thread::Builder::new()
            .name("signals".into())
            .spawn(move || signals.forever().for_each(|_| stop()));
    });
    work()
}

/// The signals that are not ignored.
#[cfg(unix)]
fn heeded() -> Vec<i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = (status.lines()).find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_heeded = |signal: &i32| ignored.unwrap_or(0) >> (signal - 1) & 1 == 0;
    [SIGHUP, SIGINT, SIGTERM]
        .into_iter()
        .filter(is_heeded)
        .collect()
}

/// Asks the work to stop. A second signal ends the process at once.
#[cfg(unix)]
fn stop() {
    if STOPPED.swap(true, Relaxed) {
        std::process::exit(BY_SIGNAL);
    }
    // The last words may wait for their reader, so another thread has them: a second signal is heard all the same.
    if cfg!(panic = "abort") {
        if thread::Builder::new()
            .spawn(|| end(&interrupted()))
            .is_err()
        {
            std::process::exit(BY_SIGNAL);
        }
        return;
    }
    work().cancel();
    // What does not look, as a wait for another process, is not waited for.
    let _ = thread::Builder::new().spawn(|| {
        thread::sleep(PATIENCE);
        let waited = format!("the work did not stop within {} s", PATIENCE.as_secs());
        end(&Failure::interrupted().adding(&waited));
    });
}

/// Tells the failure and ends the process, unless the command has ended.
#[cfg(unix)]
fn end(failure: &Failure) -> ! {
    take_last_word();
    progress::clear();
    if let Some(tell) = TELL.get() {
        tell(failure);
    }
    let code = FAILED.get().copied();
    std::process::exit(code.unwrap_or(failure.exit_code()).into());
}

/// The failure of the command, or that it was interrupted: then whatever else went wrong went wrong for that.
pub fn explain(failure: Failure) -> Failure {
    match STOPPED.load(Relaxed) || failure.code() == Code::Interrupted {
        true => interrupted(),
        false => failure,
    }
}

/// That the command was interrupted, and what is kept.
fn interrupted() -> Failure {
    let failure = Failure::interrupted();
    let key = RESUMABLE.get().and_then(Option::as_deref);
    match key.map(partial_of).filter(|partial| partial.exists()) {
        Some(partial) => failure.adding(&format!(
            "what is done is kept in {}: the same command goes on with it",
            partial.display()
        )),
        None => failure.adding("nothing was written"),
    }
}

/// The name of a key that is not finished.
fn partial_of(key: &Path) -> PathBuf {
    let mut name = key.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(5);

/// The exit code of what a signal ended, by the custom of shells.
#[cfg(unix)]
const BY_SIGNAL: i32 = 130;
