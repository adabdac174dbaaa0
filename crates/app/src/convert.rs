//! Proving keys from one container into the other.

use std::path::Path;

use frumious_circom::{Error, FileKind};
use frumious_groth16::ProvingEngine;
use frumious_snarkjs::generic::{KeyFile, write_fkey};

use crate::failure::{About, Failure};
use crate::files::{OutputFile, Readers};

/// Writes the key that was read from `from` in the container that it is not in.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a bad key, a key that changes meanwhile, and when writing fails.
pub fn write_other<E: ProvingEngine>(
    key: &KeyFile<E>,
    from: &Path,
    to: &Path,
) -> Result<(), Failure> {
    let mut file = OutputFile::create(to, Readers::Anyone)?;
    let written = match key {
        KeyFile::Zkey(key) => write_fkey(key, &mut file),
        KeyFile::Fkey(key) => key.write_zkey(&mut file),
    };
    let about = match &written {
        Err(Error::Write { .. }) => to,
        _ => from,
    };
    written.about(about)?;
    // A change of the file meanwhile is not to be seen in the bytes.
    key.bytes().check_unchanged().about(from)?;
    file.commit()
}

/// The container that a key of kind `kind` is not in.
pub fn other_kind(kind: FileKind) -> FileKind {
    match kind {
        FileKind::Fkey => FileKind::Zkey,
        _ => FileKind::Fkey,
    }
}
