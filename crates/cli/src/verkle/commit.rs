//! `frumious verkle commit`.

use frumious_curves::bandersnatch::{
    AffineElement, Element, batch_map_to_scalar_field_vartime, batch_to_affine_vartime,
};
use frumious_verkle::Committer;
use serde_json::{Value, json};

use super::tables::{self, Work};
use crate::arguments::verkle::Commit;
use crate::output::Output;
use crate::progress::Progress;
use frumious_app::failure::{About, Failure};
use frumious_app::files::read_text;
use frumious_app::places::Role;
use frumious_app::quantities::seconds;
use frumious_verkle_json::to_hexadecimal;
use frumious_verkle_json::{self as formats, Terms};

/// Prints the commitment of each vector.
pub fn commit(arguments: &Commit, output: &Output) -> Result<(), Failure> {
    let Commit { vectors, tables } = arguments;
    let places = output.places().input("VECTORS", Role::Vectors, vectors);
    output.check(&tables::placed(places, tables))?;
    let progress = Progress::new(output, 3);
    progress.begin("read");
    let text = read_text(vectors)?;
    let vectors = formats::vectors(&text).about(vectors)?;
    let work = Work::of_values(vectors.iter().map(Vec::len).sum());
    let committer = tables::committer(tables, work, &progress)?;
    progress.begin("commit");
    let elements = commit_all(&committer, &vectors)?;
    let points = batch_to_affine_vartime(&elements);
    let timings = progress.finish();
    let lines: Vec<String> = points.iter().map(hexadecimal).collect();
    output.answer(
        &lines.join("\n"),
        json!({
            "commitments": described(&elements, &points),
            "table_bytes": committer.memory_bytes(),
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

fn commit_all(committer: &Committer, vectors: &[Terms]) -> Result<Vec<Element>, Failure> {
    frumious_parallel::map_indices(vectors.len().div_ceil(CHUNK), |chunk| {
        let vectors = vectors.chunks(CHUNK).nth(chunk).unwrap_or_default();
        let commitments = vectors.iter().map(|terms| committer.commit_sparse(terms));
        commitments.collect::<Result<Vec<_>, _>>()
    })
    .into_iter()
    .try_fold(Vec::new(), |mut all, chunk| {
        all.append(&mut chunk?);
        Ok(all)
    })
}

/// Each commitment in all its forms.
fn described(elements: &[Element], points: &[AffineElement]) -> Vec<Value> {
    let hashes = batch_map_to_scalar_field_vartime(elements);
    points
        .iter()
        .zip(hashes)
        .map(|(point, hash)| {
            json!({
                "commitment": hexadecimal(point),
                "hash": to_hexadecimal(&hash.to_bytes()),
                "uncompressed": to_hexadecimal(&point.to_uncompressed()),
                "uncompressed_le": to_hexadecimal(&point.to_uncompressed_le()),
            })
        })
        .collect()
}

fn hexadecimal(point: &AffineElement) -> String {
    to_hexadecimal(&point.to_bytes())
}

/// Vectors that a thread takes at once.
const CHUNK: usize = 64;
