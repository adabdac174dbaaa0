//! `frumious export vkey | solidity | calldata | r1cs | witness`, `zkey export json`, `powersoftau export json`,
//! `print`.

use std::path::Path;

use frumious_circom::FileKind;
use frumious_circom::curve::curve_name;
use frumious_circom::generic::{R1cs, Wtns};
use frumious_snarkjs::generic::{write_r1cs_json, write_r1cs_text, write_witness_json};
use serde_json::json;

use crate::arguments::export::Print;
use crate::contribution::Uncontributed;
use crate::output::Output;
use frumious_app::failure::{About, Failure};
use frumious_app::files::{self, OutputFile, Readers, streams};
use frumious_app::places::Role;
use frumious_app::symbols::Symbols;
use frumious_app::{curve, export, over_curve};

/// Writes the verification key of a proving key.
pub fn vkey(
    zkey: &Path,
    out: &Path,
    uncontributed: Uncontributed,
    output: &Output,
) -> Result<(), Failure> {
    let places = output.places().input("KEY", Role::Key, zkey);
    output.check(&places.output("VKEY", Role::VerifyingKey, out))?;
    let key = export::verification_key(streams::map(zkey)?, zkey)?;
    uncontributed.refuse(key.missing, zkey, output)?;
    files::write(out, &key.text)?;
    output.result(
        &format!("Verification key written to {}", out.display()),
        json!({
            "vkey": out.display().to_string(),
            "public_signals": key.n_public,
            "contributed": key.missing.is_none(),
        }),
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
    let contract = export::contract(streams::map(key)?, key)?;
    uncontributed.refuse(contract.missing, key, output)?;
    files::write(out, &contract.text)?;
    output.result(
        &format!("Verifier contract written to {}", out.display()),
        json!({
            "contract": out.display().to_string(),
            "public_signals": contract.n_public,
            "contributed": contract.missing.is_none(),
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
    let mut file = OutputFile::create(out, Readers::Anyone)?;
    let n_wires = export::key_json(streams::map(path)?, path, &mut file, out)?;
    file.commit()?;
    output.result(
        &format!("Key of {n_wires} wires written to {}", out.display()),
        json!({ "file": out.display().to_string(), "wires": n_wires }),
    )
}

/// Writes the proving key that was exported as JSON.
pub fn import_key(json: &Path, key: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("JSON", Role::KeyJson, json);
    output.check(&places.output("KEY", Role::Key, key))?;
    let curve = export::key_from_json(json, key)?;
    output.result(
        &format!(
            "Proving key written to {}, without contributions, which JSON has not",
            key.display()
        ),
        json!({ "zkey": key.display().to_string(), "curve": curve_name(curve) }),
    )
}

/// Writes prepared powers of tau as JSON.
pub fn powers(path: &Path, out: &Path, output: &Output) -> Result<(), Failure> {
    let places = output.places().input("PTAU", Role::Powers, path);
    output.check(&places.output("JSON", Role::Exported, out))?;
    let mut file = OutputFile::create(out, Readers::Anyone)?;
    let power = export::powers_json(streams::map(path)?, path, &mut file, out)?;
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
    let read = |path| Ok((streams::read(path)?, path));
    let calldata = export::calldata(read(proof)?, || read(public))?;
    output.answer(&calldata, json!({ "calldata": calldata }))
}

/// More wires than a circuit in memory has.
const MOST_WIRES: usize = 1 << 31;
