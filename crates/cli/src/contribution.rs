//! Keys that nobody has contributed to: δ is still ±γ, so anyone who has the verification key can forge proofs.
//!
//! `setup`, `prove` and `convert` warn and name the next step. `verify` and `export` refuse, but for
//! `--allow-uncontributed`. `inspect` tells.

use std::path::Path;

use clap::Args;

use crate::failure::Failure;
use crate::output::Output;

/// The option to work with a key that proves nothing.
#[derive(Args, Clone, Copy)]
pub struct Uncontributed {
    /// UNSAFE, for tests only: take a key without a contribution, under which anyone can forge proofs
    #[arg(long = "allow-uncontributed")]
    allowed: bool,
}

impl Uncontributed {
    /// Refuses the key at `path` if it lacks a contribution; where that is allowed, warns.
    pub fn refuse(self, lacking: bool, path: &Path, output: &Output) -> Result<(), Failure> {
        match (lacking, self.allowed) {
            (false, _) => Ok(()),
            (true, true) => {
                warn(path, output);
                Ok(())
            }
            (true, false) => Err(Failure::BadInput(format!(
                "{}: UNFINISHED KEY: nobody has contributed to it (delta is gamma), so anyone can forge proofs \
                 under it; contribute to the proving key (snarkjs zkey contribute), or give \
                 --allow-uncontributed for a test",
                path.display()
            ))),
        }
    }
}

/// Warns of the key at `path`, and names the next step.
pub fn warn(path: &Path, output: &Output) {
    let path = path.display();
    output.warning(&format!(
        "warning: UNFINISHED KEY: nobody has contributed to {path}, so anyone can forge proofs under it.\n\
         warning: Next: {}snarkjs zkey contribute, snarkjs zkey beacon, then frumious export vkey.",
        match path.to_string().ends_with(".fkey") {
            true => "frumious convert (to a .zkey), ",
            false => "",
        }
    ));
}
