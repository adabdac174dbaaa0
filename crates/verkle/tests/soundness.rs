//! False statements are refused, whatever is changed, and broken proofs are errors; nothing panics.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

#[path = "support/common.rs"]
mod support;

use frumious_curves::EncodingError;
use frumious_curves::bandersnatch::{AffineElement, Element, Fr};
use frumious_verkle::*;
use std::sync::LazyLock;
use support::{Random, claims, committer, open};

struct Statement {
    claims: Vec<Claim>,
    proof: [u8; Multiproof::BYTES],
}

/// Seven openings: of four polynomials, of one at several points, of several at one point.
static STATEMENT: LazyLock<Statement> = LazyLock::new(|| {
    let mut random = Random(11);
    let polynomials = [(); 4].map(|()| random.polynomial());
    let which = [(0, 0), (0, 255), (1, 7), (2, 7), (3, 7), (3, 8), (2, 200)];
    let openings = open(&polynomials, &which);
    let proof = Prover::new(committer()).prove(&mut Transcript::new(b"sound"), &openings);
    let claims = claims(&openings);
    Statement {
        proof: proof.unwrap().to_bytes(),
        claims,
    }
});

fn verify(claims: &[Claim], proof: &[u8]) -> Result<bool, Error> {
    let proof = Multiproof::from_bytes(proof)?;
    Verifier::new(committer()).verify(&mut Transcript::new(b"sound"), claims, &proof)
}

fn refused(claims: &[Claim]) {
    assert_eq!(verify(claims, &STATEMENT.proof), Ok(false));
}

#[test]
fn the_statement_itself() {
    assert_eq!(verify(&STATEMENT.claims, &STATEMENT.proof), Ok(true));
    let other = Multiproof::from_bytes(&STATEMENT.proof).unwrap();
    let other = Verifier::new(committer()).verify(
        &mut Transcript::new(b"other"),
        &STATEMENT.claims,
        &other,
    );
    assert_eq!(other, Ok(false));
}

#[test]
fn any_changed_byte_of_the_proof() {
    let mut errors = 0;
    for index in 0..Multiproof::BYTES {
        for mask in [0x01, 0x80, 0xff] {
            let mut proof = STATEMENT.proof;
            proof[index] ^= mask;
            match verify(&STATEMENT.claims, &proof) {
                Ok(accepted) => assert!(!accepted, "byte {index} changed by {mask:#x}"),
                Err(Error::ProofElement { offset, part, .. }) => {
                    assert_eq!(offset, index / 32 * 32);
                    assert_eq!(part, part_at(index / 32));
                    errors += 1;
                }
                Err(Error::ProofScalar { offset }) => assert_eq!((offset, index / 32), (544, 17)),
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(
        errors > 500,
        "about three of four changed elements are none: {errors}"
    );
}

fn part_at(index: usize) -> Part {
    match index {
        0 => Part::D,
        1..=8 => Part::L(index - 1),
        _ => Part::R(index - 9),
    }
}

#[test]
fn any_changed_part_of_a_claim() {
    for index in 0..STATEMENT.claims.len() {
        let change = |change: &dyn Fn(&mut Claim)| {
            let mut claims = STATEMENT.claims.clone();
            change(&mut claims[index]);
            refused(&claims);
        };
        for bit in 0..8 {
            change(&|claim| claim.point ^= 1 << bit);
        }
        for difference in [Fr::ONE, -Fr::ONE, Fr::from_u64(2).pow_vartime(&[252])] {
            change(&|claim| claim.value += difference);
        }
        change(&|claim| claim.value = Fr::ZERO);
        change(&|claim| claim.value = -claim.value);
        change(&|claim| claim.commitment += Element::GENERATOR);
        change(&|claim| claim.commitment = -claim.commitment);
        change(&|claim| claim.commitment = Element::IDENTITY);
        change(&|claim| claim.commitment = claim.commitment.double());
    }
}

#[test]
fn other_representatives_are_the_same_statement() {
    let mut claims = STATEMENT.claims.clone();
    for claim in &mut claims {
        // by other coordinates: (X : Y : Z) with another Z, and the point (-x, -y)
        let doubled = claim.commitment + Element::GENERATOR - Element::GENERATOR;
        let [x, y] = [doubled.to_affine().x(), doubled.to_affine().y()];
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&(-x).to_be_bytes());
        bytes[32..].copy_from_slice(&(-y).to_be_bytes());
        claim.commitment = Element::from_uncompressed(&bytes).unwrap();
    }
    assert_eq!(verify(&claims, &STATEMENT.proof), Ok(true));
}

#[test]
fn swapped_claims() {
    for i in 0..STATEMENT.claims.len() {
        for j in 0..i {
            let mut claims = STATEMENT.claims.clone();
            claims.swap(i, j);
            refused(&claims);
            let mut claims = STATEMENT.claims.clone();
            (claims[i].value, claims[j].value) = (claims[j].value, claims[i].value);
            refused(&claims);
            let mut claims = STATEMENT.claims.clone();
            (claims[i].point, claims[j].point) = (claims[j].point, claims[i].point);
            if claims[i].point != claims[j].point {
                refused(&claims);
            }
        }
    }
    let mut claims = STATEMENT.claims.clone();
    claims.reverse();
    refused(&claims);
}

#[test]
fn errors_that_compensate() {
    // the sums of values over a point, over a commitment and over everything stay as they were
    for (i, j) in [(2, 3), (3, 4), (0, 1), (4, 5), (0, 6)] {
        for difference in [Fr::ONE, -Fr::ONE, Random(12).scalar()] {
            let mut claims = STATEMENT.claims.clone();
            claims[i].value += difference;
            claims[j].value -= difference;
            refused(&claims);
        }
    }
}

#[test]
fn repeated_openings_with_errors_that_compensate() {
    let mut random = Random(13);
    let polynomials = [random.polynomial()];
    let openings = open(&polynomials, &[(0, 9), (0, 9)]);
    let proof = Prover::new(committer())
        .prove(&mut Transcript::new(b"sound"), &openings)
        .unwrap();
    let honest = claims(&openings);
    assert_eq!(verify(&honest, &proof.to_bytes()), Ok(true));
    for difference in [Fr::ONE, -Fr::ONE, random.scalar()] {
        let mut claims = honest.clone();
        claims[0].value += difference;
        claims[1].value -= difference;
        assert_eq!(verify(&claims, &proof.to_bytes()), Ok(false));
    }
}

#[test]
fn other_numbers_of_claims() {
    let claims = &STATEMENT.claims;
    refused(&claims[1..]);
    refused(&claims[..claims.len() - 1]);
    refused(&[claims.as_slice(), &claims[..1]].concat());
    refused(&[claims.as_slice(), claims.as_slice()].concat());
    let zero = Claim {
        commitment: Element::IDENTITY,
        point: 0,
        value: Fr::ZERO,
    };
    refused(&[claims.as_slice(), &[zero]].concat());
    assert_eq!(verify(&[], &STATEMENT.proof), Err(Error::NoOpenings));
}

#[test]
fn false_commitments_prove_nothing() {
    let mut random = Random(14);
    let polynomials = [random.polynomial(), random.polynomial()];
    let mut openings = open(&polynomials, &[(0, 3), (1, 4)]);
    openings[0].commitment += Element::GENERATOR;
    let proof = Prover::new(committer())
        .prove(&mut Transcript::new(b"sound"), &openings)
        .unwrap();
    assert_eq!(verify(&claims(&openings), &proof.to_bytes()), Ok(false));
}

#[test]
fn parts_of_a_proof_in_other_places() {
    let honest = Multiproof::from_bytes(&STATEMENT.proof).unwrap();
    let check = |proof: Multiproof| {
        assert_ne!(proof, honest);
        assert_eq!(verify(&STATEMENT.claims, &proof.to_bytes()), Ok(false));
    };
    let change = |change: &dyn Fn(&mut Multiproof)| {
        let mut proof = honest;
        change(&mut proof);
        check(proof);
    };
    change(&|proof| core::mem::swap(&mut proof.ipa.l, &mut proof.ipa.r));
    change(&|proof| proof.ipa.l.swap(0, 7));
    change(&|proof| proof.ipa.r.reverse());
    change(&|proof| proof.d = -proof.d);
    change(&|proof| proof.d = AffineElement::IDENTITY);
    change(&|proof| proof.ipa.a = Fr::ZERO);
    change(&|proof| proof.ipa.a = -proof.ipa.a);
    change(&|proof| {
        proof.ipa.l = [AffineElement::IDENTITY; ipa::ROUNDS];
        proof.ipa.r = proof.ipa.l;
    });
}

#[test]
fn arbitrary_bytes() {
    let mut random = Random(15);
    for length in (0..1200).chain([usize::from(u16::MAX)]) {
        let mut bytes = vec![0; length];
        random.fill(&mut bytes);
        match Multiproof::from_bytes(&bytes) {
            Err(Error::ProofLength {
                found,
                expected: 576,
            }) => assert_eq!(found, length),
            other => assert_eq!(length, 576, "{other:?}"),
        }
        assert!(
            length == 544
                || IpaProof::from_bytes(&bytes)
                    == Err(Error::ProofLength {
                        found: length,
                        expected: 544
                    })
        );
    }
    // elements that exist, in proofs that prove nothing
    for _ in 0..100 {
        let mut element = || (Element::GENERATOR.mul_vartime(&random.scalar())).to_affine();
        let d = element();
        let (l, r) = ([(); 8].map(|()| element()), [(); 8].map(|()| element()));
        let proof = Multiproof {
            d,
            ipa: IpaProof {
                l,
                r,
                a: random.scalar(),
            },
        };
        assert_eq!(Multiproof::from_bytes(&proof.to_bytes()), Ok(proof));
        assert_eq!(IpaProof::from_bytes(&proof.ipa.to_bytes()), Ok(proof.ipa));
        assert_eq!(verify(&STATEMENT.claims, &proof.to_bytes()), Ok(false));
    }
}

#[test]
fn faults_are_named() {
    let mut proof = STATEMENT.proof;
    proof[32 * 10..][..32].fill(0xff);
    let error = Multiproof::from_bytes(&proof).unwrap_err();
    let expected = Error::ProofElement {
        part: Part::R(1),
        offset: 320,
        error: EncodingError::NonCanonical,
    };
    assert_eq!(error, expected);
    assert!(
        error.to_string().starts_with("proof: R[1] at byte 320: "),
        "{error}"
    );
    // the order of the scalars' field itself
    let order = Fr::ZERO - Fr::ONE;
    let mut bytes = order.to_bytes();
    bytes[0] += 1;
    proof[544..].copy_from_slice(&bytes);
    let error = Multiproof::from_bytes(&proof).unwrap_err();
    assert_eq!(error, Error::ProofScalar { offset: 544 });
    assert_eq!(
        error.to_string(),
        "proof: scalar at byte 544: not below the modulus"
    );
    let error = Multiproof::from_bytes(&proof[1..]).unwrap_err();
    assert_eq!(error.to_string(), "proof: 575 bytes, expected 576");
}
