//! Bad JSON: exit code 2, and one line that names the file and the place. Nothing is written.

use serde_json::{Value, json};

use crate::support::Workplace;

/// Runs a command that must refuse `bad.json`, saying `expected`.
fn refused(place: &Workplace, line: &str, bad: &str, expected: &str) {
    place.write("bad.json", bad);
    let before = place.names();
    let ending = place.end_with(2, line);
    let shown: String = bad.chars().take(200).collect();
    assert_eq!(ending.stdout, "", "{line}: {shown}");
    assert_eq!(
        ending.stderr.lines().count(),
        1,
        "{line}: {shown}: {}",
        ending.stderr
    );
    assert!(
        ending.stderr.starts_with("error: bad.json") && ending.stderr.contains(expected),
        "{line}: {shown}: {}",
        ending.stderr
    );
    assert_eq!(place.names(), before, "{line}: files were left");
}

/// Every use of a JSON file.
const USES: [&str; 6] = [
    "verkle commit bad.json",
    "verkle prove bad.json p.json c.json",
    "verkle verify bad.json proof.json",
    "verkle verify claims.json bad.json",
    "verkle root bad.json",
    "verkle witness verify bad.json 1fbf85345a3cbba9a6d44f991b721e55620a22397c2a93ee8d5011136ac300ee",
];

#[test]
fn what_is_no_json_or_quite_another_document() {
    let place = super::with_a_proof();
    let deep = "[".repeat(300_000);
    let closed = deep.clone() + &"]".repeat(300_000);
    let deep_objects = r#"{"a":"#.repeat(100_000);
    for line in USES {
        for text in [
            "{",
            "[1,",
            "\u{feff}",
            "[1]]",
            "nothing",
            "{\"a\": 1,}",
            "'x'",
            &deep,
            &deep_objects,
        ] {
            refused(&place, line, text, "");
        }
        for text in [
            "null",
            "true",
            "1e400",
            "\"text\"",
            "[null]",
            "[[[]]]",
            r#"{"a": []}"#,
            &closed,
        ] {
            refused(&place, line, text, "");
        }
    }
}

#[test]
fn what_is_no_text_file() {
    let place = super::with_a_proof();
    std::fs::create_dir(place.path("folder")).expect("it can be made");
    place.write("empty", "");
    place.write("binary", [0x5b, 0xff, 0x5d]);
    for line in USES {
        for name in ["folder", "empty", "binary", "none"] {
            let line = line.replace("bad.json", name);
            let ending = place.end_with(2, &line);
            assert!(
                ending.stderr.starts_with(&format!("error: {name}")),
                "{line}: {}",
                ending.stderr
            );
        }
    }
}

#[test]
fn vectors() {
    let place = Workplace::new();
    let modulus = "13108968793781547619861935127046491459309155893440570251786403306729687672801";
    let modulus_bytes = "0xe1e77628b506fd747104197400878fff007668020276ce0c525f67cad469fb1c";
    for (bad, expected) in [
        (json!([1, 2, -3]), "at $[2]: expected a scalar"),
        (json!([1.5]), "at $[0]: expected a scalar"),
        (json!(["77 "]), "at $[0]: expected a scalar"),
        (json!([""]), "at $[0]: expected a scalar"),
        (json!(["07"]), "at $[0]: expected a scalar"),
        (json!(["9".repeat(100_000)]), "at $[0]: expected a scalar"),
        (json!([true]), "at $[0]: expected a scalar"),
        (json!(["0x"]), "at $[0]: 0 hexadecimal digits, 64 expected"),
        (json!(["0x07"]), "at $[0]: 2 hexadecimal digits"),
        (
            json!([format!("0x{}", "0".repeat(63))]),
            "at $[0]: 63 hexadecimal digits",
        ),
        (
            json!([format!("0x{}", "0".repeat(65))]),
            "at $[0]: 65 hexadecimal digits",
        ),
        (
            json!([format!("0x{}g", "0".repeat(63))]),
            "at $[0]: character 65",
        ),
        (
            json!([format!("0x{}ü", "0".repeat(62))]),
            "at $[0]: character 64",
        ),
        (
            json!([modulus]),
            "at $[0]: the number is not below the modulus",
        ),
        (
            json!([modulus_bytes]),
            "at $[0]: the number is not below the modulus",
        ),
        (
            json!([format!("0x{}", "f".repeat(64))]),
            "not below the modulus",
        ),
        (json!([[1], [2, "x"]]), "at $[1][1]: expected a scalar"),
        (json!([[1], 2]), "at $[1]: expected a vector"),
        (json!({ "256": 1 }), "at $.256: expected an index"),
        (json!({ "-1": 1 }), "at $.-1: expected an index"),
        (json!({ "01": 1 }), "at $.01: expected an index"),
        (json!({ "+1": 1 }), "at $.+1: expected an index"),
        (json!({ "": 1 }), "at $.: expected an index"),
        (json!({ "a\n\"b": 1 }), r#"at $.a\n\"b: expected an index"#),
        (json!({ "k".repeat(1000): 1 }), "k…: expected an index"),
        (json!({ "7": [] }), "at $.7: expected a scalar"),
        (
            json!([0; 257].to_vec()),
            "at $[256]: at most 256 are allowed",
        ),
    ] {
        refused(&place, "verkle commit bad.json", &bad.to_string(), expected);
    }
    for (bad, expected) in [
        (r#"{"5": 1, "5": 1}"#, "at $.5: occurs a second time"),
        (r#"{"\u0035": 1, "5": 1}"#, "at $.5: occurs a second time"),
        (r#"["\ud800"]"#, "at $[0]: not JSON"),
        ("[18446744073709551616]", "at $[0]: expected quotes around"),
        ("[1e2]", "at $[0]: expected a scalar"),
        ("[1, 2\n, }", "line 2 column 3"),
    ] {
        refused(&place, "verkle commit bad.json", bad, expected);
    }
}

#[test]
fn openings() {
    let place = Workplace::new();
    let polynomial = json!([1, 2, 3]);
    for (bad, expected) in [
        (json!([]), "at $: expected at least one element"),
        (json!({}), "at $: expected an array"),
        (
            json!([{}]),
            "at $[0].polynomial: expected this key, which is missing",
        ),
        (
            json!([{ "polynomial": polynomial }]),
            "at $[0]: expected \"point\" or \"points\"",
        ),
        (
            json!([{ "polynomial": polynomial, "point": 256 }]),
            "at $[0].point: expected a whole number from 0 to 255",
        ),
        (
            json!([{ "polynomial": polynomial, "point": "1" }]),
            "at $[0].point: expected a whole",
        ),
        (
            json!([{ "polynomial": polynomial, "points": [] }]),
            "at $[0].points: expected at least one",
        ),
        (
            json!([{ "polynomial": polynomial, "points": [1, -1] }]),
            "at $[0].points[1]: expected a whole",
        ),
        (
            json!([{ "polynomial": polynomial, "points": [1], "point": 1 }]),
            "at $[0].points: expected no",
        ),
        (
            json!([{ "polynomial": [polynomial], "point": 1 }]),
            "at $[0].polynomial[0]: expected a scalar",
        ),
        (
            json!([{ "polynomail": polynomial, "point": 1 }]),
            "at $[0].polynomail: no such key",
        ),
        (
            json!([{ "polynomial": polynomial, "point": 1, "commitment": "0x" }]),
            "at $[0].commitment: 0 hexadecimal",
        ),
        (
            json!([{ "polynomial": polynomial, "point": 1, "commitment": null }]),
            "at $[0].commitment: expected a string",
        ),
    ] {
        refused(
            &place,
            "verkle prove bad.json p.json c.json",
            &bad.to_string(),
            expected,
        );
    }
}

#[test]
fn claims_and_proofs() {
    let place = super::with_a_proof();
    let good = super::read(&place, "claims.json");
    let verify_claims = |bad: &Value, expected: &str| {
        refused(
            &place,
            "verkle verify bad.json proof.json",
            &bad.to_string(),
            expected,
        );
    };
    verify_claims(&json!([]), "at $: expected at least one element");
    verify_claims(&good[0], "claims (JSON) are expected first");
    for key in ["commitment", "point", "value"] {
        let mut bad = good.clone();
        bad[1].as_object_mut().expect("an object").remove(key);
        verify_claims(&bad, &format!("at $[1].{key}: expected this key"));
        bad[1][key] = json!({});
        verify_claims(&bad, &format!("at $[1].{key}: expected"));
    }
    let mut bad = good.clone();
    bad[0]["more"] = json!(1);
    verify_claims(&bad, "at $[0].more: ");

    let proof = super::read(&place, "proof.json");
    let digits = proof["proof"].as_str().expect("a string").to_owned();
    let verify_proof = |bad: &Value, expected: &str| {
        refused(
            &place,
            "verkle verify claims.json bad.json",
            &bad.to_string(),
            expected,
        );
    };
    verify_proof(&json!({}), "at $.proof: expected this key");
    verify_proof(&json!({ "proof": 1 }), "at $.proof: expected a string");
    verify_proof(&json!({ "proof": digits, "b": 1 }), "at $.b: no such key");
    verify_proof(
        &json!({ "proof": digits.clone() + "00" }),
        "at $.proof: 1154 hexadecimal digits",
    );
    verify_proof(
        &json!({ "proof": digits[..1152] }),
        "at $.proof: 1150 hexadecimal digits",
    );
    // In every element and in the scalar: all bits set is no residue.
    for word in 0..18 {
        let mut bytes = digits.clone();
        let start = 2 + 64 * word;
        bytes.replace_range(start..start + 64, &"f".repeat(64));
        verify_proof(&json!({ "proof": bytes }), &format!("byte {}", 32 * word));
    }
    // Without 0x it is the same proof.
    place.write("bare.json", json!({ "proof": digits[2..] }).to_string());
    place.succeed("verkle verify claims.json bare.json");
}

#[test]
fn any_other_digit_makes_a_proof_false_or_malformed() {
    let place = super::with_a_proof();
    let proof = String::from_utf8(place.read("proof.json")).expect("it is text");
    let digits = proof.find("0x").expect("it is there") + 2;
    for position in (0..1152).step_by(61) {
        let mut changed = proof.clone();
        let at = digits + position;
        let digit = match &proof[at..=at] {
            "0" => "1",
            _ => "0",
        };
        changed.replace_range(at..=at, digit);
        place.write("changed.json", changed);
        let ending = place.run("verkle verify claims.json changed.json");
        assert!(
            matches!(ending.code, Some(1 | 2)),
            "{position}: {:?}",
            ending.code
        );
    }
}

#[test]
fn entries() {
    let place = Workplace::new();
    let (a, b) = ("00".repeat(32), "11".repeat(32));
    for (bad, expected) in [
        (json!(["k"]), "at $[0]: expected an array"),
        (json!([[a]]), "at $[0]: expected a key and a value"),
        (json!([[a, b, a]]), "at $[0][2]: at most 2 are allowed"),
        (json!([[a, b], [a, a]]), "at $[1]: occurs a second time"),
        (json!([[a, b[2..]]]), "at $[0][1]: 62 hexadecimal digits"),
        (json!([[a, null]]), "at $[0][1]: expected a string"),
        (json!({ "0x": b }), "at $.0x: 0 hexadecimal digits"),
        (json!({ &a: 7 }), ": expected a string"),
        (
            json!({ &a: b, format!("0x{a}"): b }),
            ": occurs a second time",
        ),
    ] {
        refused(&place, "verkle root bad.json", &bad.to_string(), expected);
    }
}

#[test]
fn roots_on_the_command_line() {
    let place = Workplace::new();
    place.write("witness.json", "{}");
    let good = "00".repeat(32);
    for (bad, expected) in [
        ("0x12".to_owned(), "2 hexadecimal digits"),
        ("z".repeat(64), "character 0"),
        ("f".repeat(64), "not below the field's modulus"),
    ] {
        let ending = place.end_with(2, &format!("verkle witness verify witness.json {bad}"));
        assert!(ending.stderr.contains(expected), "{}", ending.stderr);
        let line = format!("verkle witness verify witness.json {good} --post-root {bad}");
        let ending = place.end_with(2, &line);
        assert!(ending.stderr.contains(expected), "{}", ending.stderr);
    }
}
