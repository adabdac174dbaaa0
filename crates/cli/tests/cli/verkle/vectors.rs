//! The published vectors through the command, those for rejection included; `SOURCES.txt` beside them says whose they
//! are.

use serde_json::{Value, json};

use crate::support::Workplace;

/// A vector file, unless it is missing and may be.
fn vector(name: &str) -> Option<Value> {
    let path = frumious_testing::shared(format!("vectors/verkle/{name}.json"))?;
    let bytes = std::fs::read(path).expect("it can be read");
    Some(serde_json::from_slice(&bytes).expect("it is JSON"))
}

/// The elements of an array.
fn each(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// What `verkle commit` says of each vector.
fn committed(place: &Workplace, vectors: &Value) -> Vec<Value> {
    place.write("vectors.json", vectors.to_string());
    let report = place.succeed("verkle commit --json vectors.json").json();
    each(&report["commitments"]).to_vec()
}

#[test]
fn hashes_of_commitments() {
    let Some(file) = vector("08_pedersen_commitment") else {
        return;
    };
    let cases = each(&file["cases"]);
    let vectors: Value = cases.iter().map(|case| case["frs"].clone()).collect();
    let hashes: Vec<Value> = committed(&Workplace::new(), &vectors)
        .iter()
        .map(|entry| entry["hash"].clone())
        .collect();
    let expected: Vec<Value> = cases
        .iter()
        .map(|case| case["commitment"].clone())
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(hashes, expected);
}

#[test]
fn commitments() {
    let place = Workplace::new();
    if let Some(file) = vector("09_commit_root") {
        for case in each(&file["cases"]) {
            // Most significant byte first.
            let scalars: Value = each(&case["frs"])
                .iter()
                .map(|scalar| reversed(text(scalar)))
                .collect();
            let found = committed(&place, &scalars);
            assert_eq!(bare(&found[0]["commitment"]), bare(&case["expected"]));
        }
    }
    if let Some(file) = vector("jsign_crypto_001_vector_commitment") {
        let found = committed(&place, &file["testData"]["scalars"]);
        assert_eq!(
            found[0]["commitment"],
            file["testData"]["serializedCommitment"]
        );
    }
}

#[test]
fn roots_of_small_trees_and_of_genesis_blocks() {
    let place = Workplace::new();
    let small = vector("13_tree_roots_small").unwrap_or_default();
    let small = small["cases"].as_array().cloned().unwrap_or_default();
    let genesis = ["genesis_devnet-2", "genesis_devnet-6"].map(vector);
    // The others give only what the root is mapped to; see the tests of `frumious-verkle`.
    let small = small
        .into_iter()
        .filter(|case| !case["root_compressed"].is_null());
    for case in small.chain(genesis.into_iter().flatten()) {
        let expected = format!("0x{}\n", bare(&case["root_compressed"]));
        place.write("entries.json", case["kv"].to_string());
        let answer = place.succeed("verkle root --quiet entries.json").stdout;
        assert_eq!(answer, expected, "{}", case["name"]);
        // In another order, and as an object.
        let backwards: Vec<Value> = each(&case["kv"]).iter().rev().cloned().collect();
        let object: serde_json::Map<String, Value> = backwards
            .iter()
            .map(|entry| (text(&entry[0]).to_owned(), entry[1].clone()))
            .collect();
        for entries in [Value::from(backwards), Value::Object(object)] {
            place.write("entries.json", entries.to_string());
            let report = place.succeed("verkle root --json entries.json").json();
            assert_eq!(report["root"], expected.trim_end(), "{}", case["name"]);
            assert_eq!(report["entries"], each(&case["kv"]).len());
        }
    }
}

/// The root after block 1 by its witness, as go-verkle v0.2.2 computes it too. It is not the root in the block's
/// header: that network's witnesses did not yet have all that the first block wrote.
const AFTER_BLOCK_1: &str = "0x08d888db1a5f3f6f1a9e72f5fcfd508c4dd166de74c98e87462cba4b74710176";

#[test]
fn execution_witnesses_of_kaustinen() {
    let place = Workplace::new();
    for name in [
        "witness_valid_block_1",
        "witness_valid_block_72",
        "witness_invalid_block_72",
    ] {
        let Some(block) = vector(name) else {
            continue;
        };
        // As it stands in the block, and alone.
        place.write("block.json", block.to_string());
        place.write("witness.json", block["executionWitness"].to_string());
        let pre = text(&block["pre_state_root"]);
        let post = match name {
            "witness_valid_block_1" => AFTER_BLOCK_1,
            _ => text(&block["header"]["stateRoot"]),
        };
        for file in ["block.json", "witness.json"] {
            let line = format!("verkle witness verify {file} {pre}");
            if block["valid"] == false {
                let ending = place.end_with(1, &line);
                assert!(ending.stderr.contains("INVALID"), "{}", ending.stderr);
                continue;
            }
            let report = place
                .succeed(&format!("{line} --json --post-root {post}"))
                .json();
            assert_eq!(report["post_root"], post, "{name}");
            assert_eq!(report["valid"], true);
            assert!(place.succeed(&line).stdout.contains(post));
            // Another root before, or after.
            place.end_with(1, &format!("verkle witness verify {file} {post}"));
            let ending = place.end_with(1, &format!("{line} --post-root {pre}"));
            assert!(ending.stderr.contains(post), "{}", ending.stderr);
        }
    }
}

#[test]
fn encodings_that_must_be_rejected() {
    let place = super::with_a_proof();
    let mut commitments: Vec<Value> = Vec::new();
    for name in [
        "jsign_crypto_005_deserialize_point_not_in_curve",
        "jsign_crypto_006_deserialize_point_not_in_subgroup",
        "jsign_crypto_007_deserialize_point_x_bigger_than_field",
    ] {
        commitments.extend(vector(name).map(|file| file["testData"]["serializedPoint"].clone()));
    }
    let lengths = vector("jsign_crypto_008_deserialize_point_x_wrong_length");
    for file in lengths.iter() {
        commitments.extend_from_slice(each(&file["testData"]["serializedPoints"]));
    }
    for file in vector("03_bad_points").iter() {
        commitments.extend_from_slice(each(&file["compressed"]));
    }
    for commitment in commitments {
        let mut claims = super::read(&place, "claims.json");
        claims[1]["commitment"] = commitment.clone();
        place.write("bad.json", claims.to_string());
        let ending = place.end_with(2, "verkle verify bad.json proof.json");
        assert!(
            ending.stderr.contains("bad.json: at $[1].commitment: "),
            "{commitment}: {}",
            ending.stderr
        );
    }
    let mut proofs = Vec::new();
    if let Some(file) = vector("jsign_crypto_009_deserialize_proof_invalid_final_scalar") {
        proofs.push(file["testData"]["serializedProof"].clone());
    }
    if let Some(file) = vector("jsign_crypto_010_deserialize_proof_wrong_length") {
        proofs.extend_from_slice(each(&file["testData"]["serializedProofs"]));
    }
    for proof in proofs {
        place.write("bad.json", json!({ "proof": proof }).to_string());
        let ending = place.end_with(2, "verkle verify claims.json bad.json");
        assert!(
            ending.stderr.contains("bad.json: at $.proof: "),
            "{proof}: {}",
            ending.stderr
        );
    }
}

/// The other order of bytes.
fn reversed(hexadecimal: &str) -> String {
    let digits: Vec<char> = hexadecimal.chars().collect();
    let bytes = digits.chunks(2).rev().flatten();
    format!("0x{}", bytes.collect::<String>())
}

/// Hexadecimal digits without `0x`.
fn bare(value: &Value) -> &str {
    text(value).trim_start_matches("0x")
}
