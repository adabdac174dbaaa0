//! `frumious verkle`: commitments, proofs of openings, tree roots and execution witnesses, in JSON
//! (`frumious_verkle_json`).
//!
//! Everything here is public data: values, proofs and trees.

mod commit;
mod prove;
mod root;
mod tables;
mod verify;
mod witness;

use std::io::Read;
use std::path::Path;

use crate::arguments::verkle::{Verkle, Witness};
use crate::output::Output;
use frumious_app::failure::Failure;
use frumious_app::files;

/// Runs a command.
pub fn run(command: &Verkle, output: &Output) -> Result<(), Failure> {
    match command {
        Verkle::Commit(arguments) => commit::commit(arguments, output),
        Verkle::Prove(arguments) => prove::prove(arguments, output),
        Verkle::Verify(arguments) => verify::verify(arguments, output),
        Verkle::Root(arguments) => root::root(arguments, output),
        Verkle::Witness(Witness::Verify(arguments)) => witness::verify(arguments, output),
    }
}

/// Reads a text file, or stdin for `-`.
fn read_text(path: &Path) -> Result<String, Failure> {
    if path != Path::new("-") {
        return files::read_text(path);
    }
    let mut text = String::new();
    // An endless stream must end somewhere.
    match std::io::stdin()
        .lock()
        .take(LONGEST_STREAM_BYTES + 1)
        .read_to_string(&mut text)
    {
        Ok(_) if text.len() as u64 > LONGEST_STREAM_BYTES => Err(Failure::BadInput(format!(
            "-: more than {LONGEST_STREAM_BYTES} bytes"
        ))),
        Ok(_) => Ok(text),
        Err(error) => Err(Failure::BadInput(format!("-: {error}"))),
    }
}

/// 4 GiB.
const LONGEST_STREAM_BYTES: u64 = 1 << 32;
