//! Command lines of snarkjs, translated.

#![allow(clippy::unwrap_used)]

use super::*;

fn line(text: &str) -> Vec<OsString> {
    text.split_whitespace().map(OsString::from).collect()
}

#[test]
fn it_is_known_by_its_name() {
    for (given, expected) in [
        ("frumious snarkjs wc a", Some("wc a")),
        ("/usr/bin/snarkjs wc a", Some("wc a")),
        ("snarkjs", Some("")),
        ("frumious prove", None),
        ("frumious prove snarkjs", None),
        ("frumious", None),
    ] {
        let found = words(line(given).into_iter());
        assert_eq!(found, expected.map(line), "{given}");
    }
}

/// Each command with as many files as it takes is a command line of ours.
#[test]
fn every_command_is_one_of_ours() {
    Arguments::command().debug_assert();
    for known in COMMANDS {
        for name in known.names() {
            let files = known.files.iter().map(File::example);
            let files: Vec<&str> = files.collect();
            let given = format!("{name} {}", files.join(" "));
            match (translated(line(&given)), known.ours) {
                (Ok(Translated::Command { known: found, .. }), Ours::Words(_)) => {
                    assert_eq!(found.words, known.words, "{given}");
                }
                (Err((FAILED, _)), Ours::Missing(_)) => {}
                (Err((code, message)), _) => panic!("{given}: {code}, {message}"),
                _ => panic!("{given}"),
            }
            let one_more = format!("{given} one more");
            let needed = matches!(known.ours, Ours::Words(_));
            let refused = translated(line(&one_more)).err().unwrap();
            assert_eq!(refused.0 == NO_COMMAND, needed, "{one_more}");
        }
    }
}

#[test]
fn names_that_are_left_out_are_those_of_snarkjs() {
    let run = |text: &str| match translated(line(text)) {
        Ok(Translated::Command { arguments, .. }) => *arguments,
        _ => panic!("{text}"),
    };
    let crate::arguments::Command::Setup(setup) = run("g16s --force").command else {
        panic!("a setup");
    };
    let (powers, key) = setup.powers_and_key().unwrap();
    assert_eq!(powers, Some(Path::new("powersoftau.ptau")));
    assert_eq!(key, Path::new("circuit_0000.zkey"));
    assert!(run("g16s --force").global.force);
    let files = |text: &str| {
        let plain = Words::of(line(text)).plain;
        let (known, given) = find(&plain).unwrap();
        known.with_defaults(given).unwrap()
    };
    assert_eq!(files("g16f")[1], "circuit.wasm");
    for (text, list) in [
        ("rp", "circuit.sym"),
        ("rp of/mul.r1cs", "of/mul.sym"),
        ("wd", "circuit.sym"),
        ("wd mul.wasm in.json", "mul.sym"),
    ] {
        assert_eq!(files(text).last().unwrap(), list, "{text}");
    }
}

#[test]
fn words_are_taken_as_snarkjs_takes_them() {
    for (text, words, not_known) in [
        ("groth16 fullProve", "groth16 fullprove", ""),
        ("G16V", "groth16 verify", ""),
        (
            "powersOfTau Import Response a b c -nopoints --nocheck -n=me",
            "powersoftau import response",
            "",
        ),
        ("g16v --speed=3 -x", "groth16 verify", "--speed=3 -x"),
        ("g16v --version", "groth16 verify", "--version"),
        // Of other commands; snarkjs takes no notice.
        ("g16v -n=me -e=secret", "groth16 verify", "--name --entropy"),
        ("ptv a --name", "powersoftau verify", "--name"),
        ("zkc a b -n=me -e=x", "zkey contribute", ""),
        (
            "fi Cargo.toml --allow-uncontributed",
            "file info",
            "--allow-uncontributed",
        ),
        ("g16v --allow-uncontributed", "groth16 verify", ""),
        (
            "zkvi --allow-uncontributed",
            "zkey verify init",
            "--allow-uncontributed",
        ),
    ] {
        match translated(line(text)) {
            Ok(Translated::Command { known, ignored, .. }) => {
                assert_eq!(known.words, words, "{text}");
                assert_eq!(ignored.join(" "), not_known, "{text}");
            }
            Ok(_) => panic!("{text}"),
            Err((code, message)) => panic!("{text}: {code}, {message}"),
        }
    }
    assert!(matches!(
        translated(line("--version")),
        Ok(Translated::Version)
    ));
    assert!(list().starts_with("snarkjs@0.7.6\n"));
}

/// The options of snarkjs 0.7.6 for each of these, by its source.
#[test]
fn options_of_a_command_are_taken_by_ours() {
    for (words, options) in [
        ("powersoftau contribute", &["name", "entropy"][..]),
        ("powersoftau challenge contribute", &["entropy"]),
        ("powersoftau import response", &["name"]),
        ("powersoftau beacon", &["name"]),
        ("zkey contribute", &["name", "entropy"]),
        ("zkey bellman contribute", &["entropy"]),
        ("zkey import bellman", &["name"]),
        ("zkey beacon", &["name"]),
    ] {
        let known = COMMANDS.iter().find(|known| known.words == words).unwrap();
        let Ours::Words(ours) = known.ours else {
            panic!("{words}");
        };
        assert!(options.iter().all(|option| takes(ours, option)), "{words}");
    }
}

#[test]
fn what_is_no_command_is_refused() {
    for (text, expected) in [
        ("", NO_COMMAND),
        ("nonsense", NO_COMMAND),
        ("groth16", NO_COMMAND),
        ("ptn bn128", NO_COMMAND),
        ("ptn secp256k1 3", NO_COMMAND),
        ("g16v a b c d", NO_COMMAND),
        ("nonsense --version", NO_COMMAND),
        ("g16v --threads", NO_COMMAND),
        ("g16v --threads x", NO_COMMAND),
        ("plonk prove", FAILED),
        ("ffs", FAILED),
    ] {
        assert_eq!(translated(line(text)).err().unwrap().0, expected, "{text}");
    }
    for text in ["--help", "g16v --help", "plonk prove -h"] {
        assert!(matches!(translated(line(text)), Ok(Translated::Help(_))));
    }
}

/// The document has a row for each command: the same as snarkjs's, better, or the reason for which there is none.
#[test]
fn the_document_has_every_command() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/snarkjs.md");
    let document = std::fs::read_to_string(path).unwrap();
    for known in COMMANDS {
        let short: Vec<String> = known.short.iter().map(|it| format!("`{it}`")).collect();
        let ours = match known.ours {
            Ours::Words(ours) => format!("`{ours}`"),
            Ours::Missing(_) => "none".into(),
        };
        let row = format!("| `{}` | {} | {ours} |", known.words, short.join(", "));
        let line = document.lines().find(|line| line.starts_with(&row));
        let verdict = line.map(|line| line[row.len()..].trim_start());
        let verdict = verdict.unwrap_or_else(|| panic!("no row {row}"));
        let words: &[&str] = match known.ours {
            Ours::Words(_) => &["same", "better: "],
            Ours::Missing(_) => &["none: "],
        };
        let is_told = words.iter().any(|word| verdict.starts_with(word));
        assert!(is_told && verdict.ends_with(" |"), "{row} {verdict}");
    }
}
