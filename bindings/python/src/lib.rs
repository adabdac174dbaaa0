//! The Python module `frumious._native`: tasks of the application library. The package's Python files give them types.
//!
//! | module | holds |
//! |---|---|
//! | `task` | one task on a thread of its own: progress, cancellation, signals, exceptions |
//! | `source` | files, by path or by content |
//! | `proofs` | keys that stay open, proofs, verdicts |
//! | `witnesses` | witnesses, by a process of their own |
//! | `setup` | keys of circuits, verification keys, facts about files |
//! | `shards` | pieces of one proof over several machines |
//! | `ceremony` | contributions to keys and powers of tau |
//! | `algebra` | sums over groups, transforms |
//! | `buffer` | buffers of Python, read in place: the only unsafe code |
//! | `verkle` | commitments and multiproofs |
//!
//! Every task releases Python's lock while it works. No panic leaves one: it becomes an exception.

#[cfg(panic = "abort")]
compile_error!(
    "a panic becomes an error by unwinding: this library needs a profile that unwinds, as `release` does"
);

mod algebra;
mod buffer;
mod ceremony;
mod proofs;
mod setup;
mod shards;
mod source;
mod task;
mod verkle;
mod witnesses;

/// Functions and classes of the module.
#[pyo3::pymodule(name = "_native")]
mod native {
    /// The version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::algebra::{fft, msm};
    #[pymodule_export]
    use crate::ceremony::{contribute, create_powers, prepare_powers, verify_key, verify_powers};
    #[pymodule_export]
    use crate::proofs::{Key, prove_inputs, prove_witness, verify};
    #[pymodule_export]
    use crate::setup::{inspect_file, setup, verification_key};
    #[pymodule_export]
    use crate::shards::{
        assemble, key_layout, partial_sum, prove_alone_for_tests, quotient_vector, scalars_of_h,
    };
    #[pymodule_export]
    use crate::task::{Cancellation, codes};
    #[pymodule_export]
    use crate::verkle::{verkle_commit, verkle_prove, verkle_update, verkle_verify};
    #[pymodule_export]
    use crate::witnesses::{calculate_witness, serve_child};
}
