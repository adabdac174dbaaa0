//! Proofs whose key has several windows and blocks (constants are small in these tests), from mapped files and from
//! memory.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::*;
use crate::generic::write_fkey;
use crate::groth16::{setup_dev, values};
use frumious_circom::generic::{R1csBuilder, Wtns};
use frumious_curves::{Bls12_381, Bn254};
use frumious_field::{Field, Integer, PrimeField};
use frumious_groth16::{
    Error, ProveOptions, SetupOptions, prove_with_randomness_for_tests, verify,
};
use std::io::Write;
use tempfile::NamedTempFile;

/// x_{i+1} = x_i², 300 times; the key and the witness as files.
fn files<E: ProvingEngine>() -> [NamedTempFile; 2] {
    let mut builder = R1csBuilder::<E>::new(1, 0, 1);
    let mut values = vec![E::Fr::ONE, E::Fr::ZERO, E::Fr::from_u64(3)];
    let mut last = 2;
    let one = E::Fr::ONE;
    for _ in 0..300 {
        let next = builder.new_wire();
        builder.constraint(&[(last, one)], &[(last, one)], &[(next, one)]);
        values.push(values[last as usize].square());
        last = next;
    }
    builder.constraint(&[(last, one)], &[(0, one)], &[(1, one)]);
    values[1] = values[last as usize];
    let values = values.iter().copied().map(Integer::from).collect();
    let [mut key, mut witness] = [(); 2].map(|()| NamedTempFile::new().unwrap());
    setup_dev(&builder.build(), &mut key, &SetupOptions::default()).unwrap();
    Wtns::<E>::new(values).unwrap().write(&mut witness).unwrap();
    key.flush().unwrap();
    witness.flush().unwrap();
    [key, witness]
}

/// In either container, mapped or not, in three vectors, two or one, with as much memory as will just do: one proof.
fn check<E: ProvingEngine>() {
    let [key, witness] = files::<E>();
    let bytes = std::fs::read(key.path()).unwrap();
    let mut compact = NamedTempFile::new().unwrap();
    let zkey = Zkey::<E>::from_bytes(bytes.clone()).unwrap();
    write_fkey(&zkey, &mut compact).unwrap();
    compact.flush().unwrap();
    let compact_bytes = std::fs::read(compact.path()).unwrap();
    let keys = [
        KeyFile::<E>::open(key.path()),
        KeyFile::from_bytes(bytes),
        KeyFile::open(compact.path()),
        KeyFile::from_bytes(compact_bytes),
    ];
    let files = keys.map(Result::unwrap);
    assert!(files[2].b1().entries().is_some());
    let coefficients = files[2].coefficients();
    assert!(matches!(coefficients, KeyCoefficients::Templates(_)));
    let bytes = std::fs::read(witness.path()).unwrap();
    let witnesses = [Wtns::<E>::open(witness.path()), Wtns::from_bytes(&bytes)];
    let witnesses = witnesses.map(Result::unwrap);
    assert!(witnesses[0].mapped().is_some() && witnesses[1].mapped().is_none());
    let [r, s] = [7, 8].map(E::Fr::from_u64);
    let dir = tempfile::tempdir().unwrap();
    let options = |max_memory, spill| ProveOptions {
        max_memory,
        spill,
        verify: false,
        ..ProveOptions::default()
    };
    let mut proofs = Vec::new();
    for file in &files {
        check_key(file).unwrap();
        let key = proving_key(file.clone()).unwrap();
        for witness in &witnesses {
            let values = values(witness);
            let proof = |options: &ProveOptions| {
                prove_with_randomness_for_tests(&key, &values, options, r, s)
            };
            let fastest = key.memory(&values, &options(None, None)).unwrap();
            let is_mapped = file.bytes().is_mapped() || witness.mapped().is_some();
            assert_eq!(fastest.mapped > 0, is_mapped);
            proofs.push(proof(&options(None, None)).unwrap());
            for spill in [None, Some(dir.path())] {
                // Under a limit that is too low the error tells the least, which does just.
                let least = match proof(&options(Some(1), spill)) {
                    Err(Error::MemoryLimit { needed, limit: 1 }) => needed,
                    other => panic!("{other:?}"),
                };
                assert!(least <= fastest.private);
                let just = options(Some(least), spill);
                let memory = key.memory(&values, &just).unwrap();
                assert_eq!(memory.private, least);
                proofs.push(proof(&just).unwrap());
                let less = options(Some(least - 1), spill);
                let refused = proof(&less);
                assert!(
                    matches!(refused, Err(Error::MemoryLimit { needed, .. }) if needed == least)
                );
            }
        }
    }
    let (proof, public) = &proofs[0];
    let key = proving_key(files[0].clone()).unwrap();
    assert!(verify(key.verifying_key(), public, proof).unwrap());
    assert!(proofs.iter().all(|other| other == &proofs[0]));
    assert!(dir.path().read_dir().unwrap().next().is_none());
}

#[test]
fn windows_and_limits_do_not_change_the_proof() {
    check::<Bn254>();
    check::<Bls12_381>();
}
