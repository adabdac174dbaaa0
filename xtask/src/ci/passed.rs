//! Checks that CI does not do again while nothing that they depend on has changed.
//!
//! Each compiles for minutes, and its code seldom changes. Whoever changes it runs the step outside CI and commits
//! `xtask/passed.txt`, in which the step notes the inputs that it passed for. Otherwise CI does all of the work.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::Place;
use super::place::Task;
use frumious_limbs::Backend;

/// The inputs of a check.
pub(super) struct Inputs {
    /// Its name in the file.
    pub(super) name: &'static str,
    /// Packages of the workspace, with all of the workspace that they are built from.
    pub(super) packages: &'static [&'static str],
    /// Files and folders.
    pub(super) files: &'static [&'static str],
    /// If it depends on the compiler and on this CPU.
    pub(super) is_of_machine: bool,
}

/// Does `check`, but in CI only if it has not passed for these inputs. Outside CI, writes down that it passed.
pub(super) fn unless_passed(
    place: &Place,
    inputs: &Inputs,
    check: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    let name = inputs.name;
    let record = record(place);
    let wrong = |error| format!("{}: {error}", record.display());
    let read = || fs::read_to_string(&record).map_err(wrong);
    let now = fingerprint(place, inputs)?;
    let is_ci = env::var_os("CI").is_some();
    if is_ci && passed(&read()?).get(name) == Some(&&*now) {
        println!("{name} has passed for these inputs before: {FILE}");
        return Ok(());
    }
    check()?;
    if is_ci {
        return Ok(());
    }
    let text = read()?; // anew: other steps may have written
    let mut lines = passed(&text);
    lines.insert(name, &now);
    let lines: String = lines
        .iter()
        .map(|(name, hash)| format!("{name} {hash}\n"))
        .collect();
    fs::write(&record, lines).map_err(wrong)
}

/// The lines of the record: name and fingerprint.
fn passed(text: &str) -> BTreeMap<&str, &str> {
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .collect()
}

/// One hash of all inputs, as they are in the working tree.
fn fingerprint(place: &Place, inputs: &Inputs) -> Result<String, String> {
    let mut paths = inputs
        .files
        .iter()
        .map(|file| (*file).to_owned())
        .collect::<Vec<_>>();
    if !inputs.packages.is_empty() {
        paths.extend(["Cargo.lock", "Cargo.toml"].map(str::to_owned));
        paths.extend(folders(place, inputs.packages)?);
    }
    let mut listed = git("ls-files");
    listed.arg("--").args(&paths);
    let files = place.output(Task(listed))?;
    if files.is_empty() {
        return Err(format!("{}: no files of {paths:?}", inputs.name));
    }
    let mut hashes = git("hash-object");
    hashes.args(files.lines());
    let hashes = place.output(Task(hashes))?;
    let mut all: String = (hashes.lines().zip(files.lines()))
        .map(|(hash, file)| format!("{hash} {file}\n"))
        .collect();
    if inputs.is_of_machine {
        let mut version = Command::new("rustc");
        version.arg("--version");
        all += &place.output(Task(version))?;
        for backend in Backend::ALL
            .into_iter()
            .filter(|backend| backend.is_supported())
        {
            all += backend.name();
        }
    }
    // git hashes files.
    let listed = place.target.join(format!("inputs-of-{}.txt", inputs.name));
    fs::write(&listed, all).map_err(|error| format!("{}: {error}", listed.display()))?;
    let mut hash = git("hash-object");
    hash.arg(&listed);
    Ok(place.output(Task(hash))?.trim().to_owned())
}

/// The folders of packages, and of what they are built from, in the workspace.
fn folders(place: &Place, packages: &[&str]) -> Result<Vec<String>, String> {
    let mut folders = Vec::new();
    for package in packages {
        let tree = "tree --locked --edges normal,build,dev --prefix none --format {p} --package";
        let tree = place.output(place.cargo(tree).with(package))?;
        folders.extend(tree.lines().filter_map(|line| in_workspace(line, place)));
    }
    folders.sort();
    folders.dedup();
    Ok(folders)
}

/// The folder of a line `NAME VERSION (PATH)`, if it is in the workspace.
fn in_workspace(line: &str, place: &Place) -> Option<String> {
    let path = line.split_once('(')?.1.split_once(')')?.0;
    let root = place.root.canonicalize().ok()?;
    let folder = PathBuf::from(path).strip_prefix(root).ok()?.to_owned();
    folder.to_str().map(str::to_owned)
}

fn git(command: &str) -> Command {
    let mut git = Command::new("git");
    git.arg(command);
    git
}

fn record(place: &Place) -> PathBuf {
    place.path(FILE)
}

const FILE: &str = "xtask/passed.txt";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn of(packages: &'static [&'static str], files: &'static [&'static str]) -> String {
        let inputs = Inputs {
            name: "test",
            packages,
            files,
            is_of_machine: true,
        };
        fingerprint(&Place::find(), &inputs).unwrap()
    }

    #[test]
    fn a_package_is_what_it_is_built_from() {
        let folders = folders(&Place::find(), &["frumious-curves"]).unwrap();
        for folder in [
            "crates/curves",
            "crates/field",
            "crates/limbs",
            "crates/simd",
            "crates/testing",
        ] {
            assert!(
                folders.iter().any(|found| found == folder),
                "{folder}: {folders:?}"
            );
        }
        assert!(
            !folders.iter().any(|found| found == "crates/msm"),
            "{folders:?}"
        );
    }

    #[test]
    fn other_inputs_have_another_fingerprint() {
        let limbs = of(&["frumious-limbs"], &[]);
        assert_eq!(limbs, of(&["frumious-limbs"], &[]));
        assert_ne!(limbs, of(&["frumious-field"], &[]));
        assert_ne!(limbs, of(&["frumious-limbs"], &[".ci/memory"]));
    }
}
