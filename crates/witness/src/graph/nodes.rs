//! The files of circom-witness-rs to version 0.3, in the encoding of postcard: nodes, wires, inputs.
//!
//! | part | encoding |
//! |---|---|
//! | each list | its length, then its elements |
//! | node | 0 input, 1 constant (32 bytes, big-endian), 2 constant (32 bytes, little-endian), 3 operation, 4 function |
//! | operation | its number and two operands; of one operand, the second means nothing |
//! | wire | the number of a node |
//! | input | hash of the name, first place, number of values |
//!
//! All numbers are variable-length integers.

use frumious_curves::PairingCurve;
use frumious_tape::Operation;

use super::builder::{Builder, Graph, Node};
use super::bytes::{BadGraph, Reader, words};
use super::signals::Inputs;

pub(super) fn read(bytes: &[u8]) -> Result<Graph, BadGraph> {
    // Nodes name inputs, which are described behind them.
    let mut ahead = Reader::new(bytes, "file");
    let count = ahead.count(2)?;
    for _ in 0..count {
        skip_node(&mut ahead)?;
    }
    let wires = wires(&mut ahead)?;
    let inputs = inputs(&mut ahead)?;
    if !ahead.is_empty() {
        return Err(ahead.bad("bytes follow"));
    }
    let mut builder = Builder::new(PairingCurve::Bn254, inputs);
    builder.nodes.reserve(count);
    let mut reader = Reader::new(bytes, "file");
    reader.varint()?;
    for _ in 0..count {
        match reader.byte()? {
            INPUT => {
                let place = reader.varint()?;
                builder.push_input(place, &reader)?;
            }
            BIG_ENDIAN => {
                let mut bytes = constant(&mut reader)?;
                bytes.reverse();
                builder.push_constant(words(&bytes), &reader)?;
            }
            LITTLE_ENDIAN => {
                let bytes = constant(&mut reader)?;
                builder.push_constant(words(&bytes), &reader)?;
            }
            _ => {
                let operation = reader.varint()?;
                if operation > LAST_OPERATION {
                    return Err(reader.bad("an operation is not known"));
                }
                let [a, b] = [reader.index()?, reader.index()?];
                builder.push(node(operation, a, b, &reader)?, &reader)?;
            }
        }
    }
    builder.finish(wires, &ahead)
}

fn skip_node(reader: &mut Reader<'_>) -> Result<(), BadGraph> {
    match reader.byte()? {
        INPUT => {
            reader.varint()?;
        }
        BIG_ENDIAN | LITTLE_ENDIAN => {
            constant(reader)?;
        }
        OPERATION => {
            for _ in 0..3 {
                reader.varint()?;
            }
        }
        FUNCTION => {
            let length = reader.varint()?;
            let name = reader.text(length)?;
            return Err(reader.bad(format!(
                "it calls a function that is not in it ({name:?}): only its own program can run it"
            )));
        }
        _ => return Err(reader.bad("a node is of an unknown kind")),
    }
    Ok(())
}

/// Its length, which is always the same, then the constant.
fn constant(reader: &mut Reader<'_>) -> Result<[u8; 32], BadGraph> {
    match reader.byte()? {
        32 => reader.array(),
        _ => Err(reader.bad("a constant has another length than 32 bytes")),
    }
}

pub(super) fn wires(reader: &mut Reader<'_>) -> Result<Vec<u32>, BadGraph> {
    let count = reader.count(1)?;
    let mut wires = Vec::with_capacity(count);
    for _ in 0..count {
        wires.push(reader.index()?);
    }
    Ok(wires)
}

/// The table of inputs, in which places without a signal are zero.
pub(super) fn inputs(reader: &mut Reader<'_>) -> Result<Inputs, BadGraph> {
    let count = reader.count(3)?;
    let mut signals = Vec::with_capacity(count);
    for _ in 0..count {
        let [hash, first] = [reader.varint()?, reader.varint()?];
        let size = reader.index()?;
        if [hash, first] != [0; 2] {
            signals.push((hash, first, size));
        }
    }
    Inputs::new(signals, reader)
}

/// The operation of a number, on its operands.
pub(super) fn node(operation: u64, a: u32, b: u32, reader: &Reader<'_>) -> Result<Node, BadGraph> {
    let operation = match operation {
        0 => Operation::Mul,
        2 => Operation::Add,
        3 => Operation::Sub,
        4 => Operation::Eq,
        5 => Operation::Neq,
        6 => Operation::Lt,
        7 => Operation::Gt,
        8 => Operation::Leq,
        9 => Operation::Geq,
        10 => Operation::Or,
        11 => Operation::Shl,
        12 => Operation::Shr,
        13 => Operation::BitAnd,
        14 => Operation::Neg,
        15 => Operation::Inverse,
        16 | 25 => return Ok(Node::Divide(a, b)), // 25 is for branches that are not taken
        17 => Operation::Mod,
        18 => Operation::Pow,
        19 => Operation::And,
        20 => Operation::IntDiv,
        21 => Operation::BitOr,
        22 => Operation::BitXor,
        23 => Operation::BitNot,
        24 => Operation::Not,
        // 1 is a product of Montgomery forms, which no version computes.
        _ => return Err(reader.bad("an operation is not known")),
    };
    Ok(Node::Apply(operation, a, b))
}

/// Later ones are of later versions.
const LAST_OPERATION: u64 = 20;

const INPUT: u8 = 0;
const BIG_ENDIAN: u8 = 1;
const LITTLE_ENDIAN: u8 = 2;
const OPERATION: u8 = 3;
const FUNCTION: u8 = 4;
