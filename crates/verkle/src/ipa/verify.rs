//! The verifier's side.

use super::{Combination, ROUNDS, begin, fold_challenge, unfold};
use crate::polynomial::lagrange_coefficients;
use crate::{Committer, DOMAIN, IpaProof, Transcript};
use frumious_curves::bandersnatch::{Element, Fr};
use frumious_field::{batch_invert_vartime, vector};
use frumious_msm::bandersnatch::msm_vartime;

/// Whether the polynomial committed to has this value at `point`, any scalar.
pub fn verify(
    committer: &Committer,
    transcript: &mut Transcript,
    commitment: &Element,
    point: &Fr,
    value: &Fr,
    proof: &IpaProof,
) -> bool {
    let w = begin(transcript, &commitment.to_bytes(), point, value);
    let mut factors = [Fr::ZERO; 2 * ROUNDS]; // challenges, then their inverses
    let (challenges, inverses) = factors.split_at_mut(ROUNDS);
    for (challenge, (l, r)) in challenges.iter_mut().zip(proof.l.iter().zip(&proof.r)) {
        *challenge = fold_challenge(transcript, &l.to_bytes(), &r.to_bytes());
    }
    inverses.copy_from_slice(challenges);
    batch_invert_vartime(inverses, &mut Vec::with_capacity(ROUNDS));

    // C + y·w·Q + Σ x·L + Σ x⁻¹·R = a·<s, G> + a·<b, s>·w·Q, with the terms of Q on the right.
    let mut combination: Combination = [proof.a; DOMAIN + 1];
    for (round, inverse) in inverses.iter().enumerate() {
        unfold(&mut combination[..DOMAIN], 1 << round, inverse);
    }
    let folded = vector::inner_product(&combination[..DOMAIN], &lagrange_coefficients(point));
    combination[DOMAIN] = (folded - *value) * w;

    let mut cross_terms = [proof.l[0]; 2 * ROUNDS];
    cross_terms[..ROUNDS].copy_from_slice(&proof.l);
    cross_terms[ROUNDS..].copy_from_slice(&proof.r);
    let (cross, basis) = frumious_parallel::join(
        || msm_vartime(&cross_terms, &factors).expect("as many scalars as elements"),
        || committer.combine_in_parts(&combination, PARTS),
    );
    *commitment + cross == basis
}

/// Parts of the sum over the basis, which takes as long as two of the cross terms: two threads then have as much to do.
const PARTS: usize = 4;
