//! The stored inputs of the fuzz targets (`fuzz/corpus`), through their properties, on stable Rust.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use std::collections::BTreeMap;
use std::fs;
use std::panic;
use std::path::PathBuf;

/// A test for each target, and the table of both names.
macro_rules! targets {
    ($($target:ident: $property:path;)*) => {
        const TARGETS: &[(&str, &str)] = &[$((stringify!($target), stringify!($property))),*];

        $(
            #[test]
            fn $target() {
                check(stringify!($target), $property);
            }
        )*
    };
}

targets! {
    bls_public_key: frumious_properties::bls::public_key;
    bls_secret_key: frumious_properties::bls::secret_key;
    bls_signature: frumious_properties::bls::signature;
    certificates: frumious_properties::certificates::certificates;
    challenge: frumious_properties::snarkjs::challenge;
    fkey: frumious_properties::snarkjs::fkey;
    graph: frumious_properties::witness::graph;
    inputs_json: frumious_properties::witness::inputs_json;
    layouts: frumious_properties::snarkjs::layouts;
    mpc_params: frumious_properties::snarkjs::mpc_params;
    precompiles: frumious_properties::precompiles::precompiles;
    proof_json: frumious_properties::snarkjs::proof_json;
    ptau: frumious_properties::snarkjs::ptau;
    public_json: frumious_properties::snarkjs::public_json;
    r1cs: frumious_properties::snarkjs::r1cs;
    signature_keys: frumious_properties::signatures::keys;
    signatures: frumious_properties::signatures::signatures;
    statement_json: frumious_properties::snarkjs::statement_json;
    table_file: frumious_properties::tables::table_file;
    tape: frumious_properties::witness::tape;
    verkle_elements: frumious_properties::verkle::elements;
    verkle_forms_json: frumious_properties::verkle_json::all;
    verkle_multiproof: frumious_properties::verkle::multiproof;
    verkle_tree_proof: frumious_properties::verkle::tree_proof;
    verkle_witness_json: frumious_properties::verkle::witness_json;
    vkey_json: frumious_properties::snarkjs::vkey_json;
    wasm_description: frumious_properties::wasm::description;
    wasm_module: frumious_properties::witness::module;
    wtns: frumious_properties::snarkjs::wtns;
    zkey: frumious_properties::snarkjs::zkey;
    zkey_json: frumious_properties::snarkjs::zkey_json;
}

/// Its functions are unsafe to call: C programs of `frumious-c` do, under AddressSanitizer and valgrind.
const OF_C: &str = "c_functions";

#[test]
fn every_target_is_here_with_its_property() {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(fuzz().join("fuzz_targets")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        if name != OF_C {
            found.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    let expected = TARGETS.iter().map(|(target, property)| {
        let calls = format!("libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {property}(bytes));");
        (target.to_string(), format!("#![no_main]\n\n{calls}\n"))
    });
    assert_eq!(found, expected.collect());
}

fn check(target: &str, property: fn(&[u8])) {
    let mut inputs = 0;
    for entry in fs::read_dir(fuzz().join("corpus").join(target)).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        if let Err(cause) = panic::catch_unwind(|| property(&bytes)) {
            eprintln!("{}", path.display());
            panic::resume_unwind(cause);
        }
        inputs += 1;
    }
    assert!(inputs > 0, "{target}: no stored inputs");
}

fn fuzz() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}
