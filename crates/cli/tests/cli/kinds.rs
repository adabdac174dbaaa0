//! Each file of a command is told by its kind: whatever is in the wrong place is named for what it is.

use std::fs;

use super::support::Workplace;

/// A file of each kind, with the words that it is named by.
const FILES: &[(&str, &str)] = &[
    ("mul.r1cs", "a constraint system (.r1cs)"),
    ("mul.wtns", "a witness (.wtns)"),
    ("mul.zkey", "a proving key (.zkey)"),
    ("mul.fkey", "a proving key (.fkey)"),
    ("plonk.zkey", "a PLONK proving key (.zkey)"),
    ("fflonk.zkey", "an FFLONK proving key (.zkey)"),
    (
        "begun.zkey.partial",
        "a proving key that is not finished (.partial)",
    ),
    ("pot2.ptau", "powers of tau (.ptau)"),
    ("mul.wasm", "a WebAssembly module (.wasm)"),
    ("mul.graph", "a graph of a witness generator"),
    ("mul.sym", "a list of signals (.sym)"),
    ("mul.circom", "the source of a circuit (.circom)"),
    ("generate_witness.js", "a script (.js)"),
    ("verifier.sol", "a Solidity contract (.sol)"),
    ("proof.json", "a proof (JSON)"),
    ("vkey.json", "a verification key (JSON)"),
    ("plonk.proof.json", "a proof of PLONK or FFLONK (JSON)"),
    (
        "plonk.vkey.json",
        "a verification key of PLONK or FFLONK (JSON)",
    ),
    (
        "public.json",
        "a JSON array of numbers, such as public signals",
    ),
    ("input.json", "a JSON object, such as inputs of a circuit"),
    ("tree.proof.json", "a proof of a Verkle tree (JSON)"),
    ("claims.json", "claims about a Verkle tree (JSON)"),
    ("openings.json", "openings of polynomials (JSON)"),
    ("block.json", "an execution witness (JSON)"),
    ("page.html", "a web page (HTML)"),
    ("key.zip", "a compressed file or an archive"),
    (
        "pointer.zkey",
        "a stand-in of Git LFS for a file that was not fetched",
    ),
    ("program", "a program"),
    ("notes.txt", "text of no known kind"),
    ("bytes.bin", "of no known kind"),
    ("nothing.zkey", "empty"),
    ("folder", "a folder"),
];

/// Only a parser can judge bytes of no known kind: they may be a graph.
const GENERATORS: &[&str] = &["mul.wasm", "mul.graph", "program", "bytes.bin"];

/// The places of files in commands: before and after the file, what is expected, and the files that may be there.
const PLACES: &[(&str, &str, &str, &[&str])] = &[
    (
        "prove",
        "mul.wtns n.json s.json",
        "a proving key (.zkey, .fkey)",
        KEYS,
    ),
    (
        "prove mul.zkey",
        "n.json s.json",
        "a witness (.wtns)",
        &["mul.wtns"],
    ),
    (
        "fullprove",
        "mul.wasm mul.zkey n.json s.json",
        "inputs of the circuit (JSON)",
        INPUTS,
    ),
    (
        "fullprove input.json",
        "mul.zkey n.json s.json",
        "a witness generator (.wasm)",
        GENERATORS,
    ),
    (
        "fullprove input.json mul.wasm",
        "n.json s.json",
        "a proving key (.zkey, .fkey)",
        KEYS,
    ),
    (
        "witness",
        "input.json n.wtns",
        "a witness generator (.wasm)",
        GENERATORS,
    ),
    (
        "witness mul.wasm",
        "n.wtns",
        "inputs of the circuit (JSON)",
        INPUTS,
    ),
    (
        "witness mul.wasm input.json n.wtns --check",
        "",
        "a constraint system (.r1cs)",
        &["mul.r1cs"],
    ),
    (
        "verify",
        "public.json proof.json",
        "a verification key (JSON)",
        &["vkey.json"],
    ),
    (
        "verify vkey.json",
        "proof.json",
        "public signals (JSON)",
        &["public.json"],
    ),
    (
        "verify vkey.json public.json",
        "",
        "a proof (JSON)",
        &["proof.json"],
    ),
    (
        "setup",
        "pot2.ptau n.zkey",
        "a constraint system (.r1cs)",
        &["mul.r1cs"],
    ),
    (
        "setup --dev",
        "n.zkey",
        "a constraint system (.r1cs)",
        &["mul.r1cs"],
    ),
    (
        "setup mul.r1cs",
        "n.zkey",
        "powers of tau (.ptau)",
        &["pot2.ptau"],
    ),
    (
        "export vkey",
        "n.json",
        "a proving key (.zkey, .fkey)",
        KEYS,
    ),
    (
        "export solidity",
        "n.sol",
        "a proving key (.zkey, .fkey) or a verification key (JSON)",
        VERIFYING,
    ),
    (
        "export r1cs",
        "n.json",
        "a constraint system (.r1cs)",
        &["mul.r1cs"],
    ),
    (
        "export witness",
        "n.json",
        "a witness (.wtns)",
        &["mul.wtns"],
    ),
    (
        "export calldata",
        "proof.json",
        "public signals (JSON)",
        &["public.json"],
    ),
    (
        "export calldata public.json",
        "",
        "a proof (JSON)",
        &["proof.json"],
    ),
    ("convert", "n.key", "a proving key (.zkey, .fkey)", KEYS),
    (
        "check",
        "mul.wtns",
        "a constraint system (.r1cs)",
        &["mul.r1cs"],
    ),
    ("check mul.r1cs", "", "a witness (.wtns)", &["mul.wtns"]),
    (
        "bench witness",
        "input.json",
        "a witness generator (.wasm)",
        GENERATORS,
    ),
    (
        "bench witness mul.wasm",
        "",
        "inputs of the circuit (JSON)",
        INPUTS,
    ),
    (
        "verkle commit",
        "",
        "a vector or an array of vectors (JSON)",
        &["public.json", "input.json"],
    ),
    (
        "verkle prove",
        "n.json c.json",
        "openings of polynomials (JSON)",
        &["openings.json", "public.json"],
    ),
    (
        "verkle verify",
        "tree.proof.json",
        "claims (JSON)",
        &["claims.json", "public.json"],
    ),
    (
        "verkle verify claims.json",
        "",
        "a proof of a Verkle tree (JSON)",
        &["tree.proof.json"],
    ),
    (
        "verkle root",
        "",
        "keys and values of a tree (JSON)",
        &["public.json", "input.json"],
    ),
    (
        "verkle witness verify",
        ROOT,
        "an execution witness (JSON)",
        &["block.json", "input.json"],
    ),
];

const KEYS: &[&str] = &["mul.zkey", "mul.fkey"];
const VERIFYING: &[&str] = &["mul.zkey", "mul.fkey", "vkey.json"];
const INPUTS: &[&str] = &["input.json", "tree.proof.json"];
const ROOT: &str = "0x0000000000000000000000000000000000000000000000000000000000000000";

/// One file of each kind.
pub fn write_every_kind(place: &Workplace) {
    place.copy_fixture("mul.fkey", "mul.fkey");
    let header = |protocol: u8| {
        let mut bytes = b"zkey\x01\0\0\0\x0a\0\0\0\x01\0\0\0\x04\0\0\0\0\0\0\0".to_vec();
        bytes.extend([protocol, 0, 0, 0]);
        bytes
    };
    for (name, contents) in [
        ("plonk.zkey", header(2)),
        ("fflonk.zkey", header(10)),
        ("begun.zkey.partial", header(1)),
        ("key.zip", b"PK\x03\x04\0\0".to_vec()),
        ("program", b"\x7fELF\x02\x01\x01\0".to_vec()),
        ("mul.graph", b"wtns.graph.001".to_vec()),
        ("bytes.bin", vec![0xff, 0, 0x80]),
        ("nothing.zkey", Vec::new()),
    ] {
        place.write(name, contents);
    }
    for (name, text) in [
        ("mul.sym", "1,1,0,main.c\n2,2,0,main.a\n3,3,0,main.b\n"),
        (
            "mul.circom",
            "pragma circom 2.0.0;\ntemplate T() {}\ncomponent main = T();\n",
        ),
        (
            "generate_witness.js",
            "const wc  = require(\"./witness_calculator.js\");\n",
        ),
        (
            "verifier.sol",
            "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n",
        ),
        ("plonk.proof.json", r#"{"A": ["1"], "protocol": "plonk"}"#),
        ("plonk.vkey.json", r#"{"protocol": "plonk", "nPublic": 1}"#),
        ("tree.proof.json", r#"{"proof": "0x00"}"#),
        (
            "claims.json",
            r#"[{"commitment": "0x00", "point": 1, "value": 2}]"#,
        ),
        ("openings.json", r#"[{"polynomial": [1], "point": 1}]"#),
        ("block.json", r#"{"executionWitness": {}}"#),
        ("page.html", "<!DOCTYPE html>\n<html></html>\n"),
        (
            "pointer.zkey",
            "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
        ),
        ("notes.txt", "do not forget the milk\n"),
    ] {
        place.write(name, text);
    }
    fs::create_dir(place.path("folder")).expect("it can be made");
}

#[test]
fn whatever_is_in_the_wrong_place_is_named() {
    let place = Workplace::new();
    write_every_kind(&place);
    let before = place.names();
    let mut tried = 0;
    for (start, end, expected, allowed) in PLACES {
        for (file, name) in FILES.iter().filter(|(file, _)| !allowed.contains(file)) {
            let line = format!("{start} {file} {end} --json");
            let ending = place.end_with(2, &line);
            let report = ending.json();
            assert_eq!(report["code"], "wrong_kind", "{line}: {report}");
            let error = report["error"].as_str().expect("a message");
            let said =
                ["is", "are"].map(|verb| format!("{file} is {name}; {expected} {verb} expected "));
            assert!(
                said.iter().any(|said| error.starts_with(said)),
                "{line}: {error}"
            );
            tried += 1;
        }
    }
    assert!(tried > 700, "{tried}");
    assert_eq!(place.names(), before);
}

#[test]
fn what_is_expected_is_not_refused_for_its_kind() {
    let place = Workplace::new();
    write_every_kind(&place);
    for (start, end, _, allowed) in PLACES {
        for file in *allowed {
            let ending = place.run(&format!("{start} {file} {end} --force --json"));
            assert_ne!(ending.json()["code"], "wrong_kind", "{start} {file} {end}");
        }
    }
}

#[test]
fn inspect_tells_what_any_file_is() {
    let place = Workplace::new();
    write_every_kind(&place);
    let told_apart = [
        "plonk.zkey",
        "fflonk.zkey",
        "begun.zkey.partial",
        "tree.proof.json",
    ];
    for (file, name) in FILES {
        let ending = place.run(&format!("inspect {file}"));
        match *file {
            "nothing.zkey" | "folder" | "notes.txt" | "bytes.bin" => {
                assert_eq!(ending.code, Some(2), "{file}")
            }
            _ => assert_eq!(ending.code, Some(0), "{file}: {}", ending.stderr),
        }
        if told_apart.contains(file) {
            let name = name.trim_start_matches("an ").trim_start_matches("a ");
            assert!(ending.stdout.contains(name), "{}", ending.stdout);
        }
    }
    let ending = place.succeed("inspect input.json --json").json();
    assert_eq!(
        ending["values_by_field"],
        serde_json::json!({ "a": 1, "b": 1 })
    );
}

/// Nobody can tell an answer to a challenge from other bytes, and its maker cannot give it again.
#[test]
fn outputs_of_ceremonies_replace_no_file_of_an_unknown_kind() {
    let place = Workplace::new();
    place.succeed("powersoftau new bn128 3 first.ptau");
    place.write("answer", [7; 1000]);
    for line in [
        "powersoftau export challenge first.ptau answer",
        "powersoftau contribute first.ptau answer",
        "zkey export bellman contributed.zkey answer",
        "zkey contribute contributed.zkey answer",
    ] {
        let ending = place.end_with(2, &format!("{line} --json"));
        assert_eq!(ending.json()["code"], "would_replace", "{line}");
        assert_eq!(place.read("answer"), [7; 1000]);
        place.succeed(&format!("{line} --force"));
        place.write("answer", [7; 1000]);
    }
}
