//! `frumious export vkey | proof | public --format` and `frumious import`: byte layouts of other libraries.

use std::path::Path;

use frumious_app::failure::Failure;
use frumious_app::layouts::{self, Item};
use frumious_app::places::Role;
use serde_json::json;

use crate::arguments::layouts::{ExportProof, ExportPublic, Format, Import, ImportFile};
use crate::contribution::Uncontributed;
use crate::output::Output;

/// Writes a verification key as bytes of a library.
pub fn export_vkey(
    key: &Path,
    out: &Path,
    format: Format,
    uncontributed: Uncontributed,
    output: &Output,
) -> Result<(), Failure> {
    let places = output.places().input("KEY", Role::AnyKey, key);
    output.check(&places.output("VKEY", Role::LibraryBytes, out))?;
    let mut lacks = None;
    let accept = |missing| {
        lacks = missing;
        uncontributed.refuse(missing, key, output)
    };
    let n_public = layouts::export_verifying_key(key, out, format.layout(), accept)?;
    output.result(
        &format!("Verification key written to {}", out.display()),
        json!({ "vkey": out.display().to_string(), "public_signals": n_public, "contributed": lacks.is_none() }),
    )
}

/// Writes a proof as bytes of a library.
pub fn export_proof(arguments: &ExportProof, output: &Output) -> Result<(), Failure> {
    let ExportProof { proof, out, format } = arguments;
    let places = output.places().input("PROOF", Role::Proof, proof);
    output.check(&places.output("BYTES", Role::LibraryBytes, out))?;
    layouts::export_proof(proof, out, format.layout())?;
    output.result(
        &format!("Proof written to {}", out.display()),
        json!({ "proof": out.display().to_string() }),
    )
}

/// Writes public signals as bytes of a library.
pub fn export_public(arguments: &ExportPublic, output: &Output) -> Result<(), Failure> {
    let ExportPublic {
        public,
        out,
        format,
        curve,
    } = arguments;
    let places = output.places().input("PUBLIC", Role::Public, public);
    output.check(&places.output("BYTES", Role::LibraryBytes, out))?;
    let number = layouts::export_public(public, out, format.layout(), *curve)?;
    output.result(
        &format!("{number} public signals written to {}", out.display()),
        json!({ "public": out.display().to_string(), "public_signals": number }),
    )
}

/// Turns bytes of a library into JSON.
pub fn import(command: &Import, output: &Output) -> Result<(), Failure> {
    let (file, item, role, field) = match command {
        Import::Vkey(file) => (file, Item::VerifyingKey, Role::VerifyingKey, "vkey"),
        Import::Proof(file) => (file, Item::Proof, Role::Proof, "proof"),
        Import::Public(file) => (file, Item::Public, Role::Public, "public"),
    };
    let ImportFile {
        from,
        to,
        format,
        curve,
    } = file;
    let places = output.places().input("BYTES", Role::LibraryBytes, from);
    output.check(&places.output("JSON", role, to))?;
    layouts::import(item, (from, to), format.layout(), *curve)?;
    output.result(
        &format!("JSON written to {}", to.display()),
        json!({ field: to.display().to_string() }),
    )
}
