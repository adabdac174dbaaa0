//! Running a tape on one vector of inputs.

use crate::operation::{Operation, TapeField, to_index_vartime};
use crate::tape::{Action, Check, Event, Instruction, Tape};
use core::mem::size_of;
use frumious_field::{Integer, KernelField, batch_invert_vartime, dispatch_kernel};
use zeroize::{Zeroize, Zeroizing};

/// The reason for which a tape gives no results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missed {
    /// These inputs lead to another decision than the recorded ones: the program has to run.
    #[error("guard {0} does not hold")]
    Guard(usize),
    /// A division of integers by zero.
    #[error("operation {0} divides by zero")]
    Division(usize),
}

/// Runs tapes. Its memory is kept between replays, and wiped after each.
pub struct Replayer<F: TapeField> {
    slots: Vec<F>,
    scratch: Vec<F>,
    inverses: Vec<F>,
}

impl<F: TapeField> Default for Replayer<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: TapeField> Replayer<F> {
    /// Without any memory yet.
    pub fn new() -> Self {
        Self {
            slots: Vec::new(),
            scratch: Vec::new(),
            inverses: Vec::new(),
        }
    }

    /// The results for `inputs`.
    ///
    /// # Errors
    /// [`Missed`] if these inputs lead elsewhere than the recorded ones.
    ///
    /// # Panics
    /// For another number of inputs than the tape has.
    pub fn replay(
        &mut self,
        tape: &Tape<F>,
        inputs: &[F],
    ) -> Result<Zeroizing<Vec<Integer<F>>>, Missed> {
        self.replay_telling(tape, inputs, |_| {})
    }

    /// As [`Replayer::replay`], with what the program tells; it tells nothing if the tape does not apply.
    ///
    /// # Errors
    /// As [`Replayer::replay`].
    ///
    /// # Panics
    /// As [`Replayer::replay`].
    pub fn replay_telling(
        &mut self,
        tape: &Tape<F>,
        inputs: &[F],
        mut tell: impl FnMut(Event<Integer<F>>),
    ) -> Result<Zeroizing<Vec<Integer<F>>>, Missed> {
        assert_eq!(inputs.len(), tape.inputs(), "one value for each input");
        self.slots.clear();
        self.slots.reserve_exact(tape.slots as usize);
        self.slots.extend_from_slice(&tape.constants);
        self.slots.extend_from_slice(inputs);
        self.slots.resize(tape.slots as usize, F::ZERO);
        let ran = dispatch_kernel!(cpu => self.run::<F::Kernel<_>>(cpu, &tape.code));
        let results = ran.map(|()| {
            for event in &tape.events {
                tell(match event {
                    Event::Text(text) => Event::Text(text.clone()),
                    Event::Value(slot) => Event::Value(self.slots[*slot as usize].into()),
                });
            }
            let mut results = Zeroizing::new(Vec::with_capacity(tape.results.len()));
            for slots in tape.results.chunks(BETWEEN_LOOKS) {
                frumious_parallel::check_cancelled();
                let values = slots
                    .iter()
                    .map(|slot| Integer::from(self.slots[*slot as usize]));
                results.extend(values);
            }
            results
        });
        self.wipe();
        results
    }

    #[inline(never)]
    fn run<K: KernelField<Scalar = F>>(
        &mut self,
        cpu: K::Cpu,
        code: &[Instruction],
    ) -> Result<(), Missed> {
        let (mut at, mut slow) = (0, 0);
        while let Some(step) = code.get(at) {
            if at.is_multiple_of(BETWEEN_LOOKS) {
                frumious_parallel::check_cancelled();
            }
            let (a, b) = (step.a as usize, step.b as usize);
            let slots = &mut self.slots[..];
            match step.action() {
                Some(Action::Apply(Operation::Mul)) => {
                    let product = K::load(cpu, slots[a]) * K::load(cpu, slots[b]);
                    slots[step.to() as usize] = product.store();
                }
                Some(Action::Apply(Operation::Add)) => {
                    slots[step.to() as usize] = slots[a] + slots[b];
                }
                Some(Action::Apply(Operation::Sub)) => {
                    slots[step.to() as usize] = slots[a] - slots[b];
                }
                Some(Action::Apply(Operation::Bit)) => {
                    let bit = crate::integer::bit(Integer::from(slots[a]).words(), b as u8);
                    slots[step.to() as usize] = if bit { F::ONE } else { F::ZERO };
                }
                Some(Action::Apply(Operation::Inverse)) => {
                    let is_inverse = |step: &&Instruction| {
                        step.action() == Some(Action::Apply(Operation::Inverse))
                    };
                    let next_look = (at + 1).next_multiple_of(BETWEEN_LOOKS);
                    let until_look = &code[at..code.len().min(next_look)];
                    let run = until_look.iter().take_while(is_inverse).count();
                    self.invert(&until_look[..run]);
                    at += run;
                    continue;
                }
                Some(Action::Apply(operation @ (Operation::Pow | Operation::Sqrt))) => {
                    slow += operation.cost();
                    if slow >= BETWEEN_LOOKS {
                        frumious_parallel::check_cancelled();
                        slow = 0;
                    }
                    slots[step.to() as usize] = operation
                        .apply_vartime(slots[a], slots[b])
                        .ok_or(Missed::Division(at))?;
                }
                Some(Action::Apply(operation)) => {
                    slots[step.to() as usize] = operation
                        .apply_vartime(slots[a], slots[b])
                        .ok_or(Missed::Division(at))?;
                }
                Some(Action::Guard(check)) => {
                    let holds = match check {
                        Check::True => !slots[a].is_zero_vartime(),
                        Check::False => slots[a].is_zero_vartime(),
                        Check::Equal => slots[a] == slots[b],
                        Check::Unequal => slots[a] != slots[b],
                        Check::Index => to_index_vartime(slots[a]) == step.b,
                    };
                    if !holds {
                        return Err(Missed::Guard(at));
                    }
                }
                None => unreachable!("the tape was checked"),
            }
            at += 1;
        }
        Ok(())
    }

    /// Inversions, none of which needs the result of another, nor is written where a later one reads: all are read
    /// before one is written.
    fn invert(&mut self, steps: &[Instruction]) {
        make_room([&mut self.inverses, &mut self.scratch], steps.len());
        self.inverses.clear();
        let read = steps.iter().map(|step| self.slots[step.a as usize]);
        self.inverses.extend(read);
        batch_invert_vartime(&mut self.inverses, &mut self.scratch);
        for (step, inverse) in steps.iter().zip(&self.inverses) {
            self.slots[step.to() as usize] = *inverse;
        }
    }

    fn wipe(&mut self) {
        // With the whole capacity of each, as `Zeroize` of a vector does.
        self.slots.zeroize();
        self.scratch.zeroize();
        self.inverses.zeroize();
    }
}

impl<F: TapeField> Drop for Replayer<F> {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Room for `count` values in each. What is there is wiped before a reallocation leaves it behind.
pub(crate) fn make_room<F: TapeField>(vectors: [&mut Vec<F>; 2], count: usize) {
    for values in vectors {
        if values.capacity() < count {
            values.zeroize();
            values.reserve_exact(count);
        }
    }
}

/// Steps between two looks at whether the caller still wants the results: a millisecond. A power or a root counts for
/// many: [`Operation::cost`].
pub(crate) const BETWEEN_LOOKS: usize = 1 << 15;

const _: () = assert!(size_of::<Instruction>() == 12);
