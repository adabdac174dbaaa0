//! Proofs of SIZE openings of different polynomials at points spread over the domain; see
//! `peers/go-verkle/multiproof.go`.

use std::sync::Mutex;

use frumious_curves::bandersnatch::{
    AffineElement, Element, Fr, batch_to_affine_vartime, batch_to_bytes_vartime,
};
use frumious_verkle::{Claim, DOMAIN, Multiproof, Opening, Prover, Transcript, Values, Verifier};

use super::{LABEL, committer, digest, draw_scalar};
use crate::inputs::{STREAM_OPENINGS, SplitMix, hex_bytes};
use crate::row::{Row, Table};

/// Values in which a polynomial differs from the one before it; why so few is said in `peers/go-verkle/multiproof.go`.
const REPLACED: usize = 4;

/// Adds the rows.
pub fn add_rows(table: &mut Table) {
    table.add("verkle.prove", |n| {
        let openings = openings(n);
        let again = openings.clone();
        let mut prover = Prover::new(committer());
        Row::new(1, move || prove(&mut prover, &openings))
            .with_check(move || hex_bytes(&prove(&mut Prover::new(committer()), &again).to_bytes()))
    });
    table.add("verkle.verify", |n| {
        let openings = openings(n);
        let proof = prove(&mut Prover::new(committer()), &openings);
        let claims = decoded(&openings);
        let again = claims.clone();
        let mut verifier = Verifier::new(committer());
        Row::new(1, move || {
            assert!(
                verify(&mut verifier, &claims, &proof),
                "our own proof is refused"
            );
        })
        .with_check(move || {
            let mut wrong = again.clone();
            wrong[n - 1].value += Fr::ONE;
            let mut verifier = Verifier::new(committer());
            assert!(
                !verify(&mut verifier, &wrong, &proof),
                "we take a proof of a wrong value"
            );
            statement_digest(&again)
        })
    });
}

fn prove(prover: &mut Prover<'_>, openings: &[Opening<'_>]) -> Multiproof {
    let mut transcript = Transcript::new(LABEL);
    prover.prove(&mut transcript, openings).expect("openings")
}

fn verify(verifier: &mut Verifier<'_>, claims: &[Claim], proof: &Multiproof) -> bool {
    let mut transcript = Transcript::new(LABEL);
    let verdict = verifier.verify(&mut transcript, claims, proof);
    verdict.expect("openings")
}

/// The claims as a verifier has them: commitments as they come from decoding.
fn decoded(openings: &[Opening<'_>]) -> Vec<Claim> {
    let commitments: Vec<Element> = openings.iter().map(|opening| opening.commitment).collect();
    let commitments = batch_to_affine_vartime(&commitments).into_iter();
    let claims = commitments.zip(openings);
    let claim = |(commitment, opening): (AffineElement, &Opening<'_>)| Claim {
        commitment: commitment.into(),
        ..opening.claim()
    };
    claims.map(claim).collect()
}

/// SHA-256 of commitment, point and value of each opening.
fn statement_digest(claims: &[Claim]) -> String {
    let commitments: Vec<Element> = claims.iter().map(|claim| claim.commitment).collect();
    let parts = batch_to_bytes_vartime(&commitments)
        .into_iter()
        .zip(claims)
        .map(|(commitment, claim)| {
            [&commitment[..], &[claim.point], &claim.value.to_bytes()].concat()
        });
    digest(parts)
}

/// The common openings: prefixes of one sequence, which grows as larger sizes ask for it. They stay until the program
/// ends, as rows borrow them.
fn openings(n: usize) -> Vec<Opening<'static>> {
    static SEQUENCE: Mutex<Option<Sequence>> = Mutex::new(None);
    let mut sequence = SEQUENCE.lock().expect("no panic while it grows");
    let sequence = sequence.get_or_insert_with(|| Sequence {
        source: SplitMix::new(STREAM_OPENINGS),
        openings: Vec::new(),
    });
    sequence.grow(n);
    sequence.openings[..n].to_vec()
}

struct Sequence {
    source: SplitMix,
    openings: Vec<Opening<'static>>,
}

impl Sequence {
    fn grow(&mut self, n: usize) {
        let from = self.openings.len();
        if n <= from {
            return;
        }
        let mut fresh: Vec<Values> = Vec::with_capacity(n - from);
        let mut steps = Vec::with_capacity(n - from); // commitment and point of each
        let mut last = self
            .openings
            .last()
            .map(|last| (*last.polynomial, last.commitment));
        for i in from..n {
            let point = (self.source.next() >> 56) as u8;
            let (polynomial, commitment) = match last {
                None => {
                    let values: Values = std::array::from_fn(|_| draw_scalar(&mut self.source));
                    (values, committer().commit_values(&values))
                }
                Some((values, commitment)) => self.replace(i, values, &commitment),
            };
            fresh.push(polynomial);
            steps.push((commitment, point));
            last = Some((polynomial, commitment));
        }
        let polynomials: &'static [Values] = Vec::leak(fresh);
        let openings = polynomials.iter().zip(steps);
        self.openings
            .extend(openings.map(|(polynomial, (commitment, point))| Opening {
                commitment,
                polynomial,
                point,
            }));
    }

    /// Polynomial `i`: the one before it with some values drawn anew, and its commitment by the difference.
    fn replace(&mut self, i: usize, mut values: Values, commitment: &Element) -> (Values, Element) {
        let changes: [_; REPLACED] = std::array::from_fn(|j| {
            let at = (REPLACED * i + j) % DOMAIN;
            let old = std::mem::replace(&mut values[at], draw_scalar(&mut self.source));
            (at, old, values[at])
        });
        let commitment = committer().update(commitment, &changes);
        (values, commitment.expect("indices of the domain"))
    }
}
