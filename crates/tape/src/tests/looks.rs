//! A replay that nobody wants any more ends soon, however long its steps take.

use super::{replayed, small};
use crate::operation::Operation;
use crate::{Recording, Replayer, Tape};
use frumious_curves::bn254::Fr;
use frumious_parallel::{Cancellation, Cancelled};
use std::thread;
use std::time::Duration;

/// As many of one operation as a replay makes between two looks at most, if each took no longer than a sum.
const STEPS: usize = (1 << 15) - 1;

/// Each of the result before. The second operand is a large number. The last one is decided by, and is no result:
/// between results there are looks, too.
fn chain(operation: Operation, steps: usize) -> Tape<Fr> {
    let mut recording = Recording::new();
    let mut value = recording.input(small(3)).expect("short");
    let large = recording.constant(-small(7)).expect("short");
    for _ in 0..steps {
        let result = recording.apply(operation, value, large).expect("short");
        value = result.expect("no division of integers");
    }
    recording.truth(value);
    Tape::new(&recording, &[]).expect("short")
}

/// Each of the input and a number. All are results, or decided by.
fn row(operation: Operation, steps: usize, are_results: bool) -> Tape<Fr> {
    let mut recording = Recording::new();
    let input = recording.input(small(3)).expect("short");
    let mut results = Vec::new();
    for number in 1..=steps as u64 {
        let number = recording.constant(small(number)).expect("short");
        let mut apply = |operation, a, b| {
            let result = recording.apply(operation, a, b).expect("short");
            result.expect("no division of integers")
        };
        let sum = apply(Operation::Add, input, number);
        let result = apply(operation, sum, sum);
        match are_results {
            true => results.push(result),
            false => drop(recording.truth(result)),
        }
    }
    Tape::new(&recording, &results).expect("short")
}

/// Fails if none of some attempts was stopped: a thread may come too late to ask for it.
fn is_stopped_within(work: impl Fn()) {
    let stopped = (0..5).any(|_| {
        let cancellation = Cancellation::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(10));
                cancellation.cancel();
            });
            cancellation.run(&work) == Err(Cancelled)
        })
    });
    assert!(stopped);
}

#[test]
fn powers_and_roots_are_stopped_among_themselves() {
    for tape in [
        chain(Operation::Pow, STEPS),
        row(Operation::Sqrt, STEPS / 3, false),
    ] {
        is_stopped_within(|| {
            let _ = Replayer::new().replay(&tape, &[small(3)]);
        });
    }
}

#[test]
fn a_tape_is_stopped_while_it_is_made() {
    let mut recording = Recording::new();
    let mut value = recording.input(small(3)).expect("short");
    for _ in 0..1_000_000 {
        let result = recording
            .apply(Operation::Add, value, value)
            .expect("short");
        value = result.expect("no division of integers");
    }
    is_stopped_within(|| drop(Tape::new(&recording, &[value])));
}

/// A group of inversions that reaches over looks has the results of one by one.
#[test]
fn inversions_over_several_looks() {
    let tape = row(Operation::Inverse, 3 * STEPS, true);
    let results = replayed(&tape, &[small(5)]).expect("no guard");
    for number in (0..results.len())
        .step_by(997)
        .chain([STEPS - 1, STEPS, STEPS + 1])
    {
        assert_eq!(results[number] * small(6 + number as u64), Fr::ONE);
    }
}

/// Inverses that take the slots of sums before them in their group: none takes that of a sum which is still to be read.
#[test]
fn inversions_over_several_looks_in_slots_that_pass() {
    let mut recording = Recording::new();
    let input = recording.input(small(3)).expect("short");
    let mut results = Vec::new();
    for number in 1..=3 * STEPS as u64 {
        let number = recording.constant(small(number)).expect("short");
        let mut apply = |operation, a, b| {
            let result = recording.apply(operation, a, b).expect("short");
            result.expect("no division of integers")
        };
        let sum = apply(Operation::Add, input, number);
        let inverse = apply(Operation::Inverse, sum, sum);
        results.push(apply(Operation::Mul, inverse, number));
    }
    let tape = Tape::new(&recording, &results).expect("short");
    let results = replayed(&tape, &[small(5)]).expect("no guard");
    for (result, number) in results.into_iter().zip(1..) {
        assert_eq!(result * small(5 + number), small(number));
    }
}

#[test]
fn what_takes_long_costs_more() {
    let guard = 1;
    assert_eq!(chain(Operation::Add, 10).cost(), 10 + guard);
    assert_eq!(chain(Operation::Pow, 10).cost(), 1500 + guard);
    let of = |operation, steps| row(operation, steps, true).cost();
    assert_eq!(of(Operation::Sqrt, 10), 10 + 4000);
    assert_eq!(of(Operation::Inverse, 1), 1 + 25);
    assert_eq!(of(Operation::Inverse, 10), 10 + 25 + 9);
}
