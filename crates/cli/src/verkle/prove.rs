//! `frumious verkle prove`.

use frumious_curves::bandersnatch::Element;
use frumious_verkle::{Claim, Committer, Opening, Prover, Transcript, Verifier};
use serde_json::json;

use super::tables::{self, Work};
use crate::arguments::verkle::Prove;
use crate::output::Output;
use crate::progress::Progress;
use frumious_app::failure::{About, Failure};
use frumious_app::files::{self, read_text};
use frumious_app::places::Role;
use frumious_app::quantities::{count, duration, seconds};
use frumious_verkle_json::{self as formats, Polynomial};

/// Proves the values of polynomials, and writes the proof and what it proves.
pub fn prove(arguments: &Prove, output: &Output) -> Result<(), Failure> {
    let Prove {
        openings: input,
        proof: proof_file,
        claims: claims_file,
        protocol,
        no_verify,
        tables,
    } = arguments;
    let places = output.places().input("OPENINGS", Role::Openings, input);
    let places = places.output("PROOF", Role::VerkleProof, proof_file);
    let places = places.output("CLAIMS", Role::Claims, claims_file);
    output.check(&tables::placed(places, tables))?;
    let progress = Progress::new(output, 6 - usize::from(*no_verify));
    progress.begin("read");
    let text = read_text(input)?;
    let polynomials = formats::openings(&text).about(input)?;
    drop(text);
    let missing = polynomials.iter().filter(|p| p.commitment.is_none());
    let committer = tables::committer(tables, Work::of_proof(missing.count()), &progress)?;
    progress.begin("commit");
    let commitments = commitments(&committer, &polynomials);
    let openings: Vec<Opening<'_>> = polynomials
        .iter()
        .zip(&commitments)
        .flat_map(|(polynomial, commitment)| {
            polynomial.points.iter().map(|point| Opening {
                commitment: *commitment,
                polynomial: &polynomial.values,
                point: *point,
            })
        })
        .collect();
    let claims: Vec<Claim> = openings.iter().map(Opening::claim).collect();

    progress.begin("prove");
    let transcript = || Transcript::new(protocol.transcript.as_bytes());
    let proof = Prover::new(&committer)
        .prove(&mut transcript(), &openings)
        .about(input)?;
    if !no_verify {
        progress.begin("verify");
        let valid = Verifier::new(&committer)
            .verify(&mut transcript(), &claims, &proof)
            .about(input)?;
        if !valid {
            return Err(Failure::rejected(format!(
                "{}: a commitment is not that of its polynomial",
                input.display()
            )));
        }
    }
    progress.begin("write");
    files::write_all(&[
        (proof_file, &formats::proof_to_json(&proof)),
        (claims_file, &formats::claims_to_json(&claims)),
    ])?;
    let timings = progress.finish();
    let verified = match no_verify {
        true => "NOT verified",
        false => "verified",
    };
    output.result(
        &format!(
            "Proof written to {} ({verified}), {} claims to {}: {}",
            proof_file.display(),
            count(claims.len() as u64),
            claims_file.display(),
            duration(timings.total()),
        ),
        json!({
            "proof": proof_file.display().to_string(),
            "claims": claims_file.display().to_string(),
            "openings": claims.len(),
            "verified": !no_verify,
            "table_bytes": committer.memory_bytes(),
            "threads": frumious_parallel::current_num_threads(),
            "seconds": seconds(timings.total()),
            "phases": timings.to_json(),
        }),
    )
}

/// The commitments, computed where they are not given.
fn commitments(committer: &Committer, polynomials: &[Polynomial]) -> Vec<Element> {
    frumious_parallel::map_indices(polynomials.len(), |i| {
        let Polynomial {
            commitment, values, ..
        } = &polynomials[i];
        commitment.unwrap_or_else(|| committer.commit_values(values))
    })
}
