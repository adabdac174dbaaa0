//! The C library over the application library: rapidsnark's functions for Groth16, and our own.
//!
//! | module | holds |
//! |---|---|
//! | `prover` | the functions of `include/prover.h` |
//! | `verifier` | the function of `include/verifier.h` |
//! | `own` | the functions of `include/frumious.h` |
//! | `handles` | numbers for what a caller has open |
//! | `buffers` | pointers of the caller: what is read from them and written to them |
//! | `texts` | the room for a proof and its public signals |
//!
//! A pointer is checked for null where it comes in, and becomes a slice once. No panic leaves a function: it becomes an
//! error. Each `unsafe` block says what the caller promises.

#![allow(clippy::too_many_arguments)] // C has no other way

#[cfg(panic = "abort")]
compile_error!(
    "a panic becomes an error by unwinding: this library needs a profile that unwinds, as `release` does"
);

mod buffers;
mod handles;
mod own;
mod prover;
mod texts;
mod verifier;
