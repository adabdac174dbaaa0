//! `frumious verkle verify`.

use std::time::Instant;

use frumious_verkle::{Transcript, Verifier};
use serde_json::json;

use super::tables::{self, Work};
use crate::arguments::verkle::Verify;
use crate::output::Output;
use crate::progress::Progress;
use frumious_app::failure::{About, Code, Failure};
use frumious_app::files::read_text;
use frumious_app::places::Role;
use frumious_app::quantities::{count, duration, seconds};
use frumious_verkle_json as formats;

/// Verifies a proof: a failure that says so if it is invalid.
pub fn verify(arguments: &Verify, output: &Output) -> Result<(), Failure> {
    let Verify {
        claims: claims_file,
        proof: proof_file,
        protocol,
        tables,
    } = arguments;
    let places = output.places().input("CLAIMS", Role::Claims, claims_file);
    let places = places.input("PROOF", Role::VerkleProof, proof_file);
    output.check(&tables::placed(places, tables))?;
    let progress = Progress::new(output, 3);
    progress.begin("read");
    let claims = formats::claims(&read_text(claims_file)?).about(claims_file)?;
    let proof = formats::proof(&read_text(proof_file)?).about(proof_file)?;
    let committer = tables::committer(tables, Work::of_verification(), &progress)?;
    progress.begin("verify");
    let start = Instant::now();
    let mut transcript = Transcript::new(protocol.transcript.as_bytes());
    let valid = Verifier::new(&committer)
        .verify(&mut transcript, &claims, &proof)
        .about(claims_file)?;
    let time = start.elapsed();
    progress.finish();
    if !valid {
        return Err(Failure::new(
            Code::InvalidProof,
            format!("{}: INVALID proof", proof_file.display()),
        ));
    }
    output.result(
        &format!(
            "OK: valid proof of {} claims ({})",
            count(claims.len() as u64),
            duration(time)
        ),
        json!({
            "valid": true,
            "claims": claims.len(),
            "seconds": seconds(time),
        }),
    )
}
