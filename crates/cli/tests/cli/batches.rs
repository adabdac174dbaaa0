//! `verify --batch`: many proofs, a line each.

use serde_json::{Value, json};

use super::support::Workplace;

/// A line of a proof that snarkjs made, with other public signals if given.
fn line(place: &Workplace, signals: Option<Value>) -> String {
    let read = |name| -> Value { serde_json::from_slice(&place.read(name)).expect("it is JSON") };
    let signals = signals.unwrap_or_else(|| read("public.json"));
    json!({ "proof": read("proof.json"), "publicSignals": signals }).to_string()
}

#[test]
fn a_thousand_proofs_and_the_one_that_is_false() {
    let place = Workplace::new();
    let good = line(&place, None);
    let mut lines = vec![good.as_str(); 1000];
    place.write("proofs.jsonl", lines.join("\n"));
    let report = place
        .succeed("verify --json --batch proofs.jsonl vkey.json")
        .json();
    assert_eq!(
        (&report["valid"], &report["proofs"]),
        (&json!(true), &json!(1000))
    );
    assert_eq!(report["public_signals"], 1);

    let bad = line(&place, Some(json!(["34"])));
    lines[616] = &bad;
    place.write("proofs.jsonl", lines.join("\n"));
    let report = place
        .end_with(1, "verify --json --batch proofs.jsonl vkey.json")
        .json();
    assert_eq!(report["code"], "invalid_proof");
    assert_eq!(
        (&report["valid"], &report["lines"]),
        (&json!(false), &json!([617]))
    );
    let error = report["error"].as_str().expect("a message");
    assert_eq!(
        error,
        "proofs.jsonl: INVALID: 1 of 1000 proofs. line 617: the proof is not valid"
    );
}

/// Each line that is wrong has its place and its reason; the others are judged.
#[test]
fn every_line_is_judged() {
    let place = Workplace::new();
    let good = line(&place, None);
    let above_r =
        json!(["21888242871839275222246405745257275088548364400416034343698204186575808495650"]);
    let cases = [
        (good.clone(), None),
        (String::new(), None),
        (
            line(&place, Some(json!(["34"]))),
            Some("the proof is not valid"),
        ),
        ("{".into(), Some("at $: not JSON: EOF")),
        (
            line(&place, Some(json!([]))),
            Some("0 public signals given"),
        ),
        (line(&place, Some(above_r)), Some("at $.publicSignals[0]: ")),
        (
            line(&place, Some(json!([33]))),
            Some("at $.publicSignals[0]: "),
        ),
        (
            good.replace("publicSignals", "public"),
            Some("at $.publicSignals: "),
        ),
        (
            good.replace("groth16", "plonk"),
            Some("at $.proof.protocol: "),
        ),
        (
            good.replacen("\"pi_a\":[\"", "\"pi_a\":[\"1", 1),
            Some("at $.proof.pi_a"),
        ),
        (
            format!("{good} {good}"),
            Some("at $: not JSON: trailing characters"),
        ),
        (good.clone(), None),
    ];
    let text: Vec<&str> = cases.iter().map(|(line, _)| line.as_str()).collect();
    place.write("proofs.jsonl", format!("{}\r\n", text.join("\r\n")));
    let report = place
        .end_with(1, "verify --json --batch proofs.jsonl vkey.json")
        .json();
    let wrong = (1..)
        .zip(&cases)
        .filter_map(|(number, (_, reason))| Some((number, (*reason)?)));
    let wrong: Vec<(u64, &str)> = wrong.collect();
    let numbers: Vec<u64> = wrong.iter().map(|(number, _)| *number).collect();
    assert_eq!(report["lines"], json!(numbers));
    let error = report["error"].as_str().expect("a message");
    assert!(error.contains("INVALID: 9 of 11 proofs. "), "{error}");
    for (number, reason) in wrong {
        let told = error
            .split("line ")
            .find(|told| told.starts_with(&format!("{number}: ")));
        let told = told.unwrap_or_else(|| panic!("no line {number}: {error}"));
        assert!(told.contains(reason), "{number}: {told}");
    }
    // None of them is false, but they cannot be read.
    place.write("proofs.jsonl", format!("{good}\n{{}}\n"));
    let report = place
        .end_with(2, "verify --json --batch proofs.jsonl vkey.json")
        .json();
    assert_eq!(
        (&report["code"], &report["lines"]),
        (&json!("bad_input"), &json!([2]))
    );
}

/// By stdin, over the other curve, under the wrong key, without a proof, beside files that it takes no part in.
#[test]
fn batches_come_from_anywhere_and_must_have_a_proof() {
    let place = Workplace::new();
    place.write("proofs.jsonl", line(&place, None));
    let path = place.path("proofs.jsonl");
    let ending = place.run_from("verify --batch - vkey.json", &[], Some(&path));
    assert_eq!(ending.code, Some(0), "{}", ending.stderr);
    assert!(
        ending.stdout.starts_with("OK: 1 valid proofs"),
        "{}",
        ending.stdout
    );
    place.write("blank.jsonl", "\n \n");
    let ending = place.end_with(2, "verify --batch blank.jsonl vkey.json");
    assert!(
        ending.stderr.contains("it has no proof"),
        "{}",
        ending.stderr
    );
    place.end_with(2, "verify --batch none.jsonl vkey.json");
    place.end_with(
        2,
        "verify --batch proofs.jsonl vkey.json public.json proof.json",
    );
    place.end_with(2, "verify --batch vkey.json vkey.json");
    place.copy_fixture("bls12_381/verification_key.json", "bls.vkey.json");
    let ending = place.end_with(2, "verify --batch proofs.jsonl bls.vkey.json");
    assert!(
        ending.stderr.contains("at $.proof.curve: expected"),
        "{}",
        ending.stderr
    );
    // A key that anyone can forge proofs under is refused as ever.
    place.succeed("setup mul.r1cs pot2.ptau raw.zkey");
    place.succeed("export vkey raw.zkey raw.vkey.json --allow-uncontributed");
    let ending = place.end_with(2, "verify --batch proofs.jsonl raw.vkey.json");
    assert!(
        ending.stderr.contains("UNFINISHED KEY"),
        "{}",
        ending.stderr
    );
}
