//! `frumious verify`.

use std::path::Path;

use frumious_app::failure::{Code, Failure};
use frumious_app::places::Role;
use frumious_app::quantities::{count, duration, seconds};
use frumious_app::verify::{verify as judge, verify_batch};
use serde_json::json;

use crate::arguments::prove::Verify;
use crate::contribution::Uncontributed;
use crate::output::Output;
use crate::progress::Progress;

/// Verifies a proof, or many: a failure that says so if one is invalid.
pub fn verify(arguments: &Verify, output: &Output) -> Result<(), Failure> {
    let Verify {
        vkey,
        public,
        proof,
        batch,
        uncontributed,
    } = arguments;
    if let Some(proofs) = batch {
        return many(vkey, proofs, *uncontributed, output);
    }
    let places = output.places().input("VKEY", Role::VerifyingKey, vkey);
    let places = places.input("PUBLIC", Role::Public, public);
    output.check(&places.input("PROOF", Role::Proof, proof))?;
    let accept = |missing| uncontributed.refuse(missing, vkey, output);
    let verdict = judge(vkey, public, proof, accept)?;
    if !verdict.valid {
        let proof = proof.display();
        let message = format!("{proof}: INVALID proof");
        return Err(Failure::new(Code::InvalidProof, message));
    }
    output.result(
        &format!("OK: valid proof ({})", duration(verdict.time)),
        json!({
            "valid": true,
            "contributed": verdict.missing.is_none(),
            "public_signals": verdict.n_public,
            "seconds": seconds(verdict.time),
        }),
    )
}

fn many(
    vkey: &Path,
    proofs: &Path,
    uncontributed: Uncontributed,
    output: &Output,
) -> Result<(), Failure> {
    let places = output.places().input("VKEY", Role::VerifyingKey, vkey);
    output.check(&places.input("--batch", Role::Statements, proofs))?;
    let accept = |missing| uncontributed.refuse(missing, vkey, output);
    let progress = Progress::new(output, 1);
    let verdict = verify_batch(vkey, proofs, accept, &progress)?;
    progress.finish();
    output.result(
        &format!(
            "OK: {} valid proofs ({})",
            count(verdict.n_proofs),
            duration(verdict.time)
        ),
        json!({
            "valid": true,
            "contributed": verdict.missing.is_none(),
            "proofs": verdict.n_proofs,
            "public_signals": verdict.n_public,
            "seconds": seconds(verdict.time),
        }),
    )
}
