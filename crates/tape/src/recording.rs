//! The graph while it grows: constants are folded, and equal nodes near each other merged.

mod simplify;
mod values;

use crate::operation::{Operation, TapeField, to_index_vartime};
use crate::tape::Event;
use hashbrown::HashTable;
use simplify::Simplified;
use std::hash::{BuildHasher, RandomState};
use values::Values;

/// An operand: a node or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(u32);

impl Value {
    pub(crate) fn node(index: u32) -> Self {
        Self(index)
    }

    fn constant(index: u32) -> Self {
        Self(index | CONSTANT)
    }

    /// The index of the constant, if it is one.
    pub(crate) fn as_constant(self) -> Option<usize> {
        (self.0 & CONSTANT != 0).then_some((self.0 & !CONSTANT) as usize)
    }

    /// The index of the node, if it is one.
    pub(crate) fn as_node(self) -> Option<usize> {
        (self.0 & CONSTANT == 0).then_some(self.0 as usize)
    }

    /// True if it is the same for all inputs.
    pub fn is_constant(self) -> bool {
        self.as_constant().is_some()
    }

    /// A number that no other value of the recording has, below `2^31`.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The value that has a number, in the recording that gave it.
    pub fn from_number(number: u32) -> Self {
        Self(number)
    }
}

/// The graph has more nodes or constants than a tape can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {MOST_NODES} operations")]
pub struct TooLong;

/// A node: an operation with its operands. Inputs are the first nodes, and have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) operation: Operation,
    pub(crate) a: Value,
    pub(crate) b: Value,
}

/// A decision that was seen. The tape applies to inputs that lead to the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    pub(crate) value: Value,
    pub(crate) seen: Seen,
}

/// The answer that a guard was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The value is not zero, or it is.
    Truth(bool),
    /// The value taken for an index.
    Index(u32),
}

/// A run of a program, recorded as it goes on.
///
/// ```
/// use frumious_curves::bn254::Fr;
/// use frumious_field::Integer;
/// use frumious_tape::{Operation, Recording, Replayer, Tape};
///
/// // out = (a + 2)·b, for inputs with a = b
/// let mut recording = Recording::<Fr>::new();
/// let [a, b] = [recording.input(Fr::from_u64(5))?, recording.input(Fr::from_u64(5))?];
/// let two = recording.constant(Fr::from_u64(2))?;
/// let sum = recording.apply(Operation::Add, a, two)?.expect("no division");
/// let out = recording.apply(Operation::Mul, sum, b)?.expect("no division");
/// let equal = recording.apply(Operation::Eq, a, b)?.expect("no division");
/// assert!(recording.truth(equal));
///
/// let tape = Tape::new(&recording, &[out])?;
/// let mut replayer = Replayer::new();
/// let results = replayer.replay(&tape, &[3, 3].map(Fr::from_u64)).expect("the same path");
/// assert_eq!(*results, [Integer::from_u64(15)]);
/// assert!(replayer.replay(&tape, &[3, 4].map(Fr::from_u64)).is_err()); // another path
/// # Ok::<(), frumious_tape::TooLong>(())
/// ```
pub struct Recording<F: TapeField> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) inputs: u32,
    pub(crate) constants: Vec<F>,
    pub(crate) guards: Vec<Guard>,
    pub(crate) events: Vec<Event<Value>>,
    /// Bytes of the texts among the events.
    text_bytes: usize,
    /// The value of each node in this run.
    values: Values<F>,
    boolean: Vec<bool>,
    /// The latest node for each hash, with its number. Equal operations lie near each other, as a template computes a
    /// value and then checks it. So this finds nearly all, and stays in a cache; see [`RECENT`].
    recent: Vec<(Node, u32)>,
    constant_index: HashTable<u32>,
    fold_index: HashTable<(Node, Value)>,
    /// Of the hashes, so that nobody can choose values that collide.
    seed: u64,
}

impl<F: TapeField> Default for Recording<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: TapeField> Recording<F> {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            inputs: 0,
            constants: Vec::new(),
            guards: Vec::new(),
            events: Vec::new(),
            text_bytes: 0,
            values: Values::new(),
            boolean: Vec::new(),
            recent: vec![(NO_NODE, 0); RECENT],
            constant_index: HashTable::new(),
            fold_index: HashTable::new(),
            seed: RandomState::new().hash_one(0),
        }
    }

    /// Number of operations, inputs included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Memory that it has filled. Its vectors may have room for as much again, and a tape of it takes about as much.
    #[inline]
    pub fn bytes(&self) -> u64 {
        let operation = size_of::<Node>() + size_of::<F>() + size_of::<bool>();
        let constant = size_of::<F>() + size_of::<u32>();
        let bytes = self.nodes.len() * operation
            + self.constants.len() * constant
            + self.fold_index.len() * size_of::<(Node, Value)>()
            + self.guards.len() * size_of::<Guard>()
            + self.events.len() * size_of::<Event<Value>>()
            + self.text_bytes;
        bytes as u64
    }

    /// True if there are neither inputs nor operations.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The next input, with its value in this run. Inputs come before all operations.
    ///
    /// # Errors
    /// [`TooLong`].
    ///
    /// # Panics
    /// After the first operation.
    pub fn input(&mut self, value: F) -> Result<Value, TooLong> {
        assert_eq!(self.nodes.len(), self.inputs as usize, "inputs come first");
        self.inputs += 1;
        let none = Value::constant(0);
        self.push(
            Node {
                operation: Operation::Add,
                a: none,
                b: none,
            },
            value,
            false,
        )
    }

    /// A constant.
    ///
    /// # Errors
    /// [`TooLong`].
    pub fn constant(&mut self, value: F) -> Result<Value, TooLong> {
        let seed = self.seed;
        let hash = mix(seed, value.to_words());
        let found = self
            .constant_index
            .find(hash, |index| self.constants[*index as usize] == value);
        if let Some(index) = found {
            return Ok(Value::constant(*index));
        }
        let index = self.constants.len() as u32;
        if index >= MOST_NODES {
            return Err(TooLong);
        }
        self.constants.push(value);
        let constants = &self.constants;
        self.constant_index.insert_unique(hash, index, |index| {
            mix(seed, constants[*index as usize].to_words())
        });
        Ok(Value::constant(index))
    }

    /// The result of an operation, none for a division of integers by zero. `b` counts for nothing if the operation
    /// takes one operand.
    ///
    /// # Errors
    /// [`TooLong`].
    pub fn apply(
        &mut self,
        operation: Operation,
        a: Value,
        b: Value,
    ) -> Result<Option<Value>, TooLong> {
        let b = if operation.is_unary() { a } else { b };
        if a.as_constant().is_some() && b.as_constant().is_some() {
            return self.folded(operation, a, b);
        }
        let Some(result) = operation.apply_vartime(self.value(a), self.value(b)) else {
            return Ok(None);
        };
        if matches!(operation, Operation::IntDiv | Operation::Mod) {
            // Zero fails wherever it divides, even if nobody needs the result.
            self.guard(b, Seen::Truth(true));
        }
        match self.simplified(operation, a, b) {
            Simplified::Same(value) => return Ok(Some(value)),
            Simplified::Constant(value) => return self.constant(value).map(Some),
            Simplified::Bit(of, index) => {
                let index = self.constant(F::from_u64(index.into()))?;
                return self.merged(Operation::Bit, of, index, result).map(Some);
            }
            Simplified::No => {}
        }
        let (a, b) = match operation.is_commutative() && b.0 < a.0 {
            true => (b, a),
            false => (a, b),
        };
        self.merged(operation, a, b, result).map(Some)
    }

    /// True if a value is not zero: the program is about to decide by it.
    pub fn truth(&mut self, value: Value) -> bool {
        let seen = !self.value(value).is_zero_vartime();
        self.guard(value, Seen::Truth(seen));
        seen
    }

    /// True if a value may be other than zero, which inputs are then demanded to make it, whatever it is in this run.
    /// False for the constant zero. For a run on inputs that are made up, which may lead elsewhere than real ones.
    pub fn assume_truth(&mut self, value: Value) -> bool {
        if value.as_constant().is_some() {
            return self.truth(value);
        }
        self.guard(value, Seen::Truth(true));
        true
    }

    /// One value if a condition is not zero, another if it is. It is computed for both, so no guard is needed.
    ///
    /// # Errors
    /// [`TooLong`].
    pub fn choose(
        &mut self,
        condition: Value,
        then: Value,
        otherwise: Value,
    ) -> Result<Value, TooLong> {
        let holds = match condition.as_node() {
            Some(node) if self.boolean[node] => condition,
            _ => {
                let zero = self.constant(F::ZERO)?;
                self.always(Operation::Neq, condition, zero)?
            }
        };
        let difference = self.always(Operation::Sub, then, otherwise)?;
        let part = self.always(Operation::Mul, holds, difference)?;
        self.always(Operation::Add, otherwise, part)
    }

    /// True if a condition is true for all values of `value` but zero, and for these only.
    pub fn is_test_of(&self, condition: Value, value: Value) -> bool {
        condition == value || self.compares(Operation::Neq, condition, value)
    }

    /// True if a condition is true for zero as `value`, and for this only.
    pub fn is_test_of_zero(&self, condition: Value, value: Value) -> bool {
        self.compares(Operation::Eq, condition, value)
    }

    /// True if `condition` is this comparison of a value with zero.
    fn compares(&self, comparison: Operation, condition: Value, value: Value) -> bool {
        let is_zero = |value: Value| {
            let constant = value.as_constant().map(|index| self.constants[index]);
            constant == Some(F::ZERO)
        };
        self.operation(condition).is_some_and(|node| {
            node.operation == comparison
                && (node.a == value && is_zero(node.b) || node.b == value && is_zero(node.a))
        })
    }

    /// An operation that does not fail: none on integers that divides.
    fn always(&mut self, operation: Operation, a: Value, b: Value) -> Result<Value, TooLong> {
        let result = self.apply(operation, a, b)?;
        Ok(result.expect("it is no division of integers"))
    }

    /// The low 32 bits of a value, with its sign: the program is about to take it for an index.
    pub fn index(&mut self, value: Value) -> u32 {
        let seen = to_index_vartime(self.value(value));
        self.guard(value, Seen::Index(seen));
        seen
    }

    /// Notes something that the program tells while it runs.
    pub fn event(&mut self, event: Event<Value>) {
        if let Event::Text(text) = &event {
            self.text_bytes += text.len();
        }
        self.events.push(event);
    }

    /// True if the recording has given this value.
    pub fn has(&self, value: Value) -> bool {
        match value.as_constant() {
            Some(index) => index < self.constants.len(),
            None => value.as_node().is_some_and(|node| node < self.nodes.len()),
        }
    }

    /// The value in this run.
    pub fn value(&self, value: Value) -> F {
        match value.as_constant() {
            Some(index) => self.constants[index],
            None => self.values[value.0 as usize],
        }
    }

    fn guard(&mut self, value: Value, seen: Seen) {
        if value.as_constant().is_none() {
            self.guards.push(Guard { value, seen });
        }
    }

    /// The constant that an operation on constants gives. Loops count with the same ones again and again.
    fn folded(
        &mut self,
        operation: Operation,
        a: Value,
        b: Value,
    ) -> Result<Option<Value>, TooLong> {
        let node = Node { operation, a, b };
        let seed = self.seed;
        let known = self
            .fold_index
            .find(node.hash(seed), |known| known.0 == node);
        if let Some((_, result)) = known {
            return Ok(Some(*result));
        }
        let Some(result) = operation.apply_vartime(self.value(a), self.value(b)) else {
            return Ok(None);
        };
        let result = self.constant(result)?;
        let hash = node.hash(seed);
        self.fold_index
            .insert_unique(hash, (node, result), |known| known.0.hash(seed));
        Ok(Some(result))
    }

    /// The node that does this: one of the latest, or a new one.
    fn merged(
        &mut self,
        operation: Operation,
        a: Value,
        b: Value,
        value: F,
    ) -> Result<Value, TooLong> {
        let node = Node { operation, a, b };
        let place = (node.hash(ANY_SEED) >> 32) as usize % RECENT;
        if let (known, index) = self.recent[place]
            && known == node
        {
            return Ok(Value::node(index));
        }
        let result = self.push(node, value, operation.is_boolean())?;
        self.recent[place] = (node, result.0);
        Ok(result)
    }

    fn push(&mut self, node: Node, value: F, boolean: bool) -> Result<Value, TooLong> {
        let index = self.nodes.len() as u32;
        if index >= MOST_NODES {
            return Err(TooLong);
        }
        self.nodes.push(node);
        self.values.push(value);
        self.boolean.push(boolean);
        Ok(Value::node(index))
    }
}

impl Node {
    fn hash(&self, seed: u64) -> u64 {
        let operands = u64::from(self.a.0) << 32 | u64::from(self.b.0);
        mix(seed, [operands, self.operation as u64, 0, 0])
    }
}

/// A hash of four words: products folded.
fn mix(seed: u64, words: [u64; 4]) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a ^ seed) * u128::from(b ^ seed.rotate_left(32) | 1);
        (product >> 64) as u64 ^ product as u64
    };
    fold(fold(words[0], words[1]), fold(words[2], words[3]))
}

/// The bit that tells constants from nodes.
const CONSTANT: u32 = 1 << 30;

/// Operands are 31 bits; slots are 26 (see `tape`).
pub(crate) const MOST_NODES: u32 = 1 << 30;

/// Nodes that are found again: 64 KiB of them. With a table of all, the tape of circom's rollup of 17 is 0.05% shorter,
/// and recording it takes 1.3 times as long.
const RECENT: usize = 1 << 12;

/// The same for all recordings, so that equal runs have equal tapes. Whoever makes nodes collide has a longer tape.
const ANY_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// An operation on constants, which no node is.
const NO_NODE: Node = Node {
    operation: Operation::Add,
    a: Value(CONSTANT),
    b: Value(CONSTANT),
};
