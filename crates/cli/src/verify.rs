//! `frumious verify`.

use frumious_app::failure::{Code, Failure};
use frumious_app::places::Role;
use frumious_app::quantities::{duration, seconds};
use frumious_app::verify::verify as judge;
use serde_json::json;

use crate::arguments::Verify;
use crate::output::Output;

/// Verifies a proof: a failure that says so if it is invalid.
pub fn verify(arguments: &Verify, output: &Output) -> Result<(), Failure> {
    let Verify {
        vkey,
        public,
        proof,
        uncontributed,
    } = arguments;
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
