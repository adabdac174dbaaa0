//! Ctrl-C, and the request of a system to end: the work stops where it can, outputs stay whole, and what is kept is
//! told.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use frumious_app::failure::{Code, Failure};
use frumious_parallel::Cancellation;

use crate::arguments::Command;

/// The work of this process.
static WORK: OnceLock<Cancellation> = OnceLock::new();

/// The work of this process. Until something [listens](listen), a signal ends the process.
pub fn work() -> Cancellation {
    WORK.get_or_init(Cancellation::new).clone()
}

/// From now on a signal stops the work that runs under the result. Starts a thread.
pub fn listen() -> Cancellation {
    let work = work();
    // Where no handler can be had a signal ends the process, as it would anyway.
    let _ = ctrlc::set_handler(|| {
        let Some(work) = WORK.get() else { return };
        if work.is_cancelled() {
            std::process::exit(BY_SIGNAL);
        }
        work.cancel();
        // What does not look, as a wait for another process, is not waited for.
        std::thread::sleep(PATIENCE);
        std::process::exit(BY_SIGNAL);
    });
    work
}

/// The failure of a command, or that it was interrupted: then whatever else went wrong went wrong for that.
pub fn explain(failure: Failure, command: &Command) -> Failure {
    let was_stopped = WORK.get().is_some_and(Cancellation::is_cancelled);
    if !was_stopped && failure.code() != Code::Interrupted {
        return failure;
    }
    let failure = Failure::interrupted();
    let partial = command.resumable_key().map(partial_of);
    match partial.filter(|partial| partial.exists()) {
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

const PATIENCE: Duration = Duration::from_secs(5);

/// The exit code of what a signal ended, by the custom of shells.
const BY_SIGNAL: i32 = 130;
