//! Signals by name: those that inputs leave out, and those around what does not hold. Values are told on request only.

use super::support::Workplace;

/// The multiplier, with the table of its inputs as circom writes it.
fn module_with_table() -> Vec<u8> {
    let mut table = vec![0_u8; 4096];
    for (name, signal) in [("a", 2_u32), ("b", 3)] {
        let hash = frumious_witness::name_hash(name);
        let slot = &mut table[16 * (hash as usize % 256)..][..16];
        slot[..8].copy_from_slice(&hash.to_le_bytes());
        slot[8..12].copy_from_slice(&signal.to_le_bytes());
        slot[12..].copy_from_slice(&1_u32.to_le_bytes());
    }
    let bytes: String = table.iter().map(|byte| format!("\\{byte:02x}")).collect();
    let text = include_str!("../data/multiplier.wat");
    let text = text.trim_end().strip_suffix(')').expect("a module");
    let text = format!("{text}\n  (data (i32.const 8192) \"{bytes}\"))");
    wat::parse_str(text).expect("the text is right")
}

#[test]
fn missing_signals_are_named_or_counted() {
    let place = Workplace::new();
    place.write("table.wasm", module_with_table());
    place.write("b.json", r#"{"b": 5}"#);
    place.write("none.json", "{}");
    let told = |inputs: &str, expected: &str| {
        let ending = place.end_with(2, &format!("witness table.wasm {inputs} n.wtns"));
        assert!(ending.stderr.contains(expected), "{}", ending.stderr);
        assert!(!ending.stderr.contains('5'), "{}", ending.stderr);
    };
    // The table alone counts.
    told(
        "b.json",
        "and 1 were given. Missing: 1 signal, of 1 value. The circuit's .sym ",
    );
    told(
        "none.json",
        "and 0 were given. Missing: 2 signals, of 2 values. The circuit's .sym ",
    );
    // Names of the list are looked up; no constraint system is needed.
    place.write("table.sym", "1,1,0,main.c\n2,2,0,main.a\n3,3,0,main.b\n");
    told("b.json", "and 1 were given. Missing: a.\n");
    told("none.json", "and 0 were given. Missing: a, b.\n");
    // A list of another circuit names nothing.
    place.write("table.sym", "1,1,0,main.x\n");
    told("b.json", "Missing: 1 signal, of 1 value.");
    // A program tells a count, and its `.dat` the rest: `programs`.
}

#[test]
fn failed_assertions_name_their_signals() {
    let place = Workplace::new();
    place.write("seven.json", r#"{"a": 7, "b": 8135792468}"#);
    let ending = place.end_with(1, "witness mul.wasm seven.json n.wtns");
    assert!(
        ending.stderr.ends_with("template Multiplier_0 line: 3\n"),
        "{}",
        ending.stderr
    );
    place.write(
        "mul.sym",
        "1,1,0,main.c\n2,2,0,main.a[0]\n3,3,0,main.a[1]\n",
    );
    for command in [
        "witness mul.wasm seven.json n.wtns",
        "fullprove seven.json mul.wasm mul.zkey n s",
    ] {
        let ending = place.end_with(1, command);
        let expected = "line: 3. It is in main, with the signals c, a (2 values).\n";
        assert!(ending.stderr.ends_with(expected), "{}", ending.stderr);
        assert!(!ending.stderr.contains("8135792468"), "{}", ending.stderr);
    }
}

#[test]
fn values_at_a_failed_assertion_are_told_on_request_only() {
    let place = Workplace::new();
    place.write("seven.json", r#"{"a": 7, "b": 8135792468}"#);
    let line = "witness mul.wasm seven.json n.wtns --values";
    let ending = place.end_with(1, line);
    assert!(ending.stderr.contains("no value has a name"));
    assert!(!ending.stderr.contains("8135792468"), "{}", ending.stderr);
    place.write(
        "mul.sym",
        "1,1,0,main.c\n2,2,0,main.a\n3,3,0,main.b\n4,1,1,main.d.e\n",
    );
    for command in [line, "fullprove seven.json mul.wasm mul.zkey n s --values"] {
        let ending = place.end_with(1, &format!("{command} --json"));
        let told: Vec<&str> = (ending.stderr.lines())
            .filter_map(|line| line.split_once("value: "))
            .map(|(_, value)| value)
            .collect();
        let c = "main.c = 0, or not computed yet";
        assert_eq!(told, [c, "main.a = 7", "main.b = 8135792468"]);
        assert!(!ending.stdout.contains("8135792468"), "{}", ending.stdout);
    }
    // Inputs that are right have a witness as ever.
    place.end_with(0, "witness mul.wasm input.json n.wtns --values");
    place.end_with(2, "witness mul.wasm lines.jsonl out --batch --values");
}

#[test]
fn values_of_a_failed_constraint_are_told_on_request_only() {
    let place = Workplace::new();
    let mut witness = place.read("mul.wtns");
    let values = witness.len() - 4 * 32;
    witness[values + 32] = 34;
    place.write("wrong.wtns", witness);
    let line = "check mul.r1cs wrong.wtns";
    let names = "constraint 1 of 1 does not hold, of wire 1, wire 2, wire 3\n";
    let ending = place.end_with(1, line);
    assert!(ending.stderr.ends_with(names), "{}", ending.stderr);
    place.write("mul.sym", "1,1,0,main.c\n2,2,0,main.a\n3,3,0,main.b\n");
    let ending = place.end_with(1, &format!("{line} --values"));
    let values = "of main.c = 34, main.a = 3, main.b = 11\n";
    assert!(ending.stderr.ends_with(values), "{}", ending.stderr);
}
