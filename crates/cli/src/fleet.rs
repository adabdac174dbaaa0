//! `frumious fleet`: the program of the Python package, in place of this one.

use std::ffi::OsString;
use std::process::Command;

use frumious_app::failure::{About, Failure};
use frumious_app::fleet;

/// Becomes the program of the fleet, with these words; returns only if that cannot be.
pub fn fleet(words: &[OsString]) -> Result<(), Failure> {
    let program = fleet::find(None)?;
    fleet::check_version(&program, env!("CARGO_PKG_VERSION"), &[])?;
    let mut command = Command::new(&program);
    command.args(words);
    become_program(command).about(&program)
}

/// The same process, so that signals and the exit code are the program's.
#[cfg(unix)]
fn become_program(mut command: Command) -> Result<(), Failure> {
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    Err(Failure::of_system("cannot be started", &error))
}

#[cfg(not(unix))]
fn become_program(mut command: Command) -> Result<(), Failure> {
    let ended = command.status();
    let ended = ended.map_err(|error| Failure::of_system("cannot be started", &error))?;
    std::process::exit(ended.code().unwrap_or(3));
}
