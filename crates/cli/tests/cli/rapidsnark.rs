//! The program by the name of rapidsnark's.

use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use super::support::Workplace;

fn called(place: &Workplace, name: &str, arguments: &[&str]) -> Output {
    let link = place.path(name);
    if !link.exists() {
        symlink(env!("CARGO_BIN_EXE_frumious"), &link).expect("a link");
    }
    let mut command = Command::new(link);
    let files = arguments.iter().map(|name| place.path(name));
    command.args(files).output().expect("it starts")
}

#[test]
fn it_proves_and_prints_nothing() {
    for name in ["rapidsnark", "prover", "frumious-prover"] {
        let place = Workplace::new();
        place.write("proof.json", "{\"pi_a\": [], \"protocol\": \"groth16\"}"); // of an earlier run
        let files = ["mul.zkey", "mul.wtns", "proof.json", "public.json"];
        let ended = called(&place, name, &files);
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{said}");
        assert!(ended.stdout.is_empty(), "{name}");
        place.succeed("export vkey --allow-uncontributed mul.zkey vkey.json");
        place.succeed("verify --allow-uncontributed vkey.json public.json proof.json");
    }
}

#[test]
fn every_failure_is_one() {
    let place = Workplace::new();
    let key = place.read("mul.zkey");
    let mistakes: [&[&str]; 6] = [
        &[],
        &["mul.zkey", "mul.wtns", "proof.json"],
        &["mul.zkey", "mul.wtns", "proof.json", "public.json", "more"],
        &["mul.wtns", "mul.zkey", "proof.json", "public.json"],
        &["absent.zkey", "mul.wtns", "proof.json", "public.json"],
        &["mul.zkey", "mul.wtns", "mul.zkey", "public.json"],
    ];
    for files in mistakes {
        let ended = called(&place, "rapidsnark", files);
        assert_eq!(ended.status.code(), Some(1), "{files:?}");
        assert!(!ended.stderr.is_empty(), "{files:?}");
    }
    assert!(place.read("mul.zkey") == key, "a key is overwritten");
}
