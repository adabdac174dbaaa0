//! Proofs whose key has several windows and blocks (constants are small in these tests), from mapped files and from memory.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::*;
use crate::{setup_dev, verify};
use frumious_circom::generic::{KeyCoefficients, KeyFile, R1csBuilder, Zkey, write_fkey};
use frumious_curves::{Bls12_381, Bn254};
use frumious_field::{Field, Integer, PrimeField};
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
    setup_dev(&builder.build(), &mut key).unwrap();
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
        KeyFile::open(key.path()),
        KeyFile::from_bytes(bytes),
        KeyFile::open(compact.path()),
        KeyFile::from_bytes(compact_bytes),
    ];
    let keys = keys.map(|key| ProvingKey::<E>::from_file(key.unwrap()).unwrap());
    assert!(keys[2].file().b1().entries().is_some());
    let coefficients = keys[2].file().coefficients();
    assert!(matches!(coefficients, KeyCoefficients::Templates(_)));
    let bytes = std::fs::read(witness.path()).unwrap();
    let witnesses = [Wtns::open(witness.path()), Wtns::from_bytes(&bytes)];
    let witnesses = witnesses.map(Result::unwrap);
    assert!(witnesses[0].mapped().is_some() && witnesses[1].mapped().is_none());
    let blinding = Blinding::fixed(E::Fr::from_u64(7), E::Fr::from_u64(8));
    let dir = tempfile::tempdir().unwrap();
    let options = |max_memory, spill| ProveOptions {
        max_memory,
        spill,
        verify: false,
        ..ProveOptions::default()
    };
    let mut proofs = Vec::new();
    for key in &keys {
        key.check().unwrap();
        for witness in &witnesses {
            for vectors in [Vectors::One, Vectors::Two, Vectors::Three] {
                let options = options(None, Some(dir.path()));
                proofs.push(prove_in(vectors, key, witness, &options, Some(&blinding)).unwrap());
            }
            let expected = key.memory(witness, &options(None, None)).unwrap();
            let is_mapped = key.file().bytes().is_mapped() || witness.mapped().is_some();
            assert_eq!(expected.mapped > 0, is_mapped);
            for spill in [None, Some(dir.path())] {
                let fewest = match spill {
                    None => Vectors::Two,
                    Some(_) => Vectors::One,
                };
                let least = memory::private(key, witness, fewest);
                let just = options(Some(least), spill);
                assert_eq!(key.memory(witness, &just).unwrap().private, least);
                proofs.push(prove_with(key, witness, &just, Some(&blinding)).unwrap());
                let less = options(Some(least - 1), spill);
                let error = prove_with(key, witness, &less, Some(&blinding));
                assert!(
                    matches!(error, Err(Error::MemoryLimit { needed, limit }) if needed == least && limit == least - 1)
                );
            }
        }
    }
    let (proof, public) = &proofs[0];
    assert!(verify(keys[0].verifying_key(), public, proof).unwrap());
    assert!(proofs.iter().all(|other| other == &proofs[0]));
    assert!(dir.path().read_dir().unwrap().next().is_none());

    // A folder that is not there, or does not last until the file is made.
    let missing = dir.path().join("missing");
    let options = options(None, Some(&missing));
    let error = prove_in(Vectors::One, &keys[0], &witnesses[0], &options, None);
    assert!(matches!(error, Err(Error::Spill { dir, .. }) if dir == missing));
}

#[test]
fn windows_and_limits_do_not_change_the_proof() {
    check::<Bn254>();
    check::<Bls12_381>();
}
