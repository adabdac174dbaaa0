//! Every way to break a JSON file gives an error that names the file and the path of the value.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::support::twist::point_outside_g2;
use frumious_circom::Error;
use frumious_curves::bn254::Fq2;
use frumious_mapping::Error as FileError;
use frumious_snarkjs::public_from_json;
use frumious_snarkjs::{open_proof, open_verifying_key, proof_from_json, verifying_key_from_json};
use serde_json::{Value, json};

const PROOF: &str = include_str!("../data/proof.json");
const KEY: &str = include_str!("../data/verification_key.json");
const Q: &str = "21888242871839275222246405745257275088696311157297823662689037894645226208583";
const R: &str = "21888242871839275222246405745257275088548364400416034343698204186575808495617";

#[test]
fn text_that_is_not_json_is_refused() {
    for text in [
        "",
        " ",
        "{",
        "[",
        "]",
        "{\"pi_a\": [",
        "\u{feff}",
        "\"",
        "nul",
        "1e",
        "{}{}",
        "[1,]",
    ] {
        let errors = [
            proof_from_json(text).unwrap_err(),
            verifying_key_from_json(text).unwrap_err(),
            public_from_json(text).unwrap_err(),
        ];
        for (error, file) in errors
            .iter()
            .zip(["proof", "verification key", "public signals"])
        {
            let message = error.to_string();
            let expected = format!("{file} file, at $: not JSON: ");
            assert!(message.starts_with(&expected), "{text:?}: {message}");
        }
    }
    for cut in 1..PROOF.len() {
        proof_from_json(&PROOF[..cut]).unwrap_err();
    }
    proof_from_json([b'"', 0xff, b'"']).unwrap_err();
    // Nesting is limited, so that it cannot exhaust the stack.
    let deep = "[".repeat(1_000_000);
    public_from_json(&deep).unwrap_err();
    proof_from_json("{\"a\":".repeat(1_000_000)).unwrap_err();
}

/// `serde_json::Value` reads the string anew, as a document of its own, and counts the nesting from zero there.
#[test]
fn documents_in_strings_are_not_documents() {
    const TOKEN: &str = "$serde_json::private::RawValue";
    let one = json!([{ TOKEN: "\"33\"" }]).to_string();
    let error = public_from_json(&one).unwrap_err().to_string();
    assert!(error.contains("$[0]"), "{error}");

    let mut nested = "1".to_owned();
    for _ in 0..9 {
        let inner = json!({ TOKEN: nested }).to_string();
        nested = "[".repeat(120) + &inner + &"]".repeat(120);
    }
    // More than the stack, if all were one nest.
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let refused = thread.spawn(move || {
        public_from_json(&nested).unwrap_err();
        proof_from_json(&nested).unwrap_err();
        verifying_key_from_json(&nested).unwrap_err();
    });
    refused.unwrap().join().unwrap();
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let marked = format!("\u{feff}{PROOF}");
    assert_eq!(
        proof_from_json(marked).unwrap(),
        proof_from_json(PROOF).unwrap()
    );
}

#[test]
fn values_of_another_type_are_refused() {
    for wrong in [
        json!(null),
        json!(1),
        json!("1"),
        json!([]),
        json!({}),
        json!(true),
    ] {
        assert!(proof_from_json(wrong.to_string()).is_err());
        assert!(verifying_key_from_json(wrong.to_string()).is_err());
        if wrong != json!([]) {
            expect(
                public_from_json(wrong.to_string()),
                "public signals file, at $: expected an array",
            );
        }
        for key in ["pi_a", "pi_b", "pi_c", "protocol", "curve"] {
            let message = format!("proof file, at $.{key}: expected ");
            expect(
                proof_from_json(edited(PROOF, &format!("/{key}"), wrong.clone())),
                &message,
            );
        }
        for key in [
            "protocol",
            "curve",
            "vk_alpha_1",
            "vk_beta_2",
            "vk_gamma_2",
            "vk_delta_2",
            "IC",
        ] {
            let message = format!("verification key file, at $.{key}: expected ");
            expect(
                verifying_key_from_json(edited(KEY, &format!("/{key}"), wrong.clone())),
                &message,
            );
        }
        for (pointer, path) in [
            ("/pi_a/1", "$.pi_a[1]"),
            ("/pi_b/0/1", "$.pi_b[0][1]"),
            ("/pi_c/2", "$.pi_c[2]"),
        ] {
            if wrong != json!("1") {
                let message = format!("proof file, at {path}: expected a string of decimal digits");
                expect(
                    proof_from_json(edited(PROOF, pointer, wrong.clone())),
                    &message,
                );
            }
        }
    }
}

#[test]
fn missing_keys_are_named() {
    for key in ["pi_a", "pi_b", "pi_c", "protocol"] {
        let message = format!("proof file, at $.{key}: expected this key, which is missing");
        expect(proof_from_json(without(PROOF, key)), &message);
    }
    for key in [
        "protocol",
        "nPublic",
        "vk_alpha_1",
        "vk_beta_2",
        "vk_gamma_2",
        "vk_delta_2",
        "IC",
    ] {
        let message =
            format!("verification key file, at $.{key}: expected this key, which is missing");
        expect(verifying_key_from_json(without(KEY, key)), &message);
    }
    // Not needed: the curve, and what follows from the rest.
    let key = verifying_key_from_json(KEY).unwrap();
    for optional in ["curve", "vk_alphabeta_12"] {
        assert_eq!(
            verifying_key_from_json(without(KEY, optional)).unwrap(),
            key
        );
    }
}

#[test]
fn another_protocol_or_curve_is_refused() {
    for protocol in ["plonk", "fflonk", "Groth16", ""] {
        expect(
            proof_from_json(edited(PROOF, "/protocol", json!(protocol))),
            "at $.protocol: expected \"groth16\"",
        );
        expect(
            verifying_key_from_json(edited(KEY, "/protocol", json!(protocol))),
            "at $.protocol: ",
        );
    }
    for curve in ["bls12381", "bls12-381", "BN128", ""] {
        expect(
            proof_from_json(edited(PROOF, "/curve", json!(curve))),
            "at $.curve: expected \"bn128\"",
        );
        expect(
            verifying_key_from_json(edited(KEY, "/curve", json!(curve))),
            "at $.curve: ",
        );
    }
    for curve in ["bn128", "bn254", "altbn128"] {
        proof_from_json(edited(PROOF, "/curve", json!(curve))).unwrap();
    }
}

#[test]
fn numbers_are_decimal_and_canonical() {
    let bad = [
        "", " 1", "1 ", "+1", "-1", "0x1", "1e3", "01", "00", "1.0", "१", "1_0", "NaN",
    ];
    for text in bad {
        let message = "at $.pi_a[0]: expected a string of decimal digits";
        expect(
            proof_from_json(edited(PROOF, "/pi_a/0", json!(text))),
            message,
        );
        let message = "public signals file, at $[1]: expected a string of decimal digits";
        expect(public_from_json(json!(["1", text]).to_string()), message);
    }
    expect(
        public_from_json("[33]"),
        "at $[0]: expected a string of decimal digits",
    );
    let long = "9".repeat(100_000);
    for text in [Q, &long] {
        let message = "at $.pi_b[1][0]: the number is not below the modulus";
        expect(
            proof_from_json(edited(PROOF, "/pi_b/1/0", json!(text))),
            message,
        );
    }
    for text in [R, Q, &long] {
        let message = "at $[0]: the number is not below the modulus";
        expect(public_from_json(json!([text]).to_string()), message);
    }
    let largest = format!("{}6", &R[..R.len() - 1]);
    public_from_json(json!([largest]).to_string()).unwrap();
}

#[test]
fn points_are_checked() {
    for key in ["pi_a", "pi_c"] {
        let at = |index: usize| format!("/{key}/{index}");
        let message = format!("at $.{key}: the point is not on the curve");
        expect(proof_from_json(edited(PROOF, &at(0), json!("1"))), &message);
        expect(
            proof_from_json(edited(PROOF, &format!("/{key}"), json!(["0", "0", "1"]))),
            &message,
        );
        let message = format!("at $.{key}: expected an affine point");
        for z in ["0", "2"] {
            expect(proof_from_json(edited(PROOF, &at(2), json!(z))), &message);
        }
        let message = format!("at $.{key}: expected a point: an array of three numbers");
        expect(
            proof_from_json(edited(PROOF, &format!("/{key}"), json!(["1", "2"]))),
            &message,
        );
        expect(
            proof_from_json(edited(
                PROOF,
                &format!("/{key}"),
                json!(["1", "2", "1", "1"]),
            )),
            &message,
        );
    }
    let b = |value: Value| proof_from_json(edited(PROOF, "/pi_b", value));
    let (one, zero) = (json!(["1", "0"]), json!(["0", "0"]));
    expect(
        b(json!([one, one, one])),
        "at $.pi_b: the point is not on the curve",
    );
    expect(
        b(json!([zero, zero, one])),
        "at $.pi_b: the point is not on the curve",
    );
    expect(
        b(json!([zero, zero, zero])),
        "at $.pi_b: expected an affine point",
    );
    expect(b(json!([one, one])), "at $.pi_b: expected a point");
    expect(
        b(json!([one, ["1"], one])),
        "at $.pi_b[1]: expected an array of two numbers",
    );
    let stray = point_outside_g2();
    let pair = |value: Fq2| json!([value.c0.to_decimal_vartime(), value.c1.to_decimal_vartime()]);
    let stray = json!([pair(stray.x), pair(stray.y), one]);
    expect(
        b(stray.clone()),
        "at $.pi_b: the point is not in the subgroup",
    );
    for key in ["vk_beta_2", "vk_gamma_2", "vk_delta_2"] {
        let message = format!("at $.{key}: the point is not in the subgroup");
        expect(
            verifying_key_from_json(edited(KEY, &format!("/{key}"), stray.clone())),
            &message,
        );
    }
}

#[test]
fn a_key_with_which_anything_is_provable_is_refused() {
    let infinity = json!(["0", "1", "0"]);
    let message = "at $.vk_alpha_1: the point is the point at infinity";
    expect(
        verifying_key_from_json(edited(KEY, "/vk_alpha_1", infinity)),
        message,
    );
    let infinity = json!([["0", "0"], ["1", "0"], ["0", "0"]]);
    for key in ["vk_beta_2", "vk_gamma_2", "vk_delta_2"] {
        let message = format!("at $.{key}: the point is the point at infinity");
        expect(
            verifying_key_from_json(edited(KEY, &format!("/{key}"), infinity.clone())),
            &message,
        );
    }
}

#[test]
fn the_number_of_public_signals_is_that_of_the_points() {
    for n_public in [json!(0), json!(2), json!(1_000_000_000_000_u64)] {
        let message = "at $.nPublic: expected one less than the number of points in IC";
        expect(
            verifying_key_from_json(edited(KEY, "/nPublic", n_public)),
            message,
        );
    }
    for n_public in [json!("1"), json!(-1), json!(1.5), json!(null)] {
        let message = "at $.nPublic: expected a whole number";
        expect(
            verifying_key_from_json(edited(KEY, "/nPublic", n_public)),
            message,
        );
    }
    expect(
        verifying_key_from_json(edited(KEY, "/IC", json!([]))),
        "at $.IC: expected at least one point",
    );
    expect(
        verifying_key_from_json(edited(KEY, "/IC/1", json!(["1", "1", "1"]))),
        "at $.IC[1]: the point is not",
    );
}

#[test]
fn files_are_named_in_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.json");
    std::fs::write(&path, "[]").unwrap();
    let message = open_proof(&path).unwrap_err().to_string();
    assert!(message.starts_with(path.to_str().unwrap()), "{message}");
    assert!(
        message.ends_with("proof file, at $: expected an object"),
        "{message}"
    );
    std::fs::write(&path, "").unwrap();
    assert!(matches!(
        open_verifying_key(&path),
        Err(Error::File(FileError::Empty { .. }))
    ));
    assert!(matches!(
        frumious_snarkjs::open_public(folder.path()),
        Err(Error::File(FileError::NotAFile { .. }))
    ));
}

/// The document with the value at a JSON pointer replaced.
fn edited(document: &str, pointer: &str, value: Value) -> String {
    let mut document: Value = serde_json::from_str(document).unwrap();
    *document.pointer_mut(pointer).unwrap() = value;
    document.to_string()
}

fn without(document: &str, key: &str) -> String {
    let mut document: Value = serde_json::from_str(document).unwrap();
    document.as_object_mut().unwrap().remove(key).unwrap();
    document.to_string()
}

fn expect<T: std::fmt::Debug>(result: Result<T, Error>, message: &str) {
    let text = result.expect_err(message).to_string();
    assert!(text.contains(message), "{message:?} expected in {text:?}");
}
