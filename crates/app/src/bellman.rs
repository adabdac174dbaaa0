//! Ceremonies with bellman's programs: a key's parameters in files, contributions to them, and the key they lead to.
//!
//! A contribution's secret is drawn, used and wiped within [`contribute`]. It is in no file and in no message.

use std::path::Path;

use frumious_circom::FileKind;
use frumious_curves::PairingCurve;
use frumious_groth16::ProvingEngine;
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::Zkey;
use frumious_snarkjs::groth16::bellman::{self, ImportedKey, MpcParams};

use crate::failure::{About, Code, Failure};
use crate::files::{OutputFile, Readers, streams};
use crate::observer::Observer;
use crate::phase2::{Contributed, blamed, zkey_bytes};
use crate::{curve, over_curve};

/// Writes the parameters of the key at `path`. Returns the number of its contributions.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn export(path: &Path, new: &Path, observer: &dyn Observer) -> Result<usize, Failure> {
    observer.begin(READ);
    let bytes = zkey_bytes(path)?;
    over_curve!(curve::of(FileKind::Zkey, &bytes, path)?, E => {
        let key = Zkey::<E>::from_bytes(bytes).about(path)?;
        let record = key.contributions().about(path)?;
        let mut file = OutputFile::create(new, Readers::Anyone)?;
        observer.begin(EXPORT);
        let made = bellman::export(&key, &mut file, &|done| observer.within(EXPORT, done));
        let about = blamed(made.as_ref().err(), path, new);
        made.about(about)?;
        observer.begin(WRITE);
        key.bytes().check_unchanged().about(path)?;
        file.commit()?;
        Ok(record.map_or(0, |record| record.contributions.len()))
    })
}

/// Writes the parameters at `old` with one contribution more. They do not tell their curve.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn contribute(
    curve: PairingCurve,
    (old, new): (&Path, &Path),
    entropy: &[u8],
    observer: &dyn Observer,
) -> Result<Contributed, Failure> {
    observer.begin(READ);
    let bytes = settled(old)?;
    over_curve!(curve, E => {
        let params = MpcParams::<E>::from_bytes(bytes).about(old)?;
        let mut file = OutputFile::create(new, Readers::Anyone)?;
        observer.begin(CONTRIBUTE);
        let progress = |done| observer.within(CONTRIBUTE, done);
        let made = bellman::contribute(&params, entropy, &mut file, &progress);
        let about = blamed(made.as_ref().err(), old, new);
        let made = made.about(about)?;
        observer.begin(WRITE);
        params.bytes().check_unchanged().about(old)?;
        file.commit()?;
        Ok(made)
    })
}

/// Writes the key that the parameters lead to, which were made of the key at `old`. New contributions get the name.
///
/// # Errors
/// A [`Failure`] of exit code 1 for parameters that are not those of the key with valid contributions. It names the
/// contribution or the part that is wrong. Others are of exit code 2 or 3, with the file that is at fault.
pub fn import(
    paths: (&Path, &Path, &Path),
    name: Option<&str>,
    observer: &dyn Observer,
) -> Result<Contributed, Failure> {
    observer.begin(READ);
    let (old, params, _) = paths;
    let (bytes, params) = (zkey_bytes(old)?, settled(params)?);
    over_curve!(curve::of(FileKind::Zkey, &bytes, old)?, E => {
        import_over::<E>((bytes, params), paths, name, observer)
    })
}

fn import_over<E: ProvingEngine>(
    (key, params): (FileBytes, FileBytes),
    (old, path, new): (&Path, &Path, &Path),
    name: Option<&str>,
    observer: &dyn Observer,
) -> Result<Contributed, Failure> {
    let key = Zkey::<E>::from_bytes(key).about(old)?;
    let params = MpcParams::<E>::from_bytes(params)
        .map_err(|error| error.in_file(path))
        .about(path)?;
    let mut file = OutputFile::create(new, Readers::Anyone)?;
    observer.begin(IMPORT);
    let progress = |done| observer.within(IMPORT, done);
    let made = bellman::import(&key, &params, name, &mut file, &progress);
    let about = blamed(made.as_ref().err(), old, new);
    let made = match made.about(about)? {
        ImportedKey::Key(made) => made,
        ImportedKey::Invalid(fault) => {
            let message = format!("{}: INVALID parameters: {fault}", path.display());
            return Err(Failure::new(Code::Rejected, message));
        }
    };
    observer.begin(WRITE);
    for (file, path) in [(key.bytes(), old), (params.bytes(), path)] {
        file.check_unchanged().about(path)?;
    }
    file.commit()?;
    Ok(made)
}

fn settled(path: &Path) -> Result<FileBytes, Failure> {
    let bytes = streams::map(path)?;
    bytes.settle();
    Ok(bytes)
}

/// The phases of [`export`] and their shares of its time.
pub const EXPORTING: &[(&str, f64)] = &[(READ, 1.0), (EXPORT, 97.0), (WRITE, 2.0)];

/// The phases of [`contribute`] and their shares of its time.
pub const CONTRIBUTING: &[(&str, f64)] = &[(READ, 1.0), (CONTRIBUTE, 97.0), (WRITE, 2.0)];

/// The phases of [`import`] and their shares of its time.
pub const IMPORTING: &[(&str, f64)] = &[(READ, 1.0), (IMPORT, 97.0), (WRITE, 2.0)];

const READ: &str = "read parameters";
const EXPORT: &str = "make parameters";
const CONTRIBUTE: &str = "contribute";
const IMPORT: &str = "check parameters";
const WRITE: &str = "write";
