//! Whether entries are those for the points: a few of each table, computed anew.

use super::super::build::{Powers, Run, build_vartime};
use super::super::group::FixedGroup;
use super::super::strategy::{Table, order_bits};

/// Computes the first and the last entry of some runs of each table, and compares. Some milliseconds.
///
/// Errors: the place of the first entry that differs, in bytes from the first.
pub(super) fn spot_check_vartime<G: FixedGroup>(
    tables: &[Table<G>],
    points: &[G::Affine],
    entries: &[u8],
) -> Result<(), usize> {
    let samples = samples(tables);
    let mut needed = vec![false; points.len()];
    for term in samples.iter().flat_map(|(_, run)| &run.start) {
        needed[term.point()] = true;
    }
    let powers = Powers::<G>::some_vartime(points, order_bits::<G>() + 1, |point| needed[point]);
    let runs: Vec<Run> = samples.iter().map(|(_, run)| run.clone()).collect();
    let mut expected = vec![0; runs.len() * G::ENTRY_BYTES];
    build_vartime(&powers, &runs, &mut expected);
    for ((place, _), expected) in samples.iter().zip(expected.chunks_exact(G::ENTRY_BYTES)) {
        // As elements: the same point of Banderwagon may have been given by its other representative.
        let start = place * G::ENTRY_BYTES;
        let element = |bytes| G::checked_element(&G::read_entry(bytes));
        match (element(&entries[start..]), element(expected)) {
            (Some(actual), Some(expected)) if G::is_equal(&actual, &expected) => {}
            _ => return Err(start),
        }
    }
    Ok(())
}

/// Places of entries, each with a run that has just that entry.
fn samples<G: FixedGroup>(tables: &[Table<G>]) -> Vec<(usize, Run)> {
    let mut samples = Vec::new();
    let mut first = 0;
    for table in tables {
        let runs = table.runs();
        let distance = runs.len().div_ceil(SAMPLES).max(1);
        for (index, run) in runs.iter().enumerate() {
            let end = first + run.entries();
            if index % distance == 0 || index + 1 == runs.len() {
                let only = |start| Run {
                    start,
                    increments: Vec::new(),
                    skips_first: false,
                };
                if !run.skips_first {
                    samples.push((first, only(run.start.clone())));
                }
                let all = run.start.iter().chain(&run.increments);
                samples.push((end - 1, only(all.copied().collect())));
            }
            first = end;
        }
    }
    samples
}

/// Runs of a table that are looked at, and the last one.
const SAMPLES: usize = 8;
