//! The program, and the checks that make one from untrusted bytes safe to run.

use crate::operation::{Operation, TapeField};

/// A straight-line program with guards.
///
/// Slots hold field elements: first the constants, then the inputs, then what instructions write.
#[derive(Clone, Debug, PartialEq)]
pub struct Tape<F> {
    pub(crate) constants: Vec<F>,
    pub(crate) inputs: u32,
    pub(crate) slots: u32,
    pub(crate) code: Vec<Instruction>,
    /// The slot of each result.
    pub(crate) results: Vec<u32>,
    pub(crate) events: Vec<Event<u32>>,
}

/// The bytes are no tape, or not one over this field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad tape: {problem} ({index})")]
pub struct BadTape {
    /// The problem.
    pub problem: &'static str,
    /// The offset of the part that has it, or the number of the instruction, result or message.
    pub index: usize,
}

/// Something that the program tells while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<V> {
    /// A text.
    Text(String),
    /// A value.
    Value(V),
}

impl<F: TapeField> Tape<F> {
    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs as usize
    }

    /// Number of results.
    pub fn results(&self) -> usize {
        self.results.len()
    }

    /// Number of operations and guards.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// True if there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// The time that a replay takes at most, in steps of tens of nanoseconds. An operation or guard is one step, but a
    /// power, a root and the first of some inversions are many.
    pub fn cost(&self) -> usize {
        let mut before = 0;
        let costs = self.code.iter().map(|instruction| {
            let number = instruction.number();
            let is_another = number == before && number == Operation::Inverse as usize;
            before = number;
            if is_another { 1 } else { COSTS[number] }
        });
        costs.sum()
    }

    /// Number of guards.
    pub fn guards(&self) -> usize {
        let is_guard =
            |instruction: &&Instruction| matches!(instruction.action(), Some(Action::Guard(_)));
        self.code.iter().filter(is_guard).count()
    }

    /// The same program with no guards: what it computes on the way that was recorded, wherever inputs would lead.
    #[must_use]
    pub fn without_guards(&self) -> Self {
        let is_guard = |step: &&Instruction| matches!(step.action(), Some(Action::Guard(_)));
        let code = self.code.iter().filter(|step| !is_guard(step)).copied();
        Self {
            code: code.collect(),
            constants: self.constants.clone(),
            results: self.results.clone(),
            events: self.events.clone(),
            ..*self
        }
    }

    /// True if the program tells something while it runs.
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Makes sure that no replay reads or writes beside its slots, or takes more of them than the tape is long.
    pub(crate) fn checked(self) -> Result<Self, BadTape> {
        let first = self.constants.len() as u64 + u64::from(self.inputs);
        let bad = |problem: &'static str, index: usize| Err(BadTape { problem, index });
        if u64::from(self.slots) > first + self.code.len() as u64
            || u64::from(self.slots) < first
            || self.slots > MOST_SLOTS
        {
            return bad("its number of slots is out of bounds", 0);
        }
        let slots = self.slots;
        for (index, instruction) in self.code.iter().enumerate() {
            let is_fine = match instruction.action() {
                None => return bad("it has an unknown instruction", index),
                Some(Action::Apply(operation)) => {
                    let b = match operation {
                        Operation::Bit => instruction.b < 256,
                        _ => instruction.b < slots,
                    };
                    let to = instruction.to();
                    instruction.a < slots && b && to < slots && u64::from(to) >= first
                }
                Some(Action::Guard(Check::Equal | Check::Unequal)) => {
                    instruction.a < slots && instruction.b < slots
                }
                Some(Action::Guard(_)) => instruction.a < slots,
            };
            if !is_fine {
                return bad("an instruction names a slot that there is not", index);
            }
        }
        if let Some(index) = self.results.iter().position(|slot| *slot >= slots) {
            return bad("a result is in a slot that there is not", index);
        }
        let is_beside = |event: &Event<u32>| matches!(event, Event::Value(slot) if *slot >= slots);
        if let Some(index) = self.events.iter().position(is_beside) {
            return bad("a message is of a slot that there is not", index);
        }
        Ok(self)
    }
}

/// One step: 6 bits of what to do, 26 bits of the slot to write, two slots to read. For [`Operation::Bit`] `b` is the
/// number of the bit, for [`Check::Index`] it is the index that must be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Instruction {
    pub(crate) head: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// The meaning of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Apply(Operation),
    Guard(Check),
}

/// The demand of a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Check {
    /// Not zero.
    True,
    /// Zero.
    False,
    /// Equal slots.
    Equal,
    /// Slots that differ.
    Unequal,
    /// A value that is this when taken for an index.
    Index,
}

impl Instruction {
    pub(crate) fn apply(operation: Operation, to: u32, a: u32, b: u32) -> Self {
        let head = operation as u32 | to << HEAD_BITS;
        Self { head, a, b }
    }

    pub(crate) fn guard(check: Check, a: u32, b: u32) -> Self {
        let head = FIRST_CHECK + check as u32;
        Self { head, a, b }
    }

    /// The slot that is written.
    #[inline(always)]
    pub(crate) fn to(self) -> u32 {
        self.head >> HEAD_BITS
    }

    /// None for a number that means nothing.
    #[inline(always)]
    pub(crate) fn action(self) -> Option<Action> {
        ACTIONS[self.number()]
    }

    /// The number of what it does.
    #[inline(always)]
    fn number(self) -> usize {
        (self.head & ((1 << HEAD_BITS) - 1)) as usize
    }
}

/// The meaning of each 6-bit number.
const ACTIONS: [Option<Action>; 64] = {
    let mut actions = [None; 64];
    let mut i = 0;
    while i < Operation::ALL.len() {
        actions[i] = Some(Action::Apply(Operation::ALL[i]));
        i += 1;
    }
    let checks = [
        Check::True,
        Check::False,
        Check::Equal,
        Check::Unequal,
        Check::Index,
    ];
    let mut i = 0;
    while i < checks.len() {
        actions[FIRST_CHECK as usize + i] = Some(Action::Guard(checks[i]));
        i += 1;
    }
    actions
};

/// The cost of each 6-bit number.
const COSTS: [usize; 64] = {
    let mut costs = [1; 64];
    let mut i = 0;
    while i < Operation::ALL.len() {
        costs[i] = Operation::ALL[i].cost();
        i += 1;
    }
    costs
};

const FIRST_CHECK: u32 = 32;
const HEAD_BITS: u32 = 6;

/// Slots are named by 26 bits.
pub(crate) const MOST_SLOTS: u32 = 1 << (32 - HEAD_BITS);
