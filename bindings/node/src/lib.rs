//! The Node addon: tasks of the application library as promises. `index.js` gives them snarkjs's signatures.
//!
//! | module | holds |
//! |---|---|
//! | `task` | one task on a thread of its own: progress, cancellation, errors as JSON |
//! | `source` | files, by path or by content |
//! | `proofs` | keys that stay open, proofs, verdicts |
//! | `witnesses` | witnesses, by a process of their own |
//! | `exports` | verification keys, contracts, calldata, keys as JSON |
//! | `ceremonies` | the circuit's phase of a ceremony: new keys, contributions, verification |
//!
//! No function blocks JavaScript's thread, and no panic leaves one: it becomes an error.

#![allow(unsafe_code)] // the macros of napi write the foreign interface; none is written here

#[cfg(panic = "abort")]
compile_error!(
    "a panic becomes an error by unwinding: this library needs a profile that unwinds, as `release` does"
);

// Public, as in builds for tests nothing else uses what the macros register.
pub mod ceremonies;
pub mod exports;
pub mod proofs;
pub mod source;
pub mod task;
pub mod witnesses;
