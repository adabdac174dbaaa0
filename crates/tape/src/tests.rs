//! Each operation beside big integers, and random programs beside a plain walk through their steps.

mod batch;
mod files;
mod integers;
mod inversions;
mod looks;
mod operations;
mod program;
mod programs;
mod shapes;
mod twin;

use crate::Tape;
use frumious_curves::bn254::Fr;

fn small(value: u64) -> Fr {
    Fr::from_u64(value)
}

/// The results of a replay by a fresh replayer.
fn replayed(tape: &Tape<Fr>, inputs: &[Fr]) -> Result<Vec<Fr>, crate::Missed> {
    let results = crate::Replayer::new().replay(tape, inputs)?;
    Ok(results.iter().map(|result| result.to_element()).collect())
}
