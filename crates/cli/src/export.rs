//! `frumious export vkey | solidity | calldata`.

use std::path::Path;

use frumious_circom::{FileBytes, Proof, VerifyingKey, Zkey, open_public};
use serde_json::json;

use crate::failure::{About, Failure};
use crate::files;
use crate::output::Output;

/// Writes the verification key of a proving key.
pub fn vkey(zkey: &Path, out: &Path, output: &Output) -> Result<(), Failure> {
    files::check_outputs(&[out], &[zkey])?;
    let key = verifying_key_of(Zkey::open(zkey), zkey)?;
    files::write(out, &key.to_json())?;
    output.result(
        &format!("Verification key written to {}", out.display()),
        json!({ "vkey": out.display().to_string(), "public_signals": key.n_public() }),
    )
}

/// Writes a verifier contract, for a proving key or a verification key.
pub fn solidity(key: &Path, out: &Path, output: &Output) -> Result<(), Failure> {
    files::check_outputs(&[out], &[key])?;
    let bytes = FileBytes::map(key).about(key)?;
    let verifying_key = match bytes.starts_with(b"zkey") {
        true => verifying_key_of(Zkey::from_bytes(bytes), key)?,
        false => VerifyingKey::from_json(&bytes[..]).map_err(|error| error.in_file(key))?,
    };
    files::write(out, &frumious_circom::solidity_verifier(&verifying_key))?;
    output.result(
        &format!("Verifier contract written to {}", out.display()),
        json!({ "contract": out.display().to_string(), "public_signals": verifying_key.n_public() }),
    )
}

/// Prints the arguments of the contract's `verifyProof`.
pub fn calldata(public: &Path, proof: &Path, output: &Output) -> Result<(), Failure> {
    let signals = open_public(public).about(public)?;
    let proof = Proof::open(proof).about(proof)?;
    let calldata = frumious_circom::calldata(&proof, &signals);
    output.answer(&calldata, json!({ "calldata": calldata }))
}

fn verifying_key_of(
    zkey: Result<Zkey, frumious_circom::Error>,
    path: &Path,
) -> Result<VerifyingKey, Failure> {
    zkey.and_then(|zkey| zkey.verifying_key())
        .map_err(|error| error.in_file(path))
        .about(path)
}
