//! The arrow table of ARCHITECTURE.md is the truth about which crate depends on which.

mod circles;
mod promises;
mod unsafe_code;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Arrows = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows below the heading "Arrow table".
fn documented() -> Arrows {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let table = text.split("### Arrow table").nth(1).expect("the heading");
    table
        .lines()
        .skip_while(|line| !line.starts_with("|---"))
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let name = cells.next().expect("a crate").to_owned();
            let below = cells
                .next()
                .unwrap_or("")
                .split(", ")
                .filter(|name| !name.is_empty())
                .map(str::to_owned);
            (name, below.collect())
        })
        .collect()
}

/// Our own crates among the entries of a section of a manifest.
fn dependencies(manifest: &str, section: &str) -> BTreeSet<String> {
    manifest
        .lines()
        .skip_while(|line| *line != section)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter_map(|name| name.strip_prefix("frumious-"))
        .map(str::to_owned)
        .collect()
}

/// Folder name, dependencies and development dependencies of every crate.
fn actual() -> Vec<(String, BTreeSet<String>, BTreeSet<String>)> {
    let crates = fs::read_dir(root().join("crates")).expect("crates/");
    crates
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let manifest = fs::read_to_string(path.join("Cargo.toml")).expect("a manifest");
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (
                name,
                dependencies(&manifest, "[dependencies]"),
                dependencies(&manifest, "[dev-dependencies]"),
            )
        })
        .collect()
}

#[test]
fn every_crate_stands_in_the_table_and_keeps_to_it() {
    let documented = documented();
    let actual = actual();
    assert_eq!(
        actual
            .iter()
            .map(|(name, ..)| name)
            .collect::<BTreeSet<_>>(),
        documented.keys().collect(),
        "crates in crates/ against crates in the table"
    );
    for (name, below, _) in &actual {
        let excess: Vec<_> = below.difference(&documented[name]).collect();
        assert!(
            excess.is_empty(),
            "{name} depends on {excess:?}, which the table does not allow"
        );
    }
}

#[test]
fn arrows_make_no_circle() {
    let documented = documented();
    let mut settled: BTreeSet<&String> = BTreeSet::new();
    while settled.len() < documented.len() {
        let next: Vec<_> = documented
            .iter()
            .filter(|(name, below)| {
                !settled.contains(name) && below.iter().all(|crate_| settled.contains(crate_))
            })
            .map(|(name, _)| name)
            .collect();
        assert!(
            !next.is_empty(),
            "these crates depend on each other: {:?}",
            documented.keys().collect::<Vec<_>>()
        );
        settled.extend(next);
    }
}

#[test]
fn the_table_is_read_at_all() {
    let documented = documented();
    assert!(documented["groth16"].contains("msm"));
    assert!(documented["simd"].is_empty());
}
