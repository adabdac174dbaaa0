//! `frumious verkle`, on the published vectors and on values of its own.

mod malformed;
mod vectors;

use serde_json::{Value, json};

use super::support::Workplace;

/// Two polynomials opened at 0, as in go-ipa's `TestMultiProofConsistency`.
fn openings() -> Value {
    let rising: Vec<u32> = (0..256).map(|i| i % 32 + 1).collect();
    let falling: Vec<u32> = (0..256).map(|i| 32 - i % 32).collect();
    json!([{ "polynomial": rising, "point": 0 }, { "polynomial": falling, "point": 0 }])
}

/// With `openings.json`, `claims.json` and `proof.json`.
fn with_a_proof() -> Workplace {
    let place = Workplace::new();
    place.write("openings.json", openings().to_string());
    place.succeed("verkle prove openings.json proof.json claims.json");
    place
}

fn read(place: &Workplace, name: &str) -> Value {
    serde_json::from_slice(&place.read(name)).expect("it is JSON")
}

#[test]
fn the_proof_of_go_ipa() {
    let place = Workplace::new();
    place.write("openings.json", openings().to_string());
    place.succeed("verkle prove --transcript test openings.json proof.json claims.json");
    let proof = read(&place, "proof.json");
    // go-ipa multiproof_test.go, TestMultiProofConsistency: the beginning of D and all of the last scalar.
    let proof = proof["proof"].as_str().expect("a string");
    assert_eq!(proof.len(), 2 + 2 * 576);
    assert!(
        proof.starts_with("0x4f53588244efaf07a370ee3f9c467f933eed360d4fbf7a19dfc8bc49b67df471")
    );
    assert!(
        proof.ends_with("9a160005321c97026cb559f71db23360105460d959bcdf74bee22c4ad8805a1d497507")
    );
    assert_eq!(
        read(&place, "claims.json"),
        json!([
            {
                "commitment": "0x1b9dff8f5ebbac250d291dfe90e36283a227c64b113c37f1bfb9e7a743cdb128",
                "point": 0,
                "value": "0x0100000000000000000000000000000000000000000000000000000000000000",
            },
            {
                "commitment": "0x08729f8ad4807fdf5eb96aee483afe52a10ba739803cd109232e18cc09fe102a",
                "point": 0,
                "value": "0x2000000000000000000000000000000000000000000000000000000000000000",
            },
        ])
    );
    place.succeed("verkle verify --transcript test claims.json proof.json");
    let ending = place.end_with(1, "verkle verify --transcript vt claims.json proof.json");
    assert!(ending.stderr.contains("INVALID"), "{}", ending.stderr);
}

#[test]
fn proofs_are_the_same_for_any_number_of_threads_and_memory() {
    let place = with_a_proof();
    let proof = place.read("proof.json");
    for flags in [
        "--threads 1",
        "--threads 3",
        "--memory 4",
        "--memory 40",
        "--no-verify",
    ] {
        place.succeed(&format!(
            "verkle prove {flags} openings.json new.json claims.json"
        ));
        assert_eq!(place.read("new.json"), proof, "{flags}");
        place.succeed(&format!(
            "verkle verify claims.json new.json {}",
            flags.replace("--no-verify", "")
        ));
    }
}

#[test]
fn tables_are_kept_in_a_file() {
    let place = with_a_proof();
    let proof = place.read("proof.json");
    let prove = "verkle prove --memory 4 --tables tables openings.json new.json claims.json";
    for _ in 0..2 {
        place.succeed(prove);
        assert_eq!(place.read("new.json"), proof);
        place.succeed("verkle verify --tables tables claims.json new.json");
    }
    let good = place.read("tables");
    let mut changed = good.clone();
    *changed.last_mut().expect("it is not empty") ^= 1;
    for (bad, expected) in [
        (changed, "section entries"),
        (good[..good.len() - 1].to_vec(), "are expected"),
        (good[..100].to_vec(), "section header"),
        (b"[]".to_vec(), "tables for commitments are expected"),
        (b"frumtb".to_vec(), "no table file"),
        (Vec::new(), "empty"),
    ] {
        place.write("tables", &bad);
        let ending = place.end_with(2, prove);
        let names_it = ending.stderr.starts_with("error: tables");
        assert!(
            names_it && ending.stderr.contains(expected),
            "{}",
            ending.stderr
        );
        assert_eq!(place.read("tables"), bad, "it was written to");
    }
    // Nothing is written over tables, least of all over those that are in use.
    place.write("tables", &good);
    for (line, code) in [
        (
            "verkle prove openings.json tables claims.json --tables tables",
            "bad_input",
        ),
        (
            "verkle prove openings.json tables claims.json",
            "would_replace",
        ),
    ] {
        let ending = place.end_with(2, &format!("{line} --memory 4 --json"));
        assert_eq!(ending.json()["code"], code, "{line}");
        assert_eq!(place.read("tables"), good);
    }
    std::fs::create_dir(place.path("folder")).expect("it can be made");
    for name in ["folder", "none/tables"] {
        let line = format!("verkle verify --memory 4 --tables {name} claims.json proof.json");
        let ending = place.end_with(2, &line);
        assert!(ending.stderr.contains(name), "{}", ending.stderr);
    }
}

#[test]
fn one_polynomial_may_be_opened_at_several_points() {
    let place = Workplace::new();
    let polynomial = json!({ "1": "77", "200": 5 });
    place.write(
        "openings.json",
        json!([{ "polynomial": polynomial, "points": [200, 1, 0, 200] }]).to_string(),
    );
    place.succeed("verkle prove openings.json several.json claims.json");
    let claims = read(&place, "claims.json");
    let values: Vec<&Value> = claims
        .as_array()
        .expect("an array")
        .iter()
        .map(|claim| &claim["value"])
        .collect();
    let scalar = |byte: u8| format!("0x{byte:02x}{}", "00".repeat(31));
    assert_eq!(values, [&scalar(5), &scalar(77), &scalar(0), &scalar(5)]);
    // The same written out, with the commitment.
    let commitment = &claims[0]["commitment"];
    let one =
        |point: u8| json!({ "commitment": commitment, "polynomial": polynomial, "point": point });
    place.write(
        "openings.json",
        json!([one(200), one(1), one(0), one(200)]).to_string(),
    );
    place.succeed("verkle prove openings.json single.json claims.json");
    assert_eq!(place.read("several.json"), place.read("single.json"));
    place.succeed("verkle verify claims.json several.json");
}

#[test]
fn false_statements_are_1() {
    let place = with_a_proof();
    let claims = read(&place, "claims.json");
    let mut false_claims = Vec::new();
    for change in [
        |claims: &mut Value| claims[0]["value"] = json!(2),
        |claims: &mut Value| claims[1]["point"] = json!(1),
        |claims: &mut Value| claims[0]["commitment"] = claims[1]["commitment"].clone(),
        |claims: &mut Value| claims.as_array_mut().expect("an array").swap(0, 1),
        |claims: &mut Value| drop(claims.as_array_mut().expect("an array").pop()),
        |claims: &mut Value| {
            let first = claims[0].clone();
            claims.as_array_mut().expect("an array").push(first);
        },
    ] {
        let mut changed = claims.clone();
        change(&mut changed);
        false_claims.push(changed);
    }
    for claims in false_claims {
        place.write("false.json", claims.to_string());
        let ending = place.end_with(1, "verkle verify false.json proof.json");
        assert_eq!(ending.stdout, "", "{claims}");
        assert_eq!(ending.stderr, "error: proof.json: INVALID proof\n");
        let report = place
            .end_with(1, "verkle verify --json false.json proof.json")
            .json();
        assert_eq!(report["status"], "rejected");
    }
}

#[test]
fn a_wrong_commitment_makes_no_proof() {
    let place = Workplace::new();
    let mut openings = openings();
    openings[1]["commitment"] =
        json!("0x4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9"); // the generator's
    place.write("openings.json", openings.to_string());
    let before = place.names();
    let ending = place.end_with(1, "verkle prove openings.json proof.json claims.json");
    assert!(ending.stderr.contains("openings.json"), "{}", ending.stderr);
    assert_eq!(place.names(), before);
    // Unless it is asked for; then it is no proof.
    place.succeed("verkle prove --no-verify openings.json proof.json claims.json");
    place.end_with(1, "verkle verify claims.json proof.json");
}

#[test]
fn commitments_of_one_vector_and_of_several() {
    let place = Workplace::new();
    let identity = format!("0x{}", "00".repeat(32));
    // The first element of the basis.
    let first = "0x01587ad1336675eb912550ec2a28eb8923b824b490dd2ba82e48f14590a298a0";
    let one = format!("0x01{}", "00".repeat(31));
    for (vectors, commitments) in [
        (json!([]), vec![identity.as_str()]),
        (json!({}), vec![&identity]),
        (json!([1]), vec![first]),
        (json!([one, "0", 0]), vec![first]),
        (json!({ "0": "1", "255": 0 }), vec![first]),
        (
            json!([[], [1], {}, { "0": one }]),
            vec![&identity, first, &identity, first],
        ),
    ] {
        place.write("vectors.json", vectors.to_string());
        let ending = place.succeed("verkle commit vectors.json");
        let lines: Vec<&str> = ending.stdout.lines().collect();
        assert_eq!(lines, commitments, "{vectors}");
    }
}

#[test]
fn the_root_of_no_entries_is_the_neutral_element() {
    let place = Workplace::new();
    for nothing in ["[]", "{}"] {
        place.write("entries.json", nothing);
        let answer = place.succeed("verkle root entries.json").stdout;
        assert_eq!(answer, format!("0x{}\n", "00".repeat(32)));
    }
}

#[test]
fn results_on_stdout() {
    let place = with_a_proof();
    for (line, fields) in [
        (
            "verkle commit vectors.json",
            &["commitments", "table_bytes", "phases", "seconds"][..],
        ),
        (
            "verkle prove openings.json p.json c.json",
            &[
                "proof",
                "claims",
                "openings",
                "verified",
                "table_bytes",
                "phases",
                "seconds",
            ],
        ),
        (
            "verkle verify claims.json proof.json",
            &["valid", "claims", "seconds"],
        ),
        (
            "verkle root entries.json",
            &["root", "entries", "stems", "table_bytes", "seconds"],
        ),
    ] {
        place.write("vectors.json", "[1]");
        place.write("entries.json", "[]");
        let ending = place.succeed(line);
        assert_eq!(ending.stdout.lines().count(), 1, "{line}");
        assert_eq!(ending.stderr, "", "{line}");
        let report = place.succeed(&format!("{line} --json")).json();
        let name = line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        assert_eq!(report["command"], name);
        assert_eq!(report["status"], "ok");
        for field in fields {
            assert!(!report[field].is_null(), "{line}: no {field} in {report}");
        }
        let quiet = place.succeed(&format!("{line} --quiet"));
        let printed = line.contains("commit") || line.contains("root"); // what was asked for
        assert_eq!(!quiet.stdout.is_empty(), printed, "{line}");
    }
}

#[test]
fn bad_usage_is_2() {
    let place = with_a_proof();
    for line in [
        "verkle",
        "verkle nonsense",
        "verkle commit",
        "verkle commit a b",
        "verkle prove openings.json proof.json",
        "verkle verify claims.json",
        "verkle verify claims.json proof.json --memory 0",
        "verkle verify claims.json proof.json --memory 100000",
        "verkle witness",
        "verkle witness verify",
        "verkle root",
    ] {
        assert_eq!(place.end_with(2, line).stdout, "", "{line}");
    }
    for line in [
        "verkle prove openings.json none/p.json c.json",
        "verkle prove openings.json c.json c.json",
        "verkle prove openings.json openings.json c.json",
    ] {
        let ending = place.end_with(2, line);
        assert!(ending.stderr.contains("write"), "{line}: {}", ending.stderr);
    }
    for command in [
        "",
        "commit",
        "prove",
        "verify",
        "root",
        "witness",
        "witness verify",
    ] {
        let help = place.succeed(&format!("verkle {command} --help"));
        assert!(help.stdout.contains("Usage"), "{command}");
    }
}
