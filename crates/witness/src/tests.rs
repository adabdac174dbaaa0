//! The calculator on small modules written here in WebAssembly text: one that behaves, and its hostile relatives.
//!
//! Modules that circom itself compiled are run by `interop/`, which has the compiler.

mod behaviour;
mod choices;
mod circom;
mod edited;
mod generator;
mod graphs;
mod hostile;
mod input;
mod short;
