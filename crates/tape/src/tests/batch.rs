//! Runs side by side beside runs one by one: every operation and guard, runs that leave, batches of any size.

use frumious_curves::{bls12_381, bn254};

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
        let together = replay_batch(&tape, &inputs);
        assert_eq!(together.len(), count);
        let mut replayer = Replayer::new();
        for (index, (inputs, together)) in inputs.iter().zip(together).enumerate() {
            match (replayer.replay(&tape, inputs), together) {
                (Ok(alone), Ok(together)) => assert_eq!(*alone, *together, "{index} of {count}"),
                (Err(alone), Err(together)) => {
                    let is_guard = |missed| matches!(missed, Missed::Guard(_));
                    assert_eq!(is_guard(alone), is_guard(together), "{index} of {count}");
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
