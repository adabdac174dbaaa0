//! `frumious convert`: a proving key from one container into the other.

use std::path::Path;

use frumious_circom::{Error, FileKind};
use frumious_groth16::ProvingEngine;
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::{KeyFile, write_fkey};
use frumious_snarkjs::groth16::check_digests;
use frumious_snarkjs::groth16::key_kind;
use serde_json::json;

use crate::arguments::Convert;
use crate::contribution;
use crate::curve::{self, over_curve};
use crate::failure::{About, Failure};
use crate::files::{self, OutputFile, Readers};
use crate::output::{self, Output, duration, seconds};
use crate::progress::Progress;

/// Writes a zkey as an fkey, or an fkey as the zkey that it was made of.
pub fn convert(arguments: &Convert, output: &Output) -> Result<(), Failure> {
    let Convert { from, to } = arguments;
    let bytes = FileBytes::map(from).about(from)?;
    bytes.settle();
    let (before, target) = (bytes.len() as u64, target_kind(&bytes));
    expect_name(to, target)?;
    files::check_outputs(&[to], &[from])?;
    let progress = Progress::new(output, 2);
    progress.begin("check");
    let missing = over_curve!(curve::of(key_kind(&bytes), &bytes, from)?, E => {
        let key = KeyFile::<E>::from_bytes(bytes).about(from)?;
        check_digests(&key).about(from)?;
        progress.begin("write");
        write_other(&key, from, to)?;
        key.header().missing_contribution()
    });
    let time = progress.finish().total();
    contribution::warn(missing, to, output);
    let after = std::fs::metadata(to).map_or(0, |metadata| metadata.len());
    output.result(
        &format!(
            "Proving key written to {}: {} of {}, from {} ({})",
            to.display(),
            name(target),
            output::bytes(after),
            output::bytes(before),
            duration(time),
        ),
        json!({
            "key": to.display().to_string(),
            "kind": name(target),
            "contributed": missing.is_none(),
            "bytes": after,
            "bytes_before": before,
            "seconds": seconds(time),
        }),
    )
}

/// Writes the key that was read from `from` in the container that it is not in.
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
    // What a change of the file did meanwhile is not to be seen in the bytes.
    key.bytes().check_unchanged().about(from)?;
    file.commit()
}

/// The container that the key is not in.
fn target_kind(bytes: &[u8]) -> FileKind {
    match key_kind(bytes) {
        FileKind::Fkey => FileKind::Zkey,
        _ => FileKind::Fkey,
    }
}

/// Refuses the name of the container that the key is in already.
fn expect_name(to: &Path, kind: FileKind) -> Result<(), Failure> {
    let wrong = match kind {
        FileKind::Fkey => "zkey",
        _ => "fkey",
    };
    match to.extension().is_some_and(|extension| extension == wrong) {
        false => Ok(()),
        true => Err(Failure::BadInput(format!(
            "{}: the key is in a .{wrong} already, and would become a .{}",
            to.display(),
            name(kind)
        ))),
    }
}

fn name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Fkey => "fkey",
        _ => "zkey",
    }
}
