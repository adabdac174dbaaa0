//! A system that starts no threads for the command, as one whose user has all the processes that a limit allows.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

use serde_json::Value;

use super::support::Workplace;

/// Nobody, of whom no other test runs a process. The superuser may have any number.
const NOBODY: u32 = 65534;

/// Runs a command that may have no thread but its own. Shells disagree about the letter of that limit.
fn run(place: &Workplace, line: &str) -> Output {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{LIMIT}; exec ./frumious {line}")])
        .current_dir(place.path(""))
        .env("XDG_CACHE_HOME", place.path("cache"));
    if fs::metadata("/proc/self").is_ok_and(|own| is_root(&own)) {
        command.uid(NOBODY);
    }
    command.output().expect("a shell")
}

const LIMIT: &str = "(ulimit -u 1) 2>/dev/null && ulimit -u 1 || ulimit -p 1";

fn is_root(own: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    own.uid() == 0
}

#[test]
fn work_that_can_have_no_thread_is_done_by_one() {
    let place = Workplace::new();
    fs::copy(env!("CARGO_BIN_EXE_frumious"), place.path("frumious")).expect("it can be copied");
    fs::set_permissions(place.path(""), fs::Permissions::from_mode(0o777)).expect("it is ours");
    for line in [
        "prove mul.zkey mul.wtns p.json s.json",
        "verify vkey.json s.json p.json",
    ] {
        let output = run(&place, line);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {stderr}");
    }
    // Threads that were asked for, and processes, are there or refused.
    for line in [
        "verify --json --threads 2 vkey.json s.json p.json",
        "witness --json --no-cache mul.wasm input.json w.wtns",
    ] {
        let output = run(&place, line);
        let json: Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!(output.status.code(), Some(3), "{line}: {json}");
        assert_eq!(json["code"], "busy", "{line}: {json}");
    }
}
