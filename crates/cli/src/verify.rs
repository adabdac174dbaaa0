//! `frumious verify`.

use std::time::Instant;

use frumious_circom::{Proof, VerifyingKey, open_public};
use serde_json::json;

use crate::arguments::Verify;
use crate::failure::{About, Failure};
use crate::output::{Output, duration, seconds};

/// Verifies a proof: a failure that says so if it is invalid.
pub fn verify(arguments: &Verify, output: &Output) -> Result<(), Failure> {
    let Verify {
        vkey,
        public,
        proof,
    } = arguments;
    let key = VerifyingKey::open(vkey).about(vkey)?;
    let signals = open_public(public).about(public)?;
    let proof_points = Proof::open(proof).about(proof)?;
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
            "public_signals": signals.len(),
            "seconds": seconds(time),
        }),
    )
}
