//! Graphs of others: those that are written here, those of their own programs, and hostile ones.
//!
//! `interop/` sets graphs of many circuits beside circom's own runtime.

mod hostile;
mod looks;
mod operations;
mod vectors;
mod writer;
