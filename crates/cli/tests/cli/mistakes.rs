//! The table of `docs/mistakes.md`: each of its commands is run, and must say what the table says.
//!
//! `FRUMIOUS_BLESS=1` writes what they say into the table instead.

use std::fs;
use std::path::PathBuf;

use super::kinds::write_every_kind;
use super::support::{Ending, Workplace};

/// One line of the table.
struct Mistake {
    command: String,
    before: String,
    now: String,
    code: String,
}

#[test]
fn each_mistake_is_answered_as_the_table_says() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/mistakes.md");
    let document = fs::read_to_string(&path).expect("the table is there");
    let place = Workplace::new();
    write_every_kind(&place);
    write_what_is_wrong(&place);
    let there = place.names();
    let mut blessed = String::new();
    let mut differences = Vec::new();
    let mut number = 0;
    for line in document.lines() {
        let Some(mistake) = Mistake::parse(line) else {
            blessed += &format!("{line}\n");
            continue;
        };
        number += 1;
        let ending = run(&place, &mistake.command);
        for name in place.names().iter().filter(|name| !there.contains(name)) {
            fs::remove_file(place.path(name)).expect("it can be removed");
        }
        let (now, code) = (
            words(&ending),
            ending.code.map_or("killed".into(), |code| code.to_string()),
        );
        let is_as_before = without_sizes(&now) == without_sizes(&mistake.now);
        let Mistake {
            command, before, ..
        } = &mistake;
        let shown = if is_as_before { &mistake.now } else { &now };
        blessed += &format!("| `{command}` | {before} | {shown} | {code} |\n");
        if !is_as_before || code != mistake.code {
            differences.push(format!(
                "{command}\n  said: {now} ({code})\n  in the table: {} ({})",
                mistake.now, mistake.code
            ));
        }
    }
    if std::env::var_os("FRUMIOUS_BLESS").is_some() {
        fs::write(&path, blessed).expect("it can be written");
        return;
    }
    assert!(number >= 100, "{number} mistakes");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Runs a line as a shell would, as far as the table needs it: `< FILE`, and `NAME=VALUE` before the program.
fn run(place: &Workplace, line: &str) -> Ending {
    let (line, stdin) = match line.split_once(" < ") {
        Some((line, name)) => (line, Some(place.path(name))),
        None => (line, None),
    };
    let (variables, arguments) = line.split_once("frumious").expect("the program is named");
    let variables: Vec<(&str, &str)> = variables
        .split_whitespace()
        .map(|word| word.split_once('=').expect("a variable"))
        .collect();
    place.run_from(arguments, &variables, stdin.as_deref())
}

/// The words about the mistake: the error, or the warning if it is none.
fn words(ending: &Ending) -> String {
    let text = ending.stderr.split("Usage:").next().unwrap_or_default();
    let text = text
        .split("For more information")
        .next()
        .unwrap_or_default();
    let after = |word: &str| text.split_once(word).map(|(_, after)| after);
    let said = match (after("error: "), after("warning: ")) {
        (Some(error), _) => error,
        (None, Some(warning)) => warning.lines().next().unwrap_or_default(),
        (None, None) => text.lines().next().unwrap_or_default(),
    };
    let words: Vec<&str> = said.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

/// Words without figures of memory (`2953K`, `5.48 MB`): how much a proof takes depends on the backend.
fn without_sizes(words: &str) -> String {
    const UNITS: [&str; 8] = ["B", "kB", "MB", "GB", "K", "M", "G", "T"];
    let mut kept: Vec<&str> = Vec::new();
    for word in words.split(' ') {
        let word = word.trim_end_matches(['.', ',']);
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let is_unit = UNITS.contains(&unit);
        match kept.last() {
            Some(last) if unit == word && is_unit && last.parse::<f64>().is_ok() => kept.pop(),
            _ => None,
        };
        kept.push(if is_unit { "SIZE" } else { word });
    }
    kept.join(" ")
}

impl Mistake {
    /// A line with a command in its first column.
    fn parse(line: &str) -> Option<Self> {
        let line = line.strip_prefix("| `")?.strip_suffix(" |")?;
        let (command, rest) = line.split_once("` | ")?;
        let (rest, code) = rest.rsplit_once(" | ")?;
        let (before, now) = rest.split_once(" | ").unwrap_or((rest, ""));
        Some(Self {
            command: command.into(),
            before: before.into(),
            now: now.into(),
            code: code.into(),
        })
    }
}

/// Files that are of the right kind and yet wrong.
fn write_what_is_wrong(place: &Workplace) {
    let mut witness = place.read("mul.wtns");
    let last = witness.len() - 32;
    witness[last] ^= 1; // b is another, c is not a*b
    place.write("wrong.wtns", &witness);
    place.write("cut.wtns", &witness[..100]);
    let key = place.read("mul.zkey");
    place.write("cut.zkey", &key[..key.len() - 50]);
    // The last point of section 9, H, ends where section 10 begins.
    let mut corrupt = key.clone();
    let end = corrupt.len() - 464 - 12;
    corrupt[end - 64] ^= 1;
    place.write("corrupt.zkey", corrupt);
    place.write("version.zkey", [b"zkey\x02\0\0\0", &key[8..]].concat());
    place.write("other.json", "[\"34\"]");
    place.write("two.json", "[\"33\", \"33\"]");
    place.write("large.json", format!("[\"{}\"]", "9".repeat(80)));
    place.write("broken.json", "{\"a\": 3,");
    place.write("missing.json", r#"{"a": 3}"#);
    place.write("unknown.json", r#"{"a": 3, "b": 11, "d": 33}"#);
    place.write("shape.json", r#"{"a": [3, 4], "b": 11}"#);
    place.write("words.json", r#"{"a": "three", "b": 11}"#);
    place.write("fraction.json", r#"{"a": 1.5, "b": 11}"#);
    place.write("twice.json", r#"{"a": 3, "b": 11, "a": 4}"#);
    place.write(
        "above.json",
        r#"{"a": "21888242871839275222246405745257275088548364400416034343698204186575808495620", "b": 11}"#,
    );
    place.write("refused.json", r#"{"a": 7, "b": 1}"#);
    place.write("short.seed", "short");
    let proof = String::from_utf8(place.read("proof.json")).expect("it is text");
    place.write(
        "offcurve.json",
        proof.replacen("\"pi_a\": [\n  \"", "\"pi_a\": [\n  \"1", 1),
    );
    place.write("cut.ptau", &place.read("pot2.ptau")[..500]);
    place.write("raw.ptau", without_sections(&place.read("pot2.ptau"), 12..));
    place.copy_fixture("mul.fkey", "corrupt.fkey");
    let mut container = place.read("corrupt.fkey");
    let middle = container.len() / 2;
    container[middle] ^= 1;
    place.write("corrupt.fkey", container);
    let module = |text: &str| wat::parse_str(text).expect("the text is right");
    place.write("other.wasm", module("(module (func (export \"main\")))"));
    place.write(
        "circom1.wasm",
        module("(module (import \"runtime\" \"logSetSignal\" (func (param i32 i32))) (func (export \"getNVars\") (result i32) i32.const 4) (func (export \"getWitnessBuffer\") (result i32) i32.const 0))"),
    );
    place.succeed("setup mul.r1cs pot2.ptau unfinished.zkey");
    place.succeed("export vkey --allow-uncontributed unfinished.zkey unfinished.vkey.json");
    place.write_squarings("squares", 20);
    place.write_empty_circuit("nothing");
    let mut read_only = fs::metadata(place.path("mul.zkey"))
        .expect("it is there")
        .permissions();
    read_only.set_readonly(true);
    for name in ["kept.json", "kept.zkey"] {
        place.write(
            name,
            place.read(match name {
                "kept.json" => "proof.json",
                _ => "contributed.zkey",
            }),
        );
        fs::set_permissions(place.path(name), read_only.clone()).expect("it is ours");
    }
}

/// A binary file without the sections of these types. Source: the frame of snarkjs' binary files, `binfileutils`.
fn without_sections(file: &[u8], left_out: std::ops::RangeFrom<u32>) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    let (mut kept, mut number, mut at) = (Vec::new(), 0u32, 12);
    while at < file.len() {
        let length = u64::from_le_bytes(file[at + 4..at + 12].try_into().expect("eight bytes"));
        let end = at + 12 + usize::try_from(length).expect("it is in memory");
        if !left_out.contains(&word(at)) {
            kept.extend_from_slice(&file[at..end]);
            number += 1;
        }
        at = end;
    }
    [&file[..8], &number.to_le_bytes(), &kept].concat()
}
