//! Each command does what it says, on files by circom and snarkjs.

use super::support::Workplace;

#[test]
fn proofs_verify() {
    let place = Workplace::new();
    for flags in [
        "",
        "--no-zk",
        "--check",
        "--no-verify",
        "--no-zk --no-verify --check",
        "--threads 2",
    ] {
        place.succeed(&format!(
            "prove mul.zkey mul.wtns new.json signals.json {flags}"
        ));
        assert_eq!(
            place.read("signals.json"),
            place.read("public.json"),
            "{flags}"
        );
        place.succeed("verify vkey.json signals.json new.json");
    }
}

#[test]
fn proofs_are_blinded_unless_told_otherwise() {
    let place = Workplace::new();
    let proof = |flags: &str| {
        place.succeed(&format!(
            "prove {flags} mul.zkey mul.wtns new.json signals.json"
        ));
        place.read("new.json")
    };
    assert_ne!(proof(""), proof(""));
    assert_eq!(proof("--no-zk"), proof("--no-zk"));
}

#[test]
fn snarkjs_proofs_verify() {
    let place = Workplace::new();
    let ending = place.succeed("verify vkey.json public.json proof.json");
    assert!(ending.stdout.starts_with("OK"), "{}", ending.stdout);
}

#[test]
fn fullprove_calculates_the_witness_and_keeps_it_to_itself() {
    let place = Workplace::new();
    let before = place.names();
    place.succeed("fullprove input.json mul.wasm mul.zkey new.json signals.json");
    place.succeed("verify vkey.json signals.json new.json");
    let added: Vec<String> = place
        .names()
        .into_iter()
        .filter(|name| !before.contains(name))
        .collect();
    assert_eq!(added, ["new.json", "signals.json"]);
}

#[test]
fn witnesses_are_snarkjs_witnesses() {
    let place = Workplace::new();
    place.succeed("witness mul.wasm input.json new.wtns");
    assert_eq!(place.read("new.wtns"), place.read("mul.wtns"));
}

#[test]
fn what_the_circuit_logs_is_printed_only_when_asked_for() {
    let place = Workplace::new();
    let ending = place.succeed("witness mul.wasm input.json new.wtns");
    assert_eq!(ending.stderr, "");
    let ending = place.succeed("witness --log mul.wasm input.json new.wtns");
    assert_eq!(ending.stderr, "log: a is 3\n");
}

#[test]
fn keys_from_a_ceremony_and_for_development_prove() {
    let place = Workplace::new();
    let ceremony = place.succeed("setup mul.r1cs pot2.ptau new.zkey");
    assert!(
        ceremony.stderr.starts_with("memory: at most"),
        "{}",
        ceremony.stderr
    );
    prove_with_new_key(&place);
    let development = place.succeed("setup --quiet --dev mul.r1cs new.zkey");
    assert!(
        development.stderr.contains("UNSAFE"),
        "{}",
        development.stderr
    );
    prove_with_new_key(&place);
}

fn prove_with_new_key(place: &Workplace) {
    place.succeed("export vkey --allow-uncontributed new.zkey new.vkey.json");
    place.succeed("prove --check new.zkey mul.wtns new.json signals.json");
    place.succeed("verify --allow-uncontributed new.vkey.json signals.json new.json");
    // A proof under one key is none under another.
    place.end_with(1, "verify vkey.json signals.json new.json");
}

#[test]
fn exports_are_byte_for_byte_those_of_snarkjs() {
    let place = Workplace::new();
    place.succeed("export vkey mul.zkey new.vkey.json");
    assert_eq!(place.read("new.vkey.json"), place.read("vkey.json"));
    let calldata = place
        .succeed("export calldata public.json proof.json")
        .stdout;
    let expected = String::from_utf8(place.read("calldata.txt")).expect("it is text");
    assert_eq!(calldata.trim_end(), expected.trim_end());
    place.succeed("export solidity mul.zkey a.sol");
    place.succeed("export solidity vkey.json b.sol");
    assert_eq!(place.read("a.sol"), place.read("b.sol"));
    assert!(
        String::from_utf8(place.read("a.sol"))
            .expect("it is text")
            .contains("function verifyProof")
    );
}

#[test]
fn inspect_tells_what_each_file_is() {
    let place = Workplace::new();
    for (name, expected) in [
        ("mul.r1cs", "constraints"),
        ("mul.wtns", "witness (wtns)"),
        ("mul.zkey", "domain size"),
        ("contributed.zkey", "beacon for tests (beacon)"),
        ("pot2.ptau", "prepared for phase 2"),
        ("mul.wasm", "input values"),
        ("proof.json", "proof (JSON)"),
        ("public.json", "public signals (JSON)"),
        ("vkey.json", "verification key (JSON)"),
    ] {
        let ending = place.succeed(&format!("inspect {name}"));
        assert!(ending.stdout.contains(expected), "{}", ending.stdout);
        assert!(ending.stdout.starts_with(name));
    }
}

#[test]
fn the_demonstration_ends_with_a_valid_proof() {
    let place = Workplace::new();
    let before = place.names();
    let ending = place.succeed("demo --log-size 9");
    for expected in [
        "365 constraints",
        "domain of 2^9",
        "constraints/s",
        "OK: the proof is valid",
    ] {
        assert!(ending.stdout.contains(expected), "{}", ending.stdout);
    }
    assert_eq!(place.names(), before, "files were left");
    let report = place.succeed("demo --constraints 1000 --json").json();
    assert_eq!(report["constraints"], 730);
    assert_eq!(report["domain_size"], 1024);
}

#[test]
fn completions_know_the_commands() {
    let place = Workplace::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.succeed(&format!("completions {shell}")).stdout;
        for word in ["fullprove", "calldata", "threads"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
}

#[test]
fn help_and_version_succeed() {
    let place = Workplace::new();
    assert!(place.succeed("--version").stdout.starts_with("frumious "));
    assert!(place.succeed("--help").stdout.contains("Exit codes"));
    for command in [
        "prove",
        "fullprove",
        "verify",
        "setup",
        "witness",
        "export",
        "export vkey",
        "inspect",
        "demo",
        "doctor",
    ] {
        assert!(
            place
                .succeed(&format!("{command} --help"))
                .stdout
                .contains("Usage"),
            "{command}"
        );
    }
}
