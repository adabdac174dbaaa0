//! Inversions are made together: none of a group may need another's result.

use super::{replayed, small};
use crate::operation::Operation;
use crate::tape::Action;
use crate::{Recording, Tape, Value};
use frumious_curves::bn254::Fr;

fn apply(recording: &mut Recording<Fr>, operation: Operation, a: Value, b: Value) -> Value {
    let result = recording.apply(operation, a, b).expect("short");
    result.expect("no division")
}

fn invert(recording: &mut Recording<Fr>, a: Value) -> Value {
    apply(recording, Operation::Inverse, a, a)
}

fn inverse(value: Fr) -> Fr {
    value.invert_vartime().unwrap_or(Fr::ZERO)
}

/// Recorded on zero and one, too, which a wrong order does not show.
#[test]
fn an_inverse_of_an_inverse_is_the_value() {
    for seen in [0, 1, 5] {
        for times in 1..6 {
            let mut recording = Recording::new();
            let a = recording.input(small(seen)).expect("short");
            let mut value = a;
            for _ in 0..times {
                value = invert(&mut recording, value);
            }
            let tape = Tape::new(&recording, &[value]).expect("short");
            for given in [0, 1, 2, 7] {
                let expected = match times % 2 {
                    0 => small(given),
                    _ => inverse(small(given)),
                };
                assert_eq!(replayed(&tape, &[small(given)]), Ok(vec![expected]));
            }
        }
    }
}

#[test]
fn groups_with_zeros() {
    const COUNT: usize = 33;
    let mut recording = Recording::new();
    let seen: Vec<Fr> = (0..COUNT as u64).map(small).collect();
    let inputs: Vec<Value> = seen
        .iter()
        .map(|value| recording.input(*value).expect("short"))
        .collect();
    // Two levels: inverses of the inputs, and of the sums of neighbours among these.
    let first: Vec<Value> = inputs
        .iter()
        .map(|input| invert(&mut recording, *input))
        .collect();
    let mut results = first.clone();
    for pair in first.windows(2) {
        let sum = apply(&mut recording, Operation::Add, pair[0], pair[1]);
        results.push(invert(&mut recording, sum));
    }
    let tape = Tape::new(&recording, &results).expect("short");
    let is_inverse =
        |step: &crate::tape::Instruction| step.action() == Some(Action::Apply(Operation::Inverse));
    let starts = (0..tape.code.len())
        .filter(|i| is_inverse(&tape.code[*i]) && (*i == 0 || !is_inverse(&tape.code[i - 1])));
    assert_eq!(starts.count(), 2, "one group a level");
    for zero in [0, 1, COUNT / 2, COUNT - 1] {
        let mut given: Vec<Fr> = (0..COUNT as u64).map(|i| small(3 * i + 2)).collect();
        given[zero] = Fr::ZERO;
        let mut expected: Vec<Fr> = given.iter().map(|value| inverse(*value)).collect();
        for i in 0..COUNT - 1 {
            expected.push(inverse(expected[i] + expected[i + 1]));
        }
        assert_eq!(replayed(&tape, &given), Ok(expected));
    }
    let zeros = vec![Fr::ZERO; COUNT];
    assert_eq!(replayed(&tape, &zeros), Ok(vec![Fr::ZERO; 2 * COUNT - 1]));
}

/// In no tape does an inversion read what one of its group writes.
#[test]
fn groups_are_independent() {
    let mut rng = frumious_testing::field_suite::TestRng::new(21);
    let operations = [
        Operation::Inverse,
        Operation::Inverse,
        Operation::Add,
        Operation::Mul,
    ];
    for _ in 0..2000 {
        let program = super::program::Program::random(&mut rng, 30, &operations);
        let inputs = super::program::inputs(&mut rng, program.inputs);
        let tape = program.recorded(&inputs).expect("no division");
        let mut written = Vec::new();
        for step in &tape.code {
            if step.action() != Some(Action::Apply(Operation::Inverse)) {
                written.clear();
                continue;
            }
            assert!(!written.contains(&step.a), "{program:?}");
            assert!(!written.contains(&step.to()), "{program:?}");
            written.push(step.to());
        }
    }
}
