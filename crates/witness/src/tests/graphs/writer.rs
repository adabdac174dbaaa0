//! A writer of circom-witnesscalc's files, for graphs of any shape.

use frumious_curves::PairingEngine;
use frumious_field::Integer;
use serde_json::Value;

use crate::tests::given;
use crate::{Error, Graph, Limits, Tapes};

/// A file in parts.
#[derive(Clone)]
pub(super) struct File {
    pub(super) second: bool,
    /// Each a message without its length.
    pub(super) nodes: Vec<Vec<u8>>,
    pub(super) wires: Vec<u32>,
    /// Name, first place, number of values.
    pub(super) inputs: Vec<(&'static str, u32, u32)>,
    pub(super) prime: Vec<u8>,
    pub(super) described: Vec<u8>,
}

impl File {
    /// Two inputs, `a` and `b`, which are nodes 1 and 2. Node 0 is the constant one.
    pub(super) fn of_two() -> Self {
        Self {
            second: false,
            nodes: vec![node(1, &[0]), node(1, &[1]), node(1, &[2])],
            wires: vec![0, 1, 2],
            inputs: vec![("a", 1, 1), ("b", 2, 1)],
            prime: Vec::new(),
            described: Vec::new(),
        }
    }

    /// Adds a node that is a wire.
    pub(super) fn with(mut self, node: Vec<u8>) -> Self {
        self.wires.push(self.nodes.len() as u32);
        self.nodes.push(node);
        self
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = match self.second {
            true => b"wtns.graph.002".to_vec(),
            false => b"wtns.graph.001".to_vec(),
        };
        bytes.extend((self.nodes.len() as u64).to_le_bytes());
        for node in &self.nodes {
            varint(&mut bytes, node.len() as u64);
            bytes.extend(node);
        }
        let offset = bytes.len() as u64;
        let metadata = self.metadata();
        varint(&mut bytes, metadata.len() as u64);
        bytes.extend(metadata);
        bytes.extend(offset.to_le_bytes());
        bytes
    }

    fn metadata(&self) -> Vec<u8> {
        let mut metadata = Vec::new();
        let mut packed = Vec::new();
        for wire in &self.wires {
            varint(&mut packed, (*wire).into());
        }
        part(&mut metadata, 1, &packed);
        for (name, first, count) in &self.inputs {
            let mut entry = Vec::new();
            part(&mut entry, 1, name.as_bytes());
            part(&mut entry, 2, &numbers(&[*first, *count]));
            part(&mut metadata, 2, &entry);
        }
        if !self.prime.is_empty() {
            let mut prime = Vec::new();
            part(&mut prime, 1, &self.prime);
            part(&mut metadata, 3, &prime);
            part(&mut metadata, 4, b"some prime");
        }
        if self.second {
            part(&mut metadata, 5, &self.described);
        }
        metadata
    }
}

/// A node of a kind, with the numbers in it.
pub(super) fn node(kind: u64, fields: &[u32]) -> Vec<u8> {
    let mut node = Vec::new();
    part(&mut node, kind, &numbers(fields));
    node
}

/// The node of a constant, its bytes least significant first.
pub(super) fn constant(bytes: &[u8]) -> Vec<u8> {
    let (mut node, mut outer, mut inner) = (Vec::new(), Vec::new(), Vec::new());
    part(&mut inner, 1, bytes);
    part(&mut outer, 1, &inner);
    part(&mut node, 2, &outer);
    node
}

/// Fields 1 and on; those that are zero are left out.
fn numbers(fields: &[u32]) -> Vec<u8> {
    let mut message = Vec::new();
    for (number, value) in (1..).zip(fields) {
        if *value != 0 {
            varint(&mut message, number << 3);
            varint(&mut message, (*value).into());
        }
    }
    message
}

pub(super) fn part(out: &mut Vec<u8>, number: u64, content: &[u8]) {
    varint(out, number << 3 | 2);
    varint(out, content.len() as u64);
    out.extend(content);
}

pub(super) fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The wires for inputs, by the graph and by its tape, which are the same. So is the tape without inputs.
pub(super) fn wires<E: PairingEngine>(
    bytes: &[u8],
    json: &Value,
) -> Result<Vec<Integer<E::Fr>>, Error> {
    let inputs = &given(json);
    let graph = Graph::from_bytes(bytes, 1 << 20)?;
    let (witness, run) = graph.record_over::<E>(inputs, Limits::default())?;
    let wires: Vec<_> = (0..witness.len()).map(|wire| witness.get(wire)).collect();
    if let Ok(rehearsed) = graph.rehearse_over::<E>(Limits::default()) {
        assert_eq!(rehearsed, run);
    }
    let mut tapes = Tapes::<E>::default();
    tapes.add(run);
    let replayed = tapes.replay(inputs, &mut |_| {})?.expect("the same inputs");
    assert!(
        wires.iter().eq(&(0..replayed.len())
            .map(|wire| replayed.get(wire))
            .collect::<Vec<_>>())
    );
    Ok(wires)
}
