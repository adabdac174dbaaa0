//! Licences of what others wrote and what is linked in: their notices go with every copy, as they ask.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{about, output};

/// The file's name in every package.
pub const FILE: &str = "THIRD-PARTY-LICENSES";

/// The notices of the crates that a package of the workspace links: each text once, with the names of its crates. The
/// target is one of Rust's, such as `x86_64-unknown-linux-gnu`.
///
/// # Errors
/// Cargo's lists or a crate's files cannot be read.
pub fn notices(root: &Path, target: &str, package: &str) -> Result<String, String> {
    let linked: BTreeSet<_> = linked(root, target, package)?
        .into_iter()
        .map(|(name, version, _)| (name, version))
        .collect();
    let (mut list, mut texts) = (String::new(), BTreeMap::<String, Vec<String>>::new());
    for krate in crates(root, target)? {
        let word = |name: &str| krate[name].as_str().unwrap_or_default();
        let (name, version) = (word("name"), word("version"));
        if krate["source"].is_null() || !linked.contains(&(name.to_owned(), version.to_owned())) {
            continue; // our own, or not linked
        }
        list += &format!("{name} {version}: {}\n", word("license"));
        let folder = Path::new(word("manifest_path")).parent();
        let found = files(folder.ok_or("cargo metadata: no folder")?)?;
        if found.is_empty() {
            let authors = krate["authors"].as_array().into_iter().flatten();
            let authors: Vec<_> = authors.filter_map(Value::as_str).collect();
            list += &format!("    by {}; it comes without a text\n", authors.join(", "));
        }
        for text in found {
            let owners = texts.entry(text).or_default();
            owners.push(format!("{name} {version}"));
        }
    }
    let mut notices = format!("{HEAD}\n{list}");
    for (text, owners) in &texts {
        notices += &format!("\n{RULE}\n{}\n{RULE}\n\n{text}\n", owners.join(", "));
    }
    Ok(notices)
}

/// `(name, version, licence)` of the crates that a package links for a target, its own among them, each once and in
/// order.
///
/// # Errors
/// Cargo's list cannot be read.
pub fn linked(
    root: &Path,
    target: &str,
    package: &str,
) -> Result<Vec<(String, String, String)>, String> {
    let tree = output(Command::new("cargo").current_dir(root).args([
        "tree",
        "--locked",
        "--package",
        package,
        "--edges=normal",
        "--prefix=none",
        "--format={p}|{l}",
        "--target",
        target,
    ]))?;
    let mut lines: Vec<&str> = tree
        .lines()
        .filter(|line| !line.ends_with(" (*)"))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let parts = lines.into_iter().map(|line| {
        let (package, licence) = line.split_once('|').ok_or("cargo tree: no licence")?;
        let mut words = package.split(' ').map(str::to_owned);
        let (name, version) = (words.next(), words.next());
        let version = version.unwrap_or_default();
        let version = version.trim_start_matches('v').to_owned();
        Ok((name.unwrap_or_default(), version, licence.to_owned()))
    });
    parts.collect()
}

/// Every crate of the lock file for the target, by name and version.
fn crates(root: &Path, target: &str) -> Result<Vec<Value>, String> {
    let text = output(Command::new("cargo").current_dir(root).args([
        "metadata",
        "--locked",
        "--format-version=1",
        "--filter-platform",
        target,
    ]))?;
    let all: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut crates = all["packages"].as_array().cloned().unwrap_or_default();
    let key = |krate: &Value| [&krate["name"], &krate["version"]].map(Value::to_string);
    crates.sort_by_key(key);
    Ok(crates)
}

/// The texts of licences and notices in a crate's folder.
fn files(folder: &Path) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).map_err(about(folder))? {
        let path = entry.map_err(about(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_uppercase();
        if path.is_file() && STARTS.iter().any(|start| name.starts_with(start)) {
            let bytes = fs::read(&path).map_err(about(&path))?;
            let text = String::from_utf8_lossy(&bytes).replace('\r', "");
            texts.push(text.trim().to_owned());
        }
    }
    texts.sort_unstable();
    texts.dedup();
    Ok(texts)
}

/// Starts of the names of such files.
const STARTS: [&str; 5] = ["LICEN", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

const RULE: &str =
    "--------------------------------------------------------------------------------";

const HEAD: &str = "Frumious is under MIT or Apache-2.0. It has the crates below linked in, and Rust's standard library
(MIT or Apache-2.0). Programs that are linked statically have the GNU C Library in them, too: LGPL-2.1-or-later. Whoever
wants another version of it in them links them again, by `cargo xtask dist` of Frumious's sources.
";

#[cfg(test)]
mod tests {
    use super::*;

    /// Each crate of others is named, and those that bring texts have them in it. No path of this machine is.
    #[test]
    fn every_linked_crate_has_its_notice() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let (linux, page) = ("x86_64-unknown-linux-gnu", "wasm32-unknown-unknown");
        for (package, target) in [
            ("frumious-cli", linux),
            ("frumious-c", linux),
            ("frumious-node", linux),
            ("frumious-python", linux),
            ("frumious-browser", page),
        ] {
            let notices = notices(&root, target, package).expect("notices");
            let linked = linked(&root, target, package).expect("a list");
            let others = (linked.iter()).filter(|(name, ..)| !name.starts_with("frumious"));
            for (name, version, licence) in others {
                let line = format!("\n{name} {version}: {licence}\n");
                assert!(notices.contains(&line), "{line}");
            }
            // Of one crate with a text of its own, in full.
            assert!(
                notices.contains("Isis Agora Lovecruft"),
                "subtle's, of {package}"
            );
            assert!(!notices.contains("/registry/"), "{package}");
            let again = super::notices(&root, target, package).expect("notices");
            assert!(again == notices, "{package}: not the same twice");
        }
    }
}
