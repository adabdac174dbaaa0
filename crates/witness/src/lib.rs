#![forbid(unsafe_code)]
//! Runs circom's WebAssembly witness generators: `input.json` in, the values of all wires out.
//!
//! ```no_run
//! # mod frumious { pub use ::frumious_witness as witness; }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let calculator = frumious::witness::WitnessCalculator::from_wasm(&std::fs::read("circuit.wasm")?)?;
//! let inputs = frumious::witness::parse_inputs(&std::fs::read_to_string("input.json")?)?;
//! let witness = calculator.calculate(&inputs)?;
//! witness.write(std::fs::File::create("circuit.wtns")?)?;
//! # Ok(())
//! # }
//! ```
//!
//! The module is a program by somebody else. It runs in an interpreter, wasmi, with no import but the four that
//! circom's modules have, under the [`Limits`] of memory and time. Nothing it answers is believed without a check.
//!
//! | way | for | rollup of 17, 499,510 wires (Zen 4, one thread) |
//! |---|---|---|
//! | [a tape is replayed](Tapes) | inputs that lead to the decisions of a run that was recorded | 0.05 s |
//! | the module runs, with our field arithmetic | circom's own routines, known by a digest | 2.4 s |
//! | the same, recorded | the first run | 3.4 s |
//! | the module runs as it is | all others | 9 s |
//!
//! All give the same values and the same errors.
//!
//! Reading a module is outside of these limits. [`isolated`] calculates in a process of its own. Its time and memory
//! are bounded from the first byte on. It takes the inputs with it when it ends. `frumious_wasm` tells the contents of
//! a module and runs nothing.
//!
//! Other generators: a [`Graph`] of another calculator becomes a tape, and a [`Program`] is circom's C++ in a sandbox.
//!
//! Organisation: [`CompiledModule`] reads and checks a module. `routines` knows circom's field routines, `rewrite`
//! replaces them, `native` computes in their place, `recorder` records. [`WitnessCalculator`] is the order of the
//! calls.
//! `instance` is the interface of the module, one method for each export. `host` is our side of it (messages, limits);
//! `deadline` is the clock; `input` turns JSON into signals, and `input::integer` text into field elements.
//!
//! The interface is that of circom 2.0.0 to 2.2.3 (`getVersion` = 2). circom 1's differs in everything and is refused.
//!
//! Time depends on the inputs: the module runs other people's code on them. Our copies of the values are wiped when
//! they are no longer needed. The module's memory is not wiped but returned to the operating system, which clears it
//! before anyone else gets it. The caller's JSON is the caller's to wipe; parsed numbers cannot be, which is one more
//! reason for a process of its own.

mod calculator;
mod children;
mod compiled;
mod deadline;
mod error;
mod graph;
mod host;
mod input;
mod instance;
pub mod isolated;
mod native;
mod program;
mod recorder;
mod rewrite;
mod routines;
mod short;
mod signal_hash;
mod tapes;
#[cfg(test)]
mod tests;
mod variant;

pub use calculator::{Arithmetic, Recorded, WitnessCalculator};
pub use compiled::CompiledModule;
pub use error::{Error, InputProblem, Limit, Place};
pub use graph::{BadGraph, Graph};
pub use host::{Limits, LogSink};
pub use input::{InputTable, Inputs, MissingInput, name_hash, parse_inputs, signal_names};
pub use program::{Program, become_program};
pub use tapes::{RecordedRun, Tapes};
