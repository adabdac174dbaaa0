//! Proofs equal those of a slow prover that follows the papers, for any number of threads and on every backend.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

#[path = "support/naive.rs"]
mod naive;
#[path = "support/common.rs"]
mod support;

use frumious_curves::bandersnatch::{Element, Fr};
use frumious_limbs::{Backend, backend};
use frumious_verkle::*;
use support::{Random, claims, committer, open, polynomial};

/// Polynomials at the edges: zero, constant, one value, the largest values; and some without a pattern.
fn polynomials() -> Vec<Values> {
    let mut random = Random(1);
    let mut unit = [Fr::ZERO; 256];
    unit[255] = Fr::ONE;
    vec![
        [Fr::ZERO; 256],
        [Fr::ONE; 256],
        unit,
        [-Fr::ONE; 256],
        polynomial(|i| i),
        random.polynomial(),
        random.polynomial(),
        random.sparse_polynomial(5),
        random.sparse_polynomial(90),
        random.sparse_polynomial(200),
    ]
}

#[test]
fn arguments_equal_the_folding_ones() {
    let points = [
        Fr::ZERO,
        Fr::from_u64(255),
        Fr::from_u64(256),
        -Fr::ONE,
        Random(2).scalar(),
    ];
    for (values, point) in polynomials().iter().zip(points.iter().cycle()) {
        let commitment = committer().commit(values).unwrap();
        let mut transcripts = [(); 4].map(|()| Transcript::new(b"twin"));
        let [fast, slow, fast_check, slow_check] = &mut transcripts;
        let proof = ipa::prove(committer(), fast, &commitment, values, point);
        let expected = naive::ipa_prove(slow, &commitment, values, *point);
        assert_eq!(proof.to_bytes(), expected.to_bytes());

        let value = polynomial::evaluate(values, point);
        assert!(ipa::verify(
            committer(),
            fast_check,
            &commitment,
            point,
            &value,
            &proof
        ));
        assert!(naive::ipa_verify(
            slow_check,
            &commitment,
            *point,
            value,
            &proof
        ));
        let ends = transcripts.map(|mut transcript| transcript.challenge(b"end"));
        assert_eq!(ends, [ends[0]; 4]);

        let wrong = value + Fr::ONE;
        let mut transcripts = [(); 2].map(|()| Transcript::new(b"twin"));
        let [fast_check, slow_check] = &mut transcripts;
        assert!(!ipa::verify(
            committer(),
            fast_check,
            &commitment,
            point,
            &wrong,
            &proof
        ));
        assert!(!naive::ipa_verify(
            slow_check,
            &commitment,
            *point,
            wrong,
            &proof
        ));
    }
}

#[test]
fn multiproofs_equal_those_by_definition() {
    let polynomials = polynomials();
    let mut random = Random(3);
    let mut cases: Vec<Vec<(usize, u8)>> = vec![
        vec![(0, 0)], // nothing but the identity
        vec![(5, 255)],
        vec![(5, 7), (5, 7), (5, 7)],                      // repeated
        (0..polynomials.len()).map(|i| (i, 42)).collect(), // one group
        (0..40)
            .map(|i| (i % polynomials.len(), 6 * i as u8))
            .collect(), // many groups
    ];
    cases.push(
        (0..100)
            .map(|_| {
                (
                    random.next() as usize % polynomials.len(),
                    random.next() as u8 % 4,
                )
            })
            .collect(),
    );
    for case in cases {
        let openings = open(&polynomials, &case);
        let expected = naive::multiproof(&mut Transcript::new(b"twin"), &openings);
        let proof = Prover::new(committer())
            .prove(&mut Transcript::new(b"twin"), &openings)
            .unwrap();
        assert_eq!(proof.to_bytes(), expected.to_bytes(), "{case:?}");
        let accepted = Verifier::new(committer()).verify(
            &mut Transcript::new(b"twin"),
            &claims(&openings),
            &proof,
        );
        assert_eq!(accepted, Ok(true));
    }
}

#[test]
fn bytes_depend_neither_on_threads_nor_on_backends() {
    let polynomials = polynomials();
    let mut random = Random(4);
    // more openings of one point than a task takes, and openings of all points
    let mut case: Vec<_> = (0..1200)
        .map(|_| {
            (
                random.next() as usize % polynomials.len(),
                random.next() as u8,
            )
        })
        .collect();
    case.extend((0..1200).map(|i| (i % polynomials.len(), 9)));
    // as many polynomials at one point as openings, so that nothing is merged
    let copies: Vec<Values> = (0..1500)
        .map(|i| polynomials[i % polynomials.len()])
        .collect();
    let mut openings = open(&polynomials, &case);
    let commitments: Vec<Element> = (0..polynomials.len())
        .map(|i| open(&polynomials, &[(i, 0)])[0].commitment)
        .collect();
    openings.extend(copies.iter().enumerate().map(|(i, polynomial)| Opening {
        commitment: commitments[i % polynomials.len()],
        polynomial,
        point: 77,
    }));
    let claims = claims(&openings);

    let mut proofs = Vec::new();
    for kind in Backend::ALL {
        if backend::set(kind).is_err() {
            eprintln!("SKIP: this CPU cannot run {}", kind.name());
            continue;
        }
        for threads in [1, 2, 7] {
            let proof = frumious_parallel::with_threads(threads, || {
                let proof = Prover::new(committer())
                    .prove(&mut Transcript::new(b"threads"), &openings)
                    .unwrap();
                let accepted = Verifier::new(committer()).verify(
                    &mut Transcript::new(b"threads"),
                    &claims,
                    &proof,
                );
                assert_eq!(accepted, Ok(true));
                proof
            });
            proofs.push(proof.unwrap().to_bytes());
        }
    }
    assert!(proofs.iter().all(|proof| *proof == proofs[0]));
}

#[test]
fn provers_and_verifiers_can_be_used_again() {
    let polynomials = polynomials();
    let (mut prover, mut verifier) = (Prover::new(committer()), Verifier::new(committer()));
    for case in [
        vec![(5, 1), (6, 2), (5, 1)],
        vec![(4, 3)],
        vec![(7, 9), (8, 1)],
    ] {
        let openings = open(&polynomials, &case);
        let fresh = Prover::new(committer())
            .prove(&mut Transcript::new(b"again"), &openings)
            .unwrap();
        let proof = prover
            .prove(&mut Transcript::new(b"again"), &openings)
            .unwrap();
        assert_eq!(proof, fresh);
        let accepted = verifier.verify(&mut Transcript::new(b"again"), &claims(&openings), &proof);
        assert_eq!(accepted, Ok(true));
        assert_eq!(
            prover.prove(&mut Transcript::new(b"again"), &[]),
            Err(Error::NoOpenings)
        );
        let other = verifier.verify(&mut Transcript::new(b"other"), &claims(&openings), &proof);
        assert_eq!(other, Ok(false));
    }
}
