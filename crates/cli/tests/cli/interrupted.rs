//! Setups that are killed, or find the disk full: no half key under the final name, and ceremonies go on where they were.
//!
//! A limit on the length of files stands for both: a process that writes beyond it is killed by a signal, or gets an error if it ignores that.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use super::support::Workplace;

/// How a command ended under a limit on the length of files, in units of 512 bytes.
struct Ended {
    killed: bool,
    success: bool,
    stderr: String,
}

fn run_limited(place: &Workplace, blocks: usize, ignoring: bool, line: &str) -> Ended {
    let trap = if ignoring { "trap '' XFSZ; " } else { "" };
    let binary = env!("CARGO_BIN_EXE_frumious");
    let output = Command::new("sh")
        .args([
            "-c",
            &format!("{trap}ulimit -f {blocks}; exec {binary} {line}"),
        ])
        .current_dir(place.path("."))
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    Ended {
        killed: output.status.signal().is_some(),
        success: output.status.success(),
        stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
    }
}

const CEREMONY: &str = "setup mul.r1cs pot2.ptau new.zkey";

#[test]
fn killed_setups_go_on_and_make_the_same_key() {
    let place = Workplace::new();
    place.succeed("setup mul.r1cs pot2.ptau expected.zkey");
    let expected = place.read("expected.zkey");
    let before = place.names();
    place.write("new.zkey", "old");
    // Killed again and again, each time a little later.
    let (mut kills, mut blocks) = (0, 1);
    loop {
        let ended = run_limited(&place, blocks, false, CEREMONY);
        if ended.success {
            break;
        }
        assert!(ended.killed, "{}", ended.stderr);
        assert_eq!(place.read("new.zkey"), b"old");
        kills += 1;
        blocks += 1;
        assert!(blocks * 512 < expected.len() + 2048, "it never ends");
    }
    assert!(kills >= 2, "{kills}");
    assert_eq!(place.read("new.zkey"), expected);
    // Killed once, at each length; the rest in one run.
    for blocks in 1..=kills {
        assert!(run_limited(&place, blocks, false, CEREMONY).killed);
        let json = place.succeed(&format!("{CEREMONY} --json")).json();
        assert_eq!(place.read("new.zkey"), expected, "{blocks}");
        let resumed = json["resumed_bytes"].as_u64().expect("a number");
        assert!(resumed <= 512 * blocks as u64);
        assert!(blocks < kills || resumed > 0);
    }
    std::fs::remove_file(place.path("new.zkey")).expect("it is there");
    assert_eq!(place.names(), before);
}

#[test]
fn a_full_disk_is_an_error_and_nothing_is_lost() {
    let place = Workplace::new();
    place.succeed("setup mul.r1cs pot2.ptau expected.zkey");
    let expected = place.read("expected.zkey");
    let blocks = expected.len() / 512 - 1;
    let ended = run_limited(&place, blocks, true, CEREMONY);
    assert!(!ended.success && !ended.killed);
    assert!(ended.stderr.contains("new.zkey"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("kept in new.zkey.partial"),
        "{}",
        ended.stderr
    );
    assert!(!place.path("new.zkey").exists());
    // Another circuit's key is not made of it.
    let other = place
        .succeed("setup mul.r1cs pot2.ptau other.zkey --json")
        .json();
    assert_eq!(other["resumed_bytes"], 0);
    let ending = place.succeed(CEREMONY);
    assert!(
        ending.stderr.contains("going on with new.zkey.partial"),
        "{}",
        ending.stderr
    );
    assert_eq!(place.read("new.zkey"), expected);
}

#[test]
fn interrupted_development_keys_leave_nothing() {
    let place = Workplace::new();
    place.write("new.zkey", "old");
    let before = place.names();
    let line = "setup --dev mul.r1cs new.zkey";
    let ended = run_limited(&place, 1, true, line);
    assert!(!ended.success && !ended.killed);
    assert!(ended.stderr.contains("new.zkey"), "{}", ended.stderr);
    assert_eq!(place.names(), before);
    // Killed it could not clear up; the next one does.
    assert!(run_limited(&place, 1, false, line).killed);
    assert_eq!(place.read("new.zkey"), b"old");
    place.succeed(line);
    assert_eq!(place.names(), before);
    assert_ne!(place.read("new.zkey"), b"old");
}

#[test]
fn memory_is_told_before_and_refused_if_too_little() {
    let place = Workplace::new();
    for line in [
        "setup mul.r1cs pot2.ptau n.zkey",
        "setup --dev mul.r1cs n.zkey",
    ] {
        let ending = place.succeed(&format!("{line} --json"));
        assert!(
            ending.stderr.contains("memory: at most"),
            "{}",
            ending.stderr
        );
        let predicted = ending.json()["predicted_memory_bytes"].as_u64();
        assert!(predicted.is_some_and(|bytes| bytes > 0));
        place.succeed(&format!("{line} --max-memory 4G"));
        let refused = place.end_with(2, &format!("{line} --max-memory 100"));
        assert!(
            refused.stderr.contains("the limit is 100"),
            "{}",
            refused.stderr
        );
        place.end_with(2, &format!("{line} --max-memory much"));
    }
}

#[test]
fn a_proof_tells_its_memory_before_and_is_refused_if_that_is_too_little() {
    let place = Workplace::new();
    let line = "prove mul.zkey mul.wtns proof.json public.json";
    let ending = place.succeed(&format!("{line} --max-memory 4G --spill . --json"));
    let predicted = &ending.json()["predicted_memory_bytes"];
    assert!(predicted["private"].as_u64().is_some_and(|bytes| bytes > 0));
    assert_eq!(ending.json()["spilled_bytes"], 0);
    let refused = place.end_with(2, &format!("{line} --max-memory 100"));
    assert!(
        refused.stderr.contains("the limit is 100"),
        "{}",
        refused.stderr
    );
    // Of a circuit this small the buckets take the most.
    assert!(!refused.stderr.contains("--spill"), "{}", refused.stderr);
    place.end_with(2, &format!("{line} --max-memory 100 --spill ."));
    place.end_with(2, &format!("{line} --spill .")); // of no use without a limit
}
