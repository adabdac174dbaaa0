//! Commands where no memory may become executable, as systemd's `MemoryDenyWriteExecute=yes` has it.
//!
//! Skipped, with a message, where there is no perl or the kernel has no `PR_SET_MDWE` (Linux has it since 6.3).

use std::process::{Command, Output, Stdio};

use super::programs;
use super::support::Workplace;

/// Runs a command, which inherits that nothing becomes executable. None if that cannot be had.
fn run(place: &Workplace, line: &str) -> Option<Output> {
    // prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) on x86-64
    let deny = "syscall(157, 65, 1, 0, 0, 0) == 0 or exit 77; exec @ARGV or exit 78";
    let output = Command::new("perl")
        .args(["-e", deny, env!("CARGO_BIN_EXE_frumious")])
        .args(line.split(' '))
        .current_dir(place.path(""))
        .env("XDG_CACHE_HOME", place.path("cache"))
        .stdin(Stdio::null())
        .output();
    output
        .ok()
        .filter(|output| output.status.code() != Some(77))
}

#[test]
fn nothing_needs_memory_that_becomes_executable() {
    let place = programs::place(r#"{"a": "3", "b": 11}"#);
    for line in [
        "prove mul.zkey mul.wtns p.json s.json",
        "verify vkey.json s.json p.json",
        "witness --no-cache mul.wasm input.json w.wtns",
        "fullprove input.json mul.wasm mul.zkey p.json s.json",
        "fullprove input.json program mul.zkey p.json s.json",
        "setup --dev mul.r1cs n.zkey",
        "demo --log-size 9",
    ] {
        let Some(output) = run(&place, line) else {
            eprintln!("skipped: no perl, or no PR_SET_MDWE");
            return;
        };
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {stderr}");
    }
    // Of a program that crashes it is said what may be the reason; elsewhere it is not.
    place.write("input.json", r#"{"mode": 6}"#);
    let line = "witness --wasm-memory 64 program input.json w.wtns";
    let output = run(&place, line).expect("it ran before");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("Link it with -z noexecstack"), "{stderr}");
    let ending = place.end_with(2, line);
    assert!(!ending.stderr.contains("noexecstack"), "{}", ending.stderr);
}
