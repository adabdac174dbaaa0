//! The files of circom-witnesscalc, `wtns.graph.001` and `wtns.graph.002`.
//!
//! | bytes | content |
//! |---|---|
//! | 14 | magic |
//! | 8 | number of nodes, little-endian |
//! | each node | its length as a variable-length integer, then a protobuf message |
//! | metadata | the same |
//! | 8 | offset of the metadata, little-endian |
//!
//! The message of a node has one field: 1 an input, 2 a constant, 3 to 5 an operation with one to three operands. A
//! field that is zero is left out.
//!
//! | metadata | content |
//! |---|---|
//! | 1 | the nodes of all wires |
//! | 2 | the inputs by name (001) |
//! | 3, 4 | the prime, and its name; without them it is BN254's |
//! | 5 | the inputs with their buses (002) |

use frumious_curves::PairingCurve;
use frumious_tape::Operation;

use super::builder::{Builder, Graph, Node};
use super::bytes::{BadGraph, Field, Reader, modulus};
use super::signals::{Inputs, described};
use crate::signal_hash::SignalHash;

pub(super) fn read(bytes: &[u8]) -> Result<Graph, BadGraph> {
    let mut file = Reader::new(bytes, "file");
    let is_second = match &file.array::<14>()? {
        b"wtns.graph.001" => false,
        b"wtns.graph.002" => true,
        _ => return Err(file.bad("it is of a version that is not known")),
    };
    let count = u64::from_le_bytes(file.array()?);
    let behind = file.left().checked_sub(8);
    let behind = behind.ok_or_else(|| file.bad("it ends early"))? as u64;
    let mut end = file.clone();
    end.take(behind)?;
    let offset = u64::from_le_bytes(end.array()?);
    let length = offset
        .checked_sub(HEADER)
        .filter(|length| *length <= behind);
    let length = length.ok_or_else(|| end.bad("its metadata are not in it"))?;
    let mut nodes = file.part(length)?;
    let mut metadata = Reader::new(file.take(behind - length)?, "metadata");
    let size = metadata.varint()?;
    if size != metadata.left() as u64 {
        return Err(metadata.bad("they have another length"));
    }
    let metadata = Metadata::read(metadata)?;
    let inputs = match is_second {
        true => described(metadata.described)?,
        false => Inputs::new(metadata.inputs, &metadata.end)?,
    };
    let mut builder = Builder::new(metadata.curve, inputs);
    builder.nodes.reserve(nodes.bounded(count, 2)?);
    for _ in 0..count {
        let length = nodes.varint()?;
        let node = nodes.part(length)?;
        read_node(node, &mut builder)?;
    }
    if !nodes.is_empty() {
        return Err(nodes.bad("more nodes follow than it counts"));
    }
    builder.finish(metadata.wires, &metadata.end)
}

struct Metadata<'a> {
    curve: PairingCurve,
    wires: Vec<u32>,
    inputs: Vec<(u64, u64, u32)>,
    described: Reader<'a>,
    end: Reader<'a>,
}

impl<'a> Metadata<'a> {
    fn read(mut reader: Reader<'a>) -> Result<Self, BadGraph> {
        let mut metadata = Self {
            curve: PairingCurve::Bn254,
            wires: Vec::new(),
            inputs: Vec::new(),
            described: Reader::new(&[], "input signals"),
            end: reader.clone(),
        };
        while let Some(field) = reader.field()? {
            match field {
                (1, Field::Bytes(mut packed)) => {
                    while !packed.is_empty() {
                        metadata.wires.push(packed.index()?);
                    }
                }
                (1, Field::Number(node)) => {
                    let node = u32::try_from(node);
                    let node = node.map_err(|_| reader.bad("a node's number is too large"))?;
                    metadata.wires.push(node);
                }
                (2, Field::Bytes(entry)) => metadata.inputs.push(input(entry)?),
                (3, Field::Bytes(prime)) => metadata.curve = curve(prime)?,
                (4, Field::Bytes(_)) => {} // the prime's name
                (5, Field::Bytes(mut described)) => {
                    metadata.described = Reader::new(described.rest(), "input signals");
                }
                _ => return Err(reader.bad("a field is not known")),
            }
        }
        metadata.end = reader;
        Ok(metadata)
    }
}

/// An entry of the inputs by name.
fn input(mut entry: Reader<'_>) -> Result<(u64, u64, u32), BadGraph> {
    let (mut name, mut place) = ("", [0; 2]);
    while let Some(field) = entry.field()? {
        match field {
            (1, Field::Bytes(mut text)) => name = text.text(text.left() as u64)?,
            (2, Field::Bytes(description)) => place = numbers(description)?,
            _ => return Err(entry.bad("a field is not known")),
        }
    }
    let [first, count] = place;
    Ok((SignalHash::of(name).0, first.into(), count))
}

fn curve(mut prime: Reader<'_>) -> Result<PairingCurve, BadGraph> {
    let mut words = [0; 4];
    while let Some(field) = prime.field()? {
        match field {
            (1, Field::Bytes(bytes)) => words = bytes.integer()?,
            _ => return Err(prime.bad("a field is not known")),
        }
    }
    let curves = [PairingCurve::Bn254, PairingCurve::Bls12_381];
    let known = curves.into_iter().find(|curve| modulus(*curve) == words);
    known.ok_or_else(|| prime.bad("its prime is neither BN254's nor BLS12-381's"))
}

fn read_node(mut node: Reader<'_>, builder: &mut Builder) -> Result<(), BadGraph> {
    let Some((kind, Field::Bytes(content))) = node.field()? else {
        return Err(node.bad("a node is empty"));
    };
    if !node.is_empty() {
        return Err(node.bad("a node is two"));
    }
    match kind {
        1 => {
            let [place] = numbers(content)?;
            builder.push_input(place.into(), &node)?;
        }
        2 => {
            let words = constant(content)?;
            builder.push_constant(words, &node)?;
        }
        3 => {
            let [operation, a] = numbers(content)?;
            let applied = unary(operation).ok_or_else(|| node.bad("an operation is not known"))?;
            // The one that does nothing is a choice between equals.
            let step = applied.map_or(Node::Choose(a, a, a), |known| Node::Apply(known, a, a));
            builder.push(step, &node)?;
        }
        4 => {
            let [operation, a, b] = numbers(content)?;
            let step = match operation {
                1 => Node::Divide(a, b),
                5 => Node::Unfailing(Operation::IntDiv, a, b),
                6 => Node::Unfailing(Operation::Mod, a, b),
                _ => {
                    let operation = binary(operation);
                    let operation =
                        operation.ok_or_else(|| node.bad("an operation is not known"))?;
                    Node::Apply(operation, a, b)
                }
            };
            builder.push(step, &node)?;
        }
        5 => {
            let [operation, a, b, c] = numbers(content)?;
            if operation != 0 {
                return Err(node.bad("an operation is not known"));
            }
            builder.push(Node::Choose(a, b, c), &node)?;
        }
        _ => return Err(node.bad("a node is of an unknown kind")),
    }
    Ok(())
}

fn constant(mut message: Reader<'_>) -> Result<[u64; 4], BadGraph> {
    let mut words = [0; 4];
    while let Some(field) = message.field()? {
        let (1, Field::Bytes(mut value)) = field else {
            return Err(message.bad("a field is not known"));
        };
        while let Some(field) = value.field()? {
            let (1, Field::Bytes(bytes)) = field else {
                return Err(value.bad("a field is not known"));
            };
            words = bytes.integer()?;
        }
    }
    Ok(words)
}

/// The values of fields 1 to `N` of a message.
fn numbers<const N: usize>(mut message: Reader<'_>) -> Result<[u32; N], BadGraph> {
    let mut numbers = [0; N];
    while let Some((number, field)) = message.field()? {
        let place = usize::try_from(number).ok();
        let place = place.and_then(|number| numbers.get_mut(number.checked_sub(1)?));
        let (Some(place), Field::Number(value)) = (place, field) else {
            return Err(message.bad("a field is not known"));
        };
        let value = u32::try_from(value);
        *place = value.map_err(|_| message.bad("a number has more than 32 bits"))?;
    }
    Ok(numbers)
}

/// The inner none is the operation that gives its operand.
fn unary(number: u32) -> Option<Option<Operation>> {
    Some(match number {
        0 => Some(Operation::Neg),
        1 => None,
        2 => Some(Operation::Not),
        3 => Some(Operation::BitNot),
        4 => Some(Operation::Sqrt),
        _ => return None,
    })
}

fn binary(number: u32) -> Option<Operation> {
    Some(match number {
        0 => Operation::Mul,
        2 => Operation::Add,
        3 => Operation::Sub,
        4 => Operation::Pow,
        7 => Operation::Eq,
        8 => Operation::Neq,
        9 => Operation::Lt,
        10 => Operation::Gt,
        11 => Operation::Leq,
        12 => Operation::Geq,
        13 => Operation::And,
        14 => Operation::Or,
        15 => Operation::Shl,
        16 => Operation::Shr,
        17 => Operation::BitOr,
        18 => Operation::BitAnd,
        19 => Operation::BitXor,
        _ => return None,
    })
}

/// Bytes before the nodes.
const HEADER: u64 = 14 + 8;
