//! The other curve: keys, witnesses and proofs that snarkjs made for BLS12-381, and our own. The files are those of
//! `frumious-circom`.

use crate::circuits::checked;
use crate::setups::{assert_same_sections, ceremony_key};
use frumious_circom::bls12_381::{R1cs, R1csBuilder, Wtns};
use frumious_curves::bls12_381::{Fr, G1Affine};
use frumious_field::Integer;
use frumious_groth16::{
    Error, PreparedVerifyingKey, Proof, ProveOptions, SetupOptions,
    prove_with_randomness_for_tests, verify,
};
use frumious_snarkjs::bls12_381::{Ptau, Zkey, open_public};
use frumious_snarkjs::bls12_381::{open_proof, open_verifying_key};
use frumious_snarkjs::groth16::{prove, setup_dev, values};
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../snarkjs/tests/data/bls12_381")
        .join(name)
}

#[test]
fn every_section_of_a_key_is_as_snarkjs_makes_it() {
    let r1cs = R1cs::open(data("mul.r1cs")).unwrap();
    let ptau = Ptau::open(data("pot2.ptau")).unwrap();
    let zkey = ceremony_key(&r1cs, &ptau).unwrap();
    assert_same_sections(&zkey, &std::fs::read(data("mul.zkey")).unwrap());
}

#[test]
fn snarkjs_proof_is_valid_and_nothing_else() {
    let key = open_verifying_key(data("verification_key.json")).unwrap();
    let proof = open_proof(data("proof.json")).unwrap();
    let public = open_public(data("public.json")).unwrap();
    assert!(verify(&key, &public, &proof).unwrap());
    assert!(!verify(&key, &[Fr::from_u64(34)], &proof).unwrap());
    let tampered = [
        Proof {
            a: proof.a.neg(),
            ..proof
        },
        Proof {
            b: proof.b.neg(),
            ..proof
        },
        Proof {
            c: proof.a,
            ..proof
        },
        Proof {
            c: G1Affine::IDENTITY,
            ..proof
        },
    ];
    for wrong in tampered {
        assert!(!verify(&key, &public, &wrong).unwrap());
    }
    assert!(matches!(
        verify(&key, &[], &proof),
        Err(Error::PublicInputs { .. })
    ));
}

#[test]
fn our_proofs_under_snarkjs_key_are_valid() {
    let key = checked(Zkey::open(data("contributed.zkey")).unwrap());
    let witness = Wtns::open(data("mul.wtns")).unwrap();
    let expected = open_verifying_key(data("verification_key.json")).unwrap();
    assert_eq!(key.verifying_key(), &expected);
    let (proof, public) = prove(&key, &witness, &ProveOptions::default()).unwrap();
    assert_eq!(public, [Fr::from_u64(33)]);
    assert!(verify(&expected, &public, &proof).unwrap());
    let plain = ProveOptions {
        zero_knowledge: false,
        ..ProveOptions::default()
    };
    let (first, _) = prove(&key, &witness, &plain).unwrap();
    let zero = Fr::ZERO;
    let (second, _) =
        prove_with_randomness_for_tests(&key, &values(&witness), &plain, zero, zero).unwrap();
    assert_eq!(first, second);
    let wrong = Wtns::new([1, 34, 3, 11].map(Integer::from_u64).to_vec());
    assert!(matches!(
        prove(&key, &wrong.unwrap(), &plain),
        Err(Error::Unsatisfied)
    ));
}

/// `x ← x² + i·x` again and again, over a domain large enough for lanes, with values of all 255 bits.
#[test]
fn larger_circuits_are_proved_under_development_keys() {
    let n = 200;
    let mut builder = R1csBuilder::new(0, 1, 1);
    let mut values = vec![Fr::ONE, Fr::from_u64(7), -Fr::from_u64(5)];
    let mut x = 2;
    for i in 0..n {
        let next = builder.new_wire();
        let factor = -Fr::from_u64(i) + values[1].square();
        builder.constraint(
            &[(x, Fr::ONE)],
            &[(x, Fr::ONE), (0, factor)],
            &[(next, Fr::ONE)],
        );
        let value = values[x as usize];
        values.push(value * (value + factor));
        x = next;
    }
    let r1cs = builder.build();
    assert_eq!(r1cs.first_unsatisfied(&values), None);
    let mut zkey = Vec::new();
    setup_dev(&r1cs, &mut zkey, &SetupOptions::default()).unwrap();
    let key = checked(Zkey::from_bytes(zkey).unwrap());
    assert_eq!(key.domain_size(), 256);
    let witness = Wtns::new(values.iter().copied().map(Integer::from).collect()).unwrap();
    let options = ProveOptions::default();
    let (first, public) = prove(&key, &witness, &options).unwrap();
    let (second, _) = prove(&key, &witness, &options).unwrap();
    assert_ne!(first, second);
    let verifier: &PreparedVerifyingKey<_> = key.prepared_verifying_key();
    let both = [(&public[..], &first), (&public[..], &second)];
    assert!(verifier.verify_batch(&both).unwrap());
    let other = [Fr::from_u64(8)];
    let one_wrong = [(&public[..], &first), (&other[..], &second)];
    assert!(!verifier.verify_batch(&one_wrong).unwrap());
}
