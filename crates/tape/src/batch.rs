//! Running a tape on eight vectors of inputs at once, in lanes.
//!
//! A slot is one value of each run, in lane form below `2p`. Sums and products are made in lanes; all else is made one
//! by one. A run whose guard does not hold leaves: its lane goes on with values of no meaning.

use crate::integer;
use crate::operation::{Operation, to_index_vartime};
use crate::replay::{BETWEEN_LOOKS, Missed, Replayer};
use crate::tape::{Action, Check, Event, Instruction, Tape, TapeField};
use frumious_field::lanes::{self, Lanes5};
use frumious_field::{Integer, batch_invert_vartime};
use frumious_simd::{Block, Kernel, LANES, Mask, Vector};
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

/// One to eight runs.
fn eight<F: TapeField>(tape: &Tape<F>, inputs: &[&[F]]) -> Vec<Replayed<F>> {
    // What a tape tells, it tells of one run.
    let is_silent = !tape
        .events
        .iter()
        .any(|event| matches!(event, Event::Value(_)));
    match lanes::active() {
        Some(unit) if inputs.len() > 1 && is_silent => unit.run(Eight { tape, inputs }),
        _ => {
            let mut replayer = Replayer::new();
            let replayed = inputs.iter().map(|inputs| replayer.replay(tape, inputs));
            replayed.collect()
        }
    }
}

struct Eight<'a, F> {
    tape: &'a Tape<F>,
    inputs: &'a [&'a [F]],
}

impl<F: TapeField> Kernel for Eight<'_, F> {
    type Output = Vec<Replayed<F>>;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Vec<Replayed<F>> {
        let mut slots = Slots::new::<V>(cpu, self.tape, self.inputs);
        let mut missed = [None; LANES];
        let mut at = 0;
        while let Some(step) = self.tape.code.get(at) {
            if at.is_multiple_of(BETWEEN_LOOKS) {
                frumious_parallel::check_cancelled();
            }
            match step.action() {
                Some(Action::Apply(Operation::Mul)) => {
                    let product = slots.get::<V>(cpu, step.a) * slots.get::<V>(cpu, step.b);
                    slots.put(step.to(), product);
                }
                Some(Action::Apply(Operation::Add)) => {
                    let sum = slots.get::<V>(cpu, step.a) + slots.get::<V>(cpu, step.b);
                    slots.put(step.to(), sum.subtract_once::<2>());
                }
                Some(Action::Apply(Operation::Sub)) => {
                    let subtrahend = slots.get::<V>(cpu, step.b);
                    let difference = slots.get::<V>(cpu, step.a).minus::<2>(subtrahend);
                    slots.put(step.to(), difference.subtract_once::<2>());
                }
                Some(Action::Apply(Operation::Inverse)) => {
                    let is_inverse = |step: &&Instruction| {
                        step.action() == Some(Action::Apply(Operation::Inverse))
                    };
                    let rest = &self.tape.code[at..];
                    let run = rest.iter().take_while(is_inverse).count();
                    slots.invert::<V>(cpu, &rest[..run]);
                    at += run;
                    continue;
                }
                Some(Action::Apply(operation)) => {
                    let a = slots.unpacked::<V>(cpu, step.a);
                    let b = match operation {
                        Operation::Bit => a,
                        _ => slots.unpacked::<V>(cpu, step.b),
                    };
                    let results = one_by_one(operation, &a, &b, step.b, at, &mut missed);
                    slots.put(step.to(), packed::<F, V>(cpu, &results));
                }
                Some(Action::Guard(check)) => {
                    let holds = match check {
                        Check::True => !slots.get::<V>(cpu, step.a).is_zero(),
                        Check::False => slots.get::<V>(cpu, step.a).is_zero(),
                        Check::Equal => slots.equal::<V>(cpu, step),
                        Check::Unequal => !slots.equal::<V>(cpu, step),
                        Check::Index => indices(&slots.unpacked::<V>(cpu, step.a), step.b),
                    };
                    if holds != Mask::ALL && leave(&mut missed, holds, Missed::Guard(at)) {
                        break;
                    }
                }
                None => unreachable!("the tape was checked"),
            }
            at += 1;
        }
        slots.results::<V>(cpu, self.tape, &missed[..self.inputs.len()])
    }
}

/// The slots of eight runs, wiped when dropped.
struct Slots<F: TapeField> {
    blocks: Vec<Block<5>>,
    inverses: Vec<F>,
    scratch: Vec<F>,
}

impl<F: TapeField> Slots<F> {
    /// Constants and inputs; what there is no run for is the first one's again.
    #[inline(always)]
    fn new<V: Vector>(cpu: V::Cpu, tape: &Tape<F>, inputs: &[&[F]]) -> Self {
        for inputs in inputs {
            assert_eq!(inputs.len(), tape.inputs(), "one value for each input");
        }
        let mut slots = Self {
            blocks: vec![Block::ZERO; tape.slots as usize],
            inverses: Vec::new(),
            scratch: Vec::new(),
        };
        let mut to = 0;
        for constant in &tape.constants {
            slots.put(to, packed::<F, V>(cpu, &[*constant; LANES]));
            to += 1;
        }
        for input in 0..tape.inputs() {
            let mut values = [inputs[0][input]; LANES];
            for (value, inputs) in values.iter_mut().zip(inputs) {
                *value = inputs[input];
            }
            slots.put(to, packed::<F, V>(cpu, &values));
            to += 1;
        }
        slots
    }

    #[inline(always)]
    fn get<V: Vector>(&self, cpu: V::Cpu, slot: u32) -> Lanes5<F, V> {
        Lanes5::load_block::<2>(cpu, &self.blocks[slot as usize])
    }

    /// `value` is below `2p`.
    #[inline(always)]
    fn put<V: Vector>(&mut self, slot: u32, value: Lanes5<F, V>) {
        value.check_below::<2>();
        value.store_block(&mut self.blocks[slot as usize]);
    }

    #[inline(always)]
    fn equal<V: Vector>(&self, cpu: V::Cpu, step: &Instruction) -> Mask {
        let b = self.get::<V>(cpu, step.b);
        self.get::<V>(cpu, step.a).equals(b)
    }

    #[inline(always)]
    fn unpacked<V: Vector>(&self, cpu: V::Cpu, slot: u32) -> [F; LANES] {
        let mut elements = [F::ZERO; LANES];
        lanes::store(self.get::<V>(cpu, slot), &mut elements);
        elements
    }

    /// Inversions, none of which needs the result of another: all are read before one is written.
    #[inline(always)]
    fn invert<V: Vector>(&mut self, cpu: V::Cpu, steps: &[Instruction]) {
        self.inverses.clear();
        for step in steps {
            let values = self.unpacked::<V>(cpu, step.a);
            self.inverses.extend_from_slice(&values);
        }
        batch_invert_vartime(&mut self.inverses, &mut self.scratch);
        for (index, step) in steps.iter().enumerate() {
            let mut values = [F::ZERO; LANES];
            values.copy_from_slice(&self.inverses[index * LANES..][..LANES]);
            self.put(step.to(), packed::<F, V>(cpu, &values));
        }
    }

    /// The integers of the results, for the runs that did not leave.
    #[inline(always)]
    fn results<V: Vector>(
        &self,
        cpu: V::Cpu,
        tape: &Tape<F>,
        missed: &[Option<Missed>],
    ) -> Vec<Replayed<F>> {
        let integers = || Zeroizing::new(Vec::with_capacity(tape.results.len()));
        let mut replayed: Vec<Replayed<F>> = missed
            .iter()
            .map(|missed| missed.map_or_else(|| Ok(integers()), Err))
            .collect();
        // A product with the number 1 takes the lane form away.
        let one = Lanes5::<F, V>::splat(cpu, &[1, 0, 0, 0, 0]);
        for slot in &tape.results {
            let mut elements = [F::ZERO; LANES];
            let integers = self.get::<V>(cpu, *slot) * one;
            integers
                .reduce()
                .store_words(lanes::rows_mut(&mut elements));
            for (element, replayed) in elements.iter().zip(&mut replayed) {
                if let Ok(results) = replayed {
                    results.push(Integer::montgomery_form(*element)); // the words as they are
                }
            }
        }
        replayed
    }
}

impl<F: TapeField> Drop for Slots<F> {
    fn drop(&mut self) {
        for block in &mut self.blocks {
            block.0.as_flattened_mut().zeroize();
        }
        self.inverses.zeroize();
        self.scratch.zeroize();
    }
}

impl<F: TapeField> Tape<F> {
    /// Memory that [`replay_batch`] takes for eight runs, their results not counted.
    pub fn batch_bytes(&self) -> u64 {
        u64::from(self.slots) * size_of::<Block<5>>() as u64
    }
}

#[inline(always)]
fn packed<F: TapeField, V: Vector>(cpu: V::Cpu, elements: &[F; LANES]) -> Lanes5<F, V> {
    lanes::load::<F, V>(cpu, elements).reduce_weakly()
}

#[inline(never)]
fn one_by_one<F: TapeField>(
    operation: Operation,
    a: &[F; LANES],
    b: &[F; LANES],
    bit: u32,
    at: usize,
    missed: &mut [Option<Missed>; LANES],
) -> [F; LANES] {
    core::array::from_fn(|lane| match operation {
        Operation::Bit => match integer::bit(Integer::from(a[lane]).words(), bit as u8) {
            true => F::ONE,
            false => F::ZERO,
        },
        _ => {
            let result = operation.apply_vartime(a[lane], b[lane]);
            result.unwrap_or_else(|| {
                missed[lane].get_or_insert(Missed::Division(at));
                F::ZERO
            })
        }
    })
}

/// The lanes whose value is this index.
#[inline(never)]
fn indices<F: TapeField>(values: &[F; LANES], index: u32) -> Mask {
    let holds = (0..LANES).map(|lane| u8::from(to_index_vartime(values[lane]) == index) << lane);
    Mask(holds.fold(0, |mask, bit| mask | bit))
}

/// Notes which runs leave; true if all have left.
#[inline(never)]
fn leave(missed: &mut [Option<Missed>; LANES], holds: Mask, why: Missed) -> bool {
    for (lane, missed) in missed.iter_mut().enumerate() {
        if !holds.contains(lane) {
            missed.get_or_insert(why);
        }
    }
    missed.iter().all(Option::is_some)
}
