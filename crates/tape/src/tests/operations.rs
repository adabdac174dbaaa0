//! Each operation, on edge values and random ones, over both fields.

use super::twin;
use crate::operation::TapeField;
use crate::operation::to_index_vartime;
use crate::{Operation, Recording, Replayer, Tape};
use frumious_curves::{bls12_381, bn254};
use frumious_testing::field_suite::TestRng;
use num_bigint::{BigInt, BigUint};

#[test]
fn operations_over_bn254() {
    compare::<bn254::Fr>(1);
}

#[test]
fn operations_over_bls12_381() {
    compare::<bls12_381::Fr>(2);
}

fn compare<F: TapeField>(seed: u64) {
    let edges = twin::edges::<F>();
    let p = twin::modulus::<F>();
    for a in &edges {
        for b in &edges {
            compare_all::<F>(a, b, &p);
        }
    }
    let mut rng = TestRng::new(seed);
    for _ in 0..1000 {
        let (a, b) = (twin::random(&mut rng, &p), twin::random(&mut rng, &p));
        compare_all::<F>(&a, &b, &p);
    }
}

fn compare_all<F: TapeField>(a: &BigUint, b: &BigUint, p: &BigUint) {
    let (left, right) = (twin::element::<F>(a), twin::element::<F>(b));
    for operation in Operation::ALL {
        if operation == Operation::Bit && *b > BigUint::from(255u8) {
            continue;
        }
        let ours = operation.apply_vartime(left, right).map(twin::number);
        let theirs = twin::apply(operation, a, b, p);
        assert_eq!(ours, theirs, "{operation:?} of {a} and {b}");
        if operation.is_unary() {
            assert_eq!(
                operation.apply_vartime(left, left).map(twin::number),
                theirs
            );
        }
        if operation.is_commutative() {
            assert_eq!(
                operation.apply_vartime(right, left).map(twin::number),
                theirs
            );
        }
        if operation.is_boolean() {
            assert!(theirs.is_some_and(|result| result <= BigUint::from(1u8)));
        }
    }
}

#[test]
fn operations_have_the_numbers_of_their_places() {
    for (number, operation) in Operation::ALL.into_iter().enumerate() {
        assert_eq!(operation as usize, number);
    }
}

#[test]
fn indices_are_the_low_bits_with_the_sign() {
    index::<bn254::Fr>();
    index::<bls12_381::Fr>();
}

fn index<F: TapeField>() {
    let p = twin::modulus::<F>();
    for value in twin::edges::<F>() {
        let low = twin::signed(&value, &p) & BigInt::from(u32::MAX);
        let ours = to_index_vartime(twin::element::<F>(&value));
        assert_eq!(BigInt::from(ours), low, "{value}");
    }
}

/// A tape's steps have ways of their own to some of the operations.
#[test]
fn replayed_operations_over_bn254() {
    replay::<bn254::Fr>();
}

#[test]
fn replayed_operations_over_bls12_381() {
    replay::<bls12_381::Fr>();
}

fn replay<F: TapeField>() {
    let edges = twin::edges::<F>();
    let p = twin::modulus::<F>();
    let mut replayer = Replayer::new();
    for operation in Operation::ALL {
        if operation == Operation::Bit {
            continue;
        }
        let mut recording = Recording::<F>::new();
        let seven = twin::element(&BigUint::from(7u8));
        let [a, b] = [seven, seven].map(|value| recording.input(value).expect("short"));
        let result = recording.apply(operation, a, b).expect("short");
        let tape = Tape::new(&recording, &[result.expect("seven is not zero")]).expect("short");
        for left in &edges {
            for right in edges.iter().step_by(3) {
                let inputs = [left, right].map(twin::element);
                let ours = replayer.replay(&tape, &inputs);
                let ours = ours.map(|results| twin::from_words(results[0].words()));
                assert_eq!(ours.ok(), twin::apply(operation, left, right, &p));
            }
        }
    }
    for bit in 0..=255u8 {
        let mut recording = Recording::<F>::new();
        let a = recording
            .input(twin::element(&BigUint::ZERO))
            .expect("short");
        let number = recording.constant(twin::element(&BigUint::from(bit)));
        let result = recording.apply(Operation::Bit, a, number.expect("short"));
        let result = result.expect("short").expect("no division");
        let tape = Tape::new(&recording, &[result]).expect("short");
        for value in &edges {
            let results = replayer.replay(&tape, &[twin::element(value)]);
            let ours = twin::from_words(results.expect("no guards")[0].words());
            assert_eq!(ours, BigUint::from(u8::from(value.bit(bit.into()))));
        }
    }
}
