//! Proofs: a key and a witness in, a proof and public signals as JSON out.

use std::path::Path;

use frumious_circom::generic::Wtns;
use frumious_groth16::{Error, Phase, ProveOptions, ProvingEngine, ProvingKey, ProvingMemory};
use frumious_snarkjs::generic::public_to_json;
use frumious_snarkjs::groth16::{proof_to_json, values};

use crate::failure::{About, Failure, file_of};
use crate::key::{AnyKey, Key};
use crate::observer::Observer;
use crate::quantities::bytes;
use crate::witness::AnyWitness;

/// Options of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// As [`ProveOptions::zero_knowledge`].
    pub zero_knowledge: bool,
    /// As [`ProveOptions::verify`].
    pub verify: bool,
    /// Check the whole key first.
    pub check: bool,
    /// As [`ProveOptions::max_memory`].
    pub max_memory: Option<u64>,
    /// As [`ProveOptions::spill`].
    pub spill: Option<&'a Path>,
    /// The file to name when the witness does not satisfy the circuit.
    pub witness_from: &'a Path,
}

/// A proof, and how it came about.
#[derive(Clone, Debug)]
pub struct Proved {
    /// As snarkjs writes it.
    pub proof: String,
    /// The public signals, as snarkjs writes them.
    pub public: String,
    /// The memory that was predicted.
    pub memory: ProvingMemory,
}

impl Request<'_> {
    /// Number of phases that [`prove`] begins.
    pub fn phases(&self) -> usize {
        let skipped = usize::from(!self.zero_knowledge) + usize::from(!self.verify);
        usize::from(self.check) + Phase::ALL.len() - skipped
    }
}

/// Proves. Warns of a key without contributions, and of a proof that is not blinded.
///
/// # Errors
/// [`Failure::Rejected`] if the witness does not satisfy the circuit; [`Failure::BadInput`] for everything else, with
/// the file that is at fault.
pub fn prove(
    key: &AnyKey,
    witness: &AnyWitness,
    request: &Request<'_>,
    observer: &dyn Observer,
) -> Result<Proved, Failure> {
    match (key, witness) {
        (AnyKey::Bn254(key), AnyWitness::Bn254(witness)) => over(key, witness, request, observer),
        (AnyKey::Bls12_381(key), AnyWitness::Bls12_381(witness)) => {
            over(key, witness, request, observer)
        }
        (key, witness) => Err(Failure::BadInput(format!(
            "the witness is over {}, but the key over {}",
            witness.curve(),
            key.curve()
        ))
        .about(request.witness_from)),
    }
}

fn over<E: ProvingEngine>(
    key: &Key<E>,
    witness: &Wtns<E>,
    request: &Request<'_>,
    observer: &dyn Observer,
) -> Result<Proved, Failure> {
    if !request.zero_knowledge {
        observer.warning(
            "warning: --no-zk: the proof is not blinded and may tell something of the witness",
        );
    }
    let missing = key.proving().verifying_key().missing_contribution();
    crate::contribution::warn(missing, key.path(), observer);
    if request.check {
        observer.begin("check key");
        key.check()?;
    }
    let enter = |phase: Phase| observer.begin(phase.name());
    let options = ProveOptions {
        zero_knowledge: request.zero_knowledge,
        verify: request.verify,
        max_memory: request.max_memory,
        spill: request.spill,
        observer: Some(&enter),
    };
    let memory = predict(key.proving(), witness, &options).about(key.path())?;
    observer.note(&announcement(&memory, &options));
    let proved = frumious_snarkjs::groth16::prove(key.proving(), witness, &options);
    let hostile = matches!(proved, Err(Error::KeyOutsideGroup { .. }));
    let changed = proved.as_ref().err().and_then(file_of);
    let changed = changed.map(Path::to_path_buf);
    let about = match &proved {
        Err(_) if changed.is_some() => changed.as_deref().unwrap_or(key.path()),
        Err(Error::Source(_) | Error::KeyOutsideGroup { .. }) => key.path(),
        // Its message names the folder.
        Err(Error::Spill { .. }) => request.spill.unwrap_or(key.path()),
        _ => request.witness_from,
    };
    let (proof, public) = proved.about(about).map_err(|failure| match hostile {
        true => failure.adding("prove with --check to find the first such point"),
        false => failure,
    })?;
    Ok(Proved {
        proof: proof_to_json(&proof),
        public: public_to_json(&public),
        memory,
    })
}

/// The memory that a proof takes.
///
/// # Errors
/// [`Failure::BadInput`] if the limit is too low; it says whether spilling would do.
pub fn predict<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Wtns<E>,
    options: &ProveOptions<'_>,
) -> Result<ProvingMemory, Failure> {
    key.memory(&values(witness), options).map_err(|error| {
        let spilling = ProveOptions {
            spill: Some(Path::new("")),
            ..*options
        };
        let failure = Failure::from(error);
        match key.memory(&values(witness), &spilling) {
            Ok(_) => failure.adding("with --spill DIR the limit will do"),
            Err(_) => failure,
        }
    })
}

/// The memory of a proof in words.
pub fn announcement(memory: &ProvingMemory, options: &ProveOptions<'_>) -> String {
    let (private, mapped) = (bytes(memory.private), bytes(memory.mapped));
    let taken = format!(
        "the proof takes {private} of private memory, and {mapped} of pages of mapped files"
    );
    match options.spill.filter(|_| memory.spilled > 0) {
        Some(dir) => format!(
            "{taken}; {} go to an encrypted temporary file in {}",
            bytes(memory.spilled),
            dir.display()
        ),
        None => taken,
    }
}
