//! Proofs in three vectors, in two and in one, from witnesses in memory and in bytes: one proof.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::*;
use crate::{KeyVectors, SetupOptions, setup_dev, verify};
use frumious_curves::engine::ScalarField;
use frumious_curves::{Bls12_381, Bn254};
use frumious_field::{Field, Integer, PrimeField};
use frumious_r1cs::{BodyBuilder, Interface, SystemBuilder};

/// x_{i+1} = x_i², 300 times; the key, and a value for each wire.
fn squares<E: ProvingEngine>() -> (ProvingKey<E>, Vec<Integer<E::Fr>>) {
    let one = E::Fr::ONE;
    let mut builder = SystemBuilder::<E::Fr>::new();
    let mut main = BodyBuilder::main();
    let (out, mut last) = (main.own_wire(), main.own_wire());
    let (constant, mut value) = (main.wire(0), E::Fr::from_u64(3));
    let mut values = vec![one, E::Fr::ZERO, value];
    for _ in 0..300 {
        let next = main.own_wire();
        builder.constrain(&mut main, &[(last, one)], &[(last, one)], &[(next, one)]);
        (last, value) = (next, value.square());
        values.push(value);
    }
    builder.constrain(&mut main, &[(last, one)], &[(constant, one)], &[(out, one)]);
    values[1] = value;
    let interface = Interface {
        public_outputs: 1,
        public_inputs: 0,
        private_inputs: 1,
    };
    let system = builder.finish(main, interface);
    let mut key = KeyVectors::<E>::new();
    setup_dev(&system, &mut key, &SetupOptions::default()).unwrap();
    let values = values.into_iter().map(Integer::from).collect();
    (ProvingKey::new(Box::new(key)).unwrap(), values)
}

fn le_bytes<F: ScalarField>(value: &Integer<F>) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(value.words()) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

fn check<E: ProvingEngine>() {
    let (key, values) = squares::<E>();
    let bytes: Vec<[u8; 32]> = values.iter().map(le_bytes).collect();
    let blinding = Blinding::fixed(E::Fr::from_u64(7), E::Fr::from_u64(8));
    let dir = tempfile::tempdir().unwrap();
    let options = ProveOptions {
        spill: Some(dir.path()),
        ..ProveOptions::default()
    };
    let mut proofs = Vec::new();
    for witness in [Witness::new(&values), Witness::from_le_bytes(&bytes)] {
        for vectors in [Vectors::One, Vectors::Two, Vectors::Three] {
            let proof = prove_in(vectors, &key, &witness, &options, Some(&blinding));
            proofs.push(proof.unwrap());
        }
        let needed = |vectors| memory::private(&key, &witness, vectors);
        let limited = |limit| ProveOptions {
            max_memory: Some(limit),
            ..ProveOptions::default()
        };
        let least = needed(Vectors::Two).min(needed(Vectors::Three));
        let memory = key.memory(&witness, &limited(least)).unwrap();
        assert_eq!(memory.private, least);
        let refused = key.memory(&witness, &limited(least - 1));
        assert!(matches!(refused, Err(Error::MemoryLimit { needed, .. }) if needed == least));
    }
    let (proof, public) = &proofs[0];
    assert!(verify(key.verifying_key(), public, proof).unwrap());
    assert!(proofs.iter().all(|other| other == &proofs[0]));
    assert!(dir.path().read_dir().unwrap().next().is_none());

    // A value that is not below r counts as zero, and satisfies nothing.
    let mut beyond = bytes.clone();
    beyond[5] = [0xff; 32];
    let refused = prove(&key, &Witness::from_le_bytes(&beyond), &options);
    assert!(matches!(refused, Err(Error::Unsatisfied)));

    // A folder that is not there, or does not last until the file is made.
    let missing = dir.path().join("missing");
    let options = ProveOptions {
        spill: Some(&missing),
        ..ProveOptions::default()
    };
    let witness = Witness::new(&values);
    let error = prove_in(Vectors::One, &key, &witness, &options, None);
    assert!(matches!(error, Err(Error::Spill { dir, .. }) if dir == missing));
}

#[test]
fn ways_and_witnesses_do_not_change_the_proof() {
    check::<Bn254>();
    check::<Bls12_381>();
}
