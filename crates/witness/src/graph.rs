//! Graphs of other witness calculators: a circuit as operations on its inputs, each on earlier ones.
//!
//! | begins with | written by | read by |
//! |---|---|---|
//! | `wtns.graph.001`, `wtns.graph.002` | circom-witnesscalc | `witnesscalc`, `signals` |
//! | `CWGR`, 4, `PZ`, 0 | circom-witness-rs 0.4 and 0.5 | `compact` |
//! | nothing of its own | circom-witness-rs to 0.3 | `nodes` |
//!
//! A graph becomes a [tape](frumious_tape) when it is run, so it has lanes, a cache and the checks of one. Operations
//! are circom's, as everywhere here. A graph has no assertions: for inputs that do not satisfy the circuit it gives
//! values that do not satisfy the constraints.
//!
//! Source: the layouts are facts from the published crates `circom-witnesscalc` 0.3.0 and `circom-witness-rs` 0.5.1.

mod builder;
mod bytes;
mod compact;
mod nodes;
mod record;
mod signals;
mod witnesscalc;

use frumious_curves::PairingCurve;

pub use builder::Graph;
pub use bytes::BadGraph;

impl Graph {
    /// True if the bytes begin as a graph does. Those of circom-witness-rs to 0.3 begin as anything may.
    pub fn is_marked(bytes: &[u8]) -> bool {
        bytes.starts_with(b"wtns.graph.") || bytes.starts_with(compact::MAGIC)
    }

    /// The graph in untrusted bytes. Time and memory are in proportion to their number. A compressed one takes at most
    /// `most_bytes` decompressed, and could be run in as much memory. It is stopped when its work is cancelled.
    ///
    /// # Errors
    /// [`BadGraph`] for bytes of another format, or over a prime of neither BN254 nor BLS12-381. For a graph that is
    /// cut short, has references forward, or more than 2^28 nodes. For one that calls functions. For a compressed one
    /// that takes more than `most_bytes`.
    pub fn from_bytes(bytes: &[u8], most_bytes: u64) -> Result<Self, BadGraph> {
        if bytes.starts_with(b"wtns.") {
            witnesscalc::read(bytes)
        } else if bytes.starts_with(compact::MAGIC) {
            compact::read(bytes, most_bytes)
        } else {
            nodes::read(bytes)
        }
    }

    /// The curve whose scalar field the circuit is over.
    pub fn curve(&self) -> PairingCurve {
        self.curve
    }

    /// Number of values of an input signal; none if there is no signal of this name.
    pub fn input_size(&self, name: &str) -> Option<u32> {
        self.inputs.named(name).map(|(_, count)| count)
    }

    /// Number of values of all input signals.
    pub fn n_inputs(&self) -> u64 {
        self.inputs.total
    }

    /// Number of wires, the constant one included.
    pub fn witness_size(&self) -> usize {
        self.wires.len()
    }

    /// Number of operations, inputs and constants.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}
