#![forbid(unsafe_code)]
//! Verifies a proof of snarkjs, on any target. `.ci/targets` runs it under emulators and in node.
//!
//! The circuit says that the public number is a product of two secret ones. Key and proof lie beside this file. Ends
//! with 0 if the proof is valid and another public number is refused.
//!
//! A crate of its own, so that no other target compiles what only tests need.

use frumious_curves::bn254::Fr;
use frumious_groth16::verify;
use frumious_snarkjs::{proof_from_json, public_from_json, verifying_key_from_json};
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let key = verifying_key_from_json(include_str!("verification_key.json"))?;
    let proof = proof_from_json(include_str!("proof.json"))?;
    let public = public_from_json(include_str!("public.json"))?;
    let is_valid = verify(&key, &public, &proof)?;
    let is_refused = !verify(&key, &[public[0] + Fr::ONE], &proof)?;
    println!("{is_valid} {is_refused}");
    Ok(ExitCode::from(u8::from(!(is_valid && is_refused))))
}
