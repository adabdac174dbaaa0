//! Keys that nobody has contributed to: anyone who has the verification key can forge proofs.

use std::path::Path;

use frumious_groth16::{ProvingEngine, Uncontributed};
use frumious_snarkjs::generic::KeyFile;

use crate::failure::{Code, Failure};
use crate::key::KeyBytes;
use crate::observer::Observer;
use crate::over_curve;

/// The progress of a proving key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A phase of the ceremony has no contribution.
    Unfinished(Uncontributed),
    /// No contribution is recorded, but its δ is not γ: one process drew it.
    Development,
    /// It has this many contributions to phase 2.
    Contributed(usize),
}

impl State {
    /// Of a key.
    ///
    /// # Errors
    /// For a record of contributions that is malformed.
    pub fn of<E: ProvingEngine>(key: &KeyFile<E>) -> Result<Self, frumious_circom::Error> {
        if let Some(missing) = key.header().missing_contribution() {
            return Ok(Self::Unfinished(missing));
        }
        let contributions = key.contributions()?;
        Ok(
            match contributions.map_or(0, |record| record.contributions.len()) {
                0 => Self::Development,
                number => Self::Contributed(number),
            },
        )
    }

    /// Of the key at `path`, if it can be read.
    pub fn of_file(path: &Path) -> Option<Self> {
        let key = KeyBytes::map(path).ok()?;
        over_curve!(key.curve(), E => Self::of(&KeyFile::<E>::open(path).ok()?).ok())
    }

    /// The key in words, with its article.
    pub fn name(self) -> String {
        match self {
            Self::Unfinished(_) => "a proving key without a contribution".into(),
            Self::Development => "a proving key for development".into(),
            Self::Contributed(1) => "a proving key with 1 contribution".into(),
            Self::Contributed(number) => format!("a proving key with {number} contributions"),
        }
    }

    /// The danger in words, for `inspect`; none for a key that was contributed to.
    pub fn danger(self) -> Option<&'static str> {
        match self {
            Self::Unfinished(missing) => Some(state(missing)),
            Self::Development => Some(
                "DEVELOPMENT KEY: no contribution is recorded, and who drew its secrets can forge proofs",
            ),
            Self::Contributed(_) => None,
        }
    }
}

/// Refuses the key at `path` if it lacks a contribution; where that is `allowed`, warns.
///
/// `how_to_allow` ends the message of the refusal.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a key that is refused.
pub fn refuse(
    missing: Option<Uncontributed>,
    path: &Path,
    allowed: bool,
    how_to_allow: &str,
    observer: &dyn Observer,
) -> Result<(), Failure> {
    match missing {
        Some(missing) if !allowed => Err(Failure::new(
            Code::Uncontributed,
            format!(
                "{}: {}, so anyone can forge proofs under it; {}, or {how_to_allow}",
                path.display(),
                fault(missing),
                match missing {
                    Uncontributed::PowersOfTau => "make the key from a ceremony's powers of tau",
                    Uncontributed::Key =>
                        "contribute to the proving key (frumious zkey contribute)",
                }
            ),
        )),
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
            "frumious setup with a ceremony's powers of tau (frumious powersoftau contribute)"
        }
        Uncontributed::Key if path.ends_with(".fkey") => {
            "frumious convert (to a .zkey), frumious zkey contribute, frumious zkey beacon, then frumious export vkey"
        }
        Uncontributed::Key => {
            "frumious zkey contribute, frumious zkey beacon, then frumious export vkey"
        }
    };
    observer.warning(&format!(
        "warning: {path}: {}, so anyone can forge proofs under it.\nwarning: Next: {next}.",
        fault(missing)
    ));
}

/// The danger in words.
fn state(missing: Uncontributed) -> &'static str {
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
