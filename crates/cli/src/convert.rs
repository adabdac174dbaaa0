//! `frumious convert`: a proving key from one container into the other.

use std::path::Path;

use frumious_circom::FileKind;
use frumious_snarkjs::generic::KeyFile;
use frumious_snarkjs::groth16::check_digests;
use frumious_snarkjs::groth16::key_kind;
use serde_json::json;

use crate::arguments::Convert;
use crate::output::Output;
use crate::progress::Progress;
use frumious_app::contribution;
use frumious_app::convert::{other_kind, write_other};
use frumious_app::failure::{About, Failure};
use frumious_app::files::streams;
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use frumious_app::{curve, over_curve};

/// Writes a zkey as an fkey, or an fkey as the zkey that it was made of.
pub fn convert(arguments: &Convert, output: &Output) -> Result<(), Failure> {
    let Convert { from, to } = arguments;
    let places = output.places().input("FROM", Role::Key, from);
    output.check(&places.output("TO", Role::Key, to))?;
    let bytes = streams::map(from)?;
    bytes.settle();
    let (before, target) = (bytes.len() as u64, other_kind(key_kind(&bytes)));
    expect_name(to, target)?;
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
            frumious_app::quantities::bytes(after),
            frumious_app::quantities::bytes(before),
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

/// Refuses the name of the container that the key is in already.
fn expect_name(to: &Path, kind: FileKind) -> Result<(), Failure> {
    let wrong = match kind {
        FileKind::Fkey => "zkey",
        _ => "fkey",
    };
    match to.extension().is_some_and(|extension| extension == wrong) {
        false => Ok(()),
        true => Err(Failure::bad_input(format!(
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
