//! Facts about a file: `frumious inspect` and its like. Never the values of a witness.

mod describe;
mod other;
mod sizes;

use std::path::Path;

use frumious_circom::FileKind;
use frumious_circom::generic::{R1cs, Wtns};
use frumious_curves::{Bls12_381, Bn254, PairingEngine};
use frumious_groth16::ProvingEngine;
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::{KeyFile, Ptau, public_from_json};
use frumious_snarkjs::groth16::{proof_from_json, verifying_key_from_json};
use serde_json::{Map, Value};

use crate::failure::{About, Failure};
use crate::files::{self, streams};
use crate::kind::Kind;
use crate::{curve, over_curve};

/// Facts about a file, in the order in which people want them.
#[derive(Debug)]
pub struct Description {
    /// The kind of the file in words.
    pub kind: &'static str,
    /// Names and values.
    pub facts: Vec<(&'static str, Value)>,
}

impl Description {
    /// The facts as fields of an object, the kind among them.
    pub fn for_programs(&self) -> Map<String, Value> {
        let kind = ("kind".to_owned(), Value::from(self.kind));
        let facts = self
            .facts
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()));
        facts.chain([kind]).collect()
    }
}

/// The bytes of the file at `path`, and their kind.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a file that cannot be read.
pub fn open(path: &Path) -> Result<(Kind, FileBytes), Failure> {
    let bytes = streams::map(path)?;
    let kind = match files::is_stream(path) {
        true => Kind::of_bytes(&bytes),
        false => Kind::of_file(path).unwrap_or(Kind::Bytes),
    };
    Ok((kind, bytes))
}

/// The facts about a file of this kind: of what we parse, all that its header has; of the rest, what its first bytes
/// tell.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a file that is malformed.
pub fn describe(kind: Kind, bytes: FileBytes, path: &Path) -> Result<Description, Failure> {
    let file_kind = match kind {
        Kind::R1cs => FileKind::R1cs,
        Kind::Wtns => FileKind::Wtns,
        Kind::Zkey => FileKind::Zkey,
        Kind::Fkey => FileKind::Fkey,
        Kind::Ptau => FileKind::Ptau,
        Kind::Proof => FileKind::ProofJson,
        Kind::VerifyingKey => FileKind::VerifyingKeyJson,
        Kind::Wasm => {
            // Read, not run: it is somebody else's program.
            let module = frumious_wasm::describe(&bytes).about(path)?;
            return Ok(describe::wasm(&module));
        }
        Kind::Numbers => {
            // The signals do not say their curve; those of BN254 are below the other's r as well.
            let described = public_from_json(bytes.clone())
                .map(|public: Vec<Fr<Bn254>>| describe::public(&public))
                .or_else(|_| {
                    public_from_json(bytes)
                        .map(|public: Vec<Fr<Bls12_381>>| describe::public(&public))
                });
            return described.map_err(|error| error.in_file(path)).about(path);
        }
        other => return other::describe(other, &bytes, path),
    };
    over_curve!(curve::of(file_kind, &bytes, path)?, E => describe_over::<E>(kind, bytes))
        .map_err(|error| error.in_file(path))
        .about(path)
}

fn describe_over<E: ProvingEngine>(
    kind: Kind,
    bytes: FileBytes,
) -> Result<Description, frumious_circom::Error> {
    match kind {
        Kind::R1cs => R1cs::<E>::from_bytes(bytes).map(|r1cs| describe::r1cs(&r1cs)),
        Kind::Wtns => Wtns::<E>::from_bytes(&bytes).map(|wtns| describe::wtns(&wtns)),
        Kind::Ptau => Ptau::<E>::from_bytes(bytes).and_then(|ptau| describe::ptau(&ptau)),
        Kind::Proof => proof_from_json::<E>(bytes).map(|proof| describe::proof(&proof)),
        Kind::VerifyingKey => {
            verifying_key_from_json::<E>(bytes).map(|key| describe::verifying_key(&key))
        }
        _ => KeyFile::<E>::from_bytes(bytes).and_then(|key| describe::key(&key)),
    }
}

/// The scalars of a curve.
type Fr<E> = <E as PairingEngine>::Fr;
