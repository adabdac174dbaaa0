//! Graphs in the formats of circom-witnesscalc and circom-witness-rs, written and run by these crates themselves.
//!
//! ```text
//! graphs write TRACE INPUT.json PREFIX      PREFIX.wtns1, .wtns2, .rs3, .rs5: the operations of trace.cpp as a graph
//! graphs run GRAPH INPUT.json OUT.wtns      a witness by the crate whose graph it is
//! ```
//!
//! `wtns.graph.001` is not written by any published version any more: it is made here of the crate's own messages.

use std::collections::HashMap;
use std::error::Error;
use std::fs;

use circom_witness_rs::{HashSignalInfo, graph as rs, serialize_graph};
use circom_witnesscalc::field::{FieldOps, U254, bn254_prime};
use circom_witnesscalc::graph::{Node, Nodes, NodesInterface, Operation, UnoOperation, VecNodes};
use circom_witnesscalc::proto::{BigUInt, GraphMetadata, Node as Message, SignalDescription};
use circom_witnesscalc::storage::serialize_witnesscalc_graph;
use circom_witnesscalc::vm2::InputInfo;
use circom_witnesscalc::{calc_witness, wtns_from_u256_witness};
use prost::Message as _;
use ruint::aliases::U256;
use serde::Serialize;
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[1..] {
        ["write", trace, input, prefix] => write(&Trace::read(trace)?, input, prefix),
        ["run", graph, input, out] => run(graph, input, out),
        _ => Err("graphs write TRACE INPUT PREFIX | graphs run GRAPH INPUT OUT".into()),
    }
}

/// The lines of trace.cpp.
#[derive(Default)]
struct Trace {
    signals: Vec<HashSignalInfo>,
    nodes: Vec<Traced>,
    wires: Vec<usize>,
}

enum Traced {
    Input(usize),
    Constant([u8; 32]),
    Operation(String, usize, usize),
}

impl Trace {
    fn read(path: &str) -> Outcome<Self> {
        let mut trace = Self::default();
        for line in fs::read_to_string(path)?.lines() {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["signal", hash, id, size] => trace.signals.push(HashSignalInfo {
                    hash: hash.parse()?,
                    signalid: id.parse()?,
                    signalsize: size.parse()?,
                }),
                ["wire", node] => trace.wires.push(node.parse()?),
                ["input", place] => trace.nodes.push(Traced::Input(place.parse()?)),
                ["constant", digits] => {
                    let value = U256::from_str_radix(digits, 16)?;
                    trace.nodes.push(Traced::Constant(value.to_le_bytes()));
                }
                [operation, a, b] => {
                    let operation = Traced::Operation(operation.to_owned(), a.parse()?, b.parse()?);
                    trace.nodes.push(operation);
                }
                _ => return Err(format!("not a line of a trace: {line}").into()),
            }
        }
        Ok(trace)
    }
}

fn write(trace: &Trace, input: &str, prefix: &str) -> Outcome<()> {
    let names: HashMap<String, Value> = serde_json::from_str(&fs::read_to_string(input)?)?;
    let mut named = Vec::new();
    for name in names.keys() {
        let signal = trace.signals.iter().find(|signal| signal.hash == fnv(name));
        named.push((name.clone(), signal.ok_or("an input that the circuit does not have")?.clone()));
    }
    named.sort_by_key(|(_, signal)| signal.signalid);

    // circom-witnesscalc counts the places of inputs from the first one; place 0 is the constant one.
    let first = named.first().map_or(1, |(_, signal)| signal.signalid as usize);
    let mut nodes = Nodes::new(bn254_prime, "bn128", VecNodes::new());
    for node in &trace.nodes {
        let node = match node {
            Traced::Input(place) => Node::Input(place - first + 1),
            Traced::Constant(bytes) => {
                let value = <U254 as FieldOps>::from_le_bytes(bytes).map_err(|error| error.to_string())?;
                nodes.constants.push(value);
                Node::Constant(nodes.constants.len() - 1)
            }
            Traced::Operation(name, a, b) => match unary(name) {
                Some(operation) => Node::UnoOp(operation, *a),
                None => Node::Op(binary(name)?, *a, *b),
            },
        };
        nodes.push_noopt(node);
    }
    let infos: Vec<InputInfo> = named
        .iter()
        .map(|(name, signal)| InputInfo {
            name: name.clone(),
            offset: signal.signalid as usize,
            lengths: shape(&names[name]),
            type_id: None,
        })
        .collect();
    let mut second = Vec::new();
    serialize_witnesscalc_graph(&mut second, &nodes, &trace.wires, &infos, &[])?;
    fs::write(format!("{prefix}.wtns2"), second)?;
    fs::write(format!("{prefix}.wtns1"), first_version(&nodes, trace, &named, first)?)?;

    let graph = rs_nodes(trace)?;
    let legacy: Option<Vec<Legacy>> = graph.iter().map(Legacy::of).collect();
    if let Some(legacy) = legacy {
        let bytes = postcard::to_stdvec(&(&legacy, &trace.wires, &trace.signals))?;
        fs::write(format!("{prefix}.rs3"), bytes)?;
    }
    let compact = serialize_graph(graph, trace.wires.clone(), trace.signals.clone())?;
    fs::write(format!("{prefix}.rs5"), compact)?;
    Ok(())
}

/// The lengths of arrays in arrays.
fn shape(value: &Value) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut value = value;
    while let Value::Array(values) = value {
        lengths.push(values.len());
        value = &values[0];
    }
    lengths
}

fn first_version(
    nodes: &Nodes<U254, VecNodes>,
    trace: &Trace,
    named: &[(String, HashSignalInfo)],
    first: usize,
) -> Outcome<Vec<u8>> {
    let mut bytes = b"wtns.graph.001".to_vec();
    bytes.extend((nodes.len() as u64).to_le_bytes());
    for index in 0..nodes.len() {
        let node = nodes.to_proto(index).map_err(|_| "no such node")?;
        Message { node: Some(node) }.encode_length_delimited(&mut bytes)?;
    }
    let offset = bytes.len() as u64;
    let description = |signal: &HashSignalInfo| SignalDescription {
        offset: signal.signalid as u32 - first as u32 + 1,
        len: signal.signalsize as u32,
    };
    let metadata = GraphMetadata {
        witness_signals: trace.wires.iter().map(|wire| *wire as u32).collect(),
        inputs: named.iter().map(|(name, signal)| (name.clone(), description(signal))).collect(),
        prime: None::<BigUInt>,
        prime_str: String::new(),
        input_signal_info: Vec::new(),
    };
    metadata.encode_length_delimited(&mut bytes)?;
    bytes.extend(offset.to_le_bytes());
    Ok(bytes)
}

fn rs_nodes(trace: &Trace) -> Outcome<Vec<rs::Node>> {
    let node = |node: &Traced| {
        Ok(match node {
            Traced::Input(place) => rs::Node::Input(*place),
            Traced::Constant(bytes) => rs::Node::Constant(U256::from_le_bytes(*bytes)),
            Traced::Operation(name, a, b) => rs::Node::Op(rs_operation(name)?, *a, *b),
        })
    };
    trace.nodes.iter().map(node).collect()
}

/// A node as in circom-witness-rs to version 0.3.
#[derive(Serialize)]
enum Legacy {
    Input(usize),
    Constant(U256),
    #[allow(dead_code)]
    MontConstant(Vec<u8>),
    Op(rs::Operation, usize, usize),
}

impl Legacy {
    /// None for an operation that it did not have yet.
    fn of(node: &rs::Node) -> Option<Self> {
        use rs::Operation;
        Some(match node {
            rs::Node::Input(place) => Self::Input(*place),
            rs::Node::Constant(value) => Self::Constant(*value),
            rs::Node::Op(Operation::SafeDiv, a, b) => Self::Op(Operation::Div, *a, *b),
            rs::Node::Op(operation, a, b) if *operation as u8 <= Operation::IDiv as u8 => {
                Self::Op(*operation, *a, *b)
            }
            _ => return None,
        })
    }
}

fn unary(name: &str) -> Option<UnoOperation> {
    Some(match name {
        "neg" => UnoOperation::Neg,
        "lnot" => UnoOperation::Lnot,
        "bnot" => UnoOperation::Bnot,
        _ => return None,
    })
}

fn binary(name: &str) -> Outcome<Operation> {
    Ok(match name {
        "mul" => Operation::Mul,
        "div" => Operation::Div,
        "add" => Operation::Add,
        "sub" => Operation::Sub,
        "pow" => Operation::Pow,
        "idiv" => Operation::Idiv,
        "mod" => Operation::Mod,
        "eq" => Operation::Eq,
        "neq" => Operation::Neq,
        "lt" => Operation::Lt,
        "gt" => Operation::Gt,
        "leq" => Operation::Leq,
        "geq" => Operation::Geq,
        "land" => Operation::Land,
        "lor" => Operation::Lor,
        "shl" => Operation::Shl,
        "shr" => Operation::Shr,
        "bor" => Operation::Bor,
        "band" => Operation::Band,
        "bxor" => Operation::Bxor,
        _ => return Err(format!("no operation {name}").into()),
    })
}

fn rs_operation(name: &str) -> Outcome<rs::Operation> {
    use rs::Operation;
    Ok(match name {
        "mul" => Operation::Mul,
        "div" => Operation::SafeDiv, // by zero it is zero, as in circom
        "add" => Operation::Add,
        "sub" => Operation::Sub,
        "pow" => Operation::Pow,
        "idiv" => Operation::IDiv,
        "mod" => Operation::Mod,
        "eq" => Operation::Eq,
        "neq" => Operation::Neq,
        "lt" => Operation::Lt,
        "gt" => Operation::Gt,
        "leq" => Operation::Leq,
        "geq" => Operation::Geq,
        "land" => Operation::Land,
        "lor" => Operation::Lor,
        "shl" => Operation::Shl,
        "shr" => Operation::Shr,
        "bor" => Operation::Bor,
        "band" => Operation::Band,
        "bxor" => Operation::Bxor,
        "neg" => Operation::Neg,
        "lnot" => Operation::Lnot,
        "bnot" => Operation::Bnot,
        _ => return Err(format!("no operation {name}").into()),
    })
}

fn run(graph: &str, input: &str, out: &str) -> Outcome<()> {
    let bytes = fs::read(graph)?;
    let text = fs::read_to_string(input)?;
    let witness = if bytes.starts_with(b"wtns.") {
        calc_witness(&text, &bytes)?
    } else {
        let graph = circom_witness_rs::init_graph(&bytes)?;
        let inputs: HashMap<String, Value> = serde_json::from_str(&text)?;
        let mut values = HashMap::new();
        for (name, value) in inputs {
            let mut list = Vec::new();
            flatten(&value, &mut list)?;
            values.insert(name, list);
        }
        wtns_from_u256_witness(circom_witness_rs::calculate_witness(values, &graph, None)?)
    };
    Ok(fs::write(out, witness)?)
}

fn flatten(value: &Value, list: &mut Vec<U256>) -> Outcome<()> {
    match value {
        Value::Array(values) => values.iter().try_for_each(|value| flatten(value, list)),
        Value::String(digits) => Ok(list.push(digits.parse()?)),
        other => Ok(list.push(other.to_string().parse()?)),
    }
}

fn fnv(name: &str) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}
