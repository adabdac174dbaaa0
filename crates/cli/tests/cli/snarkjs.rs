//! snarkjs's command line.

use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use super::support::Workplace;

/// snarkjs by a link of its name.
fn snarkjs(place: &Workplace, line: &str) -> Output {
    let link = place.path("snarkjs");
    if !link.exists() {
        symlink(env!("CARGO_BIN_EXE_frumious"), &link).expect("a link");
    }
    let mut command = Command::new(link);
    let words = line.split_whitespace();
    command.args(words).current_dir(place.path("."));
    command.output().expect("it starts")
}

#[test]
fn a_proof_by_shortcuts() {
    let place = Workplace::new();
    let said = |line: &str, code: i32, text: &str| {
        let Output {
            status,
            stdout,
            stderr,
        } = snarkjs(&place, line);
        let told = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(code), "{line}: {told}");
        assert!(told.contains(text), "{line}: {told}");
    };
    said("g16p mul.zkey mul.wtns", 0, "");
    said("zkev mul.zkey vkey.json --allow-uncontributed", 0, "");
    said(
        "g16v vkey.json --allow-uncontributed",
        0,
        "[INFO]  snarkJS: OK!\n",
    );
    place.write("public.json", "[\"34\"]");
    let invalid = "[ERROR] snarkJS: Invalid proof\n";
    said("g16v vkey.json --allow-uncontributed", 1, invalid);
    said("wchk mul.r1cs mul.wtns", 0, "WITNESS IS CORRECT\n");
    let mut wrong = place.read("mul.wtns");
    let c = wrong.len() - 3 * 32;
    wrong[c] ^= 1;
    place.write("wrong.wtns", wrong);
    said("wchk mul.r1cs wrong.wtns", 1, "WITNESS IS NOT CORRECT");
    // What cannot be read is not judged.
    for line in [
        "wtns check mul.wtns mul.r1cs",
        "g16v absent.json --allow-uncontributed",
    ] {
        let Output { status, stderr, .. } = snarkjs(&place, line);
        let told = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(1), "{line}: {told}");
        assert!(!told.contains("snarkJS"), "{line}: {told}");
    }
    said("wc mul.wasm input.json new.wtns", 0, "");
    assert!(place.read("new.wtns") == place.read("mul.wtns"));
    said("fi mul.r1cs", 0, "constraint");
    said("g16s mul.r1cs pot2.ptau first.zkey", 0, "");
    let contribution = "zkc first.zkey next.zkey -n=me -e=random";
    said(contribution, 0, "Contribution Hash");
    said(contribution, 1, "--force");
    said("zkv mul.r1cs pot2.ptau next.zkey", 0, "ZKey Ok!");
    said("zkvi first.zkey pot2.ptau next.zkey", 0, "ZKey Ok!");
    said("plonk prove", 1, "Groth16");
    said("prove", 99, "groth16 prove");
    said("", 99, "groth16 prove");
    said("g16v --help", 0, "[verification_key.json]");
}

#[test]
fn the_command_takes_it_too() {
    let place = Workplace::new();
    place.succeed("snarkjs g16p mul.zkey mul.wtns n.json s.json");
    let report = place.succeed("--json --threads 1 snarkjs g16p mul.zkey mul.wtns n.json s.json");
    assert_eq!(report.json()["command"], "prove");
    let ending = place.end_with(1, "snarkjs g16p absent.zkey --json");
    assert_eq!(ending.json()["code"], "not_found");
}

/// As scripts look for it: `snarkjs … | grep`.
#[test]
fn verdicts_are_on_stdout() {
    let place = Workplace::new();
    place.write("false.json", "[\"34\"]");
    let mut wrong = place.read("mul.wtns");
    let c = wrong.len() - 3 * 32;
    wrong[c] ^= 1;
    place.write("wrong.wtns", wrong);
    for (line, code, end) in [
        (
            "groth16 Verify vkey.json public.json proof.json --allow-uncontributed",
            0,
            "[INFO]  snarkJS: OK!\n",
        ),
        (
            "groth16 verify vkey.json false.json proof.json --allow-uncontributed --no-such=option",
            1,
            "[ERROR] snarkJS: Invalid proof\n",
        ),
        (
            "wchk mul.r1cs mul.wtns",
            0,
            "[INFO]  snarkJS: WITNESS IS CORRECT\n\
             [INFO]  snarkJS: WITNESS CHECKING FINISHED SUCCESSFULLY\n",
        ),
        (
            "wchk mul.r1cs wrong.wtns",
            1,
            "[WARN]  snarkJS: WITNESS IS NOT CORRECT\n\
             [WARN]  snarkJS: WITNESS CHECKING FINISHED UNSUCCESSFULLY\n",
        ),
    ] {
        let output = snarkjs(&place, line);
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{line}: {told}");
        assert!(told.ends_with(end), "{line}: {told}");
        let notes = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            notes.contains("--no-such=option"),
            line.contains("--no-such")
        );
    }
    let output = snarkjs(&place, "--version");
    assert!(output.stdout.starts_with(b"snarkjs@0.7.6\n"));
    assert_eq!(output.status.code(), Some(99));
}
