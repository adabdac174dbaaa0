//! Verdicts on proofs in files.

use std::path::Path;
use std::time::{Duration, Instant};

use frumious_circom::FileKind;
use frumious_groth16::{ProvingEngine, Uncontributed};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::open_public;
use frumious_snarkjs::groth16::{open_proof, verifying_key_from_json};

use crate::failure::{About, Failure};
use crate::{curve, over_curve};

/// A verdict.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// True if the proof is valid.
    pub valid: bool,
    /// The phase of the ceremony that nobody contributed to: then the verdict means nothing.
    pub missing: Option<Uncontributed>,
    /// Number of public signals.
    pub n_public: usize,
    /// Duration of the verification alone.
    pub time: Duration,
}

/// Verifies the proof at `proof` for the public signals at `public` under the verification key at `vkey`, all JSON.
///
/// `accept` is asked whether a key without a contribution will do.
///
/// # Errors
/// [`Failure::BadInput`] for malformed files; that of `accept`.
pub fn verify(
    vkey: &Path,
    public: &Path,
    proof: &Path,
    accept: impl FnOnce(Option<Uncontributed>) -> Result<(), Failure>,
) -> Result<Verdict, Failure> {
    let key = FileBytes::read(vkey).about(vkey)?;
    over_curve!(curve::of(FileKind::VerifyingKeyJson, &key, vkey)?, E => {
        over::<E>(key, [vkey, public, proof], accept)
    })
}

fn over<E: ProvingEngine>(
    key: FileBytes,
    [vkey, public, proof]: [&Path; 3],
    accept: impl FnOnce(Option<Uncontributed>) -> Result<(), Failure>,
) -> Result<Verdict, Failure> {
    let key = verifying_key_from_json::<E>(key)
        .map_err(|error| error.in_file(vkey))
        .about(vkey)?;
    let missing = key.missing_contribution();
    accept(missing)?;
    let signals = open_public(public).about(public)?;
    let proof = open_proof(proof).about(proof)?;
    let start = Instant::now();
    let valid = frumious_groth16::verify(&key, &signals, &proof).about(public)?;
    Ok(Verdict {
        valid,
        missing,
        n_public: signals.len(),
        time: start.elapsed(),
    })
}
