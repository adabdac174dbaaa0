//! Runs side by side beside runs one by one: every operation and guard, runs that leave, batches of any size.

use std::sync::Mutex;

use frumious_curves::{bls12_381, bn254};
use frumious_field::Integer;

use crate::tape::Instruction;
use crate::{Missed, Operation, Recording, Replayer, Tape, TapeField, replay_batch};

/// Every operation on two inputs, chained, with guards of each kind that hold for small inputs below 200.
fn every_operation<F: TapeField>() -> Tape<F> {
    let mut recording = Recording::<F>::new();
    let mut input = |value: u64| recording.input(F::from_u64(value)).expect("it is short");
    let (a, b) = (input(5), input(3));
    let mut results = vec![a, b];
    let mut last = a;
    for operation in Operation::ALL {
        let right = match operation {
            Operation::Bit => recording.constant(F::from_u64(1)).expect("it is short"),
            _ => b,
        };
        let result = recording
            .apply(operation, last, right)
            .expect("it is short");
        let result = result.expect("no division by zero");
        results.push(result);
        last = recording
            .apply(Operation::Add, result, a)
            .expect("it is short")
            .expect("no division");
    }
    let limit = recording.constant(F::from_u64(200)).expect("it is short");
    for operation in [Operation::Lt, Operation::Eq, Operation::Neq] {
        let decided = recording.apply(operation, a, limit).expect("it is short");
        recording.truth(decided.expect("no division"));
    }
    let by = recording
        .constant(F::from_u64(1 << 20))
        .expect("it is short");
    let index = recording
        .apply(Operation::IntDiv, a, by)
        .expect("it is short");
    recording.index(index.expect("no division by zero"));
    Tape::new(&recording, &results).expect("it is short")
}

fn check<F: TapeField>() {
    let tape = every_operation::<F>();
    // Some leave at a comparison, some by a division by zero (b), some at the index.
    let values = [
        5,
        0,
        1,
        199,
        200,
        201,
        7,
        1 << 21,
        13,
        2,
        255,
        3,
        4,
        6,
        8,
        9,
        10,
    ];
    let inputs: Vec<[F; 2]> = values
        .iter()
        .enumerate()
        .map(|(i, value)| [F::from_u64(*value), F::from_u64(i as u64 % 5)])
        .collect();
    for count in 0..=inputs.len() {
        let inputs: Vec<&[F]> = inputs[..count].iter().map(|inputs| &inputs[..]).collect();
        let taken = Mutex::new(vec![Vec::new(); count]);
        let together = replay_batch(&tape, &inputs, |run, results| {
            taken.lock().expect("no panic")[run].extend_from_slice(results);
        });
        assert_eq!(together.len(), count);
        let taken = taken.into_inner().expect("no panic");
        let mut replayer = Replayer::new();
        for (index, (inputs, together)) in inputs.iter().zip(together).enumerate() {
            match (replayer.replay(&tape, inputs), together) {
                (Ok(alone), Ok(())) => assert_eq!(*alone, taken[index], "{index} of {count}"),
                (Err(alone), Err(together)) => {
                    let is_guard = |missed| matches!(missed, Missed::Guard(_));
                    assert_eq!(is_guard(alone), is_guard(together), "{index} of {count}");
                    assert!(taken[index].is_empty(), "{index} of {count}");
                }
                (alone, together) => panic!("{index} of {count}: {alone:?} but {together:?}"),
            }
        }
    }
}

#[test]
fn runs_in_lanes_are_those_of_each_alone() {
    check::<bn254::Fr>();
    check::<bls12_381::Fr>();
}

/// More results than are given at once, and more runs than eight: the slots of one eight serve the next.
#[test]
fn results_of_many_windows_come_in_order() {
    let mut recording = Recording::<bn254::Fr>::new();
    let first = recording
        .input(bn254::Fr::from_u64(3))
        .expect("it is short");
    let mut results = vec![first];
    for _ in 0..5000 {
        let last = *results.last().expect("one");
        let next = recording
            .apply(Operation::Mul, last, first)
            .expect("it is short");
        results.push(next.expect("no division"));
    }
    let tape = Tape::new(&recording, &results).expect("it is short");
    let inputs: Vec<[bn254::Fr; 1]> = (0..21).map(|i| [bn254::Fr::from_u64(i)]).collect();
    let inputs: Vec<&[bn254::Fr]> = inputs.iter().map(|inputs| &inputs[..]).collect();
    let taken = Mutex::new(vec![Vec::new(); inputs.len()]);
    let replayed = replay_batch(&tape, &inputs, |run, results| {
        taken.lock().expect("no panic")[run].extend_from_slice(results);
    });
    assert!(replayed.iter().all(Result::is_ok));
    for (inputs, taken) in inputs.iter().zip(taken.into_inner().expect("no panic")) {
        assert_eq!(
            *Replayer::new().replay(&tape, inputs).expect("no guard"),
            taken
        );
    }
}

/// A tape from elsewhere that reads a slot before it writes there, to learn what an earlier run left in it.
#[test]
fn a_slot_that_was_not_written_holds_nothing_of_another_run() {
    let tape = Tape::<bn254::Fr> {
        constants: Vec::new(),
        inputs: 1,
        slots: 3,
        code: vec![
            Instruction::apply(Operation::Add, 1, 2, 2), // slot 2 was not written
            Instruction::apply(Operation::Mul, 2, 0, 0),
        ],
        results: vec![1],
        events: Vec::new(),
    };
    let tape = tape.checked().expect("no slot is beside the others");
    let inputs: Vec<[bn254::Fr; 1]> = (1..=40).map(|i| [bn254::Fr::from_u64(i)]).collect();
    let inputs: Vec<&[bn254::Fr]> = inputs.iter().map(|inputs| &inputs[..]).collect();
    let taken = Mutex::new(Vec::new());
    replay_batch(&tape, &inputs, |_, results| {
        taken.lock().expect("no panic").extend_from_slice(results);
    });
    assert_eq!(*taken.lock().expect("no panic"), [Integer::ZERO; 40]);
}
