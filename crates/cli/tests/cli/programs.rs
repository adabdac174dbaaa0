//! Programs in place of circom's C++: what they may do, and what is told when they do something else.
//!
//! The program is `tests/data/program.rs`, compiled here. `interop/` has programs that circom wrote.

use std::net::TcpListener;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::support::{Ending, Workplace};

/// A place with `program`, `program.dat`, and inputs for it.
pub fn place(inputs: &str) -> Workplace {
    static PROGRAM: OnceLock<Vec<u8>> = OnceLock::new();
    let place = Workplace::new();
    let program = PROGRAM.get_or_init(|| {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/program.rs");
        let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let made = Command::new(compiler)
            .args(["--edition=2024", "-O", source, "-o"])
            .arg(place.path("compiled"))
            .output()
            .expect("the compiler starts");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        place.read("compiled")
    });
    place.write("program", program);
    make_executable(&place);
    place.write("program.dat", "");
    place.write("input.json", inputs);
    place
}

fn make_executable(place: &Workplace) {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(place.path("program"), mode).expect("it can be changed");
}

fn run(inputs: &str, options: &str) -> Ending {
    let place = place(inputs);
    let before = place.names();
    let ending = place.run(&format!(
        "witness --log {options} program input.json out.wtns"
    ));
    if ending.code != Some(0) {
        assert_eq!(place.names(), before, "a file is made");
    }
    ending
}

#[test]
fn values_are_told_of_modules_only_and_that_is_said() {
    let place = place(r#"{"a": 7, "b": 8135792468, "mode": 9}"#);
    let ending = place.end_with(1, "witness program input.json out.wtns --values");
    assert!(
        ending.stderr.contains("only modules (.wasm) tell them"),
        "{}",
        ending.stderr
    );
    assert!(!ending.stderr.contains("8135792468"), "{}", ending.stderr);
}

#[test]
fn a_witness_comes_out_of_a_program() {
    let place = place(r#"{"a": "3", "b": 11}"#);
    place.succeed("witness program input.json out.wtns");
    assert_eq!(place.read("out.wtns"), place.read("mul.wtns"));
    place.succeed("fullprove input.json program mul.zkey p.json s.json");
    place.succeed("verify vkey.json s.json p.json");
    let lines = "{\"a\": 3, \"b\": 11}\n\n{\"a\": 1, \"mode\": 99}\n{\"a\": -1}\n{\"a\": \"0xb\", \"b\": [3]}\n";
    place.write("lines.jsonl", lines);
    std::fs::create_dir(place.path("many")).expect("it can be made");
    let ending = place.end_with(1, "witness --batch program lines.jsonl many");
    assert!(ending.stderr.contains("line 3"), "{}", ending.stderr);
    assert_eq!(place.read("many/1.wtns"), place.read("mul.wtns"));
    assert!(!place.path("many/3.wtns").exists());
    assert!(place.path("many/5.wtns").exists());
}

/// circom's parallel templates are threads, whose stacks have to fit the address space.
#[test]
fn programs_may_have_threads() {
    for options in ["", "--wasm-memory 2048"] {
        let ending = run(r#"{"a": 3, "b": 11, "mode": 13}"#, options);
        assert_eq!(ending.code, Some(0), "{options}: {}", ending.stderr);
    }
}

#[test]
fn what_is_no_witness_is_refused() {
    for (mode, why) in [
        (1, "not a witness"),
        (2, "not a witness"),
        (3, "not a witness"),
        (4, "not a witness"),
        (12, "takes 5 input values and 3 were given"),
        (99, "exit code 7"),
    ] {
        let ending = run(&format!(r#"{{"a": 3, "b": 11, "mode": {mode}}}"#), "");
        assert_eq!(ending.code, Some(2), "mode {mode}: {}", ending.stderr);
        assert!(
            ending.stderr.contains(why),
            "mode {mode}: {}",
            ending.stderr
        );
    }
}

#[test]
fn programs_are_stopped_at_their_limits() {
    for (mode, options, code, why) in [
        (5, "--wasm-time 1", 3, "longer than 1 seconds"),
        (6, "--wasm-memory 64", 2, "crashed"),
        (7, "--wasm-memory 4", 3, "more than 4194304 bytes"),
    ] {
        let start = Instant::now();
        let ending = run(&format!(r#"{{"mode": {mode}}}"#), options);
        assert_eq!(ending.code, Some(code), "mode {mode}: {}", ending.stderr);
        assert!(
            ending.stderr.contains(why),
            "mode {mode}: {}",
            ending.stderr
        );
        assert!(start.elapsed() < Duration::from_secs(20), "mode {mode}");
    }
    // A hundred megabytes of log: a part of it is kept.
    let ending = run(r#"{"a": 3, "b": 11, "mode": 10}"#, "");
    assert_eq!(ending.code, Some(0));
    assert!(
        ending.stderr.len() < 2 << 20,
        "{} bytes",
        ending.stderr.len()
    );
}

#[test]
fn assertions_are_told_and_values_are_not() {
    let ending = run(r#"{"mode": 9}"#, "");
    assert_eq!(ending.code, Some(1), "{}", ending.stderr);
    let place = "template T line 3, component main.c[0]";
    assert!(ending.stderr.contains(place), "{}", ending.stderr);

    let secret = "8135792468";
    let ending = run(&format!(r#"{{"a": {secret}, "mode": 8}}"#), "--quiet");
    assert_eq!(ending.code, Some(2), "{}", ending.stderr);
    let told = ending.stderr.lines().filter(|line| !line.contains("log: "));
    let told: Vec<&str> = told.filter(|line| line.contains(secret)).collect();
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn a_program_can_do_nothing_but_compute() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a port").port();
    let place = place(&format!(r#"{{"b": {port}, "mode": 11}}"#));
    place.write("victim", "still here");
    let before = place.names();
    // Whoever starts the command may have files open.
    let line = "exec \"$0\" witness --log program input.json out.wtns 5<>victim";
    let ending = Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_frumious")])
        .current_dir(place.path(""))
        .output()
        .expect("a shell");
    let stderr = String::from_utf8_lossy(&ending.stderr);
    assert_eq!(ending.status.code(), Some(2), "{stderr}");
    let tried = stderr.lines().filter(|line| line.contains(": refused"));
    assert_eq!(tried.count(), 19, "{stderr}");
    assert!(!stderr.contains("WORKED"), "{stderr}");
    assert!(stderr.contains("a thread: works"), "{stderr}");
    assert_eq!(place.names(), before);
    assert_eq!(place.read("victim"), b"still here");
}

#[test]
fn what_is_no_program_of_circom_does_not_start() {
    let place = place(r#"{"a": 3}"#);
    let refused = |why: &str| {
        let ending = place.end_with(2, "witness program input.json out.wtns");
        assert!(ending.stderr.contains(why), "{why}: {}", ending.stderr);
    };
    std::fs::remove_file(place.path("program.dat")).expect("it is there");
    refused("program.dat");
    place.write("program.dat", "");
    let program = place.read("program");
    place.write("program", &program[..4096]);
    refused("prime");
    place.write("program", b"\x7fELF and no more");
    refused("prime");
    let primes = [program.as_slice(), &BLS12_381].concat();
    place.write("program", primes);
    refused("prime");
    // Its name is not a command line, and the folder of the command is not searched.
    let ending = place.end_with(2, "witness ;echo input.json out.wtns");
    assert!(ending.stderr.contains(";echo"), "{}", ending.stderr);
}

/// The prime of BLS12-381's scalar field, least significant byte first.
const BLS12_381: [u8; 32] = [
    1, 0, 0, 0, 255, 255, 255, 255, 254, 91, 254, 255, 2, 164, 189, 83, 5, 216, 161, 9, 8, 216, 57,
    51, 72, 125, 157, 41, 83, 167, 237, 115,
];
