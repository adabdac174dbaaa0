//! The machine that a server runs on, and the processes that it starts there.

use std::process::Command;

use frumious_app::failure::Failure;

/// The command for a process that computes a witness.
pub type Child = fn() -> Result<Command, Failure>;

/// The machine, for people.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Threads that prove.
    pub threads: usize,
    /// Private memory of all proofs that run, in bytes.
    pub memory: u64,
    /// Name of the CPU.
    pub cpu: String,
    /// Name of the backend.
    pub backend: String,
}
