//! Proofs in three vectors, in two and in one, from witnesses in memory and in bytes: one proof.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use super::*;
use crate::key::{Entries, Footprint, KeyHeader, KeySource, PointWindow, RowWindowVisitor};
use crate::{KeyVectors, SetupOptions, setup_dev, verify};
use frumious_curves::engine::ScalarField;
use frumious_curves::{Bls12_381, Bn254, Group};
use frumious_field::{Field, Integer, PrimeField};
use frumious_msm::EncodedPoint;
use frumious_r1cs::{BodyBuilder, Interface, SourceError, SystemBuilder};

/// x_{i+1} = x_i², 300 times; the key, and a value for each wire.
pub(super) fn squares<E: ProvingEngine>() -> (ProvingKey<E>, Vec<Integer<E::Fr>>) {
    squares_of::<E>(300)
}

fn squares_of<E: ProvingEngine>(n: usize) -> (ProvingKey<E>, Vec<Integer<E::Fr>>) {
    let one = E::Fr::ONE;
    let mut builder = SystemBuilder::<E::Fr>::new();
    let mut main = BodyBuilder::main();
    let (out, mut last) = (main.own_wire(), main.own_wire());
    let (constant, mut value) = (main.wire(0), E::Fr::from_u64(3));
    let mut values = vec![one, E::Fr::ZERO, value];
    for _ in 0..n {
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

pub(super) fn le_bytes<F: ScalarField>(value: &Integer<F>) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(value.words()) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

fn check<E: ProvingEngine>() {
    let (key, values) = squares::<E>();
    let bytes: Vec<[u8; 32]> = values.iter().map(le_bytes).collect();
    let blinding = Blind::By(Blinding::fixed(E::Fr::from_u64(7), E::Fr::from_u64(8)));
    let dir = tempfile::tempdir().unwrap();
    let options = ProveOptions {
        spill: Some(dir.path()),
        ..ProveOptions::default()
    };
    let mut proofs = Vec::new();
    let elements: Vec<E::Fr> = values.iter().map(|value| value.to_element()).collect();
    for witness in [
        Witness::new(&values),
        Witness::new(&elements),
        Witness::from_le_bytes(&bytes),
    ] {
        for way in Way::ALL {
            let proof = prove_in(way, &key, &witness, &options, &blinding);
            proofs.push(proof.unwrap());
        }
        let needed = |way: &Way| memory::private(&key, &witness, *way);
        let limited = |limit| ProveOptions {
            max_memory: Some(limit),
            ..ProveOptions::default()
        };
        // Without a folder to spill to.
        let in_memory = Way::ALL.iter().filter(|way| way.vectors != Vectors::One);
        let least = in_memory.map(needed).min().unwrap();
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
    let refused = prove(&key, Witness::from_le_bytes(&beyond), &options);
    assert!(matches!(refused, Err(Error::Unsatisfied)));

    // A folder that is not there, or does not last until the file is made.
    let missing = dir.path().join("missing");
    let options = ProveOptions {
        spill: Some(&missing),
        ..ProveOptions::default()
    };
    let witness = Witness::new(&values);
    let in_file = Way::ALL.into_iter().find(|way| way.vectors == Vectors::One);
    let error = prove_in(in_file.unwrap(), &key, &witness, &options, &Blind::Not);
    assert!(matches!(error, Err(Error::Spill { dir, .. }) if dir == missing));
}

/// A key of which it is known whether part B1 is asked for.
struct Watched<E: ProvingEngine> {
    key: ProvingKey<E>,
    header: KeyHeader<E>,
    may_read_b1: bool,
    /// Hands out the points in two windows, and tells of one.
    is_cut: bool,
}

impl<E: ProvingEngine> KeySource<E> for Watched<E> {
    fn header(&self) -> &KeyHeader<E> {
        &self.header
    }

    fn g1(
        &self,
        part: Part,
        visit: &mut dyn FnMut(PointWindow<'_, E::G1>),
    ) -> Result<(), SourceError> {
        assert!(part != Part::B1 || self.may_read_b1, "part B1 is read");
        match self.is_cut {
            true => self
                .key
                .source()
                .g1(part, &mut |window| in_two(window, visit)),
            false => self.key.source().g1(part, visit),
        }
    }

    fn b2(&self, visit: &mut dyn FnMut(PointWindow<'_, E::G2>)) {
        match self.is_cut {
            true => self.key.source().b2(&mut |window| in_two(window, visit)),
            false => self.key.source().b2(visit),
        }
    }

    fn rows(&self, visit: &mut RowWindowVisitor<'_, E::Fr>) -> Result<(), SourceError> {
        self.key.source().rows(visit)
    }

    fn expect(&self, part: Part) {
        assert!(part != Part::B1, "part B1 is read ahead");
    }

    fn footprint(&self) -> Footprint {
        self.key.source().footprint()
    }
}

fn in_two<A: EncodedPoint>(window: PointWindow<'_, A>, visit: &mut dyn FnMut(PointWindow<'_, A>)) {
    let Entries::All(all) = window.entries else {
        panic!("these keys leave out no entries");
    };
    let half = all.len() / 2;
    for (places, is_last) in [(0..half, false), (half..all.len(), true)] {
        visit(PointWindow {
            entries: Entries::All(all.start + places.start..all.start + places.end),
            points: window.points.slice(places),
            is_last,
        });
    }
}

/// A proof of part of the points would be a false one.
#[test]
fn a_source_with_more_windows_than_it_says_makes_the_same_proof() {
    let (key, values) = squares::<Bn254>();
    let (witness, options) = (Witness::new(&values), ProveOptions::default());
    let (expected, _) = prove_in(Way::ALL[0], &key, &witness, &options, &Blind::Not).unwrap();
    let header = *key.source().header();
    let watched = Watched {
        key,
        header,
        may_read_b1: false,
        is_cut: true,
    };
    let key = ProvingKey::new(Box::new(watched)).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let options = ProveOptions {
        spill: Some(dir.path()),
        ..options
    };
    for way in Way::ALL {
        let (proof, _) = prove_in(way, &key, &witness, &options, &Blind::Not).unwrap();
        assert_eq!(proof, expected);
    }
}

/// In every way that takes little memory, too.
fn b1_is_not_read<E: ProvingEngine>() {
    let (key, values) = squares::<E>();
    let header = *key.source().header();
    let watched = Watched {
        key,
        header,
        may_read_b1: false,
        is_cut: false,
    };
    let key = ProvingKey::new(Box::new(watched)).unwrap();
    let witness = Witness::new(&values);
    let dir = tempfile::tempdir().unwrap();
    for way in Way::ALL {
        for zero_knowledge in [true, false] {
            let options = ProveOptions {
                zero_knowledge,
                spill: Some(dir.path()),
                ..ProveOptions::default()
            };
            let blind = match zero_knowledge {
                true => Blind::Anew(Rerandomisation::random().unwrap()),
                false => Blind::Not,
            };
            let (proof, public) = prove_in(way, &key, &witness, &options, &blind).unwrap();
            assert!(verify(key.verifying_key(), &public, &proof).unwrap());
            let (other, _) = prove(&key, witness, &options).unwrap();
            assert_eq!(other == proof, !zero_knowledge, "proofs are drawn anew");
        }
    }
}

#[test]
fn part_b1_is_never_read() {
    b1_is_not_read::<Bn254>();
    b1_is_not_read::<Bls12_381>();
}

/// α is such that A would be infinity. The key is no good for that, so that nothing verifies.
#[test]
fn a_at_infinity_is_blinded_by_a_sum() {
    let (key, values) = squares::<Bn254>();
    let witness = Witness::new(&values);
    let plain = ProveOptions {
        zero_knowledge: false,
        verify: false,
        ..ProveOptions::default()
    };
    let (proof, _) = prove(&key, witness, &plain).unwrap();
    let mut header = *key.source().header();
    let minus_a = -frumious_curves::bn254::G1Projective::from(proof.a);
    header.alpha_g1 = header.alpha_g1.plus(&minus_a).to_affine();
    let watched = Watched {
        key,
        header,
        may_read_b1: true,
        is_cut: false,
    };
    let key = ProvingKey::new(Box::new(watched)).unwrap();
    let (proof, _) = prove(&key, witness, &plain).unwrap();
    assert_eq!(proof.a, Default::default());
    let phases = std::sync::Mutex::new(Vec::new());
    let observer = |phase| phases.lock().unwrap().push(phase);
    let options = ProveOptions {
        zero_knowledge: true,
        observer: Some(&observer),
        ..plain
    };
    let mut seen: Vec<Proof<Bn254>> = Vec::new();
    for _ in 0..4 {
        let (proof, _) = prove(&key, witness, &options).unwrap();
        assert!(proof.a != Default::default());
        assert!(
            seen.iter()
                .all(|other| other.a != proof.a && other.b != proof.b)
        );
        seen.push(proof);
    }
    assert!(phases.lock().unwrap().contains(&Phase::SumB1));
}

/// To the bit, with r and s fixed: also where tasks are more than threads, and threads more than tasks.
#[test]
fn any_number_of_threads_makes_the_same_proof() {
    let (key, values) = squares_of::<Bn254>(6000);
    let bytes: Vec<[u8; 32]> = values.iter().map(le_bytes).collect();
    let options = ProveOptions::default();
    let of_values = Witness::new(&values);
    let of_bytes = Witness::from_le_bytes(&bytes);
    let mut proofs = Vec::new();
    for (threads, witness) in [
        (1, &of_values),
        (1, &of_bytes),
        (2, &of_values),
        (3, &of_bytes),
        (8, &of_values),
        (64, &of_bytes),
    ] {
        let prove = || {
            let [r, s] = [7, 8].map(frumious_curves::bn254::Fr::from_u64);
            let proof = prove_with_randomness_for_tests(&key, witness, &options, r, s);
            proofs.push((threads, proof.unwrap()));
        };
        frumious_parallel::with_threads(threads, prove).unwrap();
    }
    let (_, first) = proofs[0].clone();
    for (threads, proof) in proofs {
        assert!(proof == first, "{threads} threads");
    }
}

#[test]
fn ways_and_witnesses_do_not_change_the_proof() {
    check::<Bn254>();
    check::<Bls12_381>();
}
