//! Verdicts on proofs in files.

mod batch;

pub use batch::{BatchVerdict, verify_batch};

use std::path::Path;
use std::time::{Duration, Instant};

use frumious_circom::FileKind;
use frumious_groth16::{PreparedVerifyingKey, ProvingEngine, Uncontributed};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::public_from_json;
use frumious_snarkjs::groth16::{NoVerdict, verify_json, verifying_key_from_json};

use crate::failure::{About, Failure};
use crate::files::streams;
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
    /// Duration of the verification, with the reading of the proof.
    pub time: Duration,
}

/// Verifies the proof at `proof` for the public signals at `public` under the verification key at `vkey`, all JSON.
///
/// `accept` is asked whether a key without a contribution will do.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for malformed files; that of `accept`.
pub fn verify(
    vkey: &Path,
    public: &Path,
    proof: &Path,
    accept: impl FnOnce(Option<Uncontributed>) -> Result<(), Failure>,
) -> Result<Verdict, Failure> {
    let read = |path| Ok((streams::read(path)?, path));
    verify_bytes(read(vkey)?, || read(public), || read(proof), accept)
}

/// As [`verify`], of what is in memory or will be, each with a name for messages.
///
/// # Errors
/// As [`verify`], and those of `public` and `proof`, which are asked for in this order.
pub fn verify_bytes<'a>(
    (key, vkey): (FileBytes, &Path),
    public: impl FnOnce() -> Result<(FileBytes, &'a Path), Failure>,
    proof: impl FnOnce() -> Result<(FileBytes, &'a Path), Failure>,
    accept: impl FnOnce(Option<Uncontributed>) -> Result<(), Failure>,
) -> Result<Verdict, Failure> {
    over_curve!(curve::of(FileKind::VerifyingKeyJson, &key, vkey)?, E => {
        over::<E>((key, vkey), public, proof, accept)
    })
}

fn over<'a, E: ProvingEngine>(
    (key, vkey): (FileBytes, &Path),
    public: impl FnOnce() -> Result<(FileBytes, &'a Path), Failure>,
    proof: impl FnOnce() -> Result<(FileBytes, &'a Path), Failure>,
    accept: impl FnOnce(Option<Uncontributed>) -> Result<(), Failure>,
) -> Result<Verdict, Failure> {
    let key = verifying_key_from_json::<E>(key)
        .map_err(|error| error.in_file(vkey))
        .about(vkey)?;
    let missing = key.missing_contribution();
    accept(missing)?;
    let (signals, public) = public()?;
    let signals = public_from_json(signals)
        .map_err(|error| error.in_file(public))
        .about(public)?;
    let (proof, name) = proof()?;
    let start = Instant::now();
    let prepared = PreparedVerifyingKey::new(&key).about(vkey)?;
    let judged = verify_json(&prepared, &signals, &proof).map_err(|fault| match fault {
        NoVerdict::Proof(error) => Failure::from(error.in_file(name)).about(name),
        NoVerdict::Verification(error) => Failure::from(error).about(public),
    })?;
    Ok(Verdict {
        valid: judged.is_valid,
        missing,
        n_public: signals.len(),
        time: start.elapsed(),
    })
}
