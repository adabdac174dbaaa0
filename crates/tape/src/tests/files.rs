//! A tape's bytes: read back the same, and changed in every way.

use super::program::{Program, inputs};
use super::small;
use crate::{BadTape, Event, Operation, Recording, Replayer, Tape};
use frumious_curves::{bls12_381, bn254::Fr};
use frumious_testing::field_suite::TestRng;
use frumious_testing::mutate::{Generator, mutate};

/// A tape with each kind of part.
fn sample() -> Tape<Fr> {
    let mut recording = Recording::new();
    let [a, b] = [6, 7].map(|value| recording.input(small(value)).expect("short"));
    let five = recording.constant(small(5)).expect("short");
    let mut apply = |operation, a, b| {
        let result = recording.apply(operation, a, b).expect("short");
        result.expect("no division")
    };
    let sum = apply(Operation::Add, a, five);
    let product = apply(Operation::Mul, sum, b);
    let inverse = apply(Operation::Inverse, product, product);
    let bit = apply(Operation::Bit, a, five);
    let rest = apply(Operation::Mod, product, five);
    recording.truth(rest);
    recording.index(bit);
    recording.event(Event::Text("täxt".into()));
    recording.event(Event::Value(product));
    Tape::new(&recording, &[product, inverse, bit, a, five]).expect("short")
}

/// A tape that was read is replayed, unless its inputs are more than there are bytes for here.
fn attempt(bytes: &[u8]) -> Result<(), BadTape> {
    let tape = Tape::<Fr>::from_bytes(bytes)?;
    assert_eq!(tape.to_bytes(), bytes, "one form for each tape");
    if tape.inputs() <= 1000 {
        let inputs: Vec<Fr> = (0..tape.inputs() as u64).map(small).collect();
        let _ = Replayer::new().replay_telling(&tape, &inputs, drop);
    }
    Ok(())
}

#[test]
fn tapes_are_read_as_they_were_written() {
    let mut rng = TestRng::new(31);
    for _ in 0..300 {
        let program = Program::random(&mut rng, 50, &Operation::ALL);
        let given = inputs(&mut rng, program.inputs);
        if let Some(tape) = program.recorded(&given) {
            assert_eq!(Tape::from_bytes(&tape.to_bytes()), Ok(tape));
        }
    }
}

#[test]
fn cut_and_lengthened_bytes_are_no_tape() {
    let bytes = sample().to_bytes();
    for length in 0..bytes.len() {
        assert!(attempt(&bytes[..length]).is_err(), "{length}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(attempt(&longer).is_err());
}

#[test]
fn every_changed_byte_ends_in_a_tape_or_an_error() {
    let bytes = sample().to_bytes();
    for position in 0..bytes.len() {
        for change in [1, 0x10, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[position] ^= change;
            let _ = attempt(&changed);
        }
    }
    let mut random = Generator::new(5);
    for _ in 0..20_000 {
        let _ = attempt(&mutate(&bytes, &mut random));
    }
}

#[test]
fn another_field_is_refused() {
    let bytes = sample().to_bytes();
    let refused = Tape::<bls12_381::Fr>::from_bytes(&bytes).expect_err("it is over BN254");
    assert_eq!(refused.problem, "it is over another field");
    let mut other = bytes;
    other[7] ^= 1;
    let refused = Tape::<Fr>::from_bytes(&other).expect_err("it is of another version");
    assert_eq!(refused.problem, "it does not begin as one");
}

/// Counts say more than the bytes hold: nothing of that size is made.
#[test]
fn huge_counts_are_refused() {
    let bytes = sample().to_bytes();
    for count in 0..7 {
        for value in [1 << 26, 1 << 30, u32::MAX - 1, u32::MAX] {
            let mut changed = bytes.clone();
            let at = 40 + 4 * count;
            changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
            // Messages are read one after another; the number of their bytes is told again by each.
            assert!(Tape::<Fr>::from_bytes(&changed).is_err(), "count {count}");
        }
    }
}

/// The slots of a tape are inputs, constants and results of steps: no more than these.
#[test]
fn slots_out_of_bounds_are_refused() {
    let tape = sample();
    let with = |change: &dyn Fn(&mut Tape<Fr>)| {
        let mut changed = tape.clone();
        change(&mut changed);
        Tape::<Fr>::from_bytes(&changed.to_bytes())
    };
    let slots = tape.slots;
    type Change<'a> = &'a dyn Fn(&mut Tape<Fr>);
    let refused: [Change<'_>; 9] = [
        &|tape| tape.slots = 1,
        &|tape| tape.slots += 100,
        &|tape| tape.inputs = u32::MAX,
        &|tape| tape.code[0].a = slots,
        &|tape| tape.code[0].b = slots,
        &|tape| tape.code[0].head &= 63, // writes a constant
        &|tape| tape.code[0].head = 31,  // no operation
        &|tape| tape.results[0] = slots,
        &|tape| tape.events.push(Event::Value(slots)),
    ];
    for (number, change) in refused.into_iter().enumerate() {
        assert!(with(change).is_err(), "{number}");
    }
    assert_eq!(with(&|_| {}), Ok(tape.clone()));
}

#[test]
fn numbers_that_are_not_reduced_are_refused() {
    let mut bytes = sample().to_bytes();
    let constants = 40 + 28;
    bytes[constants..constants + 32].fill(0xff);
    let refused = Tape::<Fr>::from_bytes(&bytes).expect_err("it is above p");
    assert_eq!(refused.problem, "a constant is not reduced");
}

/// A source that ends before its length, or fails.
#[test]
fn sources_that_fail_are_errors() {
    let bytes = sample().to_bytes();
    for length in [0, 7, 40, bytes.len() - 1] {
        let refused = Tape::<Fr>::read(&bytes[..length], bytes.len() as u64);
        assert_eq!(refused.expect_err("it ends").problem, "it cannot be read");
    }
    assert_eq!(Tape::read(&bytes[..], bytes.len() as u64), Ok(sample()));
}
