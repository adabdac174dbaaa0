//! `frumious export vkey | solidity | calldata | r1cs | witness`, `zkey export json`, `powersoftau export json`,
//! `print`.

use std::path::Path;

use frumious_circom::FileKind;
use frumious_circom::generic::{R1cs, Wtns};
use frumious_curves::PairingEngine;
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::{
    KeyFile, Ptau, public_from_json, write_ptau_json, write_r1cs_json, write_r1cs_text,
    write_witness_json, write_zkey_json,
};
use frumious_snarkjs::groth16::{
    key_kind, proof_from_json, solidity_verifier, verifying_key_from_json, verifying_key_to_json,
};
use serde_json::json;

use crate::arguments::Print;
use crate::contribution::Uncontributed;
use crate::output::Output;
use frumious_app::failure::{About, Code, Failure};
use frumious_app::files::{self, OutputFile, Readers, streams};
use frumious_app::places::Role;
use frumious_app::symbols::Symbols;
use frumious_app::{curve, over_curve};

/// Writes the verification key of a proving key.
pub fn vkey(
    zkey: &Path,
    out: &Path,
    uncontributed: Uncontributed,
    output: &Output,
) -> Result<(), Failure> {
    let places = output.places().input("KEY", Role::Key, zkey);
    output.check(&places.output("VKEY", Role::VerifyingKey, out))?;
    let bytes = streams::map(zkey)?;
    let (json, n_public, missing) = over_curve!(curve::of(key_kind(&bytes), &bytes, zkey)?, E => {
        let key = verifying_key_of::<E>(bytes, zkey)?;
        (verifying_key_to_json(&key), key.n_public(), key.missing_contribution())
    });
    uncontributed.refuse(missing, zkey, output)?;
    files::write(out, &json)?;
    output.result(
        &format!("Verification key written to {}", out.display()),
        json!({ "vkey": out.display().to_string(), "public_signals": n_public, "contributed": missing.is_none() }),
    )
}

/// Writes a verifier contract, for a proving key or a verification key.
pub fn solidity(
    key: &Path,
    out: &Path,
    uncontributed: Uncontributed,
    output: &Output,
) -> Result<(), Failure> {
    let places = output.places().input("KEY", Role::AnyKey, key);
    output.check(&places.output("CONTRACT", Role::Contract, out))?;
    let bytes = streams::map(key)?;
    let kind = match bytes.get(..4) {
        Some(b"zkey" | b"fkey") => key_kind(&bytes),
        _ => FileKind::VerifyingKeyJson,
    };
    let (source, n_public, missing) = over_curve!(curve::of(kind, &bytes, key)?, E => {
        let verifying_key = match kind {
            FileKind::Zkey | FileKind::Fkey => verifying_key_of::<E>(bytes, key)?,
            _ => verifying_key_from_json::<E>(&bytes[..]).map_err(|error| error.in_file(key))?,
        };
        let missing = verifying_key.missing_contribution();
        (solidity_verifier(&verifying_key), verifying_key.n_public(), missing)
    });
    uncontributed.refuse(missing, key, output)?;
    files::write(out, &source)?;
    output.result(
        &format!("Verifier contract written to {}", out.display()),
        json!({
            "contract": out.display().to_string(),
            "public_signals": n_public,
            "contributed": missing.is_none(),
        }),
    )
}

/// Writes a constraint system as JSON.
pub fn r1cs(path: &Path, out: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("R1CS", Role::Circuit, path);
    output.check(&places.output("JSON", Role::Exported, out))?;
    let bytes = streams::map(path)?;
    let mut file = OutputFile::create(out, Readers::Anyone)?;
    let n_constraints = over_curve!(curve::of(FileKind::R1cs, &bytes, path)?, E => {
        let r1cs = R1cs::<E>::from_bytes(bytes).about(path)?;
        write_r1cs_json(&r1cs, &mut file).about(out)?;
        r1cs.check_unchanged().about(path)?;
        r1cs.n_constraints()
    });
    file.commit()?;
    output.result(
        &format!("{n_constraints} constraints written to {}", out.display()),
        json!({ "file": out.display().to_string(), "constraints": n_constraints }),
    )
}

/// Prints the constraints of a circuit.
pub fn print(arguments: &Print, output: &Output) -> Result<(), Failure> {
    let r1cs = &arguments.r1cs;
    let beside = r1cs.with_extension("sym");
    let sym = arguments.sym.as_deref().unwrap_or(&beside);
    let stdout = Path::new("-");
    let places = output.places().input("R1CS", Role::Circuit, r1cs);
    let places = places.input("SYM", Role::Symbols, sym);
    output.check(&places.output("-", Role::Report, stdout))?;
    let mut names: Vec<Option<String>> = Vec::new();
    for symbol in Symbols::read(sym).all() {
        let Some(wire) = symbol.wire.map(|wire| wire as usize) else {
            continue;
        };
        // A number out of all bounds names no wire of any file.
        if wire >= MOST_WIRES {
            continue;
        }
        if names.len() <= wire {
            names.resize(wire + 1, None);
        }
        names[wire] = Some(match names[wire].take() {
            Some(others) => format!("{others}|{}", symbol.name),
            None => symbol.name.to_owned(),
        });
    }
    let name_of = |wire: u32| names.get(wire as usize).cloned().flatten();
    let bytes = streams::map(r1cs)?;
    let mut file = OutputFile::create(stdout, Readers::Anyone)?;
    over_curve!(curve::of(FileKind::R1cs, &bytes, r1cs)?, E => {
        let system = R1cs::<E>::from_bytes(bytes).about(r1cs)?;
        write_r1cs_text(&system, name_of, &mut file).about(stdout)?;
        system.check_unchanged().about(r1cs)?;
    });
    file.commit()
}

/// Writes a proving key as JSON.
pub fn key(path: &Path, out: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("KEY", Role::Key, path);
    output.check(&places.output("JSON", Role::Exported, out))?;
    let bytes = streams::map(path)?;
    let mut file = OutputFile::create(out, Readers::Anyone)?;
    let n_wires = over_curve!(curve::of(key_kind(&bytes), &bytes, path)?, E => {
        let key = KeyFile::<E>::from_bytes(bytes).about(path)?;
        let key = key.as_zkey().ok_or_else(|| Failure::new(
            Code::WrongKind,
            format!("{}: it is an .fkey. Next: frumious convert {0} KEY.zkey", path.display()),
        ))?;
        write_zkey_json(key, &mut file).about(path)?;
        key.bytes().check_unchanged().about(path)?;
        key.header().n_wires
    });
    file.commit()?;
    output.result(
        &format!("Key of {n_wires} wires written to {}", out.display()),
        json!({ "file": out.display().to_string(), "wires": n_wires }),
    )
}

/// Writes prepared powers of tau as JSON.
pub fn powers(path: &Path, out: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("PTAU", Role::Powers, path);
    output.check(&places.output("JSON", Role::Exported, out))?;
    let bytes = streams::map(path)?;
    let mut file = OutputFile::create(out, Readers::Anyone)?;
    let power = over_curve!(curve::of(FileKind::Ptau, &bytes, path)?, E => {
        let powers = Ptau::<E>::from_bytes(bytes).about(path)?;
        write_ptau_json(&powers, &mut file).about(path)?;
        powers.bytes().check_unchanged().about(path)?;
        powers.power()
    });
    file.commit()?;
    output.result(
        &format!("2^{power} powers written to {}", out.display()),
        json!({ "file": out.display().to_string(), "power": power }),
    )
}

/// Writes a witness as JSON.
pub fn witness(path: &Path, out: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("WITNESS", Role::Witness, path);
    output.check(&places.output("JSON", Role::Exported, out))?;
    let bytes = streams::map(path)?;
    let mut file = OutputFile::create(out, Readers::Owner)?;
    let n_wires = over_curve!(curve::of(FileKind::Wtns, &bytes, path)?, E => {
        let witness = Wtns::<E>::from_bytes(&bytes).about(path)?;
        write_witness_json(&witness, &mut file).about(out)?;
        witness.len()
    });
    bytes.check_unchanged().about(path)?;
    file.commit()?;
    output.result(
        &format!("Values of {n_wires} wires written to {}", out.display()),
        json!({ "file": out.display().to_string(), "wires": n_wires }),
    )
}

/// Prints the arguments of the contract's `verifyProof`.
pub fn calldata(public: &Path, proof: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("PUBLIC", Role::Public, public);
    output.check(&places.input("PROOF", Role::Proof, proof))?;
    let bytes = streams::read(proof)?;
    let calldata = over_curve!(curve::of(FileKind::ProofJson, &bytes, proof)?, E => {
        let signals = public_from_json(streams::read(public)?)
            .map_err(|error| error.in_file(public))
            .about(public)?;
        let points = proof_from_json::<E>(bytes)
            .map_err(|error| error.in_file(proof))
            .about(proof)?;
        frumious_snarkjs::groth16::calldata(&points, &signals)
    });
    output.answer(&calldata, json!({ "calldata": calldata }))
}

fn verifying_key_of<E: PairingEngine>(
    key: FileBytes,
    path: &Path,
) -> Result<frumious_groth16::VerifyingKey<E>, Failure> {
    KeyFile::from_bytes(key)
        .and_then(|key| key.verifying_key())
        .map_err(|error| error.in_file(path))
        .about(path)
}

/// More wires than a circuit in memory has.
const MOST_WIRES: usize = 1 << 31;
