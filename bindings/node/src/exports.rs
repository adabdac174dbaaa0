//! Verification keys, contracts, their arguments, and keys as JSON.

use std::path::Path;

use frumious_app::contribution;
use frumious_app::export::{self, Exported};
use frumious_app::failure::Failure;
use frumious_app::observer::Silent;
use frumious_mapping::FileBytes;
use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi_derive::napi;

use crate::source::{Given, Source};
use crate::task::{Work, promise};

/// The verification key of a proving key, as JSON.
#[napi]
pub fn export_verification_key(key: Given, uncontributed: bool) -> AsyncTask<Work<String>> {
    of_key(key, uncontributed, export::verification_key)
}

/// The verifier contract of a key.
#[napi]
pub fn export_solidity(key: Given, uncontributed: bool) -> AsyncTask<Work<String>> {
    of_key(key, uncontributed, export::contract)
}

/// The arguments of the contract's function, of JSON.
#[napi]
pub fn export_calldata(proof: String, public_signals: String) -> AsyncTask<Work<String>> {
    promise(None, None, move |_| {
        let bytes = |text: String| FileBytes::from(text.into_bytes());
        let public = || Ok((bytes(public_signals), Path::new("public signals")));
        export::calldata((bytes(proof), Path::new("proof")), public)
    })
}

/// A key as snarkjs's JSON.
#[napi]
pub fn export_key_json(key: Given) -> AsyncTask<Work<Buffer>> {
    let key = Source::of(key, "key");
    promise(None, None, move |_| {
        let name = key.name().to_owned();
        let mut text = Vec::new();
        export::key_json(key.bytes()?, &name, &mut text, &name)?;
        Ok(text.into())
    })
}

/// A text made of a key. One that nobody contributed to is refused but with `uncontributed`.
fn of_key(
    key: Given,
    uncontributed: bool,
    make: fn(FileBytes, &Path) -> Result<Exported, Failure>,
) -> AsyncTask<Work<String>> {
    let key = Source::of(key, "key");
    promise(None, None, move |_| {
        let name = key.name().to_owned();
        let made = make(key.bytes()?, &name)?;
        let how = "set allowUncontributed in a test";
        contribution::refuse(made.missing, &name, uncontributed, how, &Silent)?;
        Ok(made.text)
    })
}
