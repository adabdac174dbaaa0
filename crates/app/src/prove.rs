//! Proofs: a key and a witness in, a proof and public signals as JSON out.

use std::path::Path;

use frumious_circom::generic::Wtns;
use frumious_curves::PairingCurve;
use frumious_groth16::{
    Error, Phase, Proof, ProveOptions, ProvingEngine, ProvingKey, ProvingMemory,
};
use frumious_snarkjs::generic::public_to_json;
use frumious_snarkjs::groth16::{proof_to_json, values};

use crate::failure::{About, Code, Failure, file_of};
use crate::key::{AnyKey, Key};
use crate::limits::Allowance;
use crate::observer::{Measured, Observer};
use crate::over_curve;
use crate::quantities::{bytes, limit};
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
    /// The phases that [`prove`] begins, and their shares of its time.
    pub fn phases(&self) -> Vec<(&'static str, f64)> {
        let check = self.check.then_some((CHECK, CHECK_SHARE));
        check.into_iter().chain(SHARES).collect()
    }
}

/// Proves. Warns of a key without contributions, and of a proof that is not blinded.
///
/// # Errors
/// A [`Failure`] of exit code 1 if the witness does not satisfy the circuit. For everything else one of exit code 2 or
/// 3, with the file that is at fault.
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
        (key, witness) => Err(Failure::bad_input(format!(
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
        observer.begin(CHECK);
        key.check()?;
    }
    let measured = Measured::new(observer);
    let enter = |phase: Phase| measured.begin(phase.name());
    let allowance = Allowance::of(request.max_memory, observer);
    let options = ProveOptions {
        zero_knowledge: request.zero_knowledge,
        verify: request.verify,
        max_memory: allowance.limit,
        spill: request.spill,
        observer: Some(&enter),
    };
    let memory = predict(key.proving(), witness, &options, &allowance).about(key.path())?;
    observer.note(&announcement(&memory, &options));
    let proved =
        measured.run(|| frumious_snarkjs::groth16::prove(key.proving(), witness, &options));
    // A bad key makes bad proofs of good witnesses: it is looked at before the witness is blamed.
    let unsatisfied = matches!(proved, Err(Error::Unsatisfied));
    let hostile = matches!(proved, Err(Error::KeyOutsideGroup { .. }));
    if (unsatisfied || hostile) && !request.check {
        observer.begin(CHECK);
        key.check_whole().map_err(|failure| {
            failure.hinting("The key is at fault, not the witness: it is corrupt or hostile.")
        })?;
    }
    let changed = proved.as_ref().err().and_then(file_of);
    let changed = changed.map(Path::to_path_buf);
    let about = match &proved {
        Err(_) if changed.is_some() => changed.as_deref().unwrap_or(key.path()),
        Err(Error::Source(_) | Error::KeyOutsideGroup { .. }) => key.path(),
        // Its message names the folder.
        Err(Error::Spill { .. }) => request.spill.unwrap_or(key.path()),
        _ => request.witness_from,
    };
    let (proof, public) = proved
        .map_err(Failure::from)
        .map_err(|failure| match unsatisfied {
            true => Failure::new(Code::Unsatisfied, UNSATISFIED),
            false => failure,
        })
        .about(about)?;
    Ok(Proved {
        proof: proof_to_json(&proof),
        public: public_to_json(&public),
        memory,
    })
}

/// The public signals of a proof of this witness, as snarkjs writes them. None if the two are over different curves,
/// or the witness has too few values.
pub fn public_signals(key: &AnyKey, witness: &AnyWitness) -> Option<String> {
    let n_public = key.n_public();
    match (key, witness) {
        (AnyKey::Bn254(_), AnyWitness::Bn254(witness)) => public_of(witness, n_public),
        (AnyKey::Bls12_381(_), AnyWitness::Bls12_381(witness)) => public_of(witness, n_public),
        _ => None,
    }
}

fn public_of<E: ProvingEngine>(witness: &Wtns<E>, n_public: usize) -> Option<String> {
    let signals = values(witness).public(n_public)?;
    Some(public_to_json(&signals))
}

/// The shortest text of a proof as snarkjs writes it, of points at infinity; and by how many characters the longest may
/// be longer.
pub fn shortest_proof(curve: PairingCurve) -> (String, usize) {
    let text = over_curve!(curve, E => proof_of_infinity::<E>());
    let digits = match curve {
        PairingCurve::Bn254 => 77,      // of 254 bits
        PairingCurve::Bls12_381 => 115, // of 381 bits
    };
    (text, COORDINATES * (digits - 1))
}

fn proof_of_infinity<E: ProvingEngine>() -> String {
    proof_to_json(&Proof::<E> {
        a: E::G1::default(),
        b: E::G2::default(),
        c: E::G1::default(),
    })
}

/// Coordinates of a proof: two of A, four of B, two of C.
const COORDINATES: usize = 8;

/// The memory that a proof takes, whose options have the limit of `allowance`.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 if the limit is too low; it says whether spilling would do.
pub fn predict<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Wtns<E>,
    options: &ProveOptions<'_>,
    allowance: &Allowance,
) -> Result<ProvingMemory, Failure> {
    key.memory(&values(witness), options).map_err(|error| {
        let Error::MemoryLimit { needed, .. } = error else {
            return error.into();
        };
        let spilling = ProveOptions {
            spill: Some(Path::new("")),
            ..*options
        };
        if let Some(failure) = allowance.refusal(needed) {
            let can_spill =
                options.spill.is_none() && key.memory(&values(witness), &spilling).is_ok();
            return match can_spill {
                true => failure.hinting("Or give --max-memory and --spill DIR."),
                false => failure,
            };
        }
        let enough = limit(needed);
        let hint = match key.memory(&values(witness), &spilling) {
            Ok(_) => format!("Give --max-memory {enough}, or --spill DIR."),
            Err(Error::MemoryLimit {
                needed: spilled, ..
            }) if spilled < needed => format!(
                "Give --max-memory {enough}, or --spill DIR --max-memory {}.",
                limit(spilled)
            ),
            Err(_) => format!("Give --max-memory {enough}."),
        };
        Failure::from(error).hinting(&hint)
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

const UNSATISFIED: &str = "\
the witness does not satisfy the circuit, or is of another circuit than the key, whose points and digests are right. \
Next: frumious check CIRCUIT.r1cs WITNESS names the constraint";

const CHECK: &str = "check key";

/// Shares of the time, in percent, for the estimate of the time left. They are those of half a million constraints:
/// `frumious prove --json`, circom's rollup of 17, two threads of Zen 4. The check is guessed.
const SHARES: [(&str, f64); 8] = [
    (Phase::Rows.name(), 6.0),
    (Phase::Quotient.name(), 6.0),
    (Phase::SumH.name(), 18.0),
    (Phase::SumC.name(), 15.0),
    (Phase::SumA.name(), 14.0),
    (Phase::SumB2.name(), 29.0),
    (Phase::Blinding.name(), 0.0),
    (Phase::Verify.name(), 0.0),
];
const CHECK_SHARE: f64 = 150.0;
