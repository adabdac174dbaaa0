//! Promises of docs/library.md and docs/versions.md on panics and errors, held against the text of the sources.

use std::fs;
use std::path::Path;

use super::root;

/// Crates that `frumious` re-exports, and whose public functions are no kernels.
const ABOVE_FIELD: [&str; 12] = [
    "bls",
    "circom",
    "curves",
    "fft",
    "groth16",
    "msm",
    "precompiles",
    "r1cs",
    "signatures",
    "snarkjs",
    "verkle",
    "witness",
];

/// Calls `look` with each source file of these crates.
fn each_source(crates: &[&str], mut look: impl FnMut(&Path, &str)) {
    let mut folders: Vec<_> = crates
        .iter()
        .map(|name| root().join("crates").join(name).join("src"))
        .collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
            match path.is_dir() {
                _ if is_test => {}
                true => folders.push(path),
                false => look(&path, &fs::read_to_string(&path).expect("text")),
            }
        }
    }
}

/// The lines before line `end` that belong to an item: its documentation and attributes.
fn above<'a>(lines: &'a [&str], end: usize) -> &'a [&'a str] {
    let is_of_item = |line: &&&str| {
        let line = line.trim_start();
        ["///", "#[", "reason", ")]"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let count = lines[..end].iter().rev().take_while(is_of_item).count();
    &lines[end - count..end]
}

#[test]
fn functions_that_check_their_arguments_name_the_callers_line() {
    let (mut found, mut missing) = (0, Vec::new());
    each_source(&ABOVE_FIELD, |path, text| {
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let name = line.trim_start();
            let indent = &line[..line.len() - name.len()];
            if !name.starts_with("pub fn ") && !name.starts_with("pub const fn ") {
                continue;
            }
            let item = above(&lines, number);
            let end = format!("{indent}}}");
            let body = lines[number..].iter().take_while(|line| **line != end);
            let checks = ["assert!", "assert_eq!", "assert_ne!", "panic!", ".expect("];
            let mut body = body.filter(|line| !line.contains("debug_assert"));
            let is_checked = body.any(|line| checks.iter().any(|check| line.contains(check)));
            if !item.iter().any(|line| line.contains("# Panics")) || !is_checked {
                continue;
            }
            found += 1;
            if !item.iter().any(|line| line.contains("track_caller")) {
                missing.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    });
    assert!(missing.is_empty(), "no #[track_caller]: {missing:#?}");
    assert!(found > 30, "{found} functions read");
}

#[test]
fn more_variants_of_errors_may_come() {
    let (mut found, mut missing) = (0, Vec::new());
    let crates = [&ABOVE_FIELD[..], &["field", "limbs"]].concat();
    each_source(&crates, |path, text| {
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let Some(name) = line.strip_prefix("pub enum ") else {
                continue;
            };
            let name = name.trim_end_matches([' ', '{']);
            let item = above(&lines, number);
            let has = |word: &str| item.iter().any(|line| line.contains(word));
            let is_error = has("thiserror::Error") || text.contains(&format!("Error for {name} "));
            if !is_error && !name.ends_with("Error") {
                continue;
            }
            found += 1;
            if !has("non_exhaustive") {
                missing.push(format!("{}: {name}", path.display()));
            }
        }
    });
    assert!(missing.is_empty(), "no #[non_exhaustive]: {missing:#?}");
    assert!(found > 10, "{found} errors read");
}
