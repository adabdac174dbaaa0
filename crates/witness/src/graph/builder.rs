//! A graph, and the checks while it is read: operands are earlier nodes, constants are below the prime.

use frumious_curves::PairingCurve;
use frumious_tape::Operation;

use super::bytes::{BadGraph, Reader, modulus};
use super::signals::Inputs;

/// A circuit as a graph of operations, read and checked.
#[derive(Debug)]
pub struct Graph {
    pub(super) curve: PairingCurve,
    pub(super) nodes: Vec<Node>,
    /// Integers below the modulus, least significant word first.
    pub(super) constants: Vec<[u64; 4]>,
    /// The node of each wire.
    pub(super) wires: Vec<u32>,
    pub(super) inputs: Inputs,
}

/// A node; operands are numbers of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A value of an input signal: the number of the signal and of the value in it.
    Input(u32, u32),
    /// The constant of a number.
    Constant(u32),
    /// An operation of circom. A division of integers by zero is an error.
    Apply(Operation, u32, u32),
    /// `a/b`, zero for a `b` of zero, as in circom.
    Divide(u32, u32),
    /// A division of integers, zero for a `b` of zero: in a branch that is computed though it is not taken.
    Unfailing(Operation, u32, u32),
    /// The second if the first is not zero, else the third.
    Choose(u32, u32, u32),
}

/// A graph while it is read.
pub(super) struct Builder {
    curve: PairingCurve,
    modulus: [u64; 4],
    inputs: Inputs,
    pub(super) nodes: Vec<Node>,
    constants: Vec<[u64; 4]>,
    most_bytes: u64,
}

impl Builder {
    pub(super) fn new(curve: PairingCurve, inputs: Inputs) -> Self {
        Self {
            curve,
            modulus: modulus(curve),
            inputs,
            nodes: Vec::new(),
            constants: Vec::new(),
            most_bytes: u64::MAX,
        }
    }

    /// The same for a file whose elements become many nodes: it stops where the graph could not be run in `most_bytes`
    /// of memory. There are no more constants than nodes.
    pub(super) fn within(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Adds a node; `reader` is behind its bytes.
    pub(super) fn push(&mut self, node: Node, reader: &Reader<'_>) -> Result<u32, BadGraph> {
        let next = self.nodes.len() as u32;
        let operands = match node {
            Node::Input(..) | Node::Constant(_) => [0; 3],
            Node::Apply(_, a, b) | Node::Divide(a, b) | Node::Unfailing(_, a, b) => [a, b, b],
            Node::Choose(a, b, c) => [a, b, c],
        };
        let is_leaf = matches!(node, Node::Input(..) | Node::Constant(_));
        if !is_leaf && operands.iter().any(|operand| *operand >= next) {
            return Err(reader.bad("an operand is no earlier node"));
        }
        if next >= MOST_NODES {
            return Err(reader.bad("it has more than 2^28 nodes"));
        }
        if (u64::from(next) + 1) * NODE_BYTES > self.most_bytes {
            return Err(reader.bad(too_large(self.most_bytes)));
        }
        self.nodes.push(node);
        Ok(next)
    }

    /// Adds the node of an input, by its place among the values of all inputs; place 0 is the constant one.
    pub(super) fn push_input(&mut self, place: u64, reader: &Reader<'_>) -> Result<u32, BadGraph> {
        if place == 0 {
            return self.push_constant([1, 0, 0, 0], reader);
        }
        match self.inputs.find(place) {
            Some((signal, at)) => self.push(Node::Input(signal, at), reader),
            None => Err(reader.bad("an input belongs to no signal")),
        }
    }

    pub(super) fn push_constant(
        &mut self,
        words: [u64; 4],
        reader: &Reader<'_>,
    ) -> Result<u32, BadGraph> {
        let constant = self.constant(words, reader)?;
        self.push(Node::Constant(constant), reader)
    }

    /// The number of a constant.
    fn constant(&mut self, words: [u64; 4], reader: &Reader<'_>) -> Result<u32, BadGraph> {
        if !words.iter().rev().lt(self.modulus.iter().rev()) {
            return Err(reader.bad("a constant is not below the prime"));
        }
        self.constants.push(words);
        Ok(self.constants.len() as u32 - 1)
    }

    /// The graph whose wires are these nodes.
    pub(super) fn finish(self, wires: Vec<u32>, reader: &Reader<'_>) -> Result<Graph, BadGraph> {
        if wires.iter().any(|wire| *wire as usize >= self.nodes.len()) {
            return Err(reader.bad("a wire is of a node that there is not"));
        }
        Ok(Graph {
            curve: self.curve,
            nodes: self.nodes,
            constants: self.constants,
            wires,
            inputs: self.inputs,
        })
    }
}

/// The problem of a graph that takes more than `most_bytes` of memory.
pub(super) fn too_large(most_bytes: u64) -> String {
    format!("it takes more than {most_bytes} bytes of memory")
}

/// Memory for a node while it is recorded and scheduled.
pub(super) const NODE_BYTES: u64 = 200;

const MOST_NODES: u32 = 1 << 28;
