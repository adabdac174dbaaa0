//! From a graph to a tape: dead nodes go, inversions come together, and slots are numbered by lifetime.

use crate::operation::{Operation, TapeField};
use crate::recording::{Recording, Seen, TooLong, Value};
use crate::replay::BETWEEN_LOOKS;
use crate::tape::{Action, Check, Event, Instruction, MOST_SLOTS, Tape};
use frumious_field::Integer;
use frumious_parallel::check_cancelled;
use std::collections::HashSet;

impl<F: TapeField> Tape<F> {
    /// The tape of a recording, whose results are `results`.
    ///
    /// # Errors
    /// [`TooLong`] for more than 2^26 slots.
    pub fn new(recording: &Recording<F>, results: &[Value]) -> Result<Self, TooLong> {
        tape(recording, results)
    }
}

fn tape<F: TapeField>(recording: &Recording<F>, results: &[Value]) -> Result<Tape<F>, TooLong> {
    let guards = guards(recording);
    let order = order(recording, &kept(recording, results, &guards));
    let guards = placed(guards, recording, &order);
    let mut slots = Slots::new(recording, results, &guards, &order);
    let mut code = Vec::with_capacity(order.len() + guards.len());
    let mut waiting = guards.iter().peekable();
    for position in looking(0..=order.len()) {
        // A guard comes as soon as its operands are there.
        while let Some((_, guard)) = waiting.next_if(|(at, _)| *at == position) {
            code.push(guard.instruction(&slots));
        }
        let Some(node) = order.get(position) else {
            break;
        };
        let step = &recording.nodes[*node as usize];
        let a = slots.of(step.a);
        let b = match step.operation {
            Operation::Bit => bit_number(recording, step.b),
            _ => slots.of(step.b),
        };
        // Operands that are not read again make room for the result.
        slots.release(position);
        let to = slots.take(*node);
        code.push(Instruction::apply(step.operation, 0, a, b));
        slots.written.push(to);
    }
    let layout = slots.layout()?;
    let mut written = slots.written.iter();
    for instruction in looking(&mut code) {
        layout.settle(instruction, &mut written);
    }
    let slot = |value: &Value| layout.slot(slots.of(*value));
    let event = |event: &Event<Value>| match event {
        Event::Text(text) => Event::Text(text.clone()),
        Event::Value(value) => Event::Value(slot(value)),
    };
    Ok(Tape {
        constants: recording.constants.clone(),
        inputs: recording.inputs,
        slots: layout.total,
        results: results.iter().map(slot).collect(),
        events: recording.events.iter().map(event).collect(),
        code,
    })
}

/// Items of a long loop, with looks at whether the caller still wants the tape: one of ten million nodes takes a
/// second.
fn looking<T>(items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    items.into_iter().enumerate().map(|(index, item)| {
        if index.is_multiple_of(BETWEEN_LOOKS) {
            check_cancelled();
        }
        item
    })
}

/// A guard, with the comparison that it decided by in place of its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Guarding {
    One(Check, Value),
    Two(Check, Value, Value),
    Index(Value, u32),
}

impl Guarding {
    fn operands(self) -> [Value; 2] {
        match self {
            Self::One(_, a) | Self::Index(a, _) => [a, a],
            Self::Two(_, a, b) => [a, b],
        }
    }

    fn instruction(self, slots: &Slots) -> Instruction {
        match self {
            Self::One(check, a) => Instruction::guard(check, slots.of(a), slots.of(a)),
            Self::Two(check, a, b) => Instruction::guard(check, slots.of(a), slots.of(b)),
            Self::Index(a, seen) => Instruction::guard(Check::Index, slots.of(a), seen),
        }
    }
}

/// The guards of a recording, each once.
fn guards<F: TapeField>(recording: &Recording<F>) -> Vec<Guarding> {
    let mut known = HashSet::new();
    let guards = recording.guards.iter().map(|guard| match guard.seen {
        Seen::Index(seen) => Guarding::Index(guard.value, seen),
        Seen::Truth(truth) => of_truth(recording, guard.value, truth),
    });
    guards.filter(|guard| known.insert(*guard)).collect()
}

fn of_truth<F: TapeField>(recording: &Recording<F>, value: Value, truth: bool) -> Guarding {
    let node = value.as_node().map(|index| recording.nodes[index]);
    let is_input = value
        .as_node()
        .is_some_and(|node| node < recording.inputs as usize);
    let check = |truth| if truth { Check::True } else { Check::False };
    match node {
        Some(node) if !is_input => match (node.operation, truth) {
            (Operation::Eq, true) | (Operation::Neq, false) => {
                Guarding::Two(Check::Equal, node.a, node.b)
            }
            (Operation::Eq, false) | (Operation::Neq, true) => {
                Guarding::Two(Check::Unequal, node.a, node.b)
            }
            (Operation::Not, truth) if node.a.as_node().is_some() => {
                Guarding::One(check(!truth), node.a)
            }
            _ => Guarding::One(check(truth), value),
        },
        _ => Guarding::One(check(truth), value),
    }
}

/// The nodes that results, messages or guards need.
fn kept<F: TapeField>(
    recording: &Recording<F>,
    results: &[Value],
    guards: &[Guarding],
) -> Vec<bool> {
    let mut kept = vec![false; recording.nodes.len()];
    let told = recording.events.iter().filter_map(|event| match event {
        Event::Value(value) => Some(*value),
        Event::Text(_) => None,
    });
    let roots = results.iter().copied().chain(told);
    for root in roots.chain(guards.iter().flat_map(|guard| guard.operands())) {
        if let Some(node) = root.as_node() {
            kept[node] = true;
        }
    }
    for index in looking((recording.inputs as usize..kept.len()).rev()) {
        if kept[index] {
            let node = &recording.nodes[index];
            for operand in [node.a, node.b] {
                if let Some(operand) = operand.as_node() {
                    kept[operand] = true;
                }
            }
        }
    }
    kept
}

/// The kept nodes but inputs, operands first. Inversions that do not need each other's results come one after another:
/// a replay makes one of them (Montgomery's trick). Where all of them need each other the order stays as it was.
fn order<F: TapeField>(recording: &Recording<F>, kept: &[bool]) -> Vec<u32> {
    let nodes = recording.inputs..recording.nodes.len() as u32;
    let nodes = || nodes.clone().filter(|node| kept[*node as usize]);
    let is_inverse = |node: u32| recording.nodes[node as usize].operation == Operation::Inverse;
    // Inversions on the longest way from the inputs to a node, this one included.
    let mut depth = vec![0u32; kept.len()];
    let (mut inversions, mut deepest) = (0, 0);
    for index in looking(nodes()) {
        let node = &recording.nodes[index as usize];
        let of = |value: Value| value.as_node().map_or(0, |node| depth[node]);
        let own = of(node.a).max(of(node.b)) + u32::from(is_inverse(index));
        depth[index as usize] = own;
        inversions += u32::from(is_inverse(index));
        deepest = deepest.max(own);
    }
    if inversions == deepest {
        return nodes().collect();
    }
    // By depth, an inversion after all others of the depth of its operand.
    let key = |node: u32| 2 * depth[node as usize] as usize - usize::from(is_inverse(node));
    let mut starts = vec![0usize; 2 * deepest as usize + 2];
    for node in looking(nodes()) {
        starts[key(node) + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut order = vec![0; starts[starts.len() - 1]];
    for node in looking(nodes()) {
        let place = &mut starts[key(node)];
        order[*place] = node;
        *place += 1;
    }
    order
}

/// Each guard with the position of the first instruction that it precedes.
fn placed<F: TapeField>(
    guards: Vec<Guarding>,
    recording: &Recording<F>,
    order: &[u32],
) -> Vec<(usize, Guarding)> {
    let mut known_at = vec![0; recording.nodes.len()];
    for (position, node) in looking(order.iter().enumerate()) {
        known_at[*node as usize] = position + 1;
    }
    let at = |value: Value| value.as_node().map_or(0, |node| known_at[node]);
    let place = |guard: Guarding| {
        let [a, b] = guard.operands();
        (at(a).max(at(b)), guard)
    };
    let mut placed: Vec<_> = guards.into_iter().map(place).collect();
    placed.sort_by_key(|(at, _)| *at);
    placed
}

fn bit_number<F: TapeField>(recording: &Recording<F>, value: Value) -> u32 {
    let index = value
        .as_constant()
        .expect("the number of a bit is constant");
    Integer::from(recording.constants[index]).words()[0] as u32
}

/// Slots while they are given out. Those of results count from the first result, others from the first other: how many
/// there are of either is known at the end.
struct Slots {
    first: u32,
    of_node: Vec<u32>,
    is_lasting: Vec<bool>,
    lasting: u32,
    passing: u32,
    free: Vec<u32>,
    /// Nodes by the position of the instruction that reads them last.
    dying: Vec<u32>,
    dying_from: Vec<u32>,
    /// The slot of each instruction that writes.
    written: Vec<u32>,
}

impl Slots {
    fn new<F: TapeField>(
        recording: &Recording<F>,
        results: &[Value],
        guards: &[(usize, Guarding)],
        order: &[u32],
    ) -> Self {
        let constants = recording.constants.len() as u32;
        let mut of_node = vec![0; recording.nodes.len()];
        for input in 0..recording.inputs {
            of_node[input as usize] = constants + input;
        }
        let mut is_lasting = vec![false; recording.nodes.len()];
        is_lasting[..recording.inputs as usize].fill(true);
        let told = recording.events.iter().filter_map(|event| match event {
            Event::Value(value) => Some(*value),
            Event::Text(_) => None,
        });
        for value in results.iter().copied().chain(told) {
            if let Some(node) = value.as_node() {
                is_lasting[node] = true;
            }
        }
        let mut last_read = vec![0u32; recording.nodes.len()];
        for (position, node) in looking(order.iter().enumerate()) {
            let step = &recording.nodes[*node as usize];
            for operand in [step.a, step.b] {
                if let Some(operand) = operand.as_node() {
                    last_read[operand] = position as u32;
                }
            }
        }
        for (position, guard) in looking(guards) {
            for operand in guard.operands() {
                if let Some(operand) = operand.as_node() {
                    last_read[operand] = last_read[operand].max(*position as u32);
                }
            }
        }
        let passing = || order.iter().filter(|node| !is_lasting[**node as usize]);
        let mut dying_from = vec![0u32; order.len() + 3];
        for node in looking(passing()) {
            dying_from[last_read[*node as usize] as usize + 2] += 1;
        }
        for i in 1..dying_from.len() {
            dying_from[i] += dying_from[i - 1];
        }
        let mut dying = vec![0; passing().count()];
        for node in looking(passing()) {
            let place = &mut dying_from[last_read[*node as usize] as usize + 1];
            dying[*place as usize] = *node;
            *place += 1;
        }
        Self {
            first: constants + recording.inputs,
            of_node,
            is_lasting,
            lasting: 0,
            passing: 0,
            free: Vec::new(),
            dying,
            dying_from,
            written: Vec::with_capacity(order.len()),
        }
    }

    fn of(&self, value: Value) -> u32 {
        match value.as_constant() {
            Some(index) => index as u32,
            None => self.of_node[value.number() as usize],
        }
    }

    /// Frees the slots of what the instruction at `position` reads last.
    fn release(&mut self, position: usize) {
        let range = self.dying_from[position] as usize..self.dying_from[position + 1] as usize;
        let freed = self.dying[range].iter();
        self.free
            .extend(freed.map(|node| self.of_node[*node as usize]));
    }

    /// The slot that `node` is written to.
    fn take(&mut self, node: u32) -> u32 {
        let slot = if self.is_lasting[node as usize] {
            self.lasting += 1;
            LASTING | (self.lasting - 1)
        } else {
            self.free.pop().unwrap_or_else(|| {
                self.passing += 1;
                PASSING | (self.passing - 1)
            })
        };
        self.of_node[node as usize] = slot;
        slot
    }

    fn layout(&self) -> Result<Layout, TooLong> {
        let parts = [self.first, self.passing, self.lasting].map(u64::from);
        let total = parts.iter().sum::<u64>();
        if total > u64::from(MOST_SLOTS) {
            return Err(TooLong);
        }
        Ok(Layout {
            passing: self.first,
            lasting: self.first + self.passing,
            total: total as u32,
        })
    }
}

/// Where the kinds of slots begin: constants, inputs, passing values, results.
struct Layout {
    passing: u32,
    lasting: u32,
    total: u32,
}

impl Layout {
    fn slot(&self, slot: u32) -> u32 {
        match slot & (PASSING | LASTING) {
            PASSING => self.passing + (slot & !PASSING),
            LASTING => self.lasting + (slot & !LASTING),
            _ => slot,
        }
    }

    fn settle<'a>(&self, step: &mut Instruction, written: &mut impl Iterator<Item = &'a u32>) {
        step.a = self.slot(step.a);
        match step.action() {
            Some(Action::Apply(operation)) => {
                let to = self.slot(*written.next().expect("a slot for each operation"));
                if operation != Operation::Bit {
                    step.b = self.slot(step.b);
                }
                *step = Instruction::apply(operation, to, step.a, step.b);
            }
            Some(Action::Guard(Check::Index)) | None => {}
            Some(Action::Guard(_)) => step.b = self.slot(step.b),
        }
    }
}

const PASSING: u32 = 1 << 31;
const LASTING: u32 = 1 << 30;
