//! The work in lanes: stretches of sums, products and comparisons, and the ways in and out.

use crate::operation::Operation;
use crate::operation::TapeField;
use crate::tape::{Action, Check, Instruction};
use core::marker::PhantomData;
use frumious_field::Integer;
use frumious_field::lanes::{self, Lanes5};
use frumious_simd::{Block, Kernel, LANES, Mask, Vector};

/// The first steps of a code: all that can be made in lanes, up to a guard that does not hold in all of them. The
/// output is the number of steps made, that guard included, and where it holds.
pub(super) struct Stretch<'a, F> {
    code: &'a [Instruction],
    slots: &'a mut [Block<5>],
    field: PhantomData<F>,
}

impl<'a, F: TapeField> Stretch<'a, F> {
    pub(super) fn new(code: &'a [Instruction], slots: &'a mut [Block<5>]) -> Self {
        Self {
            code,
            slots,
            field: PhantomData,
        }
    }
}

impl<F: TapeField> Kernel for Stretch<'_, F> {
    type Output = (usize, Mask);

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> (usize, Mask) {
        for (at, step) in self.code.iter().enumerate() {
            let a = Lanes5::<F, V>::load_block::<2>(cpu, &self.slots[step.a as usize]);
            let b =
                |slots: &[Block<5>]| Lanes5::<F, V>::load_block::<2>(cpu, &slots[step.b as usize]);
            let holds = match step.action() {
                Some(Action::Apply(Operation::Mul)) => {
                    let product = a * b(self.slots);
                    product.store_block(&mut self.slots[step.to() as usize]);
                    continue;
                }
                Some(Action::Apply(Operation::Add)) => {
                    let sum = (a + b(self.slots)).subtract_once::<2>();
                    sum.store_block(&mut self.slots[step.to() as usize]);
                    continue;
                }
                Some(Action::Apply(Operation::Sub)) => {
                    let difference = a.minus::<2>(b(self.slots)).subtract_once::<2>();
                    difference.store_block(&mut self.slots[step.to() as usize]);
                    continue;
                }
                Some(Action::Guard(Check::True)) => !a.is_zero(),
                Some(Action::Guard(Check::False)) => a.is_zero(),
                Some(Action::Guard(Check::Equal)) => a.equals(b(self.slots)),
                Some(Action::Guard(Check::Unequal)) => !a.equals(b(self.slots)),
                _ => return (at, Mask::ALL),
            };
            if holds != Mask::ALL {
                return (at + 1, holds);
            }
        }
        (self.code.len(), Mask::ALL)
    }
}

/// Eight elements into a slot.
pub(super) struct Pack<'a, F> {
    pub(super) slot: &'a mut Block<5>,
    pub(super) values: &'a [F; LANES],
}

impl<F: TapeField> Kernel for Pack<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let values = lanes::load::<F, V>(cpu, self.values).reduce_weakly();
        values.store_block(self.slot);
    }
}

/// The eight elements of a slot.
pub(super) struct Unpack<'a, F> {
    slot: &'a Block<5>,
    field: PhantomData<F>,
}

impl<'a, F: TapeField> Unpack<'a, F> {
    pub(super) fn new(slot: &'a Block<5>) -> Self {
        Self {
            slot,
            field: PhantomData,
        }
    }
}

impl<F: TapeField> Kernel for Unpack<'_, F> {
    type Output = [F; LANES];

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> [F; LANES] {
        let mut elements = [F::ZERO; LANES];
        lanes::store(
            Lanes5::<F, V>::load_block::<2>(cpu, self.slot),
            &mut elements,
        );
        elements
    }
}

/// The integers of results, apart by run.
pub(super) struct Results<'a, F> {
    pub(super) slots: &'a [Block<5>],
    /// The slot of each result.
    pub(super) results: &'a [u32],
    /// At least as many values of each run.
    pub(super) windows: [&'a mut [Integer<F>]; LANES],
}

impl<F: TapeField> Kernel for Results<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        // A product with the number 1 takes the lane form away.
        let one = Lanes5::<F, V>::splat(cpu, &[1, 0, 0, 0, 0]);
        let mut windows = self.windows;
        // By index: `Enumerate::next` over results is not always inlined.
        for at in 0..self.results.len() {
            let slot = self.results[at] as usize;
            let numbers = Lanes5::<F, V>::load_block::<2>(cpu, &self.slots[slot]) * one;
            let mut words = [F::ZERO; LANES];
            numbers.reduce().store_words(lanes::rows_mut(&mut words));
            for (window, words) in windows.iter_mut().zip(words) {
                window[at] = Integer::montgomery_form(words); // the words as they are
            }
        }
    }
}
