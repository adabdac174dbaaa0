//! `--json`: one object on stdout, whatever happens.

use serde_json::{Value, json};

use super::support::Workplace;

#[test]
fn every_command_reports_one_object() {
    let place = Workplace::new();
    for (line, command, fields) in [
        (
            "prove mul.zkey mul.wtns n.json s.json",
            "prove",
            &["proof", "public", "phases", "seconds", "verified", "wires"][..],
        ),
        (
            "fullprove input.json mul.wasm mul.zkey n.json s.json",
            "fullprove",
            &["proof", "public", "phases", "seconds"],
        ),
        (
            "verify vkey.json public.json proof.json",
            "verify",
            &["valid", "seconds"],
        ),
        (
            "setup mul.r1cs pot2.ptau n.zkey",
            "setup",
            &["zkey", "constraints", "wires", "phases"],
        ),
        (
            "setup --dev mul.r1cs n.zkey",
            "setup",
            &["zkey", "unsafe_development_key"],
        ),
        (
            "witness mul.wasm input.json n.wtns",
            "witness",
            &["witness", "wires", "seconds"],
        ),
        (
            "export vkey mul.zkey n.vkey",
            "export vkey",
            &["vkey", "public_signals"],
        ),
        (
            "export solidity mul.zkey n.sol",
            "export solidity",
            &["contract"],
        ),
        (
            "export calldata public.json proof.json",
            "export calldata",
            &["calldata"],
        ),
        (
            "convert mul.zkey n.fkey",
            "convert",
            &["key", "kind", "bytes", "bytes_before", "seconds"],
        ),
        (
            "inspect mul.zkey",
            "inspect",
            &["kind", "wires", "domain_size", "contributions"],
        ),
        (
            "demo --log-size 9",
            "demo",
            &[
                "constraints",
                "constraints_per_second",
                "seconds",
                "phases",
                "valid",
            ],
        ),
    ] {
        let report = place.succeed(&format!("{line} --json")).json();
        assert_eq!(report["command"], command);
        assert_eq!(report["status"], "ok", "{line}");
        for field in fields {
            assert!(!report[field].is_null(), "{line}: no {field} in {report}");
        }
        // Asked for before the command, or to be quiet as well: the same.
        let quiet = place.succeed(&format!("--quiet --json {line}")).json();
        assert_eq!(keys(&quiet), keys(&report), "{line}");
    }
}

fn keys(value: &Value) -> Vec<&String> {
    value
        .as_object()
        .map(|object| object.keys().collect())
        .unwrap_or_default()
}

#[test]
fn values_are_right() {
    let place = Workplace::new();
    let report = place
        .succeed("prove --json --no-zk --threads 2 mul.zkey mul.wtns n.json s.json")
        .json();
    assert_eq!(report["wires"], 4);
    assert_eq!(report["domain_size"], 4);
    assert_eq!(report["public_signals"], 1);
    assert_eq!(report["threads"], 2);
    assert_eq!(report["zero_knowledge"], false);
    assert_eq!(report["verified"], true);
    let phases: Vec<&str> = report["phases"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|phase| phase["phase"].as_str().expect("a name"))
        .collect();
    assert_eq!(phases.first(), Some(&"read witness"));
    assert!(
        phases.contains(&"sum A") && !phases.contains(&"sum B1"),
        "{phases:?}"
    );
    let report = place.succeed("inspect --json mul.r1cs").json();
    let expected = json!({
        "command": "inspect", "status": "ok", "kind": "constraint system (r1cs)", "curve": "bn128", "constraints": 1,
        "wires": 4, "public_outputs": 1, "public_inputs": 0, "private_inputs": 2, "labels": 4, "terms_a": 1, "terms_b": 1,
        "terms_c": 1, "domain_size": 4,
    });
    assert_eq!(report, expected);
}

#[test]
fn failures_are_objects_too() {
    let place = Workplace::new();
    place.write("other.json", "[\"34\"]");
    for (line, code, status) in [
        (
            "verify --json vkey.json other.json proof.json",
            1,
            "rejected",
        ),
        (
            "verify --json vkey.json none.json proof.json",
            2,
            "bad input",
        ),
        (
            "prove --json mul.wtns mul.zkey n.json s.json",
            2,
            "bad input",
        ),
    ] {
        let ending = place.end_with(code, line);
        let report = ending.json();
        assert_eq!(report["status"], status);
        let error = report["error"].as_str().expect("a message");
        assert_eq!(ending.stderr, format!("error: {error}\n"));
    }
}

#[test]
fn the_witness_is_never_told() {
    let place = Workplace::new();
    // A value that is not public and has no meaning besides.
    place.write("input.json", r#"{"a": 39916801, "b": 479001599}"#);
    let lines = [
        "witness mul.wasm input.json n.wtns --json",
        "inspect n.wtns --json",
        "inspect n.wtns",
        "fullprove input.json mul.wasm mul.zkey n.json s.json --json",
    ];
    for line in lines {
        let ending = place.succeed(line);
        for secret in ["39916801", "479001599"] {
            assert!(
                !ending.stdout.contains(secret) && !ending.stderr.contains(secret),
                "{line}"
            );
        }
    }
}
