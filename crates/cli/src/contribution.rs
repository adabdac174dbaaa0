//! Keys that nobody has contributed to: anyone who has the verification key can forge proofs.
//!
//! `setup`, `prove` and `convert` warn and name the next step. `verify` and `export` refuse, but for
//! `--allow-uncontributed`. `inspect` tells.

use std::path::Path;

use clap::Args;
use frumious_groth16::Uncontributed as Missing;

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
    pub fn refuse(
        self,
        missing: Option<Missing>,
        path: &Path,
        output: &Output,
    ) -> Result<(), Failure> {
        match missing {
            Some(missing) if !self.allowed => Err(Failure::BadInput(format!(
                "{}: {}, so anyone can forge proofs under it; {}, or give --allow-uncontributed for a test",
                path.display(),
                fault(missing),
                match missing {
                    Missing::PowersOfTau => "make the key from a ceremony's powers of tau",
                    Missing::Key => "contribute to the proving key (snarkjs zkey contribute)",
                }
            ))),
            missing => {
                warn(missing, path, output);
                Ok(())
            }
        }
    }
}

/// Warns of the key at `path` if it lacks a contribution, and names the next step.
pub fn warn(missing: Option<Missing>, path: &Path, output: &Output) {
    let Some(missing) = missing else { return };
    let path = path.display().to_string();
    let next = match missing {
        Missing::PowersOfTau => {
            "frumious setup with a ceremony's powers of tau (snarkjs powersoftau contribute)"
        }
        Missing::Key if path.ends_with(".fkey") => {
            "frumious convert (to a .zkey), snarkjs zkey contribute, snarkjs zkey beacon, then frumious export vkey"
        }
        Missing::Key => "snarkjs zkey contribute, snarkjs zkey beacon, then frumious export vkey",
    };
    output.warning(&format!(
        "warning: {path}: {}, so anyone can forge proofs under it.\nwarning: Next: {next}.",
        fault(missing)
    ));
}

/// The danger in words, for `inspect`.
pub fn state(missing: Missing) -> &'static str {
    match missing {
        Missing::PowersOfTau => {
            "UNFINISHED: no contribution to the powers of tau, so anyone can forge proofs"
        }
        Missing::Key => "UNFINISHED: no contribution, so anyone can forge proofs",
    }
}

fn fault(missing: Missing) -> &'static str {
    match missing {
        Missing::PowersOfTau => {
            "UNFINISHED KEY: nobody has contributed to its powers of tau (alpha or beta is 1)"
        }
        Missing::Key => "UNFINISHED KEY: nobody has contributed to it (delta is gamma)",
    }
}
