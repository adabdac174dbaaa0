//! The failures that the errors of the crates below are.

use std::path::Path;

use frumious_mapping::Error::{ChangedInUse, Io, WrittenInUse};

use super::{Code, Failure};
use crate::quantities::{given_limit, limit as limit_for};

/// The file that an error is about, if it is of the file itself and not of what it holds.
pub fn file_of(error: &frumious_groth16::Error) -> Option<&Path> {
    match error.source_as()? {
        frumious_circom::Error::File(ChangedInUse { path, .. } | WrittenInUse { path }) => {
            Some(path)
        }
        _ => None,
    }
}

impl From<frumious_circom::Error> for Failure {
    fn from(error: frumious_circom::Error) -> Self {
        let code = match &error {
            frumious_circom::Error::File(error) => code_of(error),
            frumious_circom::Error::Write { source, .. } => Code::of(source),
            _ => Code::BadInput,
        };
        let failure = Failure::new(code, error.to_string());
        match hint(&error) {
            Some(hint) => failure.hinting(hint),
            None => failure,
        }
    }
}

/// Advice about a file that is wrong.
fn hint(error: &frumious_circom::Error) -> Option<&'static str> {
    use frumious_circom::Problem::{Checksum, CustomGates, CutOff, NotPrepared, Truncated};
    let frumious_circom::Error::Malformed { problem, place, .. } = error else {
        return None;
    };
    let in_binary = !matches!(place, frumious_circom::Place::Json(_));
    match problem {
        Truncated { .. } if in_binary => {
            Some("It was cut off or is corrupt: get or make it again.")
        }
        Checksum | CutOff => Some("Get or make it again."),
        NotPrepared => Some("Next: frumious powersoftau prepare phase2 POWERS.ptau PREPARED.ptau."),
        CustomGates => Some("Compile it without PLONK's custom gates."),
        _ => None,
    }
}

impl From<frumious_mapping::Error> for Failure {
    fn from(error: frumious_mapping::Error) -> Self {
        Failure::new(code_of(&error), error.to_string())
    }
}

fn code_of(error: &frumious_mapping::Error) -> Code {
    match error {
        Io { source, .. } => Code::of(source),
        ChangedInUse { .. } | WrittenInUse { .. } => Code::Changed,
        _ => Code::BadInput,
    }
}

impl From<frumious_groth16::Error> for Failure {
    fn from(error: frumious_groth16::Error) -> Self {
        use frumious_groth16::Error;
        if let Some(source) = error.source_as::<frumious_circom::Error>() {
            let code = match source {
                frumious_circom::Error::File(error) => code_of(error),
                frumious_circom::Error::Write { source, .. } => Code::of(source),
                _ => Code::BadInput,
            };
            let failure = Failure::new(code, error.to_string());
            return match hint(source) {
                Some(hint) => failure.hinting(hint),
                None => failure,
            };
        }
        match &error {
            Error::CircuitTooLarge { needed, .. } => Failure::bad_input(error.to_string())
                .hinting(&format!("Take powers of tau of 2^{needed} or more.")),
            Error::Unsatisfied => Failure::new(Code::Unsatisfied, error.to_string()),
            Error::MemoryLimit { needed, limit } => {
                let (needed, limit) = (limit_for(*needed), given_limit(*limit));
                let message = format!("needs at least {needed} of memory, and may take {limit}");
                Failure::new(Code::MemoryLimit, message)
            }
            Error::Spill { source, .. } => Failure::new(Code::of(source), error.to_string()),
            _ => Failure::bad_input(error.to_string()),
        }
    }
}

impl From<frumious_wasm::NotAModule> for Failure {
    fn from(error: frumious_wasm::NotAModule) -> Self {
        Failure::bad_input(error.to_string())
    }
}

impl From<frumious_witness::Error> for Failure {
    fn from(error: frumious_witness::Error) -> Self {
        Failure::bad_input(error.to_string())
    }
}

impl From<frumious_verkle::Error> for Failure {
    fn from(error: frumious_verkle::Error) -> Self {
        Failure::bad_input(error.to_string())
    }
}

impl From<frumious_verkle::tree::TreeError> for Failure {
    fn from(error: frumious_verkle::tree::TreeError) -> Self {
        Failure::bad_input(error.to_string())
    }
}

impl From<frumious_verkle_json::Error> for Failure {
    fn from(error: frumious_verkle_json::Error) -> Self {
        Failure::bad_input(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::new(Code::of(&error), error.to_string())
    }
}
