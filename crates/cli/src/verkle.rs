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

use crate::arguments::verkle::{Verkle, Witness};
use crate::output::Output;
use frumious_app::failure::Failure;

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
