//! Verdicts: on good proofs, tampered proofs, batches.

use crate::circuits::{self, Circuit};
use crate::snarkjs;
use frumious_curves::bn254::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_groth16::Proof;
use frumious_groth16::{
    Error, PreparedVerifyingKey, ProveOptions, ProvingKey, Refused, verify, verify_batch,
};
use frumious_snarkjs::groth16::prove;

fn proved(circuit: &Circuit) -> (ProvingKey, Proof, Vec<Fr>) {
    let key = circuit.dev_key();
    let (proof, public) = prove(&key, &circuit.witness(), &ProveOptions::default()).unwrap();
    assert_eq!(public, circuit.public());
    (key, proof, public)
}

/// Every way to change one part of a proof.
fn tampered(proof: &Proof) -> Vec<Proof> {
    let other_g1 = |p: G1Affine| G1Projective::from(p).double().to_affine();
    let other_g2 = |p: G2Affine| G2Projective::from(p).double().to_affine();
    let Proof { a, b, c } = *proof;
    vec![
        Proof {
            a: other_g1(a),
            b,
            c,
        },
        Proof { a: a.neg(), b, c },
        Proof {
            a: G1Affine::IDENTITY,
            b,
            c,
        },
        Proof {
            a,
            b: other_g2(b),
            c,
        },
        Proof { a, b: b.neg(), c },
        Proof {
            a,
            b: G2Affine::IDENTITY,
            c,
        },
        Proof {
            a,
            b,
            c: other_g1(c),
        },
        Proof { a, b, c: c.neg() },
        Proof {
            a,
            b,
            c: G1Affine::IDENTITY,
        },
        Proof { a: c, b, c: a },
    ]
}

#[test]
fn small_circuits_from_setup_to_verdict() {
    for circuit in circuits::small() {
        let (key, proof, public) = proved(&circuit);
        assert!(verify(key.verifying_key(), &public, &proof).unwrap());
        for proof in tampered(&proof) {
            assert!(!verify(key.verifying_key(), &public, &proof).unwrap());
        }
        for i in 0..public.len() {
            let mut public = public.clone();
            public[i] += Fr::ONE;
            assert!(!verify(key.verifying_key(), &public, &proof).unwrap());
        }
    }
}

/// (A, B) and (kA, B/k) prove the same: Groth16 proofs can be re-randomised, and the verifier must not mind.
#[test]
fn a_rescaled_proof_is_valid() {
    let (key, proof, public) = proved(&circuits::random(21, [1, 1, 1], 9));
    let k = Fr::from_u64(1_000_003);
    let rescaled = Proof {
        a: G1Projective::from(proof.a).mul(&k).to_affine(),
        b: G2Projective::from(proof.b)
            .mul(&k.invert().unwrap())
            .to_affine(),
        c: proof.c,
    };
    assert!(verify(key.verifying_key(), &public, &rescaled).unwrap());
}

#[test]
fn another_number_of_public_signals_is_an_error() {
    let (key, proof, public) = proved(&circuits::random(22, [2, 1, 1], 9));
    for actual in [0, 2, 4] {
        let mut public = public.clone();
        public.resize(actual, Fr::ZERO);
        let error = verify(key.verifying_key(), &public, &proof).unwrap_err();
        assert!(matches!(error, Error::PublicInputs { expected: 3, actual: a } if a == actual));
        let batch = [(public.as_slice(), &proof)];
        assert!(verify_batch(key.verifying_key(), &batch).is_err());
    }
}

#[test]
fn a_proof_does_not_verify_under_another_key() {
    let circuit = circuits::random(23, [1, 1, 1], 9);
    let (_, proof, public) = proved(&circuit);
    let other = circuit.dev_key();
    assert!(!verify(other.verifying_key(), &public, &proof).unwrap());
}

#[test]
fn batches_are_valid_when_all_their_proofs_are() {
    let circuit = circuits::random(24, [1, 2, 1], 9);
    let key = circuit.dev_key();
    let proofs: Vec<(Proof, Vec<Fr>)> = (0..9)
        .map(|_| prove(&key, &circuit.witness(), &ProveOptions::default()).unwrap())
        .collect();
    let prepared = PreparedVerifyingKey::new(key.verifying_key()).unwrap();
    for n in [0, 1, 2, 9] {
        let batch: Vec<(&[Fr], &Proof)> = proofs[..n]
            .iter()
            .map(|(proof, public)| (public.as_slice(), proof))
            .collect();
        assert!(prepared.verify_batch(&batch).unwrap(), "{n}");
        assert!(verify_batch(key.verifying_key(), &batch).unwrap());
        for bad in 0..n {
            for proof in tampered(&proofs[bad].0) {
                let mut batch = batch.clone();
                batch[bad].1 = &proof;
                assert!(
                    !prepared.verify_batch(&batch).unwrap(),
                    "proof {bad} of {n}"
                );
            }
            let mut public = proofs[bad].1.clone();
            public[1] += Fr::ONE;
            let mut batch = batch.clone();
            batch[bad].0 = &public;
            assert!(
                !prepared.verify_batch(&batch).unwrap(),
                "signals {bad} of {n}"
            );
        }
    }
}

/// The naive twin of [`PreparedVerifyingKey::find_invalid`]: single verification of each proof.
fn refused_one_by_one(
    key: &PreparedVerifyingKey,
    batch: &[(&[Fr], &Proof)],
) -> Vec<(usize, String)> {
    let verdicts = batch.iter().enumerate();
    let refused = verdicts.filter_map(|(index, (public, proof))| match key.verify(public, proof) {
        Ok(true) => None,
        Ok(false) => Some((index, "the proof is not valid".to_owned())),
        Err(error) => Some((index, error.to_string())),
    });
    refused.collect()
}

fn found(key: &PreparedVerifyingKey, batch: &[(&[Fr], &Proof)]) -> Vec<(usize, String)> {
    let refused = key.find_invalid(batch).unwrap().into_iter();
    refused
        .map(|(index, reason)| (index, reason.to_string()))
        .collect()
}

/// All patterns of a few proofs, and of a thousand one, some, and all that are false.
#[test]
fn false_proofs_of_a_batch_are_named() {
    let circuit = circuits::random(26, [1, 0, 1], 9);
    let (key, good, public) = proved(&circuit);
    let verifier = key.prepared_verifying_key();
    let bad = Proof {
        c: good.c.neg(),
        ..good
    };
    let with = |n: usize, is_bad: &dyn Fn(usize) -> bool| -> Vec<usize> {
        let batch: Vec<(&[Fr], &Proof)> = (0..n)
            .map(|k| (&public[..], if is_bad(k) { &bad } else { &good }))
            .collect();
        let refused = verifier.find_invalid(&batch).unwrap().into_iter();
        refused
            .map(|(index, reason)| {
                assert!(matches!(reason, Refused::False));
                index
            })
            .collect()
    };
    for pattern in 0..1 << 5 {
        let is_bad = |k: usize| pattern >> k & 1 == 1;
        let expected: Vec<usize> = (0..5).filter(|k| is_bad(*k)).collect();
        assert_eq!(with(5, &is_bad), expected);
    }
    assert!(with(0, &|_| true).is_empty());
    assert!(with(1000, &|_| false).is_empty());
    for index in [0, 617, 999] {
        assert_eq!(with(1000, &|k| k == index), [index]);
    }
    assert_eq!(with(100, &|k| k % 17 == 3), [3, 20, 37, 54, 71, 88]);
    assert_eq!(with(40, &|_| true), (0..40).collect::<Vec<_>>());
}

/// Beside false proofs, those that single verification answers with an error.
#[test]
fn malformed_proofs_of_a_batch_are_named_with_their_reason() {
    let circuit = circuits::random(27, [1, 0, 1], 9);
    let (key, good, public) = proved(&circuit);
    let verifier = key.prepared_verifying_key();
    let mut off = good;
    off.b.x += off.b.y;
    let outside = (1..).find_map(|k| {
        let x = frumious_curves::bn254::Fq2::from(frumious_curves::bn254::Fq::from_u64(k));
        let y = (x.square() * x + G2Affine::B).sqrt().into_option()?;
        Some(G2Affine { x, y })
    });
    let outside = Proof {
        b: outside.unwrap(),
        ..good
    };
    let mut wrong_a = good;
    wrong_a.a.y += wrong_a.a.x;
    let proofs = [&good, &off, &good, &outside, &wrong_a, &good, &good];
    let mut batch: Vec<(&[Fr], &Proof)> = proofs.map(|proof| (&public[..], proof)).to_vec();
    batch[5].0 = &[];
    let false_public = [public[0] + Fr::ONE];
    batch[6].0 = &false_public;
    let expected = refused_one_by_one(verifier, &batch);
    assert_eq!(found(verifier, &batch), expected);
    let indices: Vec<usize> = expected.iter().map(|(index, _)| *index).collect();
    assert_eq!(indices, [1, 3, 4, 5, 6]);
    assert!(verifier.verify_batch(&batch).is_err());
    // Whatever single verification refuses, no batch takes it: each alone, and beside a good one.
    for (public, proof) in &batch {
        let valid = matches!(verifier.verify(public, proof), Ok(true));
        for batch in [&[(*public, *proof)][..], &[(*public, *proof), batch[0]]] {
            assert_eq!(matches!(verifier.verify_batch(batch), Ok(true)), valid);
        }
    }
}

/// Two errors that cancel in the plain sum: what the random weights are for.
#[test]
fn errors_in_a_batch_do_not_cancel() {
    let circuit = circuits::random(25, [1, 0, 1], 9);
    let key = circuit.dev_key();
    let options = ProveOptions::default();
    let (mut first, public) = prove(&key, &circuit.witness(), &options).unwrap();
    let (mut second, _) = prove(&key, &circuit.witness(), &options).unwrap();
    let error = G1Projective::GENERATOR;
    first.c = (G1Projective::from(first.c) + error).to_affine();
    second.c = (G1Projective::from(second.c) - error).to_affine();
    let batch = [(public.as_slice(), &first), (public.as_slice(), &second)];
    assert!(!verify_batch(key.verifying_key(), &batch).unwrap());
    let named = found(key.prepared_verifying_key(), &batch);
    let indices: Vec<usize> = named.iter().map(|(index, _)| *index).collect();
    assert_eq!(indices, [0, 1]);
}

#[test]
fn proofs_of_snarkjs_are_valid() {
    for name in ["mul", "mulpub"] {
        let Some(fixture) = snarkjs::Fixture::open(name) else {
            return;
        };
        let (key, proof, public) = (&fixture.verifying_key, &fixture.proof, &fixture.public);
        assert!(verify(key, public, proof).unwrap());
        for proof in tampered(proof) {
            assert!(!verify(key, public, &proof).unwrap());
        }
        let batch = [(public.as_slice(), proof); 3];
        assert!(verify_batch(key, &batch).unwrap());
    }
}
