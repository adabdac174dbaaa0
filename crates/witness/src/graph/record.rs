//! Running a graph, by which it becomes a tape.

use std::time::Instant;

use frumious_circom::generic::Wtns;
use frumious_curves::PairingEngine;
use frumious_field::{Integer, PrimeField};
use frumious_parallel::check_cancelled;
use frumious_tape::{Operation, Recording, Tape, TapeField, TooLong, Value};
use zeroize::Zeroizing;

use super::builder::{Graph, NODE_BYTES, Node};
use crate::error::{Error, InputProblem, Limit};
use crate::host::Limits;
use crate::input::{self, Signal};
use crate::tapes::{RecordedRun, layout};

impl Graph {
    /// The witness for `inputs` (as for
    /// [`WitnessCalculator::calculate_over`](crate::WitnessCalculator::calculate_over)), and the tape. All inputs of
    /// the circuit follow it.
    ///
    /// # Errors
    /// [`Error::Interface`] when the circuit is over another curve. [`Error::Input`] and [`Error::MissingInputs`] when
    /// the inputs are not the circuit's. [`Error::Exception`] for a division of integers by zero; [`Error::Stopped`] at
    /// a limit. [`Error::Result`] for a graph whose wires are no witness.
    pub fn record_over<E: PairingEngine>(
        &self,
        inputs: &crate::Inputs,
        limits: Limits,
    ) -> Result<(Wtns<E>, RecordedRun<E::Fr>), Error> {
        let signals = input::flatten::<E::Fr>(inputs)?;
        if self.curve != E::CURVE {
            let problem = format!("its prime is {}'s, not {}'s", self.curve, E::CURVE);
            return Err(Error::Interface { problem });
        }
        let first_of = self.places(&signals)?;
        let values = input::elements::<E::Fr>(&signals);
        let taped = self.taped(&values, &first_of, limits)?;
        let mut witness = Zeroizing::new(Vec::with_capacity(taped.wires.len()));
        let value = |wire: &Value| Integer::from(taped.recording.value(*wire));
        witness.extend(taped.wires.iter().map(value));
        let witness = Wtns::new(std::mem::take(&mut *witness)).map_err(Error::Result)?;
        Ok((witness, RecordedRun::new(layout(&signals), taped.tape)))
    }

    /// The tape without inputs: of the inputs `1, 2, 3, …`, as all follow the same.
    ///
    /// # Errors
    /// As [`Graph::record_over`], but for those of inputs.
    pub fn rehearse_over<E: PairingEngine>(
        &self,
        limits: Limits,
    ) -> Result<RecordedRun<E::Fr>, Error> {
        if self.curve != E::CURVE {
            let problem = format!("its prime is {}'s, not {}'s", self.curve, E::CURVE);
            return Err(Error::Interface { problem });
        }
        if self.inputs.total > limits.memory_bytes / NODE_BYTES {
            return Err(too_much(limits)); // each input is a node of the recording
        }
        let (mut first_of, mut total) = (vec![0; self.inputs.len()], 0);
        let mut layout = Vec::new();
        for (hash, number, count) in self.inputs.by_hash() {
            first_of[number as usize] = total;
            total += count;
            layout.push((hash, count));
        }
        let values: Vec<E::Fr> = (1..=u64::from(total)).map(E::Fr::from_u64).collect();
        let taped = self.taped(&values, &first_of, limits)?;
        Ok(RecordedRun::new(layout, taped.tape))
    }

    /// Runs the graph, and makes the tape.
    fn taped<F: TapeField>(
        &self,
        values: &[F],
        first_of: &[u32],
        limits: Limits,
    ) -> Result<Taped<F>, Error> {
        if self.nodes.len() as u64 * NODE_BYTES > limits.memory_bytes {
            return Err(too_much(limits));
        }
        let run = self.run(values, first_of, limits)?;
        let wires = self.wires.iter().map(|wire| run.of[*wire as usize]);
        let wires: Vec<Value> = wires.collect();
        let tape = Tape::new(&run.recording, &wires).map_err(|TooLong| too_much(limits))?;
        Ok(Taped {
            recording: run.recording,
            wires,
            tape,
        })
    }

    /// The number of the first value of each of the graph's signals, among those of the inputs.
    fn places(&self, signals: &[Signal]) -> Result<Vec<u32>, Error> {
        let mut first_of = vec![0; self.inputs.len()];
        let mut total = 0;
        for signal in signals {
            let given = signal.values.len() as u64;
            let problem = match self.inputs.named(&signal.name) {
                Some((number, expected)) if u64::from(expected) == given => {
                    first_of[number as usize] = total as u32;
                    total += given;
                    continue;
                }
                Some((_, expected)) => InputProblem::Count {
                    expected: expected.into(),
                    given,
                },
                None => InputProblem::Unknown,
            };
            return Err(Error::Input {
                signal: signal.name.clone(),
                problem,
            });
        }
        match total == self.inputs.total {
            true => Ok(first_of),
            false => Err(Error::MissingInputs {
                given: total,
                expected: self.inputs.total,
            }),
        }
    }

    fn run<F: TapeField>(
        &self,
        values: &[F],
        first_of: &[u32],
        limits: Limits,
    ) -> Result<Run<F>, Error> {
        let start = Instant::now();
        let too_long = |TooLong| too_much(limits);
        let mut run = Run {
            recording: Recording::new(),
            of: Vec::with_capacity(self.nodes.len()),
        };
        let inputs: Result<Vec<Value>, TooLong> = values
            .iter()
            .map(|value| run.recording.input(*value))
            .collect();
        let inputs = inputs.map_err(too_long)?;
        for (index, node) in self.nodes.iter().enumerate() {
            if index.is_multiple_of(BETWEEN_LOOKS) {
                check_cancelled();
                if start.elapsed() > limits.time {
                    let seconds = limits.time.as_secs();
                    return Err(Error::Stopped(Limit::Time { seconds }));
                }
            }
            let value = match *node {
                Node::Input(signal, at) => inputs[(first_of[signal as usize] + at) as usize],
                Node::Constant(number) => {
                    // Read as below the modulus.
                    let words = self.constants[number as usize];
                    let value = Integer::<F>::from_words_unchecked(words).to_element();
                    run.recording.constant(value).map_err(too_long)?
                }
                _ => match run.step(*node).map_err(too_long)? {
                    Some(value) => value,
                    None => {
                        return Err(Error::Exception {
                            reason: "a division of integers by zero",
                            trace: String::new(),
                        });
                    }
                },
            };
            run.of.push(value);
        }
        Ok(run)
    }
}

/// A run that is over.
struct Taped<F: TapeField> {
    recording: Recording<F>,
    wires: Vec<Value>,
    tape: Tape<F>,
}

/// A run while it goes on.
struct Run<F: TapeField> {
    recording: Recording<F>,
    /// The value of each node.
    of: Vec<Value>,
}

impl<F: TapeField> Run<F> {
    /// The value of an operation; none for a division of integers by zero.
    fn step(&mut self, node: Node) -> Result<Option<Value>, TooLong> {
        let of = |node: u32| self.of[node as usize];
        match node {
            Node::Apply(operation, a, b) => {
                let [a, b] = [of(a), of(b)];
                self.recording.apply(operation, a, b)
            }
            Node::Divide(a, b) => {
                let [a, b] = [of(a), of(b)];
                let inverse = self.always(Operation::Inverse, b, b)?;
                self.always(Operation::Mul, a, inverse).map(Some)
            }
            Node::Unfailing(operation, a, b) => {
                let [a, b] = [of(a), of(b)];
                // By one in place of zero, and the result times zero.
                let is_zero = self.always(Operation::Not, b, b)?;
                let divisor = self.always(Operation::Add, b, is_zero)?;
                let result = self.always(operation, a, divisor)?;
                let counts = self.always(Operation::Not, is_zero, is_zero)?;
                self.always(Operation::Mul, result, counts).map(Some)
            }
            Node::Choose(condition, a, b) => {
                let [condition, a, b] = [of(condition), of(a), of(b)];
                if a == b {
                    return Ok(Some(a));
                }
                let zero = self.recording.constant(F::ZERO)?;
                let holds = self.always(Operation::Neq, condition, zero)?;
                let difference = self.always(Operation::Sub, a, b)?;
                let part = self.always(Operation::Mul, holds, difference)?;
                self.always(Operation::Add, b, part).map(Some)
            }
            Node::Input(..) | Node::Constant(_) => Ok(None),
        }
    }

    /// An operation that does not fail.
    fn always(&mut self, operation: Operation, a: Value, b: Value) -> Result<Value, TooLong> {
        let result = self.recording.apply(operation, a, b)?;
        Ok(result.expect("the divisor is not zero"))
    }
}

fn too_much(limits: Limits) -> Error {
    Error::Stopped(Limit::Memory {
        bytes: limits.memory_bytes,
    })
}

/// Steps between two looks at the clock: some milliseconds.
const BETWEEN_LOOKS: usize = 1 << 12;
