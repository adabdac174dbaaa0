//! The verifier's side.
//!
//! Challenges come one after the other, from bytes alone. The work that does not need them is a [`Preparation`]. For a
//! multiproof it is made while another thread finds the commitment that is opened.

use super::{Combination, ROUNDS, begin, fold_challenge};
use crate::polynomial::{lagrange_coefficients, lagrange_from_inverses};
use crate::{Committer, DOMAIN, IpaProof, Transcript, Values};
use frumious_curves::bandersnatch::{AffineElement, Element, Fr, batch_encode_affine_into_vartime};
use frumious_field::{batch_invert_vartime, vector};
use frumious_msm::bandersnatch::Multiples;

/// True if the polynomial committed to has this value at `point`, any scalar.
pub fn verify(
    committer: &Committer,
    transcript: &mut Transcript,
    commitment: &Element,
    point: &Fr,
    value: &Fr,
    proof: &IpaProof,
) -> bool {
    let statement = Statement {
        commitment: *commitment,
        encoding: commitment.to_bytes(),
        point: *point,
        value: *value,
    };
    let preparation = Preparation::new_vartime(point, proof);
    verify_prepared_vartime(committer, transcript, &statement, &preparation)
}

/// The statement: that the polynomial committed to has a value at a point.
pub(crate) struct Statement {
    pub(crate) commitment: Element,
    /// The bytes of the commitment.
    pub(crate) encoding: [u8; 32],
    pub(crate) point: Fr,
    pub(crate) value: Fr,
}

/// Values that follow from the proof and the point alone.
pub(crate) struct Preparation {
    /// Those of the point.
    coefficients: Values,
    /// `L` and `R`.
    cross_terms: Multiples,
    encodings: [[u8; 32]; 2 * ROUNDS],
    /// The last value.
    a: Fr,
}

impl Preparation {
    pub(crate) fn new_vartime(point: &Fr, proof: &IpaProof) -> Self {
        Self::with_coefficients_vartime(lagrange_coefficients(point), proof)
    }

    /// With `1/(point - i)` for each `i` of the domain, zero where the distance is.
    pub(crate) fn with_inverses_vartime(point: &Fr, inverses: Values, proof: &IpaProof) -> Self {
        Self::with_coefficients_vartime(lagrange_from_inverses(point, inverses), proof)
    }

    fn with_coefficients_vartime(coefficients: Values, proof: &IpaProof) -> Self {
        let mut cross_terms = [AffineElement::IDENTITY; 2 * ROUNDS];
        cross_terms[..ROUNDS].copy_from_slice(&proof.l);
        cross_terms[ROUNDS..].copy_from_slice(&proof.r);
        let mut encodings = [[0; 32]; 2 * ROUNDS];
        batch_encode_affine_into_vartime(&cross_terms, &mut encodings);
        Self {
            coefficients,
            cross_terms: Multiples::new_vartime(&cross_terms),
            encodings,
            a: proof.a,
        }
    }
}

/// As [`verify`], with what is prepared for this point.
pub(crate) fn verify_prepared_vartime(
    committer: &Committer,
    transcript: &mut Transcript,
    statement: &Statement,
    preparation: &Preparation,
) -> bool {
    let Statement { point, value, .. } = statement;
    let w = begin(transcript, &statement.encoding, point, value);
    let mut factors = [Fr::ZERO; 2 * ROUNDS]; // challenges, then their inverses
    let (challenges, inverses) = factors.split_at_mut(ROUNDS);
    let (l, r) = preparation.encodings.split_at(ROUNDS);
    for (challenge, (l, r)) in challenges.iter_mut().zip(l.iter().zip(r)) {
        *challenge = fold_challenge(transcript, l, r);
    }
    inverses.copy_from_slice(challenges);
    batch_invert_vartime(inverses, &mut Vec::with_capacity(ROUNDS));

    // C + y·w·Q + Σ x·L + Σ x⁻¹·R = a·<s, G> + a·<b, s>·w·Q, with the terms of Q on the right.
    let mut combination: Combination = [Fr::ZERO; DOMAIN + 1];
    let basis = &mut combination[..DOMAIN];
    fold(basis, &preparation.a, inverses);
    let folded = vector::inner_product(basis, &preparation.coefficients);
    combination[DOMAIN] = (folded - *value) * w;

    let cross_terms = &preparation.cross_terms;
    let (cross, basis) = frumious_parallel::join(
        || {
            cross_terms
                .sum_vartime(&factors)
                .expect("as many scalars as elements")
        },
        || committer.combine_in_parts(&combination, PARTS),
    );
    statement.commitment + cross == basis
}

/// `a` times the scalars of the original elements in the last folded one. A scalar has a factor for each bit of its
/// index that is set, the first round's for the top bit.
fn fold(scalars: &mut [Fr], a: &Fr, inverses: &[Fr]) {
    scalars[0] = *a;
    let mut len = 1;
    for inverse in inverses.iter().rev() {
        let (low, high) = scalars[..2 * len].split_at_mut(len);
        high.copy_from_slice(low);
        vector::scale(high, inverse);
        len *= 2;
    }
}

/// Parts of the sum over the basis. It takes nearly three times as long as the cross terms, whose multiples are
/// prepared. Of two threads one computes two parts, the other the cross terms and the third part.
const PARTS: usize = 3;
