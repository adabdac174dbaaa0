//! 0 done or valid, 1 invalid or unsatisfied, 2 bad usage or bad input.

use super::support::Workplace;

#[test]
fn bad_usage_is_2_and_shows_the_usage() {
    let place = Workplace::new();
    for line in [
        "",
        "nonsense",
        "prove mul.zkey mul.wtns new.json signals.json more.json",
        "prove --nonsense mul.zkey mul.wtns new.json signals.json",
        "export",
        "inspect",
        "demo --log-size 30",
        "demo --constraints 1000 --log-size 9",
        "prove mul.zkey mul.wtns new.json signals.json more.json --spill .",
        "completions nonsense",
    ] {
        let ending = place.end_with(2, line);
        assert_eq!(ending.stdout, "", "{line}");
        // An argument that is out of range is explained instead.
        let explained = ["usage", "--help"]
            .iter()
            .any(|word| ending.stderr.to_lowercase().contains(word));
        assert!(explained, "{line}: {}", ending.stderr);
    }
    assert_eq!(place.end_with(2, "--threads 0 demo").stdout, "");
    // What is not given has the name that snarkjs gives it.
    for (line, name) in [
        ("prove", "circuit_final.zkey"),
        ("verify", "verification_key.json"),
        ("setup", "circuit.r1cs"),
        ("setup mul.r1cs", "powersoftau.ptau"),
        ("witness", "circuit.wasm"),
        ("export vkey", "circuit_final.zkey"),
        ("check", "circuit.r1cs"),
    ] {
        let ending = place.end_with(2, line);
        let said = format!("error: {name} is not there: ");
        assert!(
            ending.stderr.starts_with(&said),
            "{line}: {}",
            ending.stderr
        );
    }
}

#[test]
fn a_backend_that_cannot_be_had_is_2() {
    let place = Workplace::new();
    let verify = "verify vkey.json public.json proof.json";
    for name in ["nonsense", " ", "ADX"] {
        let ending = place.run_with(verify, &[("FRUMIOUS_BACKEND", name)]);
        assert_eq!(ending.code, Some(2), "{name}");
        assert!(
            ending.stderr.contains("FRUMIOUS_BACKEND"),
            "{}",
            ending.stderr
        );
    }
    let ending = place.run_with(verify, &[("FRUMIOUS_BACKEND", "portable")]);
    assert_eq!(ending.code, Some(0), "{}", ending.stderr);
}

/// As `${X:-}` of Docker Compose gives them.
#[test]
fn a_variable_that_is_empty_is_unset() {
    let place = Workplace::new();
    let names = [
        "BACKEND",
        "THREADS",
        "TUNING",
        "PROGRESS",
        "SERVER",
        "VERKLE_MIB",
    ];
    let names = names.map(|name| format!("FRUMIOUS_{name}"));
    let empty: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    for line in [
        "verify vkey.json public.json proof.json",
        "prove mul.zkey mul.wtns n.json s.json",
        "inspect mul.zkey",
        "snarkjs groth16 prove mul.zkey mul.wtns n.json s.json",
    ] {
        let ending = place.run_with(line, &empty);
        assert_eq!(ending.code, Some(0), "{line}: {}", ending.stderr);
    }
    // A typed option counts as ever, and a line with a fault is told as ever.
    let line = "prove mul.zkey mul.wtns n.json s.json --json --threads";
    let report = place.run_with(&format!("{line} 1"), &empty).json();
    assert_eq!(report["threads"], 1);
    let ending = place.run_with(&format!("{line} x"), &empty);
    assert!(ending.code == Some(2) && ending.stderr.contains("--threads <N>"));
    #[cfg(feature = "server")]
    {
        let told = place.run_with("jobs x", &empty).stderr;
        assert!(told.contains("x is no id of a job"), "{told}");
    }
}

#[test]
fn an_interval_that_is_no_number_is_2() {
    let place = Workplace::new();
    for wrong in ["abc", "-1", "nan", "1e300"] {
        let line = "verify vkey.json public.json proof.json";
        let ending = place.run_with(line, &[("FRUMIOUS_PROGRESS", wrong)]);
        assert_eq!(ending.code, Some(2), "{wrong}");
        let told = ending.stderr;
        assert!(told.contains("FRUMIOUS_PROGRESS must be"), "{told}");
    }
}

#[test]
fn an_invalid_proof_is_1() {
    let place = Workplace::new();
    place.write("other.json", "[\"34\"]");
    let ending = place.end_with(1, "verify vkey.json other.json proof.json");
    assert_eq!(ending.stdout, "");
    assert!(ending.stderr.contains("INVALID"), "{}", ending.stderr);
}

#[test]
fn a_wrong_number_of_public_signals_is_2() {
    let place = Workplace::new();
    for signals in ["[]", "[\"33\", \"33\"]"] {
        place.write("other.json", signals);
        let ending = place.end_with(2, "verify vkey.json other.json proof.json");
        assert!(ending.stderr.contains("other.json"), "{}", ending.stderr);
    }
}

#[test]
fn an_unsatisfied_circuit_is_1_and_nothing_is_written() {
    let place = Workplace::new();
    let mut witness = place.read("mul.wtns");
    let last = witness.len() - 32;
    witness[last] ^= 1; // b is another, c is not a*b
    place.write("wrong.wtns", witness);
    let before = place.names();
    let ending = place.end_with(1, "prove mul.zkey wrong.wtns new.json signals.json");
    assert!(
        ending.stderr.contains("does not satisfy"),
        "{}",
        ending.stderr
    );
    place.write("input.json", r#"{"a": 7, "b": 1}"#); // asserted against
    for line in [
        "witness mul.wasm input.json new.wtns",
        "fullprove input.json mul.wasm mul.zkey new.json signals.json",
    ] {
        let ending = place.end_with(1, line);
        assert!(
            ending
                .stderr
                .contains("Error in template Multiplier_0 line: 3"),
            "{}",
            ending.stderr
        );
    }
    assert_eq!(place.names(), before);
}

#[test]
fn unverified_proofs_of_unsatisfied_circuits_are_written_and_invalid() {
    let place = Workplace::new();
    let mut witness = place.read("mul.wtns");
    let last = witness.len() - 32;
    witness[last] ^= 1;
    place.write("wrong.wtns", witness);
    let ending = place.succeed("prove --no-verify mul.zkey wrong.wtns new.json signals.json");
    assert!(ending.stdout.contains("NOT verified"));
    place.end_with(1, "verify vkey.json signals.json new.json");
}

#[test]
fn inputs_of_another_circuit_are_2() {
    let place = Workplace::new();
    for (inputs, expected) in [
        (r#"{"a": 3}"#, "takes 2 input values"),
        (r#"{"a": 3, "b": 11, "c": 33}"#, "\"c\""),
        (r#"{"a": [3, 4], "b": 11}"#, "takes 1 values and 2"),
        (r#"{"a": "three", "b": 11}"#, "not an integer"),
        (r#"{"a": 3,"#, "not JSON"),
        ("\u{feff}", "text of no known kind"),
    ] {
        place.write("input.json", inputs);
        let ending = place.end_with(2, "witness mul.wasm input.json new.wtns");
        assert!(
            ending.stderr.contains(expected),
            "{inputs}: {}",
            ending.stderr
        );
        assert!(
            ending.stderr.contains("input.json"),
            "{inputs}: {}",
            ending.stderr
        );
        // Values are secret.
        assert!(!ending.stderr.contains("three"), "{}", ending.stderr);
    }
}

#[test]
fn a_generator_that_runs_too_long_or_wants_too_much_is_3() {
    let place = Workplace::new();
    let text = include_str!("../data/multiplier.wat");
    let endless = text.replace("(func $run", "(func $run (loop $again (br $again))");
    let greedy = text.replace("(export \"memory\") 1)", "(export \"memory\") 1000)");
    for (text, flags, expected, code) in [
        (
            endless,
            "--wasm-time 1",
            "longer than 1 seconds",
            "time_limit",
        ),
        (
            greedy,
            "--wasm-memory 8",
            "more than 8388608 bytes",
            "memory_limit",
        ),
    ] {
        place.write(
            "hostile.wasm",
            wat::parse_str(text).expect("the text is right"),
        );
        let ending = place.end_with(
            3,
            &format!("witness --json {flags} hostile.wasm input.json new.wtns"),
        );
        assert!(ending.stderr.contains(expected), "{}", ending.stderr);
        assert_eq!(ending.json()["code"], code);
    }
}
