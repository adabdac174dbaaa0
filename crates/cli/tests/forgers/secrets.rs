//! Who may look at a process that holds a witness, and what it leaves behind.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::support::Workplace;

/// The test's folder with a copy of the command, for anybody. If the tests run as root, the command runs as nobody in
/// particular: root may do anything anyway.
struct Guest {
    place: Workplace,
    program: PathBuf,
    uid: Option<u32>,
}

impl Guest {
    fn new() -> Self {
        let place = Workplace::new();
        let root = fs::metadata(place.path(".")).expect("it is there").uid() == 0;
        let folder = fs::Permissions::from_mode(0o777);
        fs::set_permissions(place.path("."), folder).expect("it can be set");
        for name in place.names() {
            let everybody = fs::Permissions::from_mode(0o644);
            fs::set_permissions(place.path(&name), everybody).expect("it can be set");
        }
        let program = match root {
            false => PathBuf::from(env!("CARGO_BIN_EXE_frumious")),
            true => {
                let copy = place.path("frumious");
                fs::copy(env!("CARGO_BIN_EXE_frumious"), &copy).expect("it can be copied");
                copy
            }
        };
        Self {
            place,
            program,
            uid: root.then_some(65_534),
        }
    }

    fn start(&self, line: &str) -> Running {
        let mut command = Command::new(&self.program);
        command
            .args(line.split_whitespace())
            .current_dir(self.place.path("."))
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(uid) = self.uid {
            command.uid(uid).gid(uid);
        }
        Running(command.spawn().expect("the command starts"))
    }

    fn pipe(&self, name: &str) {
        let made = Command::new("mkfifo")
            .args(["-m", "666"])
            .arg(self.place.path(name))
            .status();
        assert!(made.expect("mkfifo is there").success());
    }
}

/// Ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Waits until `is_so`.
    fn until(&mut self, is_so: impl Fn(u32) -> bool) {
        let start = Instant::now();
        while !is_so(self.0.id()) {
            let ended = self.0.try_wait().expect("it can be asked");
            assert!(ended.is_none(), "it ended: {ended:?}");
            assert!(start.elapsed() < Duration::from_secs(60), "it never comes");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// True if the process waits for somebody to read the pipe that it writes to.
fn waits_for_a_reader(process: u32) -> bool {
    let place = fs::read_to_string(format!("/proc/{process}/wchan")).unwrap_or_default();
    if place.is_empty() || place == "0" {
        // Not told to others than root: a process that has work to do is not asleep for so long.
        return (0..30).all(|_| {
            std::thread::sleep(Duration::from_millis(10));
            is_asleep(process)
        });
    }
    ["pipe", "fifo", "partner"]
        .iter()
        .any(|word| place.contains(word))
}

/// True if each of the process's threads sleeps.
fn is_asleep(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter();
    let mut states = threads.flatten().flatten().map(|thread| {
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        stat.rsplit(") ")
            .next()
            .is_some_and(|rest| rest.starts_with('S'))
    });
    states.all(|asleep| asleep)
}

fn children(process: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("it is there").flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    processes
        .filter(|child| {
            let status = fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
            status
                .lines()
                .any(|line| line == format!("PPid:\t{process}"))
        })
        .collect()
}

/// Nobody of the same user may trace it or read its memory: what is in /proc of it belongs to root.
fn is_closed(process: u32) -> bool {
    let owner = fs::metadata(format!("/proc/{process}/mem")).map(|metadata| metadata.uid());
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap_or_default();
    let core = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max core file size"))
        .map(|values| values.split_whitespace().take(2).collect::<Vec<_>>());
    // No dump has room in a byte, nor goes to a collector; a system may allow less.
    let is_none = |core: Vec<&str>| core == ["1", "1"] || core == ["0", "0"];
    owner.is_ok_and(|owner| owner == 0) && core.is_some_and(is_none)
}

/// A witness generator that never ends.
fn endless(place: &Workplace) {
    let text = include_str!("../data/multiplier.wat");
    let body = "(func $run (loop $again (br $again))";
    let text = text.replace("(func $run", body);
    let module = wat::parse_str(text).expect("the text is right");
    place.write("endless.wasm", module);
}

#[test]
fn a_process_that_holds_a_witness_is_closed_to_others() {
    let guest = Guest::new();
    guest.pipe("pipe");
    for line in [
        "prove mul.zkey mul.wtns pipe s.json",
        "fullprove input.json mul.wasm mul.zkey pipe s.json",
        "witness mul.wasm input.json pipe",
        "setup --dev mul.r1cs pipe",
    ] {
        let mut running = guest.start(line);
        running.until(waits_for_a_reader);
        assert!(is_closed(running.0.id()), "{line}");
    }
    // The same process is open where there is nothing to hide: the test can tell.
    let mut running = guest.start("export vkey mul.zkey pipe");
    running.until(waits_for_a_reader);
    assert!(!is_closed(running.0.id()));
}

#[test]
fn so_is_the_process_that_calculates_it_which_ends_with_its_parent() {
    let guest = Guest::new();
    endless(&guest.place);
    let mut running = guest.start("witness endless.wasm input.json n.wtns");
    running.until(|parent| children(parent).into_iter().any(is_closed));
    let child = children(running.0.id())[0];
    assert!(is_closed(running.0.id()));
    drop(running); // killed, without a chance to say so
    let start = Instant::now();
    while Path::new(&format!("/proc/{child}")).exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "it lives on");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn the_inputs_are_gone_when_the_witness_is_there() {
    let guest = Guest::new();
    let (a, b) = ("4294901767", "4294836239");
    guest
        .place
        .write("input.json", format!(r#"{{"a": "{a}", "b": {b}}}"#));
    guest.pipe("pipe");
    let mut running = guest.start("fullprove input.json mul.wasm mul.zkey s.json pipe");
    running.until(waits_for_a_reader);
    let process = running.0.id();
    assert!(
        children(process).is_empty(),
        "the one that knew them has ended"
    );
    if guest.uid.is_none() {
        // Not root: its memory is not even to be read.
        assert!(fs::File::open(format!("/proc/{process}/mem")).is_err());
        return;
    }
    let memory = writable_memory(process);
    assert!(contains(&memory, b"input.json"), "its own words are found");
    for secret in [a, b] {
        assert!(!contains(&memory, secret.as_bytes()), "{secret}");
    }
}

fn contains(memory: &[u8], bytes: &[u8]) -> bool {
    memory.windows(bytes.len()).any(|window| window == bytes)
}

/// All that the process has written to, as far as root may read it.
fn writable_memory(process: u32) -> Vec<u8> {
    use std::os::unix::fs::FileExt;
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).expect("root may");
    let memory = fs::File::open(format!("/proc/{process}/mem")).expect("root may");
    let mut all = Vec::new();
    for line in maps.lines().filter(|line| line.contains(" rw-p ")) {
        let (start, end) = line
            .split_once(' ')
            .expect("a range")
            .0
            .split_once('-')
            .expect("two ends");
        let [start, end] =
            [start, end].map(|text| u64::from_str_radix(text, 16).expect("an address"));
        let mut page = [0; 4096];
        for at in (start..end).step_by(4096) {
            if memory.read_exact_at(&mut page, at).is_ok() && page != [0; 4096] {
                all.extend_from_slice(&page);
            }
        }
    }
    all
}

#[test]
fn a_killed_process_leaves_nothing_of_a_witness() {
    let place = Workplace::new();
    // The same four wires again and again.
    let text = include_str!("../data/multiplier.wat")
        .replace(
            "(call $copy (call $address (local.get $wire)) (i32.const 0))",
            "(call $copy (call $address (i32.and (local.get $wire) (i32.const 3))) (i32.const 0))",
        )
        .replace(
            "(func (export \"getWitnessSize\") (result i32) (i32.const 4))",
            "(func (export \"getWitnessSize\") (result i32) (i32.const 800000))",
        );
    place.write(
        "large.wasm",
        wat::parse_str(text).expect("the text is right"),
    );
    let line = "witness large.wasm input.json n.wtns";
    place.succeed(line);
    let whole = fs::metadata(place.path("n.wtns"))
        .expect("it is there")
        .len();
    for round in 0..3 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_frumious"))
            .args(line.split(' '))
            .current_dir(place.path("."))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        // Killed as soon as a part of the witness has a name.
        let mut seen = None;
        while seen.is_none() && child.try_wait().expect("it can be asked").is_none() {
            let mut names = place.names();
            names.retain(|name| name.starts_with(".n.wtns"));
            seen = names.into_iter().find(|name| {
                let length = fs::metadata(place.path(name)).map_or(0, |found| found.len());
                0 < length && length < whole
            });
            std::thread::sleep(Duration::from_micros(300));
        }
        let _ = child.kill();
        child.wait().expect("it ends");
        assert_eq!(seen, None, "round {round}");
        let names = place.names();
        assert!(!names.iter().any(|name| name.starts_with('.')), "{names:?}");
    }
    // Left by an older version, or where files have names from the beginning.
    place.write(".n.wtns.4999999-0.tmp", "a secret");
    place.succeed("witness mul.wasm input.json n.wtns");
    assert!(!place.path(".n.wtns.4999999-0.tmp").exists());
}
