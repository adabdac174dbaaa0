//! The next command to type.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::Role;
use crate::kind::Kind;

/// The way from a file of this kind, at `path`, to what the role needs.
pub fn step(role: Role, kind: Kind, path: &Path) -> Option<String> {
    let here = path.display();
    let stem = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_else(|| "circuit".into());
    let command = match (role, kind) {
        (_, Kind::LfsPointer) => format!("git lfs pull --include {here}"),
        (_, Kind::Html) => return Some("It may be what a failed download left.".into()),
        (_, Kind::Archive) => return Some("Unpack it first.".into()),
        (_, Kind::Empty) => return Some("A write to it may have failed.".into()),
        (_, Kind::PartialKey) => {
            return Some("Next: the same frumious setup again, which goes on with it.".into());
        }
        (Role::Circuit | Role::Generator | Role::Any, Kind::Circom) => {
            format!("circom {here} --r1cs --wasm --sym")
        }
        (Role::Generator, Kind::Folder) => return within(path, "wasm"),
        (_, Kind::Folder) => return within(path, role.extension()?),
        (Role::Generator, Kind::Script | Kind::Program) => {
            return Some("Give the .wasm that circom --wasm writes.".into());
        }
        (Role::Key | Role::AnyKey, Kind::R1cs) => {
            format!("frumious setup {here} powers.ptau {stem}.zkey")
        }
        (Role::Key | Role::AnyKey | Role::Any, Kind::PlonkKey | Kind::FflonkKey) => {
            return Some(
                "Frumious proves Groth16 only. Next: frumious setup circuit.r1cs powers.ptau circuit.zkey."
                    .into(),
            );
        }
        (Role::VerifyingKey, Kind::Zkey | Kind::Fkey) => {
            format!("frumious export vkey {here} verification_key.json")
        }
        (Role::Key, Kind::VerifyingKey) => {
            return Some(
                "Verification keys are made of proving keys, and there is no way back.".into(),
            );
        }
        (Role::Key | Role::AnyKey, Kind::KeyJson) => {
            format!("frumious zkey import json {here} {stem}.zkey")
        }
        (Role::KeyJson, Kind::Zkey) => format!("frumious zkey export json {here} {stem}.json"),
        (Role::Witness, Kind::Inputs | Kind::Json) => {
            format!("frumious witness circuit.wasm {here} {stem}.wtns")
        }
        (_, Kind::OtherProof | Kind::OtherVerifyingKey) => {
            return Some("Frumious verifies Groth16 only: snarkjs verifies this.".into());
        }
        (Role::VerkleProof, Kind::Proof) => {
            return Some("It is one of Groth16: frumious verify.".into());
        }
        (Role::Proof, Kind::VerkleProof) => {
            return Some("It is one of a Verkle tree: frumious verkle verify.".into());
        }
        _ => return None,
    };
    Some(format!("Next: {command}"))
}

/// Where to find what is not there.
pub fn where_from(role: Role, path: &Path) -> Option<String> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Some(format!("There is no folder {}.", folder.display()));
    }
    // A module is in a folder of its own, which circom makes.
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    let module = folder
        .join(format!("{stem}_js"))
        .join(format!("{stem}.wasm"));
    if role == Role::Generator && module.is_file() {
        return Some(format!("Is it {}?", module.display()));
    }
    None
}

/// The files of a folder with this extension, if there is one.
fn within(folder: &Path, extension: &str) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?;
    let mut names: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new(extension)))
        .collect();
    names.sort();
    match names.as_slice() {
        [name] => Some(format!("Is it {}?", name.display())),
        _ => None,
    }
}

impl Role {
    /// The extension of a folder's files that may be meant.
    fn extension(self) -> Option<&'static str> {
        Some(match self {
            Role::Key => "zkey",
            Role::Witness => "wtns",
            Role::Circuit => "r1cs",
            Role::Powers => "ptau",
            _ => return None,
        })
    }
}
