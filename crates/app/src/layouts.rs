//! Verification keys, proofs and public signals in the byte layouts of other libraries: from our JSON and back.

use std::path::Path;

use frumious_circom::FileKind;
use frumious_curves::PairingCurve;
use frumious_groth16::{Uncontributed, VerifyingKey};
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::{KeyFile, public_from_json, public_to_json};
pub use frumious_snarkjs::groth16::ByteLayout;
use frumious_snarkjs::groth16::{
    key_kind, proof_from_bytes, proof_from_json, proof_to_bytes, proof_to_json, public_from_bytes,
    public_to_bytes, verifying_key_from_bytes, verifying_key_from_json, verifying_key_to_bytes,
    verifying_key_to_json,
};

use crate::failure::{About, Failure};
use crate::files::{self, streams};
use crate::{curve, over_curve};

/// Writes the verification key in the file at `key` (a proving key, or JSON) to `out`. Returns the number of public
/// signals. gnark's β and δ in G1 are those of a proving key, and infinity for JSON, which has them not.
///
/// `accept` is asked whether a key without a contribution will do.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault; that of `accept`.
pub fn export_verifying_key(
    key: &Path,
    out: &Path,
    layout: ByteLayout,
    accept: impl FnOnce(Option<Uncontributed>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let bytes = streams::map(key)?;
    let kind = match bytes.get(..4) {
        Some(b"zkey" | b"fkey") => key_kind(&bytes),
        _ => FileKind::VerifyingKeyJson,
    };
    over_curve!(curve::of(kind, &bytes, key)?, E => {
        let in_file = |error: frumious_circom::Error| error.in_file(key);
        let (verifying_key, in_g1): (VerifyingKey<E>, _) = match kind {
            FileKind::VerifyingKeyJson => {
                (verifying_key_from_json(&bytes[..]).map_err(in_file).about(key)?, None)
            }
            _ => {
                let file = KeyFile::<E>::from_bytes(bytes).map_err(in_file).about(key)?;
                let header = file.header();
                let in_g1 = [header.beta_g1, header.delta_g1];
                (file.verifying_key().map_err(in_file).about(key)?, Some(in_g1))
            }
        };
        accept(verifying_key.missing_contribution())?;
        files::write(out, &verifying_key_to_bytes(&verifying_key, in_g1, layout))?;
        Ok(verifying_key.n_public())
    })
}

/// Writes the proof in the JSON file at `proof` to `out`.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn export_proof(proof: &Path, out: &Path, layout: ByteLayout) -> Result<(), Failure> {
    let json = streams::read(proof)?;
    over_curve!(curve::of(FileKind::ProofJson, &json, proof)?, E => {
        let read = proof_from_json::<E>(json).map_err(|error| error.in_file(proof));
        files::write(out, &proof_to_bytes(&read.about(proof)?, layout))
    })
}

/// Writes the public signals in the JSON file at `public` to `out`. Returns their number.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn export_public(
    public: &Path,
    out: &Path,
    layout: ByteLayout,
    curve: PairingCurve,
) -> Result<usize, Failure> {
    let json = streams::read(public)?;
    over_curve!(curve, E => {
        let read = public_from_json::<<E as frumious_curves::PairingEngine>::Fr>(json);
        let signals = read.map_err(|error| error.in_file(public)).about(public)?;
        files::write(out, &public_to_bytes(&signals, layout))?;
        Ok(signals.len())
    })
}

/// The kinds of what is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A verification key.
    VerifyingKey,
    /// A proof.
    Proof,
    /// Public signals.
    Public,
}

/// Writes what the file at `from` has in a library's layout to `out`, as JSON.
///
/// # Errors
/// A [`Failure`] of exit code 2 or 3, with the file that is at fault.
pub fn import(
    item: Item,
    (from, out): (&Path, &Path),
    layout: ByteLayout,
    curve: PairingCurve,
) -> Result<(), Failure> {
    let bytes: FileBytes = streams::read(from)?;
    let json = over_curve!(curve, E => match item {
        Item::VerifyingKey => {
            verifying_key_from_bytes::<E>(&bytes, layout).map(|key| verifying_key_to_json(&key))
        }
        Item::Proof => proof_from_bytes::<E>(&bytes, layout).map(|proof| proof_to_json(&proof)),
        Item::Public => {
            public_from_bytes::<E>(&bytes, layout).map(|public| public_to_json(&public))
        }
    });
    files::write(out, &json.map_err(|error| error.in_file(from)).about(from)?)
}
