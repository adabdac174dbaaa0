//! Running a tape on eight vectors of inputs at once, in lanes.
//!
//! A slot is one value of each run, in lane form below `2p`. Sums, products and comparisons are made in lanes, by
//! `kernels`; all else is made one by one. A run whose guard does not hold leaves: its lane goes on with values of no
//! meaning.

mod kernels;

use crate::integer;
use crate::operation::{Operation, TapeField, to_index_vartime};
use crate::replay::{Missed, Replayer, make_room};
use crate::tape::{Action, Check, Event, Instruction, Tape};
use frumious_field::{Integer, batch_invert_vartime, lanes};
use frumious_simd::{Block, LANES, Mask, Runner};
use kernels::{Pack, Results, Stretch, Unpack};
use std::sync::{Mutex, PoisonError};
use zeroize::{Zeroize, Zeroizing};

/// Runs the tape on each vector of inputs, and gives the results to `take`. That gets the number of a run, and those of
/// its results that follow the ones given before. A run that misses gives none. Eight run at a time in lanes, if the
/// CPU has them. The eights share the threads of the caller's pool; the results of a run come on one thread. Memory:
/// [`Tape::batch_bytes`] for each thread.
///
/// # Panics
/// For another number of inputs than the tape has.
pub fn replay_batch<F: TapeField>(
    tape: &Tape<F>,
    inputs: &[&[F]],
    take: impl Fn(usize, &[Integer<F>]) + Sync,
) -> Vec<Result<(), Missed>> {
    let eights: Vec<&[&[F]]> = inputs.chunks(LANES).collect();
    let spare = Spare::default();
    let replayed = frumious_parallel::map_indices(eights.len(), |index| {
        let take = |lane: usize, results: &[Integer<F>]| take(LANES * index + lane, results);
        eight(tape, eights[index], &spare, take)
    });
    replayed.into_iter().flatten().collect()
}

impl<F: TapeField> Tape<F> {
    /// Memory that [`replay_batch`] takes for eight runs, but for a window of their results.
    pub fn batch_bytes(&self) -> u64 {
        u64::from(self.slots) * size_of::<Block<5>>() as u64
    }
}

/// One to eight runs.
fn eight<F: TapeField>(
    tape: &Tape<F>,
    inputs: &[&[F]],
    spare: &Spare,
    take: impl Fn(usize, &[Integer<F>]),
) -> Vec<Result<(), Missed>> {
    // What a tape tells, it tells of one run.
    let is_silent = !tape
        .events
        .iter()
        .any(|event| matches!(event, Event::Value(_)));
    match lanes::active() {
        Some(unit) if inputs.len() > 1 && is_silent => in_lanes(unit, tape, inputs, spare, take),
        _ => {
            let mut replayer = Replayer::new();
            let mut replay = |(lane, inputs): (usize, &&[F])| {
                take(lane, &replayer.replay(tape, inputs)?);
                Ok(())
            };
            inputs.iter().enumerate().map(&mut replay).collect()
        }
    }
}

fn in_lanes<F: TapeField>(
    unit: impl Runner,
    tape: &Tape<F>,
    inputs: &[&[F]],
    spare: &Spare,
    take: impl Fn(usize, &[Integer<F>]),
) -> Vec<Result<(), Missed>> {
    let mut runs = Runs::new(unit, tape, inputs, spare);
    runs.run(&tape.code);
    runs.give(tape, inputs.len(), take);
    let missed = runs.missed[..inputs.len()].iter();
    missed.map(|missed| missed.map_or(Ok(()), Err)).collect()
}

/// Slots of eights that are through, all zero, for those that begin: fresh memory costs a third of a replay.
#[derive(Default)]
struct Spare(Mutex<Vec<Vec<Block<5>>>>);

impl Spare {
    fn take(&self, count: usize) -> Vec<Block<5>> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.unwrap_or_else(|| vec![Block::ZERO; count])
    }

    /// Wipes the slots and keeps them.
    fn put(&self, mut slots: Vec<Block<5>>) {
        for block in &mut slots {
            block.0.as_flattened_mut().zeroize();
        }
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(slots);
    }
}

/// Eight runs of a tape, wiped when dropped.
struct Runs<'a, F: TapeField, R: Runner> {
    unit: R,
    slots: Vec<Block<5>>,
    spare: &'a Spare,
    inverses: Vec<F>,
    scratch: Vec<F>,
    missed: [Option<Missed>; LANES],
}

impl<'a, F: TapeField, R: Runner> Runs<'a, F, R> {
    /// Constants and inputs; where there is no run, the first one's again.
    fn new(unit: R, tape: &Tape<F>, inputs: &[&[F]], spare: &'a Spare) -> Self {
        for inputs in inputs {
            assert_eq!(inputs.len(), tape.inputs(), "one value for each input");
        }
        let mut runs = Self {
            unit,
            slots: spare.take(tape.slots as usize),
            spare,
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
        make_room([&mut inverses, &mut self.scratch], LANES * steps().count());
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

    /// Gives the results of those of the first `count` runs that did not leave.
    fn give(&self, tape: &Tape<F>, count: usize, take: impl Fn(usize, &[Integer<F>])) {
        let window = tape.results.len().min(WINDOW);
        let mut windows: [_; LANES] =
            core::array::from_fn(|_| Zeroizing::new(vec![Integer::ZERO; window]));
        for results in tape.results.chunks(WINDOW) {
            self.unit.run(Results {
                slots: &self.slots,
                results,
                windows: windows.each_mut().map(|window| &mut window[..]),
            });
            for lane in (0..count).filter(|lane| self.missed[*lane].is_none()) {
                take(lane, &windows[lane][..results.len()]);
            }
        }
    }
}

impl<F: TapeField, R: Runner> Drop for Runs<'_, F, R> {
    fn drop(&mut self) {
        self.spare.put(std::mem::take(&mut self.slots));
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

/// Results of a run that are given at once. Those of eight runs stay in the second-level cache.
const WINDOW: usize = 1 << 11;
