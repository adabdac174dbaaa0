//! `frumious fleet`: a fake program of the fleet in its place, which tells what it was given.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use super::support::Workplace;

const OURS: &str = env!("CARGO_PKG_VERSION");

/// Writes a program of the fleet, which tells a version, and else runs a script.
fn write_program(place: &Workplace, version: &str, script: &str) {
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && [ $# = 1 ] && {{ echo frumious-fleet {version}; exit; }}\n{script}\n"
    );
    place.write("frumious-fleet", text);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.path("frumious-fleet"), mode).expect("its mode");
}

/// The command, with a folder in front of PATH and without the variable.
fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_frumious"));
    let path = format!("{}:/usr/bin:/bin", folder.display());
    command.args(words).env("PATH", path).stdin(Stdio::null());
    command.env_remove("FRUMIOUS_FLEET");
    command
}

fn run(place: &Workplace, words: &[&str]) -> Output {
    command(&place.path(""), words)
        .output()
        .expect("the command starts")
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn arguments_reach_the_program_as_they_are_and_its_exit_code_comes_back() {
    let place = Workplace::new();
    write_program(&place, OURS, "printf '[%s]' \"$@\"; echo told >&2; exit 7");
    for words in [
        &["up"][..],
        &["prove", "a file.jsonl", "--out", "", "*", "$HOME", "--help"],
        &["--state", "a b", "status"],
        &["prove", "--json", "--threads", "--", "--x"],
        &["--version", "x"],
    ] {
        let output = run(&place, &[&["fleet"], words].concat());
        let expected: String = words.iter().map(|word| format!("[{word}]")).collect();
        assert_eq!(said(&output.stdout), expected);
        assert_eq!(said(&output.stderr), "told\n");
        assert_eq!(output.status.code(), Some(7));
    }
}

#[test]
fn the_variable_names_another_program() {
    let place = Workplace::new();
    write_program(&place, OURS, "echo here");
    fs::rename(place.path("frumious-fleet"), place.path("other one")).expect("it can be named");
    let output = command(Path::new("/nowhere"), &["fleet", "status"])
        .env("FRUMIOUS_FLEET", place.path("other one"))
        .output()
        .expect("the command starts");
    assert_eq!(said(&output.stdout), "here\n");
}

#[test]
fn the_program_has_the_streams_and_the_process_so_that_signals_reach_it() {
    let place = Workplace::new();
    write_program(&place, OURS, "read line; echo \"$line $$\"; exec sleep 60");
    place.write("in", "a line\n");
    let mut child = command(&place.path(""), &["fleet", "up"])
        .stdin(fs::File::open(place.path("in")).expect("it is there"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let expected = format!("a line {}\n", child.id());
    let mut told = vec![0; expected.len()];
    let stdout = child.stdout.as_mut().expect("it is piped");
    stdout.read_exact(&mut told).expect("a line");
    assert_eq!(said(&told), expected, "another process than ours");
    std::thread::sleep(Duration::from_millis(50));
    let kill = Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.expect("kill starts").success());
    let status = child.wait().expect("it ends");
    assert_eq!(
        std::os::unix::process::ExitStatusExt::signal(&status),
        Some(15)
    );
}

#[test]
fn a_program_that_is_missing_or_of_another_version_is_refused() {
    let place = Workplace::new();
    let missing = run(&place, &["fleet", "up"]);
    assert_eq!(missing.status.code(), Some(2));
    let error = said(&missing.stderr);
    for word in [
        "frumious-fleet is not in PATH",
        "frumious[ray]",
        "docs/fleet.md",
    ] {
        assert!(error.contains(word), "{error}");
    }
    for words in [["--json", "fleet", "up"], ["fleet", "status", "--json"]] {
        let object = run(&place, &words);
        let object: serde_json::Value = serde_json::from_slice(&object.stdout).expect("an object");
        assert_eq!(
            (&object["command"], &object["code"]),
            (&"fleet".into(), &"not_found".into())
        );
    }
    // That one is the name of a file.
    let object = run(&place, &["fleet", "prove", "--", "--json"]);
    assert!(object.status.code() == Some(2) && object.stdout.is_empty());

    write_program(&place, "0.0.1", "touch was-run");
    let other = run(&place, &["fleet", "prove", "jobs.jsonl"]);
    assert_eq!(
        (other.status.code(), said(&other.stdout)),
        (Some(2), String::new())
    );
    let error = said(&other.stderr);
    assert!(
        error.contains("is version 0.0.1") && error.contains(OURS),
        "{error}"
    );
    assert!(!place.path("was-run").exists());
}

#[test]
fn help_needs_no_program() {
    let place = Workplace::new();
    for words in [["fleet", "--help"], ["help", "fleet"]] {
        let output = run(&place, &words);
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        let told = said(&output.stdout);
        assert!(
            told.contains("up, status, prove, plan, down") && told.contains("FRUMIOUS_FLEET"),
            "{told}"
        );
    }
    assert_eq!(run(&place, &["fleet"]).status.code(), Some(2));
}
