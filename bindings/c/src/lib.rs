//! The C library: rapidsnark's functions for Groth16, over the application library.
//!
//! | module | holds |
//! |---|---|
//! | `prover` | the functions of `include/prover.h` |
//! | `verifier` | the function of `include/verifier.h` |
//! | `buffers` | pointers of the caller: what is read from them and written to them |
//!
//! A pointer is checked for null where it comes in, and becomes a slice once. No panic leaves a function: it becomes an
//! error. All `unsafe` code is in these four files, and each block says what the caller promises.

mod buffers;
mod prover;
mod verifier;
