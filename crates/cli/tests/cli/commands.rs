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
    let development = place.succeed("setup --force --quiet --dev mul.r1cs new.zkey");
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

#[test]
fn manual_pages_know_the_commands() {
    let place = Workplace::new();
    let page = place.succeed("man").stdout;
    assert!(page.contains(".TH") && page.contains("fullprove"), "{page}");
    place.succeed("man pages");
    for (name, word) in [
        ("frumious.1", "json"),
        ("frumious-prove.1", "WITNESS"),
        ("frumious-export-vkey.1", "VKEY"),
    ] {
        let page = String::from_utf8(place.read(&format!("pages/{name}"))).expect("it is text");
        assert!(page.contains(word), "{name}");
    }
}

#[test]
fn the_version_tells_the_backends() {
    let place = Workplace::new();
    let version = place.succeed("--version").stdout;
    assert!(version.contains("backends: portable"), "{version}");
    assert_eq!(place.succeed("-V").stdout.lines().count(), 1);
}

#[test]
fn files_may_come_from_stdin_and_go_to_stdout() {
    let place = Workplace::new();
    let from = |line: &str, name: &str| {
        let ending = place.run_from(line, &[], Some(&place.path(name)));
        assert_eq!(ending.code, Some(0), "{line}: {}", ending.stderr);
        ending
    };
    from("prove - mul.wtns n.json s.json", "mul.zkey");
    from("prove mul.zkey - n.json s.json", "mul.wtns");
    from("verify - s.json n.json", "vkey.json");
    from("verify vkey.json - n.json", "s.json");
    from("verify vkey.json s.json -", "n.json");
    from("witness mul.wasm - n.wtns", "input.json");
    from("witness - input.json n.wtns", "mul.wasm");
    from("setup --dev - n.zkey", "mul.r1cs");
    from("setup mul.r1cs - c.zkey", "pot2.ptau");
    from("check - mul.wtns", "mul.r1cs");
    from("check mul.r1cs -", "mul.wtns");
    assert!(
        from("inspect -", "pot2.ptau")
            .stdout
            .contains("powers of tau")
    );
    let vkey = from("export vkey - -", "mul.zkey");
    assert_eq!(vkey.stdout.as_bytes(), place.read("vkey.json"));
    assert!(vkey.stderr.contains("written to -"), "{}", vkey.stderr);
    let public = place.succeed("prove mul.zkey mul.wtns n.json - --quiet");
    assert_eq!(public.stdout.as_bytes(), place.read("public.json"));
}

#[test]
fn costs_are_computed_from_what_is_measured() {
    let place = Workplace::new();
    let line = "bench cost mul.r1cs mul.zkey mul.wtns --rounds 2";
    let plain = place.succeed(&format!("{line} --json")).json();
    assert!(plain["constraints_per_second_and_core"].as_f64() > Some(0.0));
    assert!(plain["computed_dollars_per_1000_proofs"].is_null());
    let priced = format!("{line} --price 0.5 --vcpus 8 --instance mine");
    let report = place.succeed(&format!("{priced} --json")).json();
    let number = |name: &str| report[name].as_f64().expect("a number");
    let proofs = 3600.0 / number("seconds") * 8.0 / number("threads");
    // The seconds are rounded.
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.1;
    assert!(near(number("computed_proofs_per_hour"), proofs), "{report}");
    let a_thousand = number("computed_dollars_per_1000_proofs");
    assert!(near(a_thousand, 500.0 / proofs), "{report}");
    let text = place.succeed(&priced).stdout;
    assert!(text.contains("Computed: mine of 8 virtual CPUs"), "{text}");

    place.end_with(2, &format!("{line} --price 0.5"));
    place.end_with(2, &format!("{line} --vcpus 8"));
    place.end_with(2, &format!("{line} --vcpus 8 --price 0"));
    // The cost of a proof that says nothing is not told.
    let mut witness = place.read("mul.wtns");
    let last = witness.len() - 32;
    witness[last] ^= 1;
    place.write("wrong.wtns", witness);
    place.end_with(1, "bench cost mul.r1cs mul.zkey wrong.wtns");
    place.end_with(2, "bench cost big.r1cs mul.zkey mul.wtns");
}

#[test]
fn proofs_are_measured() {
    let place = Workplace::new();
    for line in [
        "bench prove mul.zkey mul.wtns --rounds 2",
        "bench prove mul.zkey --rounds 1",
    ] {
        let report = place.succeed(&format!("{line} --json")).json();
        for field in ["seconds", "rows_per_second", "predicted_memory_bytes"] {
            assert!(
                report[field].as_f64().is_some_and(|value| value > 0.0),
                "{line}: {report}"
            );
        }
        assert!(place.succeed(line).stdout.contains("sum"));
    }
}

#[test]
fn time_on_more_cores_is_predicted() {
    let place = Workplace::new();
    let line = "bench trace mul.zkey mul.wtns --workers 2,16 --out tasks.jsonl --force";
    let report = place.succeed(&format!("{line} --json")).json();
    let rows = report["workers"].as_array().expect("an array");
    assert_eq!(rows.len(), 2);
    for (row, workers) in rows.iter().zip([2.0, 16.0]) {
        let field = |name: &str| row[name].as_f64().expect("a number");
        assert_eq!(field("workers"), workers);
        let (time, work) = (field("predicted_seconds"), field("work_seconds"));
        assert!(time > 0.0 && time <= work + 0.01 && work <= workers * time + 0.01);
        assert!(field("busy") > 0.0 && field("busy") <= 1.001, "{row}");
        let phases = row["phases"].as_array().expect("an array");
        for name in ["rows", "quotient", "sums", "verify"] {
            assert!(phases.iter().any(|phase| phase["phase"] == name), "{name}");
        }
    }
    // Every task of each width has a line, and its forks are of tasks that there are.
    let tasks = String::from_utf8(place.read("tasks.jsonl")).expect("text");
    let tasks: Vec<serde_json::Value> = tasks
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect();
    for workers in [1, 2, 16] {
        let own: Vec<_> = tasks
            .iter()
            .filter(|task| task["workers"] == workers)
            .collect();
        let mut forked = 1;
        for (number, task) in own.iter().enumerate() {
            assert_eq!(task["task"], number);
            for step in task["steps"].as_array().expect("steps") {
                if let Some([first, end]) = step["tasks"].as_array().map(|range| {
                    [0, 1].map(|place| range[place].as_u64().expect("a number") as usize)
                }) {
                    assert!(first > number && end <= own.len());
                    forked += end - first;
                }
            }
        }
        assert_eq!(forked, own.len(), "each is forked once, but for the first");
    }
    assert!(place.succeed(line).stdout.contains("efficiency"));
}

#[test]
fn phases_are_told_one_by_one_when_asked_for() {
    let place = Workplace::new();
    let ending = place.succeed("prove -v mul.zkey mul.wtns n.json s.json");
    for phase in ["read key: ", "sum", "write: "] {
        assert!(
            ending.stderr.lines().any(|line| line.starts_with(phase)),
            "{}",
            ending.stderr
        );
    }
}

/// A file that is replaced has the mode that it had.
#[cfg(unix)]
#[test]
fn modes_of_files_that_are_replaced_stay() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    let place = Workplace::new();
    for (name, mode, line) in [
        (
            "n.json",
            0o640,
            "prove --force mul.zkey mul.wtns n.json s.json",
        ),
        ("n.zkey", 0o440, "setup --force mul.r1cs pot2.ptau n.zkey"),
        ("d.zkey", 0o604, "setup --force --dev mul.r1cs d.zkey"),
        ("n.fkey", 0o400, "convert --force mul.zkey n.fkey"),
    ] {
        place.write(name, "old");
        fs::set_permissions(place.path(name), Permissions::from_mode(mode)).expect("it is ours");
        place.succeed(line);
        let now = fs::metadata(place.path(name))
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(now & 0o777, mode, "{name}");
        assert_ne!(place.read(name), b"old");
    }
}
