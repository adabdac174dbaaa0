//! Inputs and tokens are nowhere to be read: not in logs, answers, counts, files, or another process's hands.

use std::fs;
use std::path::Path;

use crate::support::{LONG, Place, Setting};

/// Two values that have no other meaning.
const SECRETS: [&str; 2] = ["39916801", "479001599"];

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

/// Fails if a file of a folder has one of the secrets, as text or as the bytes of a witness.
fn look_through(folder: &Path) {
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            look_through(&path);
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        count += 1;
        for secret in SECRETS {
            assert!(!contains(&bytes, secret), "{} has it", path.display());
            let value = secret.parse::<u64>().unwrap().to_le_bytes();
            let has_value = bytes.windows(8).any(|window| window == value);
            assert!(!has_value, "{} has its bytes", path.display());
        }
    }
    assert!(
        count > 0 || folder.ends_with("tapes"),
        "{} is empty",
        folder.display()
    );
}

#[test]
fn inputs_are_in_no_log_no_answer_no_count_and_no_file() {
    let place = Place::new();
    let setting = Setting {
        top: "metrics = \"127.0.0.1:0\"".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    let [a, b] = SECRETS;
    let mut told = String::new();
    for body in [
        format!("{{\"a\": {a}, \"b\": {b}}}"),
        format!("{{\"a\": {a}, \"b\": \"x{b}\"}}"),
        format!("{{\"a\": {a}, \"b\": {b}"),
        format!("{{\"a\": {a}, \"b\": {b}, \"c\": [{a}]}}"),
        format!("{{\"a\": [{a}, {b}]}}"),
        format!("[{a}, {b}]"),
        format!("{{\"a\": 7, \"b\": {b}}}"),
    ] {
        let asking = server
            .ask("POST", "/v1/proofs?circuit=mul")
            .header("prefer", "wait=60");
        told += &asking.json(&body).send().body;
        let asking = server.ask("POST", format!("/v1/proofs?circuit=mul{a}"));
        asking.json(&body).send();
        let asking = server.ask("POST", "/v1/verify?circuit=mul");
        told += &asking.json(&body).send().body;
    }
    told += &server.get("/v1/proofs?limit=100").body;
    told += &crate::http::ask(&server.others[0], "GET", "/metrics")
        .send()
        .body;
    told += &server.log();
    for secret in SECRETS {
        assert!(!told.contains(secret), "{told}");
    }
    look_through(place.data());
}

#[test]
fn sealed_inputs_are_on_disk_and_nobody_reads_them() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new().with_squarings("long", 4 * LONG);
    place.write("seal.key", "0123456789abcdef".repeat(4));
    fs::set_permissions(place.path("seal.key"), fs::Permissions::from_mode(0o600)).unwrap();
    let setting = Setting {
        tables: "[seal]\nfile = \"seal.key\"\n".into(),
        limits: "threads = 1".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &["long"]);
    server.submit("long", &place.read("long.wtns"));
    let [a, b] = SECRETS;
    let asking = server.ask("POST", "/v1/proofs?circuit=mul");
    let id = asking
        .json(&format!("{{\"a\": {a}, \"b\": {b}}}"))
        .send()
        .json()["id"]
        .clone();
    assert_eq!(server.job(id.as_str().unwrap())["state"], "queued");
    look_through(place.data());
    for entry in fs::read_dir(place.data()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        let is_bare = entry.file_name() == "lock";
        assert!(
            is_bare || mode & 0o077 == 0,
            "{:?}: {mode:o}",
            entry.file_name()
        );
    }
    // A key that others may read seals nothing.
    server.kill();
    fs::set_permissions(place.path("seal.key"), fs::Permissions::from_mode(0o644)).unwrap();
    let said = place.try_start(&setting).err().unwrap();
    assert!(said.contains("chmod 600"), "{said}");
}

#[test]
fn a_data_folder_that_others_may_enter_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    fs::create_dir(place.data()).unwrap();
    fs::set_permissions(place.data(), fs::Permissions::from_mode(0o755)).unwrap();
    place.configure(&Setting::default(), &[]);
    let said = place.try_start(&Setting::default()).err().unwrap();
    assert!(said.contains("chmod 700"), "{said}");
}

#[test]
fn the_process_leaves_no_core_dump_and_is_traced_by_nobody() {
    let place = Place::new();
    let setting = Setting {
        guest: true,
        ..Setting::default()
    };
    let server = place.start(&setting, &[]);
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.pid())).unwrap();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[4..6], ["1", "1"], "{line}");
    // The server is another user's. What may be traced belongs to that user in /proc, and what may not to root.
    let owner = fs::metadata(format!("/proc/{}/mem", server.pid())).unwrap();
    assert_eq!(std::os::unix::fs::MetadataExt::uid(&owner), 0);
}
