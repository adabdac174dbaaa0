//! Running a tape on eight vectors of inputs at once, in lanes.
//!
//! A slot is one value of each run, in lane form below `2p`. Sums, products and comparisons are made in lanes, by
//! `kernels`; all else is made one by one. A run whose guard does not hold leaves: its lane goes on with values of no
//! meaning.

mod kernels;

use crate::integer;
use crate::operation::{Operation, TapeField, to_index_vartime};
use crate::replay::{Missed, Replayer};
use crate::tape::{Action, Check, Event, Instruction, Tape};
use frumious_field::{Integer, batch_invert_vartime, lanes};
use frumious_simd::{Block, LANES, Mask, Runner};
use kernels::{Integers, Pack, Stretch, Unpack};
use zeroize::{Zeroize, Zeroizing};

/// The results of one run of a batch.
pub type Replayed<F> = Result<Zeroizing<Vec<Integer<F>>>, Missed>;

/// The results for each vector of inputs. Eight run at a time in lanes, if the CPU has them; the eights share the
/// threads of the caller's pool. Memory: [`Tape::batch_bytes`] for each thread.
///
/// # Panics
/// For another number of inputs than the tape has.
pub fn replay_batch<F: TapeField>(tape: &Tape<F>, inputs: &[&[F]]) -> Vec<Replayed<F>> {
    let eights: Vec<&[&[F]]> = inputs.chunks(LANES).collect();
    let replayed = frumious_parallel::map_indices(eights.len(), |index| eight(tape, eights[index]));
    replayed.into_iter().flatten().collect()
}

impl<F: TapeField> Tape<F> {
    /// Memory that [`replay_batch`] takes for eight runs, their results not counted.
    pub fn batch_bytes(&self) -> u64 {
        u64::from(self.slots) * size_of::<Block<5>>() as u64
    }
}

/// One to eight runs.
fn eight<F: TapeField>(tape: &Tape<F>, inputs: &[&[F]]) -> Vec<Replayed<F>> {
    // What a tape tells, it tells of one run.
    let is_silent = !tape
        .events
        .iter()
        .any(|event| matches!(event, Event::Value(_)));
    match lanes::active() {
        Some(unit) if inputs.len() > 1 && is_silent => {
            let mut runs = Runs::new(unit, tape, inputs);
            runs.run(&tape.code);
            runs.results(tape, inputs.len())
        }
        _ => {
            let mut replayer = Replayer::new();
            let replayed = inputs.iter().map(|inputs| replayer.replay(tape, inputs));
            replayed.collect()
        }
    }
}

/// Eight runs of a tape, wiped when dropped.
struct Runs<F: TapeField, R: Runner> {
    unit: R,
    slots: Vec<Block<5>>,
    inverses: Vec<F>,
    scratch: Vec<F>,
    missed: [Option<Missed>; LANES],
}

impl<F: TapeField, R: Runner> Runs<F, R> {
    /// Constants and inputs; where there is no run, the first one's again.
    fn new(unit: R, tape: &Tape<F>, inputs: &[&[F]]) -> Self {
        for inputs in inputs {
            assert_eq!(inputs.len(), tape.inputs(), "one value for each input");
        }
        let mut runs = Self {
            unit,
            slots: vec![Block::ZERO; tape.slots as usize],
            inverses: Vec::new(),
            scratch: Vec::new(),
            missed: [None; LANES],
        };
        let constants = tape.constants.iter().map(|constant| [*constant; LANES]);
        let values = (0..tape.inputs()).map(|input| {
            let mut values = [inputs[0][input]; LANES];
            for (value, inputs) in values.iter_mut().zip(inputs) {
                *value = inputs[input];
            }
            values
        });
        for (slot, values) in (0..).zip(constants.chain(values)) {
            runs.put(slot, &values);
        }
        runs
    }

    fn run(&mut self, code: &[Instruction]) {
        let mut at = 0;
        while at < code.len() {
            frumious_parallel::check_cancelled();
            let rest = &code[at..code.len().min(at + LONGEST)];
            let (steps, holds) = self.unit.run(Stretch::<F>::new(rest, &mut self.slots));
            at += steps;
            if holds != Mask::ALL {
                // The last step was a guard.
                if self.leave(holds, Missed::Guard(at - 1)) {
                    return;
                }
                continue;
            }
            if steps < rest.len() {
                at += match rest[steps].action() {
                    Some(Action::Apply(Operation::Inverse)) => self.invert(&rest[steps..]),
                    Some(Action::Apply(operation)) => self.apply(operation, &rest[steps], at),
                    Some(Action::Guard(Check::Index)) => {
                        let holds = indices(&self.get(rest[steps].a), rest[steps].b);
                        if holds != Mask::ALL && self.leave(holds, Missed::Guard(at)) {
                            return;
                        }
                        1
                    }
                    _ => unreachable!("a stretch makes all others"),
                };
            }
        }
    }

    fn get(&self, slot: u32) -> [F; LANES] {
        self.unit.run(Unpack::<F>::new(&self.slots[slot as usize]))
    }

    fn put(&mut self, slot: u32, values: &[F; LANES]) {
        let slot = &mut self.slots[slot as usize];
        self.unit.run(Pack { slot, values });
    }

    /// An operation, one by one. One step.
    fn apply(&mut self, operation: Operation, step: &Instruction, at: usize) -> usize {
        let a = self.get(step.a);
        let results = match operation {
            Operation::Bit => {
                a.map(
                    |value| match integer::bit(Integer::from(value).words(), step.b as u8) {
                        true => F::ONE,
                        false => F::ZERO,
                    },
                )
            }
            _ => {
                let b = self.get(step.b);
                core::array::from_fn(|lane| {
                    operation
                        .apply_vartime(a[lane], b[lane])
                        .unwrap_or_else(|| {
                            self.missed[lane].get_or_insert(Missed::Division(at));
                            F::ZERO
                        })
                })
            }
        };
        self.put(step.to(), &results);
        1
    }

    /// The inversions that a code begins with, none of which needs the result of another: all are read before one is
    /// written. Returns how many.
    fn invert(&mut self, code: &[Instruction]) -> usize {
        let is_inverse =
            |step: &&Instruction| step.action() == Some(Action::Apply(Operation::Inverse));
        let steps = || code.iter().take_while(is_inverse);
        let mut inverses = std::mem::take(&mut self.inverses);
        inverses.clear();
        for step in steps() {
            inverses.extend_from_slice(&self.get(step.a));
        }
        batch_invert_vartime(&mut inverses, &mut self.scratch);
        let (eights, _) = inverses.as_chunks::<LANES>();
        for (step, values) in steps().zip(eights) {
            self.put(step.to(), values);
        }
        let count = eights.len();
        self.inverses = inverses;
        count
    }

    /// Notes which runs leave; true if all have left.
    fn leave(&mut self, holds: Mask, why: Missed) -> bool {
        for (lane, missed) in self.missed.iter_mut().enumerate() {
            if !holds.contains(lane) {
                missed.get_or_insert(why);
            }
        }
        self.missed.iter().all(Option::is_some)
    }

    /// The integers of the results, for those of the first `count` runs that did not leave.
    fn results(&self, tape: &Tape<F>, count: usize) -> Vec<Replayed<F>> {
        let integers = || Zeroizing::new(Vec::with_capacity(tape.results.len()));
        let missed = self.missed[..count].iter();
        let mut replayed: Vec<Replayed<F>> = missed
            .map(|missed| missed.map_or_else(|| Ok(integers()), Err))
            .collect();
        for slot in &tape.results {
            let slot = &self.slots[*slot as usize];
            let integers = self.unit.run(Integers::<F>::new(slot));
            for (integer, replayed) in integers.into_iter().zip(&mut replayed) {
                if let Ok(results) = replayed {
                    results.push(integer);
                }
            }
        }
        replayed
    }
}

impl<F: TapeField, R: Runner> Drop for Runs<F, R> {
    fn drop(&mut self) {
        for block in &mut self.slots {
            block.0.as_flattened_mut().zeroize();
        }
        self.inverses.zeroize();
        self.scratch.zeroize();
    }
}

/// The lanes whose value is this index.
fn indices<F: TapeField>(values: &[F; LANES], index: u32) -> Mask {
    let holds = (0..LANES).map(|lane| u8::from(to_index_vartime(values[lane]) == index) << lane);
    Mask(holds.fold(0, |mask, bit| mask | bit))
}

/// Steps between two looks at whether the caller still wants the results: a millisecond.
const LONGEST: usize = 1 << 15;
