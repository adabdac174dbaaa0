//! Files that others swap, link, change or write at the same time.
#![cfg(unix)]

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::support::Workplace;

/// Starts `frumious` in the folder.
fn start(place: &Workplace, line: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_frumious"))
        .args(line.split_whitespace())
        .current_dir(place.path("."))
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// The exit code and the last words of a command that must end within half a minute.
fn end(mut child: Child, line: &str) -> (Option<i32>, String) {
    let start = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().expect("it can be ended");
            panic!("{line}: it waits for something");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("it has ended");
    let stderr = String::from_utf8(output.stderr).expect("stderr is UTF-8");
    assert!(!stderr.contains("panicked"), "{line}: {stderr}");
    (output.status.code(), stderr)
}

#[test]
fn of_setups_that_race_for_a_name_none_makes_a_wrong_key() {
    let place = Workplace::new();
    let line = "setup --force mul.r1cs pot2.ptau k.zkey";
    place.succeed(line);
    let expected = place.read("k.zkey");
    let mut made = 0;
    for round in 0..60 {
        fs::remove_file(place.path("k.zkey")).expect("it is there");
        let racing: Vec<Child> = (0..3)
            .map(|runner| {
                // Not all at once: one begins as another ends.
                std::thread::sleep(Duration::from_micros(700 * (round % 10) * runner));
                start(&place, line)
            })
            .collect();
        for child in racing {
            match end(child, line) {
                (Some(0), _) => made += 1,
                (Some(3), stderr) => assert!(stderr.contains("another process"), "{stderr}"),
                other => panic!("{other:?}"),
            }
            // Whoever else is still at it, the name stands for a whole key or for none.
            if let Ok(key) = fs::read(place.path("k.zkey")) {
                assert!(key == expected, "round {round}: a corrupt key");
            }
        }
        assert!(place.read("k.zkey") == expected, "round {round}");
        let names = place.names();
        assert!(
            !names.iter().any(|name| name.contains("partial")),
            "{names:?}"
        );
    }
    assert!(made >= 60, "{made}");
}

/// A setup that ends removes its journal while another has it open already; here somebody does so at any moment. Two
/// setups, each with a journal of its own, must not write to one file.
#[test]
fn setups_whose_journal_is_removed_make_no_wrong_key() {
    let place = Workplace::new();
    place.write_squarings("long", 3000);
    place.write("seed", "sixteen bytes and more");
    let line = "setup --force --dev --seed seed long.r1cs k.zkey";
    place.succeed(line);
    let expected = place.read("k.zkey");
    let mut codes = [0; 4];
    for pause in (4..100).step_by(3) {
        let first = start(&place, line);
        std::thread::sleep(Duration::from_millis(pause));
        let _ = fs::remove_file(place.path("k.zkey.partial.journal"));
        let second = start(&place, line);
        for child in [first, second] {
            let (code, stderr) = end(child, line);
            codes[code.expect("it was not killed") as usize] += 1;
            if code == Some(0) {
                // Not even for a moment is it another.
                assert!(place.read("k.zkey") == expected, "a corrupt key: {stderr}");
            }
        }
        let _ = fs::remove_file(place.path("k.zkey.partial"));
    }
    assert_eq!(codes[1], 0, "{codes:?}");
    place.succeed(line);
    assert!(place.read("k.zkey") == expected);
}

#[test]
fn links_in_the_place_of_working_files_are_not_followed() {
    for name in ["k.zkey.partial", "k.zkey.partial.journal"] {
        for is_hard in [false, true] {
            let place = Workplace::new();
            place.write("victim", "precious");
            let (victim, planted) = (place.path("victim"), place.path(name));
            match is_hard {
                true => fs::hard_link(victim, planted),
                false => symlink(victim, planted),
            }
            .expect("it can be linked");
            let ending = place.end_with(2, "setup mul.r1cs pot2.ptau k.zkey");
            assert!(ending.stderr.contains(name), "{}", ending.stderr);
            assert_eq!(place.read("victim"), b"precious", "{name}");
            assert!(!place.path("k.zkey").exists());
        }
    }
}

#[test]
fn temporary_files_are_new_whatever_was_planted() {
    let place = Workplace::new();
    let openings = r#"[{"polynomial": {"1": "77"}, "points": [1]}]"#;
    place.write("openings.json", openings);
    let mut child = start(&place, "verify vkey.json public.json proof.json");
    let next = child.id() + 1;
    child.wait().expect("it ends");
    // The link's target need not exist: who follows it makes it.
    for process in next..next + 2000 {
        for name in [
            format!(".n.json.{process}-0.tmp"),
            format!("tables.{process}.tmp"),
            format!("tables.{process}-0.tmp"),
        ] {
            symlink(place.path("victim"), place.path(&name)).expect("it can be linked");
        }
    }
    place.succeed("export vkey mul.zkey n.json");
    place.succeed("verkle prove --memory 4 --tables tables openings.json p.json c.json");
    assert!(place.path("n.json").exists() && place.path("tables").exists());
    assert!(!place.path("victim").exists());
}

/// Ends the thread beside a test, also when the test fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `work` while `file` is changed in place, and back, again and again.
fn while_changing(place: &Workplace, file: &str, work: impl FnOnce()) {
    let done = AtomicBool::new(false);
    let original = place.read(file);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut open = OpenOptions::new()
                .write(true)
                .open(place.path(file))
                .expect("it can be written");
            let mut state = 88_172_645_463_325_252_u64;
            while !done.load(Ordering::Relaxed) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let at = state as usize % (original.len() - 8);
                let mut put = |bytes: &[u8]| {
                    open.seek(SeekFrom::Start(at as u64)).expect("a place");
                    open.write_all(bytes).expect("it can be written");
                };
                put(&[0xff; 8]);
                std::thread::sleep(Duration::from_micros(state % 3000));
                put(&original[at..at + 8]);
                std::thread::sleep(Duration::from_micros(state % 7000));
            }
        });
        let _stop = Stop(&done);
        work();
    });
    place.write(file, original);
}

#[test]
fn a_circuit_that_changes_in_use_makes_no_wrong_key_and_no_panic() {
    let place = Workplace::new();
    place.write_squarings("long", 3000);
    place.write("seed", "sixteen bytes and more");
    place.succeed("setup --dev --seed seed long.r1cs expected.zkey");
    let expected = place.read("expected.zkey");
    let mut codes = [0; 4];
    let mut told = 0;
    while_changing(&place, "long.r1cs", || {
        for round in 0..25 {
            let key = format!("k{round}.zkey");
            let line = format!("setup --dev --seed seed long.r1cs {key}");
            let (code, stderr) = end(start(&place, &line), &line);
            let code = code.expect("it was not killed");
            codes[code as usize] += 1;
            told += usize::from(stderr.contains("changed while it was in use"));
            if code == 0 {
                assert!(place.read(&key) == expected, "a wrong key: {stderr}");
            }
        }
    });
    assert_eq!(codes[1], 0, "{codes:?}");
    assert!(told > 0, "{codes:?}: nothing was changed in use");
    place.succeed("setup --dev --seed seed long.r1cs last.zkey");
    assert!(place.read("last.zkey") == expected);
}

#[test]
fn powers_that_change_in_use_make_no_wrong_key_and_no_panic() {
    let place = Workplace::new();
    place.succeed("setup mul.r1cs pot2.ptau expected.zkey");
    let expected = place.read("expected.zkey");
    for file in ["mul.r1cs", "pot2.ptau"] {
        while_changing(&place, file, || {
            for round in 0..25 {
                let key = format!("k{round}.zkey");
                let line = format!("setup mul.r1cs pot2.ptau {key}");
                match end(start(&place, &line), &line) {
                    (Some(0), _) => assert!(place.read(&key) == expected),
                    (Some(2 | 3), _) => {}
                    other => panic!("{file}: {other:?}"),
                }
            }
        });
    }
}

#[test]
fn a_witness_that_changes_in_use_makes_no_wrong_proof_and_no_panic() {
    let place = Workplace::new();
    place.write_squarings("long", 3000);
    place.succeed("setup --dev long.r1cs long.zkey");
    place.succeed("export vkey long.zkey long.vkey");
    let mut told = 0;
    while_changing(&place, "long.wtns", || {
        for _ in 0..25 {
            for options in ["", "--no-verify"] {
                let line = format!("prove long.zkey long.wtns p.json s.json {options}");
                match end(start(&place, &line), &line) {
                    (Some(0), _) => drop(place.succeed("verify long.vkey s.json p.json")),
                    (Some(1), _) if options.is_empty() => {}
                    (Some(2 | 3), stderr) => {
                        told += usize::from(stderr.contains("changed while it was in use"));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    });
    assert!(told > 0, "nothing was changed in use");
}

#[test]
fn two_proofs_into_the_same_names_belong_to_their_signals() {
    let place = Workplace::new();
    for (name, a, b) in [("first", 3, 11), ("second", 5, 8)] {
        place.write("input.json", format!(r#"{{"a": {a}, "b": {b}}}"#));
        place.succeed(&format!("witness mul.wasm input.json {name}.wtns"));
    }
    for _ in 0..40 {
        let lines = ["first", "second"].map(|name| format!("prove mul.zkey {name}.wtns p s"));
        let provers = [0, 1].map(|k| start(&place, &lines[k]));
        for (child, line) in provers.into_iter().zip(&lines) {
            assert_eq!(end(child, line).0, Some(0));
        }
        place.succeed("verify vkey.json s p");
    }
}

#[test]
fn pipes_in_the_place_of_files_are_refused_at_once() {
    let lines = [
        ("prove PIPE mul.wtns n s", 2),
        ("prove mul.zkey PIPE n s", 2),
        ("fullprove PIPE mul.wasm mul.zkey n s", 2),
        ("fullprove input.json PIPE mul.zkey n s", 2),
        ("fullprove input.json mul.wasm PIPE n s", 2),
        ("witness PIPE input.json n", 2),
        ("witness mul.wasm PIPE n", 2),
        ("setup PIPE pot2.ptau n", 2),
        ("setup mul.r1cs PIPE n", 2),
        ("setup --dev PIPE n", 2),
        ("verify PIPE public.json proof.json", 2),
        ("verify vkey.json PIPE proof.json", 2),
        ("verify vkey.json public.json PIPE", 2),
        ("export vkey PIPE n", 2),
        ("export solidity PIPE n", 2),
        ("convert PIPE n.fkey", 2),
        ("inspect PIPE", 2),
    ];
    let place = Workplace::new();
    mkfifo(&place, "PIPE");
    for (line, code) in lines {
        assert_eq!(end(start(&place, line), line).0, Some(code), "{line}");
    }
    // And in the place of working files; those that look abandoned are left alone.
    for name in ["k.zkey.partial", "k.zkey.partial.journal"] {
        mkfifo(&place, name);
        let line = "setup mul.r1cs pot2.ptau k.zkey";
        assert_eq!(end(start(&place, line), line).0, Some(2), "{name}");
        fs::remove_file(place.path(name)).expect("it is there");
    }
    mkfifo(&place, ".n.json.4999999-0.tmp");
    let line = "export vkey mul.zkey n.json";
    assert_eq!(end(start(&place, line), line).0, Some(0));
}

#[test]
fn a_path_that_becomes_a_pipe_at_any_moment_is_not_waited_for() {
    let place = Workplace::new();
    mkfifo(&place, "pipe");
    fs::copy(place.path("public.json"), place.path("signals")).expect("it can be copied");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for source in ["pipe", "signals"] {
                    let _ = fs::remove_file(place.path("next"));
                    fs::hard_link(place.path(source), place.path("next")).expect("a link");
                    fs::rename(place.path("next"), place.path("in")).expect("a name");
                    // Renaming one name of a file over another does nothing.
                    let _ = fs::remove_file(place.path("next"));
                }
            }
        });
        let _stop = Stop(&done);
        while !place.path("in").exists() {}
        for _ in 0..60 {
            let line = "verify vkey.json in proof.json";
            let (code, stderr) = end(start(&place, line), line);
            assert!(matches!(code, Some(0 | 2)), "{stderr}");
        }
    });
}

fn mkfifo(place: &Workplace, name: &str) {
    let made = Command::new("mkfifo").arg(place.path(name)).status();
    assert!(made.expect("mkfifo is there").success());
}
