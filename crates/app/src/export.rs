//! Texts made of a key: the verification key, the contract, the arguments of the contract, and the key as JSON.

use std::io::{BufWriter, Write};
use std::path::Path;

use frumious_circom::{Error, FileKind};
use frumious_curves::{PairingCurve, PairingEngine};
use frumious_groth16::{Uncontributed, VerifyingKey};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::{
    KeyFile, Ptau, public_from_json, write_ptau_json, write_zkey_json, zkey_from_json,
    zkey_json_curve,
};
use frumious_snarkjs::groth16::{
    key_kind, proof_from_json, solidity_verifier, verifying_key_from_json, verifying_key_to_json,
};

use crate::failure::{About, Code, Failure};
use crate::files::{OutputFile, Readers, streams};
use crate::{curve, over_curve};

/// A text made of a key.
pub struct Exported {
    /// The text.
    pub text: String,
    /// Number of public signals.
    pub n_public: usize,
    /// The phase of the ceremony that nobody contributed to: then anyone can forge proofs.
    pub missing: Option<Uncontributed>,
}

/// The verification key of a proving key, as snarkjs writes it. `name` is for messages.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a malformed key.
pub fn verification_key(key: FileBytes, name: &Path) -> Result<Exported, Failure> {
    over_curve!(curve::of(key_kind(&key), &key, name)?, E => {
        let key = verifying_key_of::<E>(key, name)?;
        Ok(exported(verifying_key_to_json(&key), &key))
    })
}

/// The verifier contract of a proving key or a verification key. `name` is for messages.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a malformed key.
pub fn contract(key: FileBytes, name: &Path) -> Result<Exported, Failure> {
    let kind = match key.get(..4) {
        Some(b"zkey" | b"fkey") => key_kind(&key),
        _ => FileKind::VerifyingKeyJson,
    };
    over_curve!(curve::of(kind, &key, name)?, E => {
        let key = match kind {
            FileKind::Zkey | FileKind::Fkey => verifying_key_of::<E>(key, name)?,
            _ => verifying_key_from_json::<E>(&key[..]).map_err(|error| error.in_file(name))?,
        };
        Ok(exported(solidity_verifier(&key), &key))
    })
}

/// The arguments of the contract's `verifyProof`, of a proof and its public signals, each with a name for messages.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for malformed JSON; those of `public`, which is asked for after the proof.
pub fn calldata<'a>(
    (proof, name): (FileBytes, &Path),
    public: impl FnOnce() -> Result<(FileBytes, &'a Path), Failure>,
) -> Result<String, Failure> {
    over_curve!(curve::of(FileKind::ProofJson, &proof, name)?, E => {
        let (signals, public) = public()?;
        let signals = public_from_json(signals)
            .map_err(|error| error.in_file(public))
            .about(public)?;
        let points = proof_from_json::<E>(proof)
            .map_err(|error| error.in_file(name))
            .about(name)?;
        Ok(frumious_snarkjs::groth16::calldata(&points, &signals))
    })
}

/// Writes a proving key as snarkjs's JSON, and returns its number of wires. `name` is that of the key, and `to` that of
/// the output, for messages.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for a malformed key, an `.fkey`, and what cannot be written.
pub fn key_json(
    key: FileBytes,
    name: &Path,
    out: &mut dyn Write,
    to: &Path,
) -> Result<u32, Failure> {
    Ok(over_curve!(curve::of(key_kind(&key), &key, name)?, E => {
        let key = KeyFile::<E>::from_bytes(key).about(name)?;
        let key = key.as_zkey().ok_or_else(|| Failure::new(
            Code::WrongKind,
            format!("{}: it is an .fkey. Next: frumious convert {0} KEY.zkey", name.display()),
        ))?;
        write_zkey_json(key, out).map_err(|error| of_either(error, name, to))?;
        key.bytes().check_unchanged().about(name)?;
        key.header().n_wires
    }))
}

/// Writes prepared powers of tau as snarkjs's JSON, and returns their power. `name` is that of the powers, and `to` is
/// that of the output, for messages.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for malformed powers or unprepared ones, and what cannot be written.
pub fn powers_json(
    powers: FileBytes,
    name: &Path,
    out: &mut dyn Write,
    to: &Path,
) -> Result<u32, Failure> {
    Ok(
        over_curve!(curve::of(FileKind::Ptau, &powers, name)?, E => {
            let powers = Ptau::<E>::from_bytes(powers).about(name)?;
            write_ptau_json(&powers, out).map_err(|error| of_either(error, name, to))?;
            powers.bytes().check_unchanged().about(name)?;
            powers.power()
        }),
    )
}

/// The failure of reading a file, or of writing another.
fn of_either(error: Error, read: &Path, written: &Path) -> Failure {
    let place = match error {
        Error::Write { .. } => written,
        _ => read,
    };
    Failure::from(error).about(place)
}

/// Writes the proving key that was exported as the JSON at `path`, without the circuit's hash and contributions, which
/// JSON has not. Returns its curve.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3 for malformed JSON, with the path of the value, and what cannot be written.
pub fn key_from_json(path: &Path, new: &Path) -> Result<PairingCurve, Failure> {
    let json = streams::map(path)?;
    json.settle();
    let curve = zkey_json_curve(&json).unwrap_or(PairingCurve::Bn254); // whose refusal is as good
    over_curve!(curve, E => {
        let mut file = OutputFile::create(new, Readers::Anyone)?;
        let made = zkey_from_json::<E, _>(&json, BufWriter::new(&mut file)).map(drop);
        if let Err(error) = made {
            return match error {
                error @ Error::Write { .. } => Err(error).about(new),
                error => Err(error.in_file(path)).about(path),
            };
        }
        json.check_unchanged().about(path)?;
        file.commit()?;
    });
    Ok(curve)
}

fn exported<E: PairingEngine>(text: String, key: &VerifyingKey<E>) -> Exported {
    Exported {
        text,
        n_public: key.n_public(),
        missing: key.missing_contribution(),
    }
}

fn verifying_key_of<E: PairingEngine>(
    key: FileBytes,
    name: &Path,
) -> Result<VerifyingKey<E>, Failure> {
    KeyFile::from_bytes(key)
        .and_then(|key| key.verifying_key())
        .map_err(|error| error.in_file(name))
        .about(name)
}
