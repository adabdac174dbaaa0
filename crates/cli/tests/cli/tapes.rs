//! Witnesses and the cache of recorded runs, for a module whose routines are not known: it runs each time, and so
//! nothing is kept. `interop/` has modules that circom wrote, whose runs are recorded.

use serde_json::Value;

use super::support::Workplace;

fn fields(place: &Workplace, line: &str) -> Value {
    let ending = place.run(&format!("{line} --json"));
    serde_json::from_str(&ending.stdout).expect("it is JSON")
}

#[test]
fn a_result_says_which_way_it_was_come_by() {
    let place = Workplace::new();
    for line in [
        "witness mul.wasm input.json n.wtns",
        "witness mul.wasm input.json n.wtns --no-cache",
        "witness mul.wasm input.json n.wtns --cache tapes",
        "witness --prepare mul.wasm input.json --cache tapes",
        "witness --prepare mul.wasm --cache tapes",
    ] {
        let fields = fields(&place, line);
        assert_eq!(fields["way"], "ran", "{line}: {fields}");
        assert_eq!(fields["tapes"], 0, "{line}: {fields}");
    }
    let proved = fields(
        &place,
        "fullprove input.json mul.wasm mul.zkey p.json s.json",
    );
    assert_eq!(proved["witness"]["way"], "ran", "{proved}");
}

/// It needs no inputs, and looks for none.
#[test]
fn a_module_that_is_not_known_is_not_prepared() {
    let place = Workplace::new();
    let ending = place.run("witness --prepare mul.wasm --cache tapes");
    assert_eq!(ending.code, Some(0), "{}", ending.stderr);
    let said = "No run can be recorded without inputs: give INPUT";
    assert!(ending.stdout.contains(said), "{}", ending.stdout);
    // A module that never ends does so in its time, and one that is none is told as ever.
    let endless =
        include_str!("../data/multiplier.wat").replace("(func $run", "(func $run (loop (br 0))");
    place.write("endless.wasm", wat::parse_str(endless).expect("a module"));
    place.run("witness --prepare endless.wasm --cache tapes --wasm-time 1");
    let ending = place.end_with(2, "witness --prepare input.json --cache tapes");
    assert!(ending.stderr.contains("input.json"), "{}", ending.stderr);
    let ending = place.end_with(2, "witness --prepare nowhere.wasm --cache tapes");
    assert!(ending.stderr.contains("nowhere.wasm"), "{}", ending.stderr);
}

/// The graph of a multiplier, as circom-witnesscalc writes it.
const GRAPH: &[u8] = include_bytes!("../../../witness/tests/data/graphs/multiplier.wtns1");

/// More lines than run side by side, one of which no tape applies to.
#[test]
fn lines_side_by_side_give_the_witnesses_of_each_alone() {
    let place = Workplace::new();
    let line = |a: usize| match a {
        13 => "{\"a\": 13}".to_owned(),
        a => format!("{{\"a\": {a}, \"b\": {}}}", a * a + 1),
    };
    let lines: Vec<String> = (1..=20).map(line).collect();
    place.write("inputs.jsonl", lines.join("\n"));
    std::fs::create_dir(place.path("out")).expect("it can be made");
    place.write("mul.graph", GRAPH);
    place.succeed("witness mul.graph input.json recorded.wtns"); // all lines but one are replayed
    let ending = place.end_with(1, "witness --json --batch mul.graph inputs.jsonl out");
    assert!(ending.stderr.contains("line 13"), "{}", ending.stderr);
    let told = ending.json();
    assert_eq!(
        (&told["code"], &told["lines"]),
        (&"rejected".into(), &[13].into())
    );
    let said = "19 witnesses written to out, 19 of them from tapes";
    assert!(ending.stderr.contains(said), "{}", ending.stderr);
    let files = std::fs::read_dir(place.path("out")).expect("it is there");
    assert_eq!(files.count(), 19, "no file is left of the line that failed");
    for (index, line) in lines.iter().enumerate().filter(|(index, _)| *index != 12) {
        place.write("line.json", line);
        place.succeed("witness --no-cache mul.graph line.json line.wtns --force");
        let name = format!("out/{}.wtns", index + 1);
        assert_eq!(place.read(&name), place.read("line.wtns"), "{name}");
    }
}

#[test]
fn a_graph_is_prepared_without_inputs() {
    let place = Workplace::new();
    place.write("mul.graph", GRAPH);
    for way in ["recorded", "replayed"] {
        let fields = fields(&place, "witness --prepare mul.graph --cache tapes");
        assert_eq!(fields["way"], way, "{fields}");
        assert_eq!(fields["tapes"], 1, "{fields}");
    }
    let fields = fields(&place, "witness mul.graph input.json n.wtns --cache tapes");
    assert_eq!(fields["way"], "replayed", "{fields}");
}

/// A limit on the length of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_preparation_that_cannot_be_kept_fails() {
    let place = Workplace::new();
    place.write("mul.graph", GRAPH);
    place.succeed("witness --prepare mul.wasm --cache tapes"); // the cache has its key
    let command = env!("CARGO_BIN_EXE_frumious");
    let line = format!("ulimit -f 0; exec {command} witness --prepare mul.graph --cache tapes");
    let ended = std::process::Command::new("sh")
        .args(["-c", &format!("trap '' XFSZ; {line}")])
        .current_dir(place.path("."))
        .output()
        .expect("it starts");
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(told.contains("tapes: the tape was not kept"), "{told}");
    assert!(matches!(ended.status.code(), Some(2 | 3)), "{ended:?}");
    assert_eq!(
        fields(&place, "witness --prepare mul.graph --cache tapes")["way"],
        "recorded"
    );
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_may_enter_is_not_used() {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, symlink};
    let place = Workplace::new();
    let line = "witness mul.wasm input.json n.wtns --cache";
    let ending = place.run(&format!("{line} private"));
    assert_eq!(
        (ending.code, ending.stderr.contains("cache")),
        (Some(0), false)
    );
    let mode = std::fs::metadata(place.path("private"))
        .expect("it was made")
        .mode();
    assert_eq!(mode & 0o777, 0o700);
    std::fs::DirBuilder::new()
        .mode(0o755)
        .create(place.path("open"))
        .expect("it can be made");
    symlink("private", place.path("link")).expect("it can be made");
    place.write("file", "no folder");
    for folder in ["open", "link", "file"] {
        let ending = place.run(&format!("{line} {folder}"));
        assert_eq!(ending.code, Some(0), "{folder}: {}", ending.stderr);
        assert!(
            ending.stderr.contains("cannot be a cache"),
            "{folder}: {}",
            ending.stderr
        );
    }
}

#[test]
fn a_batch_gives_a_witness_for_each_good_line() {
    let place = Workplace::new();
    place.write(
        "inputs.jsonl",
        "{\"a\": 3, \"b\": 11}\n\n{\"a\": 3}\nno JSON\n{\"b\": \"5\", \"a\": \"0x2\"}",
    );
    std::fs::create_dir(place.path("out")).expect("it can be made");
    let ending = place.run("witness --batch mul.wasm inputs.jsonl out");
    assert_eq!(ending.code, Some(1), "{}", ending.stderr);
    assert!(
        ending
            .stderr
            .contains("2 of 4 lines gave no witness; line 3"),
        "{}",
        ending.stderr
    );
    // Noticed before any module runs.
    let endless =
        include_str!("../data/multiplier.wat").replace("(func $run", "(func $run (loop (br 0))");
    place.write("endless.wasm", wat::parse_str(endless).expect("a module"));
    let ending = place.end_with(
        2,
        "witness --wasm-time 1 --batch endless.wasm inputs.jsonl nowhere",
    );
    assert!(
        ending.stderr.contains("There is no folder nowhere"),
        "{}",
        ending.stderr
    );
    place.run("witness mul.wasm input.json one.wtns");
    assert_eq!(place.read("out/1.wtns"), place.read("one.wtns"));
    assert!(place.path("out/5.wtns").exists());
    assert!(!place.path("out/3.wtns").exists() && !place.path("out/4.wtns").exists());
}

#[test]
fn a_witness_is_checked_against_a_circuit() {
    let place = Workplace::new();
    let line = "witness mul.wasm input.json n.wtns --check";
    let ending = place.run(&format!("{line} mul.r1cs"));
    assert_eq!(ending.code, Some(0), "{}", ending.stderr);

    // -a·b = -c with the first sign changed.
    let mut circuit = place.read("mul.r1cs");
    let minus_one = &[
        0, 0, 0, 0xf0, 0x93, 0xf5, 0xe1, 0x43, 0x91, 0x70, 0xb9, 0x79, 0x48, 0xe8, 0x33, 0x28,
        0x5d, 0x58, 0x81, 0x81, 0xb6, 0x45, 0x50, 0xb8, 0x29, 0xa0, 0x31, 0xe1, 0x72, 0x4e, 0x64,
        0x30,
    ];
    let found = circuit.windows(32).position(|window| window == minus_one);
    let at = found.expect("circom writes a minus");
    circuit[at..at + 32].fill(0);
    circuit[at] = 1;
    place.write("other.r1cs", circuit);
    std::fs::remove_file(place.path("n.wtns")).expect("it was written");
    let ending = place.run(&format!("{line} other.r1cs"));
    assert_eq!(ending.code, Some(1), "{}", ending.stderr);
    let expected = "constraint 1 of 1 does not hold, of wire 1, wire 2, wire 3";
    assert!(ending.stderr.contains(expected), "{}", ending.stderr);
    assert!(!place.path("n.wtns").exists());
    place.write(
        "other.sym",
        "1,1,0,main.c\n2,2,0,main.a\n3,3,0,main.b\x1b\n",
    );
    let ending = place.run(&format!("{line} other.r1cs"));
    let expected = "of main.c, main.a, main.b\u{fffd}";
    assert!(ending.stderr.contains(expected), "{}", ending.stderr);
}

#[test]
fn the_ways_to_a_witness_are_measured() {
    let place = Workplace::new();
    let measured = fields(
        &place,
        "bench witness mul.wasm input.json --rounds 1 --svg ways.svg",
    );
    assert_eq!(
        measured["ways"][0]["way"], "the module as it is",
        "{measured}"
    );
    assert!(place.read("ways.svg").starts_with(b"<svg"));
}
