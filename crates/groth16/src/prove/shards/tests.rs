//! A proof in any shards is the proof of one machine, and a wrong piece makes none.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::*;
use crate::prove::prove_with_randomness_for_tests;
use crate::prove::tests::{le_bytes, squares};
use frumious_curves::{Bls12_381, Bn254};
use frumious_field::{Field, PrimeField};
use std::ops::Range;

/// `0..len` in so many ranges, of which the first takes what is left over.
fn ranges(len: usize, shards: usize) -> Vec<Range<usize>> {
    let share = len / shards;
    let first = len - share * (shards - 1);
    let starts = (0..shards).map(|shard| match shard {
        0 => 0..first,
        _ => first + (shard - 1) * share..first + shard * share,
    });
    starts.collect()
}

fn in_shards<E: ProvingEngine>(
    key: &ProvingKey<E>,
    values: &[Integer<E::Fr>],
    shards: usize,
) -> ShardSums<E> {
    let wires: Vec<[u8; 32]> = values.iter().map(le_bytes).collect();
    let witness = Witness::from_le_bytes(&wires);
    let [a, b, c] =
        [Side::A, Side::B, Side::Products].map(|side| key.quotient_vector(&witness, side).unwrap());
    let mut sums = ShardSums::default();
    let private = &wires[key.n_public() + 1..];
    for (part, scalars) in [
        (Part::A, &wires[..]),
        (Part::B1, &wires),
        (Part::B2, &wires),
        (Part::C, private),
    ] {
        for range in ranges(scalars.len(), shards) {
            let sum = key
                .partial_sum_vartime(part, range.start, &scalars[range])
                .unwrap();
            match (part, sum) {
                (Part::A, PartialSum::G1(sum)) => sums.a.push(sum),
                (Part::B1, PartialSum::G1(sum)) => sums.b1.push(sum),
                (Part::B2, PartialSum::G2(sum)) => sums.b2.push(sum),
                (Part::C, PartialSum::G1(sum)) => sums.c.push(sum),
                _ => panic!("a sum of another group"),
            }
        }
    }
    for range in ranges(key.domain_size(), shards) {
        let mine = Zeroizing::new(a[range.clone()].to_vec());
        let scalars = quotient_scalars(mine, &b[range.clone()], &c[range.clone()]);
        let scalars: Vec<[u8; 32]> = scalars.iter().map(le_bytes).collect();
        match key
            .partial_sum_vartime(Part::H, range.start, &scalars)
            .unwrap()
        {
            PartialSum::G1(sum) => sums.h.push(sum),
            PartialSum::G2(_) => panic!("a sum of another group"),
        }
    }
    sums
}

fn shards_do_not_change_the_proof<E: ProvingEngine>() {
    let (key, values) = squares::<E>();
    let [r, s] = [7, 8].map(E::Fr::from_u64);
    let options = ProveOptions::default();
    let alone = prove_with_randomness_for_tests(&key, &Witness::new(&values), &options, r, s);
    let (alone, public) = alone.unwrap();
    for shards in [1, 2, 3, 5, 64] {
        let sums = in_shards(&key, &values, shards);
        let proof = assemble_with_randomness_for_tests(&key, &public, &sums, r, s).unwrap();
        assert_eq!(proof, alone, "{shards} shards");
        let [first, second] = [(); 2].map(|()| key.assemble(&public, &sums).unwrap());
        assert!(first != second, "proofs are drawn anew");
    }
    wrong_pieces_make_no_proof(&key, &values, &public);
}

fn wrong_pieces_make_no_proof<E: ProvingEngine>(
    key: &ProvingKey<E>,
    values: &[Integer<E::Fr>],
    public: &[E::Fr],
) {
    let sums = in_shards(key, values, 3);
    let refused = |sums: &ShardSums<E>, public: &[E::Fr]| {
        assert!(matches!(
            key.assemble(public, sums),
            Err(Error::Unsatisfied)
        ));
    };
    let wrong: [fn(&mut ShardSums<E>); 6] = [
        |sums| sums.a[1] = E::G1::GENERATOR,
        |sums| sums.b2[0] = E::G2::GENERATOR,
        |sums| sums.c[2] = E::G1::default(),
        |sums| sums.h.truncate(2),
        |sums| sums.h.extend_from_within(..1),
        |sums| *sums = ShardSums::default(),
    ];
    for spoil in wrong {
        let mut sums = sums.clone();
        spoil(&mut sums);
        refused(&sums, public);
    }
    refused(&sums, &[public[0] + E::Fr::ONE]);
    assert!(matches!(
        key.assemble(&[], &sums),
        Err(Error::PublicInputs { .. })
    ));
}

#[test]
fn shards_are_the_proof_of_one_machine() {
    shards_do_not_change_the_proof::<Bn254>();
    shards_do_not_change_the_proof::<Bls12_381>();
}

#[test]
fn entries_that_are_not_there_are_refused() {
    let (key, values) = squares::<Bn254>();
    for part in Part::ALL {
        let entries = key.entries(part).unwrap_or(0);
        for (first, scalars) in [
            (entries, 1),
            (entries.saturating_sub(1), 2),
            (entries + 1, 0),
            (usize::MAX, 1),
        ] {
            let refused = key.partial_sum_vartime(part, first, &vec![[1; 32]; scalars]);
            assert!(
                matches!(refused, Err(Error::NoSuchEntries { .. })),
                "{part:?} {first} {scalars}"
            );
        }
    }
    let short = Witness::new(&values[1..]);
    let refused = key.quotient_vector(&short, Side::A);
    assert!(matches!(refused, Err(Error::WitnessLength { .. })));
}
