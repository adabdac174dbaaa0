//! Random programs, and a plain walk through their steps.

use crate::{Event, Operation, Recording, Tape, Value};
use frumious_curves::bn254::Fr;
use frumious_field::Integer;
use frumious_testing::field_suite::TestRng;

/// A step; numbers are those of values before it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Constant(Fr),
    Apply(Operation, usize, usize),
    Truth(usize),
    Index(usize),
    Text(String),
    Tell(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) inputs: usize,
    pub(super) steps: Vec<Step>,
    pub(super) results: Vec<usize>,
}

/// The results of a run, and its decisions.
#[derive(Debug, PartialEq)]
pub(super) struct Run {
    pub(super) results: Vec<Fr>,
    pub(super) told: Vec<Event<Fr>>,
    pub(super) decisions: Vec<u32>,
}

impl Program {
    /// A program of up to `most` steps, of the operations that are given.
    pub(super) fn random(rng: &mut TestRng, most: u64, operations: &[Operation]) -> Self {
        let inputs = rng.below(5) as usize;
        let mut values = inputs;
        let mut steps = Vec::new();
        // Small numbers of bits and distances, which are constants wherever circom has them.
        let mut numbers = Vec::new();
        for _ in 0..rng.below(most + 1) {
            let any = |rng: &mut TestRng| rng.below(values as u64) as usize;
            let step = match rng.below(12) {
                _ if values == 0 => Step::Constant(constant(rng)),
                0 => Step::Constant(constant(rng)),
                1 => {
                    numbers.push(values);
                    Step::Constant(Fr::from_u64(rng.below(256)))
                }
                2 if rng.below(2) == 0 => Step::Truth(any(rng)),
                2 if rng.below(2) == 0 => Step::Index(any(rng)),
                2 if rng.below(2) == 0 => Step::Text(format!("line {}", rng.below(3))),
                2 => Step::Tell(any(rng)),
                _ => {
                    let operation = operations[rng.below(operations.len() as u64) as usize];
                    let b = match (operation, numbers.len() as u64) {
                        (Operation::Bit, 0) => continue,
                        (Operation::Bit, count) => numbers[rng.below(count) as usize],
                        (Operation::Shl | Operation::Shr, 1..) if rng.below(2) == 0 => numbers[0],
                        _ => any(rng),
                    };
                    Step::Apply(operation, any(rng), b)
                }
            };
            values += usize::from(matches!(step, Step::Constant(_) | Step::Apply(..)));
            steps.push(step);
        }
        let results = match values as u64 {
            0 => Vec::new(),
            count => (0..rng.below(7))
                .map(|_| rng.below(count) as usize)
                .collect(),
        };
        Self {
            inputs,
            steps,
            results,
        }
    }

    /// Step by step, none for a division of integers by zero.
    pub(super) fn run(&self, inputs: &[Fr]) -> Option<Run> {
        let mut values = inputs.to_vec();
        let (mut told, mut decisions) = (Vec::new(), Vec::new());
        for step in &self.steps {
            match step {
                Step::Constant(value) => values.push(*value),
                Step::Apply(operation, a, b) => {
                    values.push(operation.apply_vartime(values[*a], values[*b])?);
                }
                Step::Truth(a) => decisions.push(u32::from(values[*a] != Fr::ZERO)),
                Step::Index(a) => decisions.push(crate::to_index_vartime(values[*a])),
                Step::Text(text) => told.push(Event::Text(text.clone())),
                Step::Tell(a) => told.push(Event::Value(values[*a])),
            }
        }
        Some(Run {
            results: self.results.iter().map(|result| values[*result]).collect(),
            told,
            decisions,
        })
    }

    /// Its run as a tape, none for a division of integers by zero.
    pub(super) fn recorded(&self, inputs: &[Fr]) -> Option<Tape<Fr>> {
        let mut recording = Recording::new();
        let given = inputs.iter();
        let mut values: Vec<Value> = given
            .map(|input| recording.input(*input).expect("short"))
            .collect();
        for step in &self.steps {
            match step {
                Step::Constant(value) => values.push(recording.constant(*value).expect("short")),
                Step::Apply(operation, a, b) => {
                    let result = recording.apply(*operation, values[*a], values[*b]);
                    values.push(result.expect("short")?);
                }
                Step::Truth(a) => drop(recording.truth(values[*a])),
                Step::Index(a) => drop(recording.index(values[*a])),
                Step::Text(text) => recording.event(Event::Text(text.clone())),
                Step::Tell(a) => recording.event(Event::Value(values[*a])),
            }
        }
        let results: Vec<_> = self.results.iter().map(|result| values[*result]).collect();
        Some(Tape::new(&recording, &results).expect("short"))
    }
}

/// Inputs that often lead to the same decisions: small, equal, or any.
pub(super) fn inputs(rng: &mut TestRng, count: usize) -> Vec<Fr> {
    let choice = rng.below(4);
    let shared = constant(rng);
    let input = |_| match choice {
        0 => Fr::from_u64(rng.below(2)),
        1 => Fr::from_u64(rng.below(40)),
        2 => shared,
        _ => constant(rng),
    };
    (0..count).map(input).collect()
}

fn constant(rng: &mut TestRng) -> Fr {
    let small = Fr::from_u64(rng.below(4));
    let bytes = core::array::from_fn(|_| rng.next_u64() as u8);
    match rng.below(5) {
        0 => small,
        1 => -small,
        2 => Fr::from_u64(rng.next_u64()),
        _ => Fr::from_uniform_bytes(&bytes),
    }
}

/// The events of a replay, with elements in place of integers.
pub(super) fn told(event: Event<Integer<Fr>>) -> Event<Fr> {
    match event {
        Event::Text(text) => Event::Text(text),
        Event::Value(value) => Event::Value(value.to_element()),
    }
}
