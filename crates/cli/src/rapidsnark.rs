//! This program by the name of rapidsnark's: `rapidsnark ZKEY WTNS PROOF PUBLIC`.
//!
//! Scripts and servers that start rapidsnark start this in its place, by a link of one of its [`NAMES`]. As there, a
//! success prints nothing, and every failure is exit code 1. Other than there, a key is never overwritten.
//!
//! Source: rapidsnark, `src/main_prover.cpp`.

use std::ffi::OsString;
use std::path::Path;

use crate::arguments::{Arguments, environment};

/// Names of rapidsnark's program: in its installation, in its build folder, and ours.
const NAMES: [&str; 3] = ["rapidsnark", "prover", "frumious-prover"];

/// The exit code of every failure.
pub const FAILED: u8 = 1;

/// The number of its arguments.
const ARGUMENTS: usize = 4;

/// The arguments of `prove`, if the program was started by the name of rapidsnark's.
///
/// # Errors
/// The way to use it, for another number of arguments.
pub fn arguments(
    mut given: impl Iterator<Item = OsString>,
) -> Option<Result<Arguments, &'static str>> {
    let program = given.next()?;
    let name = Path::new(&program).file_name()?;
    if !NAMES.iter().any(|known| name == *known) {
        return None;
    }
    let files: Vec<OsString> = given.collect();
    if files.len() != ARGUMENTS {
        return Some(Err(USAGE));
    }
    // `--` before them: a name may begin with a dash.
    let words = ["frumious", "prove", "--quiet", "--"].map(OsString::from);
    let parsed = environment::parse::<Arguments>(words.into_iter().chain(files));
    Some(parsed.map_err(|_| USAGE))
}

const USAGE: &str = "Invalid number of parameters:
Usage: prover <circuit.zkey> <witness.wtns> <proof.json> <public.json>";
