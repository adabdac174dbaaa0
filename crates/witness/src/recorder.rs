//! A run of a module, recorded: its field elements are nodes of a graph, and its memory holds none of their values.
//!
//! Where circom's routines write a value, the recorder writes a [*handle*](Handles), the number of a node, and keeps
//! the value to itself. So the module's own code decides nothing by a value, but for the two routines that tell one,
//! and these note a guard. Whatever else the module does is the same for all inputs with the same guards: that is why a
//! tape is exact. Handles are copied as values are.
//!
//! Two checks see to it that nothing goes past the routines. A load of the module's own code from a handle ends the
//! recording, as does a routine that finds a part of one.

mod choices;

use std::hash::{BuildHasher, RandomState};

use frumious_field::Integer;
use frumious_tape::{Event, Operation, Recording, TapeField, Value};

use crate::native::{self, CELL, Halt, VALUE, overlap, place};
pub(crate) use choices::{Choice, Division};

/// A run while it is recorded.
pub(crate) struct Recorder<F: TapeField> {
    recording: Recording<F>,
    handles: Handles,
    inputs: Vec<Value>,
    /// Constants by what lay in memory, some thousand of them by their address.
    constants: Vec<Option<([u8; VALUE], Value)>>,
    /// Short constants, some thousand of them by their value.
    short: Vec<Option<(u64, Value)>>,
    /// The address of the value in the shared buffer, through which inputs come and results go.
    shared: u32,
    /// True while an input is set: then circom's interface, and not the circuit, looks at it.
    is_setting: bool,
    /// True once the value in the shared buffer was made ready to be read.
    is_told: bool,
}

impl<F: TapeField> Recorder<F> {
    /// A recording of a run on `inputs`. `shared` is the address of the value through which they are given.
    pub(crate) fn new(inputs: &[F], shared: u32) -> Result<Self, Halt> {
        let mut recorder = Self {
            recording: Recording::new(),
            handles: Handles::new(),
            inputs: Vec::new(),
            constants: vec![None; CONSTANTS],
            short: vec![None; CONSTANTS],
            shared,
            is_setting: false,
            is_told: false,
        };
        for input in inputs {
            let value = recorder.recording.input(*input).map_err(too_long)?;
            recorder.inputs.push(value);
        }
        Ok(recorder)
    }

    /// Puts an input into the shared buffer.
    pub(crate) fn set_input(&mut self, memory: &mut [u8], index: usize) -> Result<(), Halt> {
        self.is_setting = true;
        self.put(memory, self.shared, self.inputs[index])
    }

    /// The node that the module has put into the shared buffer, to be read.
    pub(crate) fn shared(&mut self, memory: &[u8]) -> Result<Value, Halt> {
        match std::mem::take(&mut self.is_told) {
            true => self.get(memory, self.shared),
            false => Err(Halt::RawAccess),
        }
    }

    /// Makes the value at an address ready to be read: of the shared buffer.
    pub(crate) fn ready(&mut self, a: u32) -> Result<(), Halt> {
        self.is_told = a == self.shared;
        Ok(())
    }

    /// The recording, when the run is over.
    pub(crate) fn finish(self) -> Recording<F> {
        self.recording
    }

    /// The value of a node in this run.
    pub(crate) fn value(&self, value: Value) -> Integer<F> {
        self.recording.value(value).into()
    }

    /// Memory of what is recorded.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        self.recording.bytes()
    }

    pub(crate) fn tell(&mut self, event: Event<Value>) {
        self.recording.event(event);
    }

    pub(crate) fn apply(
        &mut self,
        memory: &mut [u8],
        operation: Operation,
        [to, a, b]: [u32; 3],
    ) -> Result<(), Halt> {
        self.is_setting = false;
        if overlap(to, a) || overlap(to, b) {
            return Err(Halt::Aliased);
        }
        let left = self.get(memory, a)?;
        let right = match operation.is_unary() {
            true => left,
            false => self.get(memory, b)?,
        };
        let result = self.node(operation, left, right)?;
        self.put(memory, to, result)
    }

    pub(crate) fn divide(&mut self, memory: &mut [u8], [to, a, b]: [u32; 3]) -> Result<(), Halt> {
        self.is_setting = false;
        if overlap(to, a) || overlap(to, b) {
            return Err(Halt::Aliased);
        }
        let divisor = self.get(memory, b)?;
        let dividend = self.get(memory, a)?;
        let inverse = self.node(Operation::Inverse, divisor, divisor)?;
        let quotient = self.node(Operation::Mul, dividend, inverse)?;
        self.put(memory, to, quotient)
    }

    pub(crate) fn is_true(&mut self, memory: &[u8], a: u32) -> Result<bool, Halt> {
        self.is_setting = false;
        let value = self.get(memory, a)?;
        Ok(self.recording.truth(value))
    }

    /// The condition of an assertion, which inputs are to make true. False if none can.
    pub(crate) fn holds(&mut self, memory: &[u8], a: u32) -> Result<bool, Halt> {
        self.is_setting = false;
        // As the module decides by itself in other runs, so that the tape is the same.
        if let Some(short) = short_at(memory, a)? {
            return Ok(short != 0);
        }
        let value = self.get(memory, a)?;
        Ok(self.recording.assume_truth(value))
    }

    pub(crate) fn index(&mut self, memory: &[u8], a: u32) -> Result<u32, Halt> {
        if self.is_setting && a == self.shared {
            return Ok(0);
        }
        let value = self.get(memory, a)?;
        Ok(self.recording.index(value))
    }

    pub(crate) fn equal(&mut self, memory: &[u8], a: u32, b: u32) -> Result<bool, Halt> {
        if std::mem::take(&mut self.is_setting) && b == self.shared {
            return Ok(false); // "is it short?": it is copied as it is
        }
        let (left, right) = (self.get(memory, a)?, self.get(memory, b)?);
        let equal = self.node(Operation::Eq, left, right)?;
        Ok(self.recording.truth(equal))
    }

    /// A load of `width` bytes by the module's own code.
    pub(crate) fn load(
        &self,
        memory: &[u8],
        address: u32,
        offset: u32,
        width: u32,
    ) -> Result<(), Halt> {
        let start = u64::from(address) + u64::from(offset);
        let end = start + u64::from(width);
        if end > memory.len() as u64 {
            return Ok(()); // the load will fail
        }
        let mut cells = start as usize / CELL..(end as usize).div_ceil(CELL);
        match cells.any(|cell| self.handles.covers(memory, cell)) {
            true => Err(Halt::RawAccess),
            false => Ok(()),
        }
    }

    fn node(&mut self, operation: Operation, a: Value, b: Value) -> Result<Value, Halt> {
        let result = self.recording.apply(operation, a, b).map_err(too_long)?;
        result.ok_or(Halt::Division)
    }

    /// The node whose handle is at an address; of bytes that are none's, the constant that they are.
    fn get(&mut self, memory: &[u8], at: u32) -> Result<Value, Halt> {
        if let Some(short) = short_at(memory, at)? {
            return self.short(short);
        }
        let start = at as usize;
        let bytes = memory.get(start..start + VALUE).ok_or(Halt::Address)?;
        if let Some(value) = self.handles.value(bytes) {
            let is_known = self.recording.has(value);
            return is_known.then_some(value).ok_or(Halt::RawAccess);
        }
        let known = &mut self.constants[start / CELL % CONSTANTS];
        if let Some((there, value)) = known
            && *there == *bytes
        {
            return Ok(*value);
        }
        self.load(memory, at, 0, VALUE as u32)?;
        let element = native::read::<F>(memory, at)?;
        let value = self.recording.constant(element).map_err(too_long)?;
        let mut there = [0; VALUE];
        there.copy_from_slice(bytes);
        self.constants[start / CELL % CONSTANTS] = Some((there, value));
        Ok(value)
    }

    /// The constant that a short value is. What follows its first eight bytes may be left from another.
    fn short(&mut self, value: u64) -> Result<Value, Halt> {
        let known = &mut self.short[value as usize % CONSTANTS];
        if let Some((number, constant)) = known
            && *number == value
        {
            return Ok(*constant);
        }
        let constant = self.recording.constant(F::from_u64(value));
        let constant = constant.map_err(too_long)?;
        *known = Some((value, constant));
        Ok(constant)
    }

    /// Writes the handle of a node.
    fn put(&mut self, memory: &mut [u8], at: u32, value: Value) -> Result<(), Halt> {
        if !at.is_multiple_of(CELL as u32) {
            return Err(Halt::RawAccess);
        }
        *place(memory, at)? = self.handles.handle(value);
        Ok(())
    }
}

/// Handles: bytes that lie in the memory in place of a value. They are the same for all inputs, and tell its node.
///
/// Ten cells of four bytes: the third and the seventh are the node's number, masked, the others are secrets of the
/// recording. So each cell is known by its neighbours, wherever it is copied to. Bit 31 of each cell is set, so that no
/// eight bytes with a part of a handle are a short value (see `short`). A number has 31 bits therefore.
///
/// A module that overwrites parts of handles to get at the rest may mistake a number of a node for a value. It does so
/// for all inputs alike: the tape's results are then not the module's. The witness is checked as every other is.
struct Handles {
    secrets: [u32; VALUE / CELL],
}

impl Handles {
    const NUMBERS: [usize; 2] = [2, 6];

    fn new() -> Self {
        let random = RandomState::new();
        let secret = |cell: usize| random.hash_one(cell) as u32 | 1 << 31; // no address, no short value
        Self {
            secrets: std::array::from_fn(secret),
        }
    }

    fn handle(&self, value: Value) -> [u8; VALUE] {
        let mut bytes = [0; VALUE];
        let (cells, _) = bytes.as_chunks_mut::<CELL>();
        for (cell, secret) in cells.iter_mut().zip(self.secrets) {
            *cell = secret.to_le_bytes();
        }
        for cell in Self::NUMBERS {
            cells[cell] = (self.secrets[cell] ^ value.number()).to_le_bytes();
        }
        bytes
    }

    /// The value whose handle these 40 bytes are.
    fn value(&self, bytes: &[u8]) -> Option<Value> {
        let (cells, _) = bytes.as_chunks::<CELL>();
        let cell = |i: usize| u32::from_le_bytes(cells[i]);
        if cell(0) != self.secrets[0] {
            return None;
        }
        let [number, again] = Self::NUMBERS.map(|i| cell(i) ^ self.secrets[i]);
        let is_secret = |i: usize| Self::NUMBERS.contains(&i) || cell(i) == self.secrets[i];
        (number == again && (0..cells.len()).all(is_secret)).then(|| Value::from_number(number))
    }

    /// True if these four bytes of memory are a part of a handle.
    fn covers(&self, memory: &[u8], cell: usize) -> bool {
        let at = |cell: usize| {
            let bytes = memory.get(cell * CELL..(cell + 1) * CELL)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        let (before, own, after) = (cell.checked_sub(1).and_then(at), at(cell), at(cell + 1));
        let is = |found: Option<u32>, i: usize| found == Some(self.secrets[i]);
        (0..self.secrets.len()).any(|i| {
            let is_number = |i: usize| Self::NUMBERS.contains(&i);
            let last = self.secrets.len() - 1;
            let fits_before = i == 0 || is_number(i - 1) || is(before, i - 1);
            let fits_after = i == last || is_number(i + 1) || is(after, i + 1);
            (is_number(i) || is(own, i)) && fits_before && fits_after
        })
    }
}

/// The short value at an address, if it is one. Nothing of ours looks like one.
fn short_at(memory: &[u8], at: u32) -> Result<Option<u64>, Halt> {
    let start = at as usize;
    let value = memory.get(start..start + VALUE).ok_or(Halt::Address)?;
    let head = value
        .first_chunk()
        .map_or(0, |head| u64::from_le_bytes(*head));
    let short = head & !native::MONTGOMERY;
    Ok((short < 1 << 31).then_some(short))
}

fn too_long(_: frumious_tape::TooLong) -> Halt {
    Halt::TooLong
}

/// Constants that are remembered.
const CONSTANTS: usize = 1 << 12;
