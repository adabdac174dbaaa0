//! `cargo xtask api`: the public interface of the library against the lists in `xtask/api`, a file for each crate that
//! `frumious` re-exports.
//!
//! The items are those of `cargo public-api`, by its library and rustdoc's JSON. That tool itself asks for a nightly
//! compiler, whose texts change from night to night. Here the workspace's own compiler writes the JSON, which takes
//! `RUSTC_BOOTSTRAP`: for rustdoc alone, so that what it reads is shared with other builds.
//!
//! Of an implementation of a trait the list has its line, and not the items, which follow from the trait.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::cargo::cargo;

/// The crates, without `frumious-`, all with their features.
pub const CRATES: [&str; 15] = [
    "bls",
    "circom",
    "curves",
    "fft",
    "field",
    "groth16",
    "limbs",
    "msm",
    "precompiles",
    "r1cs",
    "settings",
    "signatures",
    "snarkjs",
    "verkle",
    "witness",
];

/// Compares, and prints each line that came or went. Ok(false) if there is one. `target` is the folder of builds.
///
/// # Errors
/// Documentation that cannot be built, or a list that cannot be read.
pub fn check(root: &Path, target: &Path) -> Result<bool, String> {
    let mut is_same = true;
    for (name, found) in interfaces(root, target)? {
        let path = list(root, name);
        let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        let listed: BTreeSet<String> = text.lines().map(str::to_string).collect();
        for (mark, line) in changes(&listed, &found) {
            println!("{name}: {mark} {line}");
            is_same = false;
        }
    }
    if !is_same {
        println!("api: if it is meant, run `cargo xtask bless-api` and tell of it in CHANGELOG.md");
    }
    Ok(is_same)
}

/// Writes the lists.
///
/// # Errors
/// As [`check`].
pub fn bless(root: &Path, target: &Path) -> Result<(), String> {
    for (name, found) in interfaces(root, target)? {
        let path = list(root, name);
        let text: String = found.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&path, text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

fn list(root: &Path, name: &str) -> String {
    let path = root.join("xtask/api").join(name);
    format!("{}.txt", path.display())
}

/// Lines that went, with `-`, and lines that came, with `+`.
fn changes<'a>(
    listed: &'a BTreeSet<String>,
    found: &'a BTreeSet<String>,
) -> Vec<(char, &'a String)> {
    let gone = listed.difference(found).map(|line| ('-', line));
    let new = found.difference(listed).map(|line| ('+', line));
    gone.chain(new).collect()
}

/// The lines of each crate.
fn interfaces(root: &Path, target: &Path) -> Result<Vec<(&'static str, BTreeSet<String>)>, String> {
    let mut cargo = cargo();
    cargo.args(["doc", "--quiet", "--locked", "--no-deps", "--all-features"]);
    for name in CRATES {
        cargo.arg("-p").arg(format!("frumious-{name}"));
    }
    cargo
        .env("RUSTDOC", root.join("xtask/rustdoc"))
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format json")
        .current_dir(root);
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("the documentation cannot be built".into());
    }
    let lines = |name: &'static str| {
        let path = target.join(format!("doc/frumious_{name}.json"));
        let api = public_api::Builder::from_rustdoc_json(&path)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build();
        let api = api.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok((name, interface(api.items().map(ToString::to_string))))
    };
    CRATES.into_iter().map(lines).collect()
}

/// The lines of items, but for those in implementations of traits.
fn interface(items: impl Iterator<Item = String>) -> BTreeSet<String> {
    let mut of_trait = None; // the type, after a line `impl Trait for Type`
    let keep = |line: &String| {
        if line.starts_with("impl") {
            of_trait = line.split_once(" for ").map(|(_, of)| path(of).to_string());
            return true;
        }
        let of = of_trait.as_deref();
        !of.is_some_and(|of| {
            line.split(' ')
                .any(|word| word.starts_with(&format!("{of}::")))
        })
    };
    items.filter(keep).collect()
}

/// The path of a type, without references and parameters.
fn path(of: &str) -> &str {
    let of = of.trim_start_matches('&');
    let end = of.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    &of[..end.unwrap_or(of.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[&str]) -> BTreeSet<String> {
        lines.iter().map(|line| line.to_string()).collect()
    }

    #[test]
    fn items_of_traits_are_left_out_and_others_are_not() {
        let items = [
            "pub struct a::T",
            "impl a::T",
            "pub fn a::T::new() -> Self",
            "impl core::ops::Add for a::T",
            "pub type a::T::Output = a::T",
            "pub fn a::T::add(self, a::T) -> a::T",
            "pub fn a::free()",
        ];
        let expected = [items[0], items[1], items[2], items[3], items[6]];
        assert_eq!(
            interface(items.iter().map(ToString::to_string)),
            lines(&expected)
        );
    }

    #[test]
    fn a_line_that_came_and_one_that_went_are_told() {
        let (old, new) = (lines(&["a", "b"]), lines(&["b", "c"]));
        let found = changes(&old, &new);
        assert_eq!(found, [('-', &"a".to_string()), ('+', &"c".to_string())]);
        assert!(changes(&old, &old).is_empty());
    }
}
