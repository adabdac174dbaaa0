//! The verifier's side.

use super::merge::Merged;
use super::openings::{Batch, Statement};
use super::{Claim, evaluation_point, inverse_distances, openings};
use crate::ipa::{self, Preparation};
use crate::{Committer, Error, Multiproof, Transcript, Values};
use frumious_curves::bandersnatch::{AffineElement, Element, Fr, batch_to_affine_into_vartime};
use frumious_field::{batch_invert_vartime, vector};
use frumious_parallel::join;

/// Claims that one task weighs.
const TASK: usize = 4096;

/// Claims that are divided one by one, not by the inverses for all points of the domain.
const FEW: usize = 16;

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
    /// A verifier of commitments made with the basis of `committer`. Its tables serve for one sum a proof: small ones
    /// do.
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

    /// True if the proof shows all claims, in this order.
    ///
    /// Time: one sum over the distinct commitments, one over the basis, one of 16 elements; three products a claim.
    /// Parallel over the pool of the caller.
    ///
    /// # Errors
    /// No claims.
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

        let ((value, e), preparation) = if claims.len() <= FEW {
            // The argument's coefficients take all inverses, the sum of the commitments only these.
            self.divide(claims, &t);
            join(
                || self.sum(claims),
                || Preparation::new_vartime(&t, &proof.ipa),
            )
        } else {
            let inverses = inverse_distances(&t, &mut self.scratch);
            self.multiply(claims, &inverses);
            join(
                || self.sum(claims),
                || Preparation::with_inverses_vartime(&t, inverses, &proof.ipa),
            )
        };
        let commitment = e + -proof.d;
        let [e, encoding] = encode_both_vartime(&e, &commitment);
        transcript.append(b"E", &e);
        let statement = ipa::Statement {
            commitment,
            encoding,
            point: t,
            value,
        };
        ipa::verify_prepared_vartime(self.committer, transcript, &statement, &preparation)
    }

    /// Turns the powers into `rⁱ/(t - zᵢ)`, with one inversion.
    fn divide(&mut self, claims: &[Claim], t: &Fr) {
        let distance = |claim: &Claim| *t - Fr::from_u64(claim.point.into());
        self.values.clear();
        self.values.extend(claims.iter().map(distance));
        batch_invert_vartime(&mut self.values, &mut self.scratch);
        vector::multiply_assign(&mut self.weights, &self.values);
    }

    /// The same, from the inverses.
    fn multiply(&mut self, claims: &[Claim], inverses: &Values) {
        frumious_parallel::for_each_chunk_mut(&mut self.weights, TASK, |task, weights| {
            for (weight, claim) in weights.iter_mut().zip(&claims[task * TASK..]) {
                *weight *= inverses[usize::from(claim.point)];
            }
        });
    }

    /// The sum of the values by weight, which is what `h - g` is at `t`, and that of the commitments, `E`.
    fn sum(&mut self, claims: &[Claim]) -> (Fr, Element) {
        self.values.clear();
        self.values.extend(claims.iter().map(|claim| claim.value));
        let value = vector::inner_product(&self.weights, &self.values);
        self.merged.weigh(&self.weights);
        (value, self.merged.sum_vartime())
    }
}

/// The encodings of both, with one inversion.
fn encode_both_vartime(a: &Element, b: &Element) -> [[u8; 32]; 2] {
    let mut points = [AffineElement::IDENTITY; 2];
    batch_to_affine_into_vartime(&[*a, *b], &mut points);
    points.map(|point| point.to_bytes())
}
