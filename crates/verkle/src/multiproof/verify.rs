//! The verifier's side.

use super::openings::Normalized;
use super::{Claim, evaluation_point, inverse_distances, openings};
use crate::{Committer, Error, Multiproof, Transcript, ipa};
use frumious_curves::bandersnatch::{AffineElement, Fr};
use frumious_msm::bandersnatch::msm_vartime;
use std::collections::HashMap;

/// A verifier with buffers that are reused from proof to proof.
#[derive(Debug)]
pub struct Verifier<'a> {
    committer: &'a Committer,
    commitments: Vec<Normalized>,
    powers: Vec<Fr>,
    merged: HashMap<[u8; 32], usize>,
    bases: Vec<AffineElement>,
    scalars: Vec<Fr>,
    scratch: Vec<Fr>,
}

impl<'a> Verifier<'a> {
    /// A verifier of commitments made with the basis of `committer`. Its tables serve for one sum a proof: small ones do.
    pub fn new(committer: &'a Committer) -> Self {
        Self {
            committer,
            commitments: Vec::new(),
            powers: Vec::new(),
            merged: HashMap::new(),
            bases: Vec::new(),
            scalars: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Whether the proof shows all claims, in this order.
    ///
    /// Time: one sum over the distinct commitments, one over the basis, one of 16 elements; three products a claim.
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
        openings::normalize(&mut self.commitments, claims.len(), |i| {
            claims[i].commitment
        });
        let r = openings::append(transcript, &self.commitments, |i| claims[i].evaluation());
        openings::powers(&mut self.powers, claims.len(), &r);
        let t = evaluation_point(transcript, &proof.d.to_bytes());
        let inverses = inverse_distances(&t, &mut self.scratch);

        let value = self.weigh(claims, &inverses);
        self.merge();
        let e = msm_vartime(&self.bases, &self.scalars).expect("as many scalars as elements");
        transcript.append_element(b"E", &e);
        Ok(ipa::verify(
            self.committer,
            transcript,
            &(e + -proof.d),
            &t,
            &value,
            &proof.ipa,
        ))
    }

    /// Turns the powers into `rⁱ/(t - zᵢ)`; the sum of these times the values, which is what `h - g` is at `t`.
    fn weigh(&mut self, claims: &[Claim], inverses: &[Fr; 256]) -> Fr {
        let mut value = Fr::ZERO;
        for (weight, claim) in self.powers.iter_mut().zip(claims) {
            *weight *= inverses[usize::from(claim.point)];
            value += *weight * claim.value;
        }
        value
    }

    /// Adds up the weights of equal commitments: the bases and scalars of `E`.
    fn merge(&mut self) {
        self.merged.clear();
        self.bases.clear();
        self.scalars.clear();
        for (commitment, weight) in self.commitments.iter().zip(&self.powers) {
            let next = self.bases.len();
            let place = *self.merged.entry(commitment.encoding).or_insert(next);
            if place == next {
                self.bases.push(commitment.element);
                self.scalars.push(*weight);
            } else {
                self.scalars[place] += *weight;
            }
        }
    }
}
