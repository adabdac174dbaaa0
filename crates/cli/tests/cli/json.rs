//! `--json`: one object on stdout, whatever happens.

use std::fs;
use std::path::Path;

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
        let report = place.succeed(&format!("{line} --json --force")).json();
        assert_eq!(report["command"], command);
        assert_eq!(report["status"], "ok", "{line}");
        for field in fields {
            assert!(!report[field].is_null(), "{line}: no {field} in {report}");
        }
        // Asked for before the command, or to be quiet as well: the same.
        let quiet = place
            .succeed(&format!("--quiet --force --json {line}"))
            .json();
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
        (phases.contains(&"sum A") || phases.contains(&"sums")) && !phases.contains(&"sum B1"),
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

/// Commands with a file each, for the table of `docs/json.md`.
const DOCUMENTED: &[&str] = &[
    "prove mul.zkey mul.wtns n.json s.json",
    "bench trace mul.zkey --workers 2",
    "bench prove mul.zkey --rounds 1",
    "bench msm-fixed --quick --max-mib 5",
    "bench witness mul.wasm input.json --rounds 1",
    "fullprove input.json mul.wasm mul.zkey n.json s.json",
    "verify vkey.json public.json proof.json",
    "setup mul.r1cs pot2.ptau n.zkey",
    "powersoftau new bn128 2 new.ptau",
    "powersoftau contribute new.ptau first.ptau",
    "powersoftau beacon first.ptau second.ptau 0102 10",
    "powersoftau verify second.ptau",
    "powersoftau prepare phase2 second.ptau prepared.ptau",
    "powersoftau convert prepared.ptau converted.ptau",
    "powersoftau truncate prepared.ptau",
    "powersoftau export challenge second.ptau challenge",
    "powersoftau challenge contribute bn128 challenge response",
    "powersoftau import response second.ptau response third.ptau",
    "zkey contribute contributed.zkey next.zkey",
    "zkey beacon contributed.zkey last.zkey 0102 10",
    "zkey export bellman contributed.zkey n.mpcparams",
    "zkey bellman contribute bn128 n.mpcparams next.mpcparams",
    "zkey import bellman contributed.zkey next.mpcparams imported.zkey",
    "serve --check --config serve.toml",
    "zkey verify mul.r1cs pot2.ptau contributed.zkey",
    "witness mul.wasm input.json n.wtns",
    "check mul.r1cs mul.wtns",
    "export vkey mul.zkey n.vkey",
    "export solidity mul.zkey n.sol",
    "export r1cs mul.r1cs r1cs.json",
    "export witness mul.wtns values.json",
    "export calldata public.json proof.json",
    "export proof proof.json p.bin --format gnark",
    "export public public.json s.bin --format gnark",
    "import vkey v.bin v.json --format gnark",
    "import proof p.bin p.json --format gnark",
    "import public s.bin s.json --format gnark",
    "zkey export json mul.zkey key.json",
    "zkey import json key.json of_json.zkey",
    "powersoftau export json pot2.ptau powers.json",
    "convert mul.zkey n.fkey",
    "inspect mul.zkey",
    "doctor --seconds 1",
    "man pages",
    "demo --log-size 9",
    "demo rollup --transfers 1",
    "tune --constraints 400 --seconds 1 --only memory.huge_pages --out n.toml",
    "verkle commit vector.json",
    "verkle prove openings.json tree.proof.json claims.json",
    "verkle verify claims.json tree.proof.json",
    "verkle root entries.json",
    "verkle witness verify block.json ROOT",
    "bench cost mul.r1cs mul.zkey mul.wtns --rounds 1",
];

/// Commands whose objects are those of other programs, and those without one.
const WITHOUT_ROW: &[&str] = &["submit", "jobs", "completions", "print"];

/// A tree's root, and a witness under it.
const BLOCK: &str = include_str!("../../../verkle/tests/data/forged_value.json");

/// The headings of `docs/commands.txt`, which are all commands: a test compares it with `--help`.
#[test]
fn every_command_has_its_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let read = |name| fs::read_to_string(folder.join(name)).expect("it is there");
    let (commands, table) = (read("commands.txt"), read("json.md"));
    let headings = commands.lines().filter_map(|line| {
        let heading = line.strip_prefix("$ frumious ")?;
        heading.strip_suffix(" --help")
    });
    let headings: Vec<&str> = headings.collect();
    let is_group = |name: &str| {
        let below = format!("{name} ");
        name != "demo" && headings.iter().any(|other| other.starts_with(&below))
    };
    let has_row = |name: &str| table.contains(&format!("\n| `{name}` |"));
    let names = headings.iter().filter(|name| !is_group(name));
    let missing: Vec<&&str> = names
        .filter(|name| has_row(name) == WITHOUT_ROW.contains(name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(headings.len() > 60, "{headings:?}");
}

#[test]
fn texts_are_printed_as_without() {
    let place = Workplace::new();
    for (line, start) in [("man", ".ie "), ("completions bash", "_frumious()")] {
        let text = place.succeed(&format!("{line} --json")).stdout;
        assert!(text.starts_with(start), "{line}: {text:.40}");
    }
    place.write("mul.sym", "1,1,0,main.c\n");
    let report = place.end_with(2, "print mul.r1cs --json").json();
    assert_eq!(report["code"], "usage");
}

#[test]
fn fields_are_those_of_the_document() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let document = fs::read_to_string(&path).expect("it is there");
    let (before, _) = document
        .split_once("| command | fields |\n|---|---|\n")
        .expect("the table is there");
    let mut expected = format!("{before}| command | fields |\n|---|---|\n");
    let place = Workplace::new();
    place.write("vector.json", "[1, 2]");
    place.write("openings.json", r#"[{"polynomial": [1, 2], "point": 1}]"#);
    place.write("entries.json", "[]");
    place.write("block.json", BLOCK);
    let block: Value = serde_json::from_str(BLOCK).expect("it is JSON");
    let root = block["pre_state_root"].as_str().expect("a root");
    place.succeed("export vkey vkey.json v.bin --format gnark");
    for line in DOCUMENTED {
        let line = line.replace("ROOT", root);
        let report = place.succeed(&format!("{line} --json --force")).json();
        let fields: Vec<String> = keys(&report)
            .into_iter()
            .filter(|key| !["command", "status"].contains(&key.as_str()))
            .map(|key| format!("`{key}`"))
            .collect();
        let command = report["command"].as_str().expect("a command");
        expected += &format!("| `{command}` | {} |\n", fields.join(", "));
    }
    if std::env::var_os("FRUMIOUS_BLESS").is_some() {
        fs::write(&path, &expected).expect("it can be written");
    }
    assert_eq!(
        fs::read_to_string(&path).expect("it is there"),
        expected,
        "FRUMIOUS_BLESS=1 writes it"
    );
}

#[test]
fn usage_is_an_object_too() {
    let place = Workplace::new();
    for (line, command) in [
        ("--json", ""),
        ("nonsense --json", ""),
        ("prove --nonsense --json", "prove"),
        ("export --json", "export"),
        ("--json setup a b c d", "setup"),
        ("--json groth16 prove", "prove"),
        ("demo --log-size 40 --json", "demo"),
    ] {
        let ending = place.end_with(2, line);
        let report = ending.json();
        assert_eq!(report["command"], command, "{line}");
        assert_eq!(
            (&report["status"], &report["code"]),
            (&json!("bad input"), &json!("usage"))
        );
        assert!(
            report["error"]
                .as_str()
                .is_some_and(|error| !error.is_empty())
        );
    }
}

#[test]
fn each_outcome_has_its_code() {
    let place = Workplace::new();
    place.write("other.json", "[\"34\"]");
    place.write("refused.json", r#"{"a": 7, "b": 1}"#);
    place.write("broken.json", "[");
    place.succeed("setup mul.r1cs pot2.ptau raw.zkey");
    for (line, code, word) in [
        ("verify vkey.json other.json proof.json", 1, "invalid_proof"),
        ("witness mul.wasm refused.json n.wtns", 1, "unsatisfied"),
        ("inspect", 2, "usage"),
        ("prove mul.wtns mul.zkey n.json s.json", 2, "wrong_kind"),
        ("inspect none", 2, "not_found"),
        ("convert mul.zkey raw.zkey", 2, "would_replace"),
        ("export vkey raw.zkey n.json", 2, "uncontributed"),
        ("verify vkey.json broken.json proof.json", 2, "bad_input"),
        (
            "setup --dev mul.r1cs n.zkey --max-memory 1K",
            3,
            "memory_limit",
        ),
    ] {
        let report = place.end_with(code, &format!("{line} --json")).json();
        assert_eq!(report["code"], word, "{line}");
        assert_eq!(report["exit_code"], code, "{line}");
        assert_eq!(
            report["valid"] == json!(false),
            word == "invalid_proof",
            "{line}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_and_a_forbidden_folder_may_do_later() {
    let place = Workplace::new();
    place.end_with(0, "powersoftau new bn128 4 new.ptau");
    place.end_with(0, "powersoftau prepare phase2 new.ptau 4.ptau");
    for line in [
        "export vkey mul.zkey",
        "export solidity mul.zkey",
        "export r1cs mul.r1cs",
        "export witness mul.wtns",
        "zkey export json mul.zkey",
        "powersoftau export json 4.ptau",
    ] {
        let report = place
            .end_with(3, &format!("{line} /dev/full --json"))
            .json();
        assert_eq!(report["code"], "no_space", "{line}: {report}");
        let message = report["error"].as_str().expect(line);
        assert!(message.contains("/dev/full"), "{line}: {message}");
        let is_named = ["mul.", "4.ptau"].map(|input| message.contains(input));
        assert_eq!(is_named, [false; 2], "{line}: {message}");
    }
    // Not even root makes files there.
    let report = place.end_with(3, "export vkey mul.zkey /sys/n.json --json");
    assert_eq!(report.json()["code"], "permission", "{}", report.stdout);
}
