//! Setups that are killed, or find the disk full: no half key under the final name, and ceremonies go on where they
//! were.
//!
//! A limit on the length of files stands for both. A process that writes beyond it is killed by a signal, or gets an
//! error if it ignores that.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use super::progress::listening;
use super::support::{Workplace, unwinds};

/// The end of a command under a limit on the length of files, in units of 512 bytes.
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

/// Both go on, whichever container they write.
const RESUMABLE: [(&str, &str); 4] = [
    ("setup mul.r1cs pot2.ptau", "zkey"),
    ("setup mul.r1cs pot2.ptau", "fkey"),
    ("setup --dev --seed seed mul.r1cs", "zkey"),
    ("setup --dev --seed seed mul.r1cs", "fkey"),
];

/// With a seed of 32 bytes.
fn workplace() -> Workplace {
    let place = Workplace::new();
    place.write("seed", [7; 32]);
    place
}

#[test]
fn killed_setups_go_on_and_make_the_same_key() {
    for (setup, container) in RESUMABLE {
        let place = workplace();
        let target = format!("new.{container}");
        let line = format!("{setup} --force {target}");
        place.succeed(&format!("{setup} expected.zkey"));
        place.succeed("convert expected.zkey expected.fkey");
        let expected = place.read(&format!("expected.{container}"));
        let longest = place.read("expected.zkey").len().max(expected.len()) + 2048;
        let before = place.names();
        place.write(&target, "old");
        // Killed again and again, each time a little later.
        let (mut kills, mut blocks) = (0, 1);
        loop {
            let ended = run_limited(&place, blocks, false, &line);
            if ended.success {
                break;
            }
            assert!(ended.killed, "{}", ended.stderr);
            assert_eq!(place.read(&target), b"old");
            kills += 1;
            blocks += 1;
            assert!(blocks * 512 < longest, "it never ends");
        }
        assert!(kills >= 2, "{kills}");
        assert_eq!(place.read(&target), expected, "{line}");
        // Killed once, at some lengths and the longest; the rest in one run.
        for blocks in (1..=kills).filter(|blocks| blocks % 5 == 1 || *blocks == kills) {
            assert!(run_limited(&place, blocks, false, &line).killed);
            let json = place.succeed(&format!("{line} --json")).json();
            assert_eq!(place.read(&target), expected, "{line}, {blocks}");
            let resumed = json["resumed_bytes"].as_u64().expect("a number");
            assert!(resumed <= 512 * blocks as u64);
            assert!(blocks < kills || resumed > 0);
        }
        fs::remove_file(place.path(&target)).expect("it is there");
        assert_eq!(place.names(), before, "{line}");
    }
}

/// Lagrange bases, too: each basis that is whole is kept.
#[test]
fn killed_preparations_go_on_and_make_the_same_powers() {
    let place = Workplace::new();
    place.succeed("powersoftau new bn128 5 new.ptau");
    place.succeed("powersoftau beacon new.ptau raw.ptau 0102030405 10");
    place.succeed("powersoftau prepare phase2 raw.ptau expected.ptau");
    let expected = place.read("expected.ptau");
    let before = place.names();
    let line = "powersoftau prepare phase2 raw.ptau prepared.ptau";
    let (mut kills, mut resumed) = (0, 0);
    for blocks in 1..=expected.len() / 512 + 8 {
        let ended = run_limited(&place, blocks, false, line);
        resumed += usize::from(ended.stderr.contains("going on with prepared.ptau.partial"));
        if ended.success {
            break;
        }
        assert!(ended.killed, "{}", ended.stderr);
        assert!(!place.names().contains(&"prepared.ptau".to_owned()));
        kills += 1;
    }
    assert!(
        kills >= 10 && resumed >= 5,
        "{kills} kills, {resumed} times resumed"
    );
    assert!(place.read("prepared.ptau") == expected, "other bytes");
    fs::remove_file(place.path("prepared.ptau")).expect("it is there");
    assert_eq!(place.names(), before);
    // Killed once; of other powers nothing is taken.
    assert!(run_limited(&place, 40, false, line).killed);
    place.succeed("powersoftau beacon new.ptau raw.ptau 060708 10 --force");
    place.succeed("powersoftau prepare phase2 raw.ptau again.ptau");
    place.succeed(line);
    assert!(
        place.read("prepared.ptau") == place.read("again.ptau"),
        "other bytes"
    );
}

#[test]
fn a_full_disk_is_an_error_and_nothing_is_lost() {
    for (setup, container) in RESUMABLE {
        let place = workplace();
        let target = format!("new.{container}");
        let line = format!("{setup} {target}");
        place.succeed(&format!("{setup} expected.zkey"));
        place.succeed("convert expected.zkey expected.fkey");
        let expected = place.read(&format!("expected.{container}"));
        let blocks = place.read("expected.zkey").len() / 512 - 1;
        let ended = run_limited(&place, blocks, true, &line);
        assert!(!ended.success && !ended.killed);
        assert!(ended.stderr.contains(&target), "{}", ended.stderr);
        assert!(
            ended.stderr.contains(&format!("kept in {target}.partial")),
            "{}",
            ended.stderr
        );
        assert!(!place.path(&target).exists());
        // Another circuit's key is not made of it.
        let other = place.succeed(&format!("{setup} other.zkey --json")).json();
        assert_eq!(other["resumed_bytes"], 0);
        let ending = place.succeed(&line);
        assert!(
            ending
                .stderr
                .contains(&format!("going on with {target}.partial")),
            "{}",
            ending.stderr
        );
        assert_eq!(place.read(&target), expected);
    }
}

/// Keys of a seed are those of no other seed, and neither the seed nor what was begun with another one gets into them.
#[test]
fn a_seed_makes_one_key() {
    let place = workplace();
    let line = "setup --dev --seed seed mul.r1cs";
    let ending = place.succeed(&format!("{line} a.zkey"));
    assert!(ending.stderr.contains("UNSAFE KEY"), "{}", ending.stderr);
    place.succeed(&format!("{line} b.zkey --threads 1 --max-memory 30M"));
    let key = place.read("a.zkey");
    assert_eq!(place.read("b.zkey"), key);
    // Begun with one seed, ended with another: nothing is left of the first.
    assert!(run_limited(&place, key.len() / 512, false, &format!("{line} c.zkey")).killed);
    let journal = place.read("c.zkey.partial.journal");
    assert!(!journal.windows(8).any(|bytes| bytes == [7; 8]));
    place.write("other", [8; 32]);
    let other = "setup --dev --seed other mul.r1cs";
    let json = place.succeed(&format!("{other} c.zkey --json")).json();
    assert_eq!(json["resumed_bytes"], 0);
    assert_eq!(json["unsafe_development_key"], true);
    place.succeed(&format!("{other} d.zkey"));
    assert_eq!(place.read("c.zkey"), place.read("d.zkey"));
    assert_ne!(place.read("c.zkey"), key);

    place.succeed("prove a.zkey mul.wtns p.json s.json");
    place.succeed("export vkey a.zkey v.json");
    place.succeed("verify v.json s.json p.json");

    place.write("short", [7; 15]);
    let refused = place.end_with(2, "setup --dev --seed short mul.r1cs e.zkey");
    assert!(
        refused
            .stderr
            .contains("short: a seed has 16 to 4096 bytes"),
        "{}",
        refused.stderr
    );
    place.end_with(2, "setup --dev --seed seed mul.r1cs seed");
    place.end_with(2, "setup --seed seed mul.r1cs pot2.ptau e.zkey");
    assert!(!place.path("e.zkey").exists());
}

/// Without a seed too; a proof from it verifies, and a proof from its zkey.
#[test]
fn development_keys_are_written_as_fkeys() {
    let place = workplace();
    let before = place.names();
    let json = place.succeed("setup --dev mul.r1cs new.fkey --json").json();
    assert_eq!(json["kind"], "fkey");
    let mut after = place.names();
    after.retain(|name| name != "new.fkey");
    assert_eq!(after, before, "nothing else");
    assert_eq!(&place.read("new.fkey")[..4], b"fkey");
    place.succeed("export vkey new.fkey v.json");
    place.succeed("convert new.fkey new.zkey");
    for key in ["new.fkey", "new.zkey"] {
        place.succeed(&format!("prove {key} mul.wtns p.json s.json"));
        place.succeed("verify v.json s.json p.json");
    }
    // Where the file has no end, and no name to keep a part under.
    place.succeed("setup --dev mul.r1cs /dev/null");
}

/// Killed, or without room on the disk: no file of the new name, and the next try clears up and succeeds.
#[test]
fn interrupted_contributions_leave_nothing() {
    let place = Workplace::new();
    place.succeed("zkey export bellman contributed.zkey old.mpcparams");
    place.succeed("zkey bellman contribute bn128 old.mpcparams answered.mpcparams");
    let before = place.names();
    for line in [
        "powersoftau contribute pot2.ptau n.file",
        "powersoftau beacon pot2.ptau n.file 0102 10",
        "powersoftau prepare phase2 pot2.ptau n.file",
        "powersoftau convert pot2.ptau n.file",
        "zkey contribute contributed.zkey n.file",
        "zkey beacon contributed.zkey n.file 0102 10",
        "zkey export bellman contributed.zkey n.file",
        "zkey bellman contribute bn128 old.mpcparams n.file",
        "zkey import bellman contributed.zkey answered.mpcparams n.file",
    ] {
        let ended = run_limited(&place, 1, true, line);
        assert!(!ended.success && !ended.killed, "{line}");
        assert!(ended.stderr.contains("n.file"), "{line}: {}", ended.stderr);
        assert_eq!(place.names(), before, "{line}");
        assert!(run_limited(&place, 1, false, line).killed, "{line}");
        assert!(!place.path("n.file").exists(), "{line}");
        place.succeed(line);
        let after = place.names().into_iter().filter(|name| name != "n.file");
        assert_eq!(after.collect::<Vec<_>>(), before, "{line}");
        fs::remove_file(place.path("n.file")).expect("it is there");
    }
}

#[test]
fn interrupted_development_keys_leave_nothing() {
    let place = Workplace::new();
    place.write("new.zkey", "old");
    let before = place.names();
    place.write("new.fkey", "old");
    let before = [before, vec!["new.fkey".into()]].concat();
    let names = || {
        let mut names = place.names();
        names.sort_by_key(|name| name == "new.fkey");
        names
    };
    for target in ["new.zkey", "new.fkey"] {
        let line = &format!("setup --dev --force mul.r1cs {target}");
        let ended = run_limited(&place, 1, true, line);
        assert!(!ended.success && !ended.killed);
        assert!(ended.stderr.contains(target), "{}", ended.stderr);
        assert_eq!(names(), before);
        // Killed it could not clear up; the next one does.
        assert!(run_limited(&place, 1, false, line).killed);
        assert_eq!(place.read(target), b"old");
        place.succeed(line);
        assert_eq!(names(), before);
        assert_ne!(place.read(target), b"old");
    }
}

#[test]
fn memory_is_told_before_and_refused_if_too_little() {
    let place = Workplace::new();
    for line in [
        "setup mul.r1cs pot2.ptau n.zkey",
        "setup --dev mul.r1cs n.zkey",
    ] {
        let ending = place.succeed(&format!("{line} --force --json"));
        assert!(
            ending.stderr.contains("memory: at most"),
            "{}",
            ending.stderr
        );
        let predicted = ending.json()["predicted_memory_bytes"].as_u64();
        assert!(predicted.is_some_and(|bytes| bytes > 0));
        place.succeed(&format!("{line} --force --max-memory 4G"));
        let refused = place.end_with(3, &format!("{line} --force --max-memory 100"));
        assert!(
            refused
                .stderr
                .contains("may take 100 bytes. Give --max-memory "),
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
    let refused = place.end_with(3, &format!("{line} --force --max-memory 100"));
    assert!(
        refused
            .stderr
            .contains("may take 100 bytes. Give --max-memory "),
        "{}",
        refused.stderr
    );
    // Of a circuit this small the buckets take the most.
    assert!(!refused.stderr.contains("--spill"), "{}", refused.stderr);
    place.end_with(3, &format!("{line} --max-memory 100 --spill ."));
    place.end_with(2, &format!("{line} --spill .")); // of no use without a limit
}

/// The process's memory keeps to a limit. Beside it there is the program's memory before, its buffer for the file, the
/// thread that watches, and the allocator's reserve.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_is_kept_to() {
    const SLACK: u64 = 5 << 20;
    let place = Workplace::new();
    let n_wires = 1 << 15;
    let mut builder = frumious_circom::R1csBuilder::new(1, 2, n_wires - 4);
    let k = |i: u32| frumious_curves::bn254::Fr::from_u64(u64::from(i % 50) + 1);
    for row in 0..n_wires - 100 {
        let terms: Vec<_> = (0..8).map(|i| (row + 7 * i, k(row + i))).collect();
        // Every hundredth row is long.
        let count = if row % 100 == 0 { 8 } else { 2 };
        builder.constraint(&terms[..count], &terms[2..5], &terms[7..]);
    }
    let mut bytes = Vec::new();
    let written = builder.build().write(&mut bytes);
    written.expect("memory can be written to");
    place.write("circuit.r1cs", bytes);
    for threads in [1, 2] {
        let line = format!("setup --force --dev circuit.r1cs new.zkey --json --threads {threads}");
        for limit in [16 << 20, 30 << 20] {
            let json = place
                .succeed(&format!("{line} --max-memory {limit}"))
                .json();
            let of = |field: &str| json[field].as_u64().expect("a number");
            assert!(of("predicted_memory_bytes") <= limit);
            let most = of("private_bytes_before") + limit + SLACK;
            assert!(of("peak_private_bytes") <= most, "{json}");
            // The most that is measured is the limit's, not that of a small circuit.
            assert!(of("peak_private_bytes") > 4 << 20, "{json}");
        }
    }
}

/// True if the process has begun to write an output. A file beside it has its name, or one without a name is open.
///
/// A process may be given files of others that have no name, so the file must be of the place.
#[cfg(unix)]
fn has_begun(process: u32, place: &Workplace, output: &str) -> bool {
    let folder = fs::canonicalize(place.path("")).expect("the place");
    let open = fs::read_dir(format!("/proc/{process}/fd"));
    let is_nameless = |entry: fs::DirEntry| {
        let file = fs::read_link(entry.path()).unwrap_or_default();
        file.starts_with(&folder) && file.to_string_lossy().ends_with("(deleted)")
    };
    let beside = format!(".{output}.");
    let mut names = place.names().into_iter();
    open.into_iter().flatten().flatten().any(is_nameless)
        || names.any(|name| name.starts_with(&beside))
}

/// Ctrl-C ends the work within seconds, leaves outputs whole, and says how to go on.
#[cfg(unix)]
#[test]
fn what_is_stopped_says_what_is_kept() {
    let place = Workplace::new();
    place.write_squarings("long", 60_000);
    place.write("seed", "sixteen bytes and more");
    for (line, kept) in [
        ("setup --dev --seed seed long.r1cs k.zkey", true),
        ("setup --dev long.r1cs d.zkey", false),
    ] {
        let mut child = listening()
            .args(line.split(' ').chain(["--json", "--threads", "1"]))
            .current_dir(place.path(""))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        // Once it has begun to write.
        let has_begun = |process: u32| match kept {
            true => place.path("k.zkey.partial").exists(),
            false => has_begun(process, &place, "d.zkey"),
        };
        while !has_begun(child.id()) {
            assert!(
                child.try_wait().expect("it runs").is_none(),
                "it ended first"
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let signal = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(signal.expect("kill is there").success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(3), "{line}: {}", output.status);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!(report["code"], "interrupted");
        let error = report["error"].as_str().expect("a line");
        match kept {
            true => assert!(error.contains("kept in k.zkey.partial"), "{error}"),
            false => assert!(error.contains("nothing was written"), "{error}"),
        }
        assert!(!place.path("d.zkey").exists() && !place.path("k.zkey").exists());
    }
    place.succeed("setup --dev --seed seed long.r1cs k.zkey");
    let names = place.names();
    assert!(
        !names
            .iter()
            .any(|name| name.contains("partial") || name.ends_with(".tmp")),
        "{names:?}"
    );
}

/// A wait for a person ends at once, one for a stream that nobody ends after seconds. Both are told.
#[test]
fn waits_for_others_end_by_a_signal() {
    let place = Workplace::new();
    // More than a pipe holds: when it is written, the command is at it.
    let more_than_a_pipe = [b' '; 1 << 17];
    let late = match unwinds() {
        true => "did not stop within 5 s",
        false => "interrupted; nothing was written",
    };
    for (line, given, said, code) in [
        (
            "zkey contribute mul.zkey n.zkey --json --entropy=",
            &[][..],
            "interrupted",
            3,
        ),
        (
            "verify --json vkey.json public.json -",
            &more_than_a_pipe,
            late,
            3,
        ),
        // By the contract of snarkjs.
        (
            "snarkjs g16v --json vkey.json public.json -",
            &more_than_a_pipe,
            late,
            1,
        ),
    ] {
        let mut child = listening()
            .args(line.split(' '))
            .current_dir(place.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        // Until it waits, with its listener in place.
        while !is_listening(child.id()) {
            assert!(child.try_wait().expect("it runs").is_none(), "it ended");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let mut open = child.stdin.take().expect("a pipe");
        open.write_all(given).expect("it reads");
        let signal = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(signal.expect("kill is there").success());
        let output = child.wait_with_output().expect("it ends");
        drop(open);
        assert_eq!(output.status.code(), Some(code), "{line}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!(report["code"], "interrupted");
        assert!(
            report["error"].as_str().expect("a line").contains(said),
            "{report}"
        );
        assert!(!place.path("n.zkey").exists());
    }
}

/// A second signal ends a command whose words nobody reads.
#[test]
fn a_second_signal_ends_what_waits_for_its_reader() {
    let place = Workplace::new();
    let (reader, mut full) = std::io::pipe().expect("a pipe");
    full.write_all(&[b' '; 1 << 16])
        .expect("a pipe holds as much");
    let mut child = listening()
        .args("setup --dev mul.r1cs d.zkey".split(' '))
        .current_dir(place.path(""))
        .stdin(Stdio::null())
        .stderr(full)
        .spawn()
        .expect("it starts");
    while !is_listening(child.id()) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    for _ in 0..2 {
        // Signals that come at once are one.
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(child.try_wait().expect("it runs").is_none(), "it ended");
        let signal = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(signal.expect("kill is there").success());
    }
    let ended = (0..300).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        child.try_wait().expect("it runs")
    });
    let _ = child.kill(); // it may have ended
    drop(reader);
    assert_eq!(ended.and_then(|status| status.code()), Some(130));
}

/// True if the process handles SIGINT.
fn is_listening(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = (status.lines()).find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0) >> 1 & 1 == 1
}

/// `nohup` and shells have a signal ignored for what they start: it stays so. The others stop the work as ever.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let place = Workplace::new();
    place.write_squarings("long", 20_000);
    let ignored = |process: u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    for (name, number, sent, code) in [
        ("HUP", 1, "HUP", 0),
        ("INT", 2, "INT", 0),
        ("INT", 2, "TERM", 3),
    ] {
        let binary = env!("CARGO_BIN_EXE_frumious");
        let key = format!("{name}{sent}.zkey");
        let line = format!("{binary} setup --dev --quiet --threads 1 long.r1cs {key}");
        let mut child = Command::new("sh")
            .args(["-c", &format!("trap '' {name}; exec {line}")])
            .current_dir(place.path("."))
            .spawn()
            .expect("a shell");
        while !has_begun(child.id(), &place, &key) {
            assert!(child.try_wait().expect("it runs").is_none(), "it ended");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let mask = ignored(child.id()).expect("it runs");
        assert!(mask >> (number - 1) & 1 == 1, "{name}: {mask:x}");
        let signal = Command::new("kill")
            .args([&format!("-{sent}"), &child.id().to_string()])
            .status();
        assert!(signal.expect("kill is there").success());
        let ended = child.wait().expect("it ends");
        assert_eq!(ended.code(), Some(code), "{name}, {sent}");
        assert_eq!(place.path(&key).exists(), code == 0, "{name}, {sent}");
    }
}
