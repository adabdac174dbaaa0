//! Published vectors: the basis, transcripts, commitments, arguments, multiproofs.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

#[path = "support/common.rs"]
mod support;

use frumious_curves::bandersnatch::{AffineElement, Element, Fr};
use frumious_verkle::*;
use serde_json::Value;
use sha2::{Digest, Sha256};
use support::{committer, hex, polynomial, scalar, vector};

#[test]
fn basis() {
    let basis = Crs::standard().basis();
    assert_eq!(basis.len(), DOMAIN);
    // rust-verkle ipa-multipoint/src/crs.rs; go-ipa ipa/ipa_test.go, TestCRSGeneration
    let first = "01587ad1336675eb912550ec2a28eb8923b824b490dd2ba82e48f14590a298a0";
    let last = "3de2be346b539395b0c0de56a5ccca54a317f1b5c80107b0802af9a62276a4d8";
    let digest = "1fcaea10bf24f750200e06fa473c76ff0468007291fa548e2d99f09ba9256fdb";
    assert_eq!(basis[0].to_bytes()[..], hex(first));
    assert_eq!(basis[255].to_bytes()[..], hex(last));
    let all: Vec<u8> = basis.iter().flat_map(AffineElement::to_bytes).collect();
    assert_eq!(Sha256::digest(&all)[..], hex(digest));
    assert_eq!(Crs::standard().q(), AffineElement::GENERATOR);

    let Some(vector) = vector("04_crs.json") else {
        return;
    };
    let points = vector["compressed"].as_array().unwrap();
    assert_eq!(points.len(), DOMAIN);
    for (element, expected) in basis.iter().zip(points) {
        assert_eq!(element.to_bytes()[..], hex(expected.as_str().unwrap()));
    }
    for (element, expected) in basis
        .iter()
        .zip(strings(&vector["uncompressed_le_x_y_as_rust_verkle"]))
    {
        let expected: [u8; 64] = hex(expected).try_into().unwrap();
        assert_eq!(
            *element,
            AffineElement::from_uncompressed_le(&expected).unwrap()
        );
    }
    let q: [u8; 64] = hex(vector["q_uncompressed_le"].as_str().unwrap())
        .try_into()
        .unwrap();
    assert_eq!(
        AffineElement::from_uncompressed_le(&q).unwrap(),
        AffineElement::GENERATOR
    );
}

#[test]
fn transcripts() {
    let Some(vector) = vector("05_transcript.json") else {
        return;
    };
    let cases = vector["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 4);
    for case in cases {
        let mut transcript = Transcript::new(case["label"].as_str().unwrap().as_bytes());
        let mut challenge = None;
        for operation in case["ops"].as_array().unwrap() {
            let part = |i: usize| operation[i].as_str().unwrap();
            let label = part(1).as_bytes();
            match part(0) {
                "scalar" if part(2) == "-1" => transcript.append_scalar(label, &-Fr::ONE),
                "scalar" => {
                    transcript.append_scalar(label, &Fr::from_decimal_vartime(part(2)).unwrap())
                }
                "domainsep" => transcript.domain_separator(label),
                "point" => transcript.append_element(label, &Element::GENERATOR),
                "challenge" => challenge = Some(transcript.challenge(label)),
                other => panic!("unknown operation {other}"),
            }
        }
        // without an operation of its own, the challenge follows the others
        let challenge = challenge.unwrap_or_else(|| transcript.challenge(b"simple_challenge"));
        assert_eq!(challenge, scalar(case["challenge_le"].as_str().unwrap()));
    }
}

#[test]
fn commitments_as_field_elements() {
    let Some(vector) = vector("08_pedersen_commitment.json") else {
        return;
    };
    let cases = vector["cases"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let values: Vec<Fr> = strings(&case["frs"]).map(scalar).collect();
        let commitment = committer().commit(&values).unwrap();
        let expected = case["commitment"].as_str().unwrap(); // a map to the scalar field, despite its name
        assert_eq!(commitment.map_to_scalar_field(), scalar(expected));
    }
}

#[test]
fn commitments() {
    let Some(vector) = vector("09_commit_root.json") else {
        return;
    };
    for case in vector["cases"].as_array().unwrap() {
        let values: Vec<Fr> = strings(&case["frs"])
            .map(|text| Fr::from_be_bytes(&hex(text).try_into().unwrap()).unwrap())
            .collect();
        let commitment = committer().commit(&values).unwrap();
        assert_eq!(
            commitment.to_bytes()[..],
            hex(case["expected"].as_str().unwrap())
        );
    }
}

#[test]
fn commitment_of_random_values() {
    let Some(vector) = vector("jsign_crypto_001_vector_commitment.json") else {
        return;
    };
    let data = &vector["testData"];
    let values: Vec<Fr> = strings(&data["scalars"])
        .map(|text| Fr::from_decimal_vartime(text).unwrap())
        .collect();
    let commitment = committer().commit(&values).unwrap();
    assert_eq!(
        commitment.to_bytes()[..],
        hex(data["serializedCommitment"].as_str().unwrap())
    );
}

#[test]
fn inner_product_argument() {
    let Some(vector) = vector("06_ipa_consistency.json") else {
        return;
    };
    let text = |name: &str| vector[name].as_str().unwrap();
    let values = polynomial(|i| (i % 32) + 1);
    let point = Fr::from_u64(2101);
    let commitment = committer().commit(&values).unwrap();
    assert_eq!(commitment.to_bytes()[..], hex(text("commitment")));
    let value = polynomial::evaluate(&values, &point);
    assert_eq!(value, scalar(text("output_point_le")));

    let mut transcript = Transcript::new(b"test");
    let proof = ipa::prove(committer(), &mut transcript, &commitment, &values, &point);
    assert_eq!(
        transcript.challenge(b"state"),
        scalar(text("final_challenge_le"))
    );
    assert_eq!(proof.to_bytes()[..], hex(text("proof")));

    let proof = IpaProof::from_bytes(&hex(text("proof"))).unwrap();
    let mut transcript = Transcript::new(b"test");
    assert!(ipa::verify(
        committer(),
        &mut transcript,
        &commitment,
        &point,
        &value,
        &proof
    ));
    assert_eq!(
        transcript.challenge(b"state"),
        scalar(text("final_challenge_le"))
    );
}

#[test]
fn multiproof() {
    let Some(vector) = vector("07_multiproof_consistency.json") else {
        return;
    };
    let text = |name: &str| vector[name].as_str().unwrap();
    let polynomials = [polynomial(|i| (i % 32) + 1), polynomial(|i| 32 - (i % 32))];
    let openings = polynomials.each_ref().map(|polynomial| Opening {
        commitment: committer().commit(polynomial).unwrap(),
        polynomial,
        point: 0,
    });
    let mut transcript = Transcript::new(b"test");
    let proof = Prover::new(committer())
        .prove(&mut transcript, &openings)
        .unwrap();
    assert_eq!(
        transcript.challenge(b"state"),
        scalar(text("final_challenge_le"))
    );
    assert_eq!(proof.to_bytes()[..], hex(text("proof")));

    let proof = Multiproof::from_bytes(&hex(text("proof"))).unwrap();
    let claims = openings.map(|opening| opening.claim());
    assert_eq!(claims.map(|claim| claim.value), [Fr::ONE, Fr::from_u64(32)]);
    let mut transcript = Transcript::new(b"test");
    let accepted = Verifier::new(committer()).verify(&mut transcript, &claims, &proof);
    assert_eq!(accepted, Ok(true));
    assert_eq!(
        transcript.challenge(b"state"),
        scalar(text("final_challenge_le"))
    );
}

#[test]
fn final_scalar_not_reduced() {
    let Some(vector) = vector("jsign_crypto_009_deserialize_proof_invalid_final_scalar.json")
    else {
        return;
    };
    let bytes = hex(vector["testData"]["serializedProof"].as_str().unwrap());
    assert_eq!(bytes.len(), Multiproof::BYTES);
    assert_eq!(
        Multiproof::from_bytes(&bytes),
        Err(Error::ProofScalar { offset: 544 })
    );
}

#[test]
fn proofs_of_wrong_length() {
    let Some(vector) = vector("jsign_crypto_010_deserialize_proof_wrong_length.json") else {
        return;
    };
    for text in strings(&vector["testData"]["serializedProofs"]) {
        let bytes = hex(text);
        assert_eq!(
            Multiproof::from_bytes(&bytes),
            Err(Error::ProofLength {
                found: bytes.len(),
                expected: 576
            })
        );
    }
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|entry| entry.as_str().unwrap())
}
