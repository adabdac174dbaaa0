//! Random programs: recorded on some inputs, replayed on those and on others.

use super::program::{Program, Run, inputs, told};
use crate::{Missed, Operation, Replayer, Tape};
use frumious_curves::bn254::Fr;
use frumious_testing::field_suite::TestRng;

const ARITHMETIC: [Operation; 7] = [
    Operation::Add,
    Operation::Sub,
    Operation::Mul,
    Operation::Neg,
    Operation::Inverse,
    Operation::Inverse,
    Operation::Eq,
];

#[test]
fn random_programs_of_all_operations() {
    let hits = attack(11, 3000, 40, &Operation::ALL);
    assert!(hits.replayed > 1000, "{hits:?}");
    assert!(hits.missed > 300, "{hits:?}");
}

#[test]
fn random_programs_with_many_inversions() {
    let hits = attack(12, 3000, 60, &ARITHMETIC);
    assert!(hits.replayed > 1000, "{hits:?}");
}

#[test]
fn random_programs_of_bits_and_comparisons() {
    let operations = [
        Operation::Shr,
        Operation::BitAnd,
        Operation::Bit,
        Operation::Sub,
        Operation::Mul,
        Operation::Not,
        Operation::Neq,
        Operation::Lt,
    ];
    let hits = attack(13, 3000, 40, &operations);
    assert!(hits.replayed > 1000, "{hits:?}");
}

#[test]
fn long_programs() {
    attack(14, 40, 3000, &Operation::ALL);
    attack(15, 40, 3000, &ARITHMETIC);
}

#[derive(Debug, Default)]
struct Hits {
    replayed: usize,
    missed: usize,
}

fn attack(seed: u64, programs: usize, steps: u64, operations: &[Operation]) -> Hits {
    let mut rng = TestRng::new(seed);
    let mut replayer = Replayer::new();
    let mut hits = Hits::default();
    for _ in 0..programs {
        let program = Program::random(&mut rng, steps, operations);
        let seen = inputs(&mut rng, program.inputs);
        let recorded = program.run(&seen);
        let tape = program.recorded(&seen);
        assert_eq!(tape.is_some(), recorded.is_some(), "{program:?}");
        let (Some(tape), Some(recorded)) = (tape, recorded) else {
            continue;
        };
        let again = Tape::from_bytes(&tape.to_bytes());
        assert_eq!(again.as_ref(), Ok(&tape));
        for attempt in 0..8 {
            let given = match attempt {
                0 => seen.clone(),
                _ => inputs(&mut rng, program.inputs),
            };
            let expected = program.run(&given);
            let found = replay(&mut replayer, &tape, &given);
            match expected {
                Some(run) if run.decisions == recorded.decisions => {
                    let found = found.unwrap_or_else(|missed| panic!("{missed}: {program:?}"));
                    assert_eq!(found, (run.results, run.told), "{given:?} {program:?}");
                    hits.replayed += 1;
                }
                other => {
                    found.expect_err("another decision");
                    assert_ne!(attempt, 0, "{other:?}");
                    hits.missed += 1;
                }
            }
        }
    }
    hits
}

type Replayed = (Vec<Fr>, Vec<crate::Event<Fr>>);

fn replay(replayer: &mut Replayer<Fr>, tape: &Tape<Fr>, inputs: &[Fr]) -> Result<Replayed, Missed> {
    let mut events = Vec::new();
    let results = replayer.replay_telling(tape, inputs, |event| events.push(told(event)));
    if results.is_err() {
        assert!(
            events.is_empty(),
            "a tape that does not apply tells nothing"
        );
    }
    let results = results?;
    let results = results.iter().map(|result| result.to_element()).collect();
    Ok((results, events))
}

/// A division whose quotient nobody reads divides all the same.
#[test]
fn divisions_by_zero_are_missed_where_their_results_are_not_needed() {
    for operation in [Operation::IntDiv, Operation::Mod] {
        let program = Program {
            inputs: 2,
            steps: vec![super::program::Step::Apply(operation, 0, 1)],
            results: vec![0],
        };
        let tape = program.recorded(&[7, 2].map(Fr::from_u64)).expect("by two");
        let run: Run = program.run(&[7, 3].map(Fr::from_u64)).expect("by three");
        let found = super::replayed(&tape, &[7, 3].map(Fr::from_u64));
        assert_eq!(found, Ok(run.results));
        assert!(super::replayed(&tape, &[7, 0].map(Fr::from_u64)).is_err());
    }
}
