//! Keys that nobody has contributed to: anyone who has the verification key can forge proofs.

use std::path::Path;

use frumious_groth16::Uncontributed;

use crate::failure::Failure;
use crate::observer::Observer;

/// Refuses the key at `path` if it lacks a contribution; where that is `allowed`, warns.
///
/// `how_to_allow` ends the message of the refusal.
///
/// # Errors
/// [`Failure::BadInput`] for a key that is refused.
pub fn refuse(
    missing: Option<Uncontributed>,
    path: &Path,
    allowed: bool,
    how_to_allow: &str,
    observer: &dyn Observer,
) -> Result<(), Failure> {
    match missing {
        Some(missing) if !allowed => Err(Failure::BadInput(format!(
            "{}: {}, so anyone can forge proofs under it; {}, or {how_to_allow}",
            path.display(),
            fault(missing),
            match missing {
                Uncontributed::PowersOfTau => "make the key from a ceremony's powers of tau",
                Uncontributed::Key => "contribute to the proving key (snarkjs zkey contribute)",
            }
        ))),
        missing => {
            warn(missing, path, observer);
            Ok(())
        }
    }
}

/// Warns of the key at `path` if it lacks a contribution, and names the next step.
pub fn warn(missing: Option<Uncontributed>, path: &Path, observer: &dyn Observer) {
    let Some(missing) = missing else { return };
    let path = path.display().to_string();
    let next = match missing {
        Uncontributed::PowersOfTau => {
            "frumious setup with a ceremony's powers of tau (snarkjs powersoftau contribute)"
        }
        Uncontributed::Key if path.ends_with(".fkey") => {
            "frumious convert (to a .zkey), snarkjs zkey contribute, snarkjs zkey beacon, then frumious export vkey"
        }
        Uncontributed::Key => {
            "snarkjs zkey contribute, snarkjs zkey beacon, then frumious export vkey"
        }
    };
    observer.warning(&format!(
        "warning: {path}: {}, so anyone can forge proofs under it.\nwarning: Next: {next}.",
        fault(missing)
    ));
}

/// The danger in words, for `inspect`.
pub fn state(missing: Uncontributed) -> &'static str {
    match missing {
        Uncontributed::PowersOfTau => {
            "UNFINISHED: no contribution to the powers of tau, so anyone can forge proofs"
        }
        Uncontributed::Key => "UNFINISHED: no contribution, so anyone can forge proofs",
    }
}

fn fault(missing: Uncontributed) -> &'static str {
    match missing {
        Uncontributed::PowersOfTau => {
            "UNFINISHED KEY: nobody has contributed to its powers of tau (alpha or beta is 1)"
        }
        Uncontributed::Key => "UNFINISHED KEY: nobody has contributed to it (delta is gamma)",
    }
}
