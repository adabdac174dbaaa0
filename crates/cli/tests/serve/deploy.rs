//! The files of `deploy/`: what they name is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Place, Setting};

fn deploy(name: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../deploy")
            .join(name),
    )
    .unwrap()
}

#[test]
fn the_dashboard_asks_for_counts_that_the_server_tells() {
    let place = Place::new();
    let setting = Setting {
        top: "metrics = \"127.0.0.1:0\"".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    server.multiply(3, 4);
    let counts = crate::http::ask(&server.others[0], "GET", "/metrics")
        .send()
        .body;
    let board = deploy("grafana.json");
    serde_json::from_str::<serde_json::Value>(&board).unwrap();
    let is_of_a_name = |c: char| c.is_ascii_lowercase() || c == '_';
    let words = board.split(|c: char| !is_of_a_name(c));
    let names: BTreeSet<&str> = words.filter(|word| word.starts_with("frumious_")).collect();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        assert!(
            counts.contains(&format!("\n{name}")) || counts.starts_with(name),
            "{name}\n{counts}"
        );
    }
}

#[test]
fn health_is_asked_for_as_the_image_does() {
    let image = deploy("Dockerfile");
    let line = image
        .lines()
        .find_map(|line| line.trim().strip_prefix("CMD "))
        .unwrap();
    let words: Vec<String> = serde_json::from_str(line).unwrap();
    assert_eq!(words[0], "frumious");
    let place = Place::new();
    let server = place.start(&Setting::default(), &[]);
    let check = |url: &str| {
        let ending = Command::new(env!("CARGO_BIN_EXE_frumious"))
            .args(&words[1..])
            .env("FRUMIOUS_SERVER", url)
            .output()
            .unwrap();
        ending.status.code()
    };
    let url = format!("http://{}", server.address);
    assert_eq!(check(&url), Some(0));
    server.kill();
    assert_eq!(check(&url), Some(3));
}

/// By systemd's own measure: 0 is closed, 100 open.
#[test]
fn the_unit_leaves_little_open() {
    let place = Place::new();
    place.write("frumious.service", deploy("frumious.service"));
    let judged = Command::new("systemd-analyze")
        .args(["security", "--offline=yes", "--threshold=20", "--no-pager"])
        .arg(place.path("frumious.service"))
        .env("SYSTEMD_COLORS", "0")
        .output();
    let Ok(judged) = judged else {
        eprintln!("skipped: no systemd-analyze");
        return;
    };
    let told = String::from_utf8_lossy(&judged.stdout) + String::from_utf8_lossy(&judged.stderr);
    // Older ones judge units of a system that runs alone.
    let is_old = told.contains("unrecognized option");
    assert!(is_old || judged.status.success(), "{told}");
}

#[test]
fn the_image_and_the_unit_start_the_server_as_nobody_special() {
    let unit = deploy("frumious.service");
    for line in [
        "DynamicUser=yes",
        "LimitCORE=0",
        "MemoryDenyWriteExecute=yes",
        "ProtectSystem=strict",
        "CapabilityBoundingSet=",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
        "LockPersonality=yes",
        "SystemCallArchitectures=native",
        "SystemCallFilter=@system-service",
        // `strace -f` of a server with a program of circom's: what it calls beside @system-service of systemd 252.
        "SystemCallFilter=landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp",
    ] {
        assert!(unit.lines().any(|other| other == line), "{line}");
    }
    let start = unit
        .lines()
        .find_map(|line| line.strip_prefix("ExecStart="))
        .unwrap();
    let image = deploy("Dockerfile");
    assert!(image.lines().any(|line| line == "USER 10001"));
    let entry = image
        .lines()
        .find_map(|line| line.strip_prefix("ENTRYPOINT "))
        .unwrap();
    let entry: Vec<String> = serde_json::from_str(entry).unwrap();
    let start: Vec<&str> = start.split(' ').collect();
    for words in [
        &start[1..],
        &entry.iter().map(String::as_str).collect::<Vec<_>>()[1..],
    ] {
        let place = Place::new();
        place.configure(&Setting::default(), &[]);
        let config = place.path("frumious.toml");
        let words = words.iter().map(|word| {
            if word.ends_with(".toml") {
                config.to_str().unwrap()
            } else {
                word
            }
        });
        let checked = Command::new(env!("CARGO_BIN_EXE_frumious"))
            .args(words)
            .arg("--check")
            .output()
            .unwrap();
        assert!(checked.status.success(), "{checked:?}");
    }
}
