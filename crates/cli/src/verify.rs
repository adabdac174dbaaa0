//! `frumious verify`.

use std::time::Instant;

use frumious_circom::FileKind;
use frumious_groth16::ProvingEngine;
use frumious_mapping::FileBytes;
use frumious_snarkjs::generic::open_public;
use frumious_snarkjs::groth16::{open_proof, verifying_key_from_json};
use serde_json::json;

use crate::arguments::Verify;
use crate::curve::{self, over_curve};
use crate::failure::{About, Failure};
use crate::output::{Output, duration, seconds};

/// Verifies a proof: a failure that says so if it is invalid.
pub fn verify(arguments: &Verify, output: &Output) -> Result<(), Failure> {
    let vkey = &arguments.vkey;
    let key = FileBytes::read(vkey).about(vkey)?;
    over_curve!(curve::of(FileKind::VerifyingKeyJson, &key, vkey)?, E => {
        verify_over::<E>(key, arguments, output)
    })
}

fn verify_over<E: ProvingEngine>(
    key: FileBytes,
    arguments: &Verify,
    output: &Output,
) -> Result<(), Failure> {
    let Verify {
        vkey,
        public,
        proof,
        uncontributed,
    } = arguments;
    let key = verifying_key_from_json::<E>(key)
        .map_err(|error| error.in_file(vkey))
        .about(vkey)?;
    let missing = key.missing_contribution();
    uncontributed.refuse(missing, vkey, output)?;
    let signals = open_public(public).about(public)?;
    let proof_points = open_proof(proof).about(proof)?;
    let start = Instant::now();
    let valid = frumious_groth16::verify(&key, &signals, &proof_points).about(public)?;
    let time = start.elapsed();
    if !valid {
        let proof = proof.display();
        return Err(Failure::Rejected(format!("{proof}: INVALID proof")));
    }
    output.result(
        &format!("OK: valid proof ({})", duration(time)),
        json!({
            "valid": true,
            "contributed": missing.is_none(),
            "public_signals": signals.len(),
            "seconds": seconds(time),
        }),
    )
}
