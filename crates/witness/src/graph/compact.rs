//! The files of circom-witness-rs 0.4 and 0.5: `CWGR`, 4, `PZ`, 0, then a program in postcard's encoding, compressed by
//! zstd.
//!
//! | part | encoding |
//! |---|---|
//! | coefficients | 32 bytes each, little-endian |
//! | instructions | a number, then operands |
//! | sums of three, of four | a value and a coefficient for each term |
//! | functions of others, calls, two numbers | must be empty: see below |
//! | wires, their bits, divisions in a row | values; the others are hints |
//! | number of values, of inputs | |
//! | inputs | as before version 0.4 |
//! | functions | must be empty |
//!
//! An instruction makes one value, number 7 makes three. A circuit whose functions branch by their inputs has calls in
//! its graph, or functions of another program: these are refused.

use std::io::Read;

use frumious_curves::PairingCurve;
use frumious_parallel::check_cancelled;
use frumious_tape::Operation;

use super::builder::{Builder, Graph, Node, too_large};
use super::bytes::{BadGraph, Reader, words};
use super::nodes;

pub(super) const MAGIC: &[u8] = b"CWGR";

pub(super) fn read(bytes: &[u8], most_bytes: u64) -> Result<Graph, BadGraph> {
    let mut file = Reader::new(bytes, "file");
    if file.array::<8>()? != *b"CWGR\x04PZ\0" {
        return Err(file.bad("it is of a version that is not known"));
    }
    let program = decompressed(file, most_bytes)?;
    let mut reader = Reader::new(&program, "decompressed program");
    let program = Program::read(&mut reader, most_bytes)?;
    let wires = nodes::wires(&mut reader)?;
    let bits = reader.count(1)?;
    for _ in 0..bits {
        reader.index()?;
    }
    let divisions = reader.count(2)?;
    for _ in 0..divisions {
        reader.varint()?;
        reader.varint()?;
    }
    let values = reader.varint()?;
    reader.varint()?; // number of inputs
    let inputs = nodes::inputs(&mut reader)?;
    if reader.varint()? != 0 {
        return Err(reader.bad(CALLS));
    }
    if !reader.is_empty() {
        return Err(reader.bad("bytes follow"));
    }
    let mut lowering = Lowering {
        builder: Builder::new(PairingCurve::Bn254, inputs).within(most_bytes),
        program: &program,
        values: Vec::with_capacity(program.instructions.len()),
        reader: &reader,
    };
    for instruction in &program.instructions {
        lowering.lower(*instruction)?;
    }
    if lowering.values.len() as u64 != values {
        return Err(reader.bad("it has another number of values than it says"));
    }
    let wires: Result<Vec<u32>, _> = wires.into_iter().map(|wire| lowering.value(wire)).collect();
    lowering.builder.finish(wires?, &reader)
}

fn decompressed(mut file: Reader<'_>, most_bytes: u64) -> Result<Vec<u8>, BadGraph> {
    let end = file.clone();
    let failed = |_| end.bad("it cannot be decompressed");
    let decoder = ruzstd::decoding::StreamingDecoder::new(file.rest());
    let decoder = decoder.map_err(|_| end.bad("it cannot be decompressed"))?;
    let mut program = Vec::new();
    let mut limited = decoder.take(most_bytes.saturating_add(1));
    loop {
        check_cancelled();
        let mut piece = (&mut limited).take(BETWEEN_LOOKS);
        if piece.read_to_end(&mut program).map_err(failed)? == 0 {
            break;
        }
    }
    match program.len() as u64 <= most_bytes {
        true => Ok(program),
        false => Err(end.bad(format!("it is more than {most_bytes} bytes, decompressed"))),
    }
}

/// Decompressed bytes between two looks for a cancellation: some milliseconds.
const BETWEEN_LOOKS: u64 = 1 << 20;

/// The number of an instruction, and up to three operands.
type Instruction = (u8, [u32; 3]);

/// A value and the number of its coefficient.
type Term = (u32, u32);

struct Program {
    coefficients: Vec<[u64; 4]>,
    instructions: Vec<Instruction>,
    threes: Vec<[Term; 3]>,
    fours: Vec<[Term; 4]>,
}

impl Program {
    fn read(reader: &mut Reader<'_>, most_bytes: u64) -> Result<Self, BadGraph> {
        let count = reader.count(32)?;
        let mut coefficients = Vec::with_capacity(count);
        for _ in 0..count {
            coefficients.push(words(&reader.array()?));
        }
        let count = reader.count(2)?;
        if count as u64 * size_of::<Instruction>() as u64 > most_bytes {
            return Err(reader.bad(too_large(most_bytes)));
        }
        let mut instructions = Vec::with_capacity(count);
        for _ in 0..count {
            instructions.push(instruction(reader)?);
        }
        let program = Self {
            coefficients,
            instructions,
            threes: sums(reader)?,
            fours: sums(reader)?,
        };
        // Functions of others, calls, the number of calls; the number of integers whose bits are taken is a hint.
        for _ in 0..3 {
            if reader.varint()? != 0 {
                return Err(reader.bad(CALLS));
            }
        }
        reader.varint()?;
        Ok(program)
    }
}

fn instruction(reader: &mut Reader<'_>) -> Result<Instruction, BadGraph> {
    let number = reader.byte()?;
    let operands = match number {
        0 | 1 | 6..=9 => [reader.index()?, 0, 0],
        2..=4 | 14 => [reader.index()?, reader.index()?, 0],
        5 => [reader.index()?, reader.index()?, reader.index()?],
        15 => [reader.index()?, reader.index()?, reader.byte()?.into()],
        16 => {
            let value = reader.index()?;
            [value, reader.byte()?.into(), reader.byte()?.into()]
        }
        10..=13 => return Err(reader.bad(CALLS)),
        _ => return Err(reader.bad("an instruction is not known")),
    };
    Ok((number, operands))
}

fn sums<const N: usize>(reader: &mut Reader<'_>) -> Result<Vec<[Term; N]>, BadGraph> {
    let count = reader.count(2 * N)?;
    let mut sums = Vec::with_capacity(count);
    for _ in 0..count {
        let mut terms = [(0, 0); N];
        for term in &mut terms {
            *term = (reader.index()?, reader.index()?);
        }
        sums.push(terms);
    }
    Ok(sums)
}

/// From instructions to nodes.
struct Lowering<'a> {
    builder: Builder,
    program: &'a Program,
    /// The node of each value.
    values: Vec<u32>,
    reader: &'a Reader<'a>,
}

impl Lowering<'_> {
    fn value(&self, value: u32) -> Result<u32, BadGraph> {
        let node = self.values.get(value as usize).copied();
        node.ok_or_else(|| self.reader.bad("an operand is no earlier value"))
    }

    fn push(&mut self, node: Node) -> Result<u32, BadGraph> {
        self.builder.push(node, self.reader)
    }

    fn apply(&mut self, operation: Operation, a: u32, b: u32) -> Result<u32, BadGraph> {
        self.push(Node::Apply(operation, a, b))
    }

    fn number(&mut self, number: u64) -> Result<u32, BadGraph> {
        let words = [number, 0, 0, 0];
        self.builder.push_constant(words, self.reader)
    }

    fn coefficient(&mut self, number: u32) -> Result<u32, BadGraph> {
        let words = self.program.coefficients.get(number as usize).copied();
        let words = words.ok_or_else(|| self.reader.bad("a coefficient is missing"))?;
        self.builder.push_constant(words, self.reader)
    }

    fn lower(&mut self, (number, [a, b, c]): Instruction) -> Result<(), BadGraph> {
        check_cancelled();
        let node = match number {
            0 => self.builder.push_input(a.into(), self.reader)?,
            1 => self.coefficient(a)?,
            2..=4 => {
                let operation = [Operation::Mul, Operation::Add, Operation::Sub];
                let [a, b] = [self.value(a)?, self.value(b)?];
                self.apply(operation[usize::from(number) - 2], a, b)?
            }
            5 => {
                let [left, right] = [self.value(b)?, self.value(c)?];
                let node = nodes::node(a.into(), left, right, self.reader)?;
                self.push(node)?
            }
            6 => {
                let a = self.value(a)?;
                self.apply(Operation::Mul, a, a)?
            }
            7 => {
                let a = self.value(a)?;
                let square = self.apply(Operation::Mul, a, a)?;
                let fourth = self.apply(Operation::Mul, square, square)?;
                self.values.extend([square, fourth]);
                self.apply(Operation::Mul, fourth, a)?
            }
            8 => {
                let terms = self.program.threes.get(a as usize).copied();
                self.sum(terms)?
            }
            9 => {
                let terms = self.program.fours.get(a as usize).copied();
                self.sum(terms)?
            }
            14 => self.value(a)?,
            15 => {
                let a = self.value(a)?;
                let bit = self.number(c.into())?;
                self.apply(Operation::Bit, a, bit)?
            }
            _ => self.by_power_of_two(a, b, c != 0)?,
        };
        self.values.push(node);
        Ok(())
    }

    fn sum<const N: usize>(&mut self, terms: Option<[Term; N]>) -> Result<u32, BadGraph> {
        let terms = terms.ok_or_else(|| self.reader.bad("a sum is missing"))?;
        let mut sum = None;
        for (value, coefficient) in terms {
            let value = self.value(value)?;
            let coefficient = self.coefficient(coefficient)?;
            let product = self.apply(Operation::Mul, value, coefficient)?;
            sum = Some(match sum {
                Some(sum) => self.apply(Operation::Add, sum, product)?,
                None => product,
            });
        }
        sum.ok_or_else(|| self.reader.bad("a sum is empty"))
    }

    /// The quotient of an integer by a power of two, or the remainder.
    fn by_power_of_two(&mut self, a: u32, shift: u32, remainder: bool) -> Result<u32, BadGraph> {
        let a = self.value(a)?;
        if !remainder {
            let shift = self.number(shift.into())?;
            return self.apply(Operation::Shr, a, shift);
        }
        if shift >= 254 {
            return Ok(a); // no element is as large
        }
        let mask = core::array::from_fn(|i| match (shift as usize).saturating_sub(64 * i) {
            0 => 0,
            bits @ 1..64 => (1 << bits) - 1,
            _ => u64::MAX,
        });
        let mask = self.builder.push_constant(mask, self.reader)?;
        self.apply(Operation::BitAnd, a, mask)
    }
}

const CALLS: &str = "it calls functions that branch by their inputs: it is no straight line";
