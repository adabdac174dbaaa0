//! Programs of odd shapes: nothing to do, inputs that nobody reads, results that are no operation's.

use super::{replayed, small};
use crate::{Event, Missed, Operation, Recording, Replayer, Tape};
use frumious_curves::bn254::Fr;

#[test]
fn nothing_at_all() {
    let tape = Tape::new(&Recording::<Fr>::new(), &[]).expect("short");
    assert!(tape.is_empty() && !tape.has_events());
    assert_eq!((tape.len(), tape.inputs(), tape.results()), (0, 0, 0));
    assert_eq!(replayed(&tape, &[]), Ok(vec![]));
    assert_eq!(Tape::from_bytes(&tape.to_bytes()), Ok(tape));
}

#[test]
fn results_that_are_constants_inputs_and_the_same() {
    let mut recording = Recording::new();
    let [a, b, unused] = [1, 2, 3].map(|value| recording.input(small(value)).expect("short"));
    let nine = recording.constant(small(9)).expect("short");
    let sum = recording.apply(Operation::Add, a, b);
    let sum = sum.expect("short").expect("no division");
    let dead = recording.apply(Operation::Mul, sum, unused);
    dead.expect("short").expect("no division");
    let results = [nine, b, sum, b, nine, sum, a];
    let tape = Tape::new(&recording, &results).expect("short");
    assert_eq!(tape.len(), 1, "what nobody needs is not there");
    let expected = [9, 5, 9, 5, 9, 9, 4].map(small);
    assert_eq!(replayed(&tape, &[4, 5, 6].map(small)), Ok(expected.into()));
    assert_eq!(Tape::from_bytes(&tape.to_bytes()), Ok(tape));
}

#[test]
fn inputs_that_nobody_reads() {
    let mut recording = Recording::new();
    for value in 0..5 {
        recording.input(small(value)).expect("short");
    }
    let tape = Tape::new(&recording, &[]).expect("short");
    assert_eq!(replayed(&tape, &[7; 5].map(small)), Ok(vec![]));
}

/// Operations on inputs look for constants among operands that have none.
#[test]
fn no_constants() {
    let mut recording = Recording::new();
    let [a, b] = [5, 5].map(|value| recording.input(small(value)).expect("short"));
    let mut apply = |operation, a, b| {
        let result = recording.apply(operation, a, b).expect("short");
        result.expect("no division")
    };
    let equal = apply(Operation::Eq, a, b);
    let product = apply(Operation::Mul, equal, a);
    let product = apply(Operation::Mul, b, product);
    let tape = Tape::new(&recording, &[product]).expect("short");
    assert_eq!(replayed(&tape, &[3, 3].map(small)), Ok(vec![small(9)]));
    assert_eq!(replayed(&tape, &[3, 4].map(small)), Ok(vec![small(0)]));
}

/// `b·(b - 1)` is folded for what is 0 or 1 only.
#[test]
fn tests_of_bits_are_folded_for_bits_only() {
    for is_bit in [true, false] {
        let mut recording = Recording::new();
        let a = recording.input(small(1)).expect("short");
        let one = recording.constant(small(1)).expect("short");
        let mut apply = |operation, a, b| {
            let result = recording.apply(operation, a, b).expect("short");
            result.expect("no division")
        };
        let bit = match is_bit {
            true => apply(Operation::BitAnd, a, one),
            false => a,
        };
        let less = apply(Operation::Sub, bit, one);
        let product = apply(Operation::Mul, bit, less);
        let again = apply(Operation::Mul, less, bit);
        assert!(product == again && product.as_constant().is_some() == is_bit);
        recording.truth(product);
        let tape = Tape::new(&recording, &[product]).expect("short");
        let found = replayed(&tape, &[small(6)]);
        match is_bit {
            true => assert_eq!(found, Ok(vec![Fr::ZERO])),
            false => assert!(matches!(found, Err(Missed::Guard(_)))),
        }
    }
}

#[test]
fn events_come_in_order_and_only_if_the_tape_applies() {
    let mut recording = Recording::new();
    let a = recording.input(small(1)).expect("short");
    let double = recording.apply(Operation::Add, a, a);
    let double = double.expect("short").expect("no division");
    recording.event(Event::Text("a, and twice a".into()));
    recording.event(Event::Value(a));
    recording.event(Event::Value(double));
    assert_eq!(recording.index(a), 1);
    let tape = Tape::new(&recording, &[]).expect("short");
    assert!(tape.has_events());
    let mut told = Vec::new();
    let mut replayer = Replayer::new();
    let replayed = replayer.replay_telling(&tape, &[small(1)], |event| told.push(event));
    assert!(replayed.is_ok());
    let value = |value: u64| Event::Value(small(value).into());
    assert_eq!(
        told,
        [Event::Text("a, and twice a".into()), value(1), value(2)]
    );
    let missed = replayer.replay_telling(&tape, &[small(2)], |_| panic!("it does not apply"));
    assert!(matches!(missed, Err(Missed::Guard(_))));
    // An index is the low 32 bits: other inputs may lead to the same one.
    let mut far = small(1 << 32);
    far += Fr::ONE;
    assert!(replayer.replay(&tape, &[far]).is_ok());
}

/// A replayer is as new after each replay, whatever its tape was.
#[test]
fn one_replayer_runs_many_tapes() {
    let mut replayer = Replayer::new();
    for count in [9, 1, 30, 0, 4] {
        let mut recording = Recording::new();
        let inputs: Vec<_> = (0..count)
            .map(|value| recording.input(small(value)).expect("short"))
            .collect();
        let mut sum = recording.constant(small(100)).expect("short");
        for input in inputs {
            let next = recording.apply(Operation::Add, sum, input);
            sum = next.expect("short").expect("no division");
        }
        let tape = Tape::new(&recording, &[sum]).expect("short");
        let given: Vec<Fr> = (0..count).map(|value| small(2 * value)).collect();
        let results = replayer.replay(&tape, &given).expect("no guards");
        assert_eq!(
            results[0].to_element(),
            small(100 + count * count.saturating_sub(1))
        );
    }
}

#[test]
#[should_panic(expected = "one value for each input")]
fn a_wrong_number_of_inputs_is_a_mistake_of_the_caller() {
    let tape = Tape::new(&Recording::<Fr>::new(), &[]).expect("short");
    drop(Replayer::new().replay(&tape, &[small(1)]));
}
