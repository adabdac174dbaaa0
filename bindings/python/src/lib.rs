#![forbid(unsafe_code)]
//! The Python module `frumious._native`: tasks of the application library. The package's Python files give them types.
//!
//! | module | holds |
//! |---|---|
//! | `task` | one task on a thread of its own: progress, cancellation, signals, exceptions |
//! | `source` | files, by path or by content |
//! | `proofs` | keys that stay open, proofs, verdicts |
//! | `witnesses` | witnesses, by a process of their own |
//!
//! Every task releases Python's lock while it works. No panic leaves one: it becomes an exception.

mod proofs;
mod source;
mod task;
mod witnesses;

/// Functions and classes of the module.
#[pyo3::pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::proofs::{Key, prove_inputs, prove_witness, verify};
    #[pymodule_export]
    use crate::task::{Cancellation, codes};
    #[pymodule_export]
    use crate::witnesses::{calculate_witness, serve_child};
}
