//! The verifier's side.

use super::merge::Merged;
use super::openings::{Batch, Statement};
use super::{Claim, evaluation_point, inverse_distances, openings};
use crate::{Committer, Error, Multiproof, Transcript, Values, ipa};
use frumious_curves::bandersnatch::Fr;
use frumious_field::vector;
use frumious_msm::bandersnatch::msm_converted_vartime;

/// Claims that one task weighs.
const TASK: usize = 4096;

/// A verifier with buffers that are reused from proof to proof.
#[derive(Debug)]
pub struct Verifier<'a> {
    committer: &'a Committer,
    statement: Statement,
    weights: Vec<Fr>,
    values: Vec<Fr>,
    merged: Merged,
    scratch: Vec<Fr>,
}

impl<'a> Verifier<'a> {
    /// A verifier of commitments made with the basis of `committer`. Its tables serve for one sum a proof: small ones do.
    pub fn new(committer: &'a Committer) -> Self {
        Self {
            committer,
            statement: Statement::default(),
            weights: Vec::new(),
            values: Vec::new(),
            merged: Merged::default(),
            scratch: Vec::new(),
        }
    }

    /// Whether the proof shows all claims, in this order.
    ///
    /// Time: one sum over the distinct commitments, one over the basis, one of 16 elements; three products a claim.
    /// Parallel over the pool of the caller.
    ///
    /// Errors: no claims.
    pub fn verify(
        &mut self,
        transcript: &mut Transcript,
        claims: &[Claim],
        proof: &Multiproof,
    ) -> Result<bool, Error> {
        if claims.is_empty() {
            return Err(Error::NoOpenings);
        }
        let verify = || self.verify_some(transcript, claims, proof);
        Ok(frumious_parallel::keep_awake(verify))
    }

    fn verify_some(
        &mut self,
        transcript: &mut Transcript,
        claims: &[Claim],
        proof: &Multiproof,
    ) -> bool {
        let merged = &mut self.merged;
        merged.clear(claims.len());
        let visit = |batch: &Batch| {
            for (commitment, encoding) in batch.commitments() {
                merged.push_vartime(commitment, encoding);
            }
            merged.convert_vartime();
        };
        let (statement, count) = (&mut self.statement, claims.len());
        let r = statement.append(transcript, count, |i| claims[i], visit);
        openings::powers(&mut self.weights, claims.len(), &r);
        let t = evaluation_point(transcript, &proof.d.to_bytes());
        let inverses = inverse_distances(&t, &mut self.scratch);

        let value = self.weigh(claims, &inverses);
        self.merged.weigh(&self.weights);
        let e = msm_converted_vartime(&self.merged.converted, &self.merged.weights);
        let e = e.expect("as many weights as elements");
        transcript.append_element(b"E", &e);
        let commitment = e + -proof.d;
        ipa::verify(
            self.committer,
            transcript,
            &commitment,
            &t,
            &value,
            &proof.ipa,
        )
    }

    /// Turns the powers into `rⁱ/(t - zᵢ)`; the sum of these times the values, which is what `h - g` is at `t`.
    fn weigh(&mut self, claims: &[Claim], inverses: &Values) -> Fr {
        frumious_parallel::for_each_chunk_mut(&mut self.weights, TASK, |task, weights| {
            for (weight, claim) in weights.iter_mut().zip(&claims[task * TASK..]) {
                *weight *= inverses[usize::from(claim.point)];
            }
        });
        self.values.clear();
        self.values.extend(claims.iter().map(|claim| claim.value));
        vector::inner_product(&self.weights, &self.values)
    }
}
