//! The kinds of witness generators, told apart by how their files begin.

use std::path::Path;

use frumious_circom::generic::Wtns;
use frumious_curves::PairingEngine;
use frumious_witness::isolated::Refusal;
use frumious_witness::{Error, Graph, Limits, Program, RecordedRun, parse_inputs};

/// A witness generator, as far as its file tells.
pub enum Source {
    /// A module of WebAssembly, or what is nothing else: only its process reads it.
    Module,
    /// A graph of another calculator.
    Graph(Graph),
    /// circom's C++, compiled.
    Program(Program),
}

impl Source {
    /// The generator in the file at `path`, which holds `bytes`. Nothing of it runs.
    ///
    /// # Errors
    /// A [`Refusal`] for a graph or a program that cannot be run.
    pub fn of(path: &Path, bytes: &[u8], limits: Limits) -> Result<Self, Refusal> {
        if bytes.starts_with(b"\0asm") {
            return Ok(Self::Module);
        }
        if Program::is_one(bytes) {
            return Program::open(path, bytes).map(Self::Program);
        }
        match Graph::from_bytes(bytes, limits.memory_bytes) {
            Ok(graph) => Ok(Self::Graph(graph)),
            Err(bad) if Graph::is_marked(bytes) => Err(Error::from(bad).into()),
            Err(_) => Ok(Self::Module),
        }
    }
}

/// The witness of a graph for the text of the inputs, and the run.
pub(crate) fn record<E: PairingEngine>(
    graph: &Graph,
    inputs: &[u8],
    limits: Limits,
) -> Result<(Wtns<E>, RecordedRun<E::Fr>), Refusal> {
    let text = str::from_utf8(inputs).map_err(|error| Error::Syntax {
        reason: format!("not UTF-8 (byte {})", error.valid_up_to()),
    })?;
    check_number(inputs, graph.n_inputs())?;
    Ok(graph.record_over(&parse_inputs(text)?, limits)?)
}

/// Refuses a JSON text of far more values than a circuit with `expected` of them takes, before it is parsed. In memory
/// each has some 80 bytes, for two of the text. Each but the first follows a comma or a bracket. Lists count too.
///
/// # Errors
/// [`Error::Syntax`] for more than four values for each input and 1000.
pub(crate) fn check_number(text: &[u8], expected: u64) -> Result<(), Error> {
    let opens = |byte: &&u8| matches!(byte, b',' | b'[' | b'{');
    let values = text.iter().filter(opens).count() as u64;
    if values <= expected.saturating_mul(4).saturating_add(MORE_VALUES) {
        return Ok(());
    }
    let reason = "it has many more values than the circuit has inputs".into();
    Err(Error::Syntax { reason })
}

/// Values beyond four for each input of the circuit: lists of lists, and names that are not the circuit's.
const MORE_VALUES: u64 = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_before_they_are_read() {
        let list = |n: usize| format!("{{\"a\": [{}0]}}", "0,".repeat(n));
        for (text, expected, may_be) in [
            (list(10), 11, true),
            (list(1000), 300, true),
            (list(10_000), 11, false),
            (list(10_000), 2500, true),
            ("[".repeat(3000), 10, false),
            ("{\"a\":".repeat(3000), 10, false),
            (list(2_000_000), u64::MAX, true),
        ] {
            let checked = check_number(text.as_bytes(), expected);
            assert_eq!(checked.is_ok(), may_be, "{expected}");
        }
    }
}
