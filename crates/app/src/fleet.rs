//! The program of the fleet: `frumious-fleet`, of the Python package.
//!
//! It is found and asked for its version here, by the command `fleet` and by a server that proves on a fleet.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::failure::{About, Code, Failure};

/// The variable that names the program, before `PATH` is searched.
pub const VARIABLE: &str = "FRUMIOUS_FLEET";

/// The program's name in `PATH`.
pub const NAME: &str = "frumious-fleet";

/// The program: `named`, or that of the variable `FRUMIOUS_FLEET`, or the first in `PATH`.
///
/// # Errors
/// A [`Failure`] of exit code 2 that says what to install, if it is not there.
pub fn find(named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return there(path, "the fleet's program");
    }
    if let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return there(Path::new(&value), VARIABLE);
    }
    in_path(&std::env::var_os("PATH").unwrap_or_default()).ok_or_else(|| {
        let message = format!("{NAME} is not in PATH. {INSTALL}");
        Failure::new(Code::NotFound, message)
    })
}

fn there(path: &Path, what: &str) -> Result<PathBuf, Failure> {
    match is_program(path) {
        // A name without a folder would be looked for in PATH.
        true => std::path::absolute(path).map_err(Failure::from),
        false => {
            let path = path.display();
            let message = format!("{path}: {what} is no program that can be run. {INSTALL}");
            Err(Failure::new(Code::NotFound, message))
        }
    }
}

fn in_path(path: &OsStr) -> Option<PathBuf> {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let mut places = folders.map(|folder| folder.join(NAME));
    places.find(|place| is_program(place))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let found = std::fs::metadata(path);
    found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Refuses a program whose version is not `ours`: it is asked with `--version`, and without these variables of the
/// environment.
///
/// # Errors
/// A [`Failure`] of exit code 2 for another version, or for none; one of the operating system's.
pub fn check_version(program: &Path, ours: &str, secrets: &[&str]) -> Result<(), Failure> {
    let mut command = Command::new(program);
    for secret in secrets {
        command.env_remove(secret);
    }
    let mut child = command
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| Failure::of_system("cannot be started", &error))
        .about(program)?;
    let said = first_words(&mut child);
    let said = String::from_utf8_lossy(&said);
    let theirs = said.trim().strip_prefix(NAME).map(str::trim);
    let problem = match theirs {
        Some(theirs) if theirs == ours => return Ok(()),
        Some(theirs) => format!("is version {}, and this is {ours}", shown(theirs)),
        None => format!("does not tell its version, and this is {ours}"),
    };
    Err(Failure::bad_input(problem)
        .about(program)
        .hinting(INSTALL_SAME))
}

/// The first that a program says, after which it is ended.
fn first_words(child: &mut Child) -> Vec<u8> {
    let (sender, receiver) = channel();
    if let Some(stdout) = child.stdout.take() {
        // Without a thread it has said nothing.
        let _ = std::thread::Builder::new().spawn(move || {
            let mut said = Vec::new();
            let _ = stdout.take(MOST_SAID).read_to_end(&mut said); // then it says less
            let _ = sender.send(said);
        });
    }
    let said = receiver.recv_timeout(PATIENCE).unwrap_or_default();
    let _ = child.kill(); // it may have ended by now
    let _ = child.wait();
    said
}

/// Ends a process that was started in a group of its own, and whatever it has started there.
#[cfg(unix)]
pub fn end_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL); // it may have ended by now
    }
}

/// A version that a line can bear.
fn shown(version: &str) -> String {
    let usual = |c: &char| c.is_ascii_alphanumeric() || "._-+".contains(*c);
    version.chars().filter(usual).take(40).collect()
}

const INSTALL: &str = "Next: install the Python package with its extra, frumious[ray] (docs/fleet.md), or name the \
     program in FRUMIOUS_FLEET.";

const INSTALL_SAME: &str =
    "Next: install the Python package of this version, frumious[ray] (docs/fleet.md).";

/// For Python to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// Bytes of an answer to `--version`.
const MOST_SAID: u64 = 1024;

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn program(folder: &Path, script: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join(NAME);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, mode).expect("its mode");
        path
    }

    #[test]
    fn the_first_program_in_path_is_taken() {
        let [empty, full] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        std::fs::create_dir(empty.path().join(NAME)).expect("a folder of that name");
        let expected = program(full.path(), "");
        let path = std::env::join_paths([Path::new("."), empty.path(), full.path()]);
        assert_eq!(in_path(&path.expect("a path")), Some(expected));
        assert_eq!(in_path(OsStr::new("")), None);
        let failure = find(Some(empty.path())).expect_err("it is a folder");
        assert_eq!(failure.code(), Code::NotFound);
    }

    #[test]
    fn another_version_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        for (script, reason) in [
            ("echo frumious-fleet 1.2.3", None),
            ("echo frumious-fleet 1.2.4", Some("is version 1.2.4")),
            ("echo 1.2.3", Some("does not tell")),
            ("exit 1", Some("does not tell")),
            ("printf 'frumious-fleet \\033[2J1'", Some("version 2J1,")),
            ("yes frumious-fleet | head -c 100000", Some("is version")),
        ] {
            let program = program(folder.path(), script);
            match (check_version(&program, "1.2.3", &[]), reason) {
                (Ok(()), None) => {}
                (Err(failure), Some(reason)) => {
                    assert!(failure.message().contains(reason), "{}", failure.message());
                    assert!(failure.message().len() < 400, "{}", failure.message());
                    assert_eq!(failure.exit_code(), 2);
                }
                (result, _) => panic!("{script}: {result:?}"),
            }
        }
    }
}
