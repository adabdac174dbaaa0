//! Verdicts: on good proofs, tampered proofs, batches.

use crate::circuits::{self, Circuit};
use crate::snarkjs;
use frumious_curves::bn254::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_groth16::Proof;
use frumious_groth16::{
    Error, PreparedVerifyingKey, ProveOptions, ProvingKey, verify, verify_batch,
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
