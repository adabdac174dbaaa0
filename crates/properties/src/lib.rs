#![forbid(unsafe_code)]
//! Properties that hold for any bytes that a parser is given.
//!
//! A parser returns. When it returns a value, using the value does not panic either, and what is written from it is
//! read back the same. The mutation tests of this crate and the targets in `fuzz/` call these functions.

#![allow(clippy::unwrap_used)] // a failed unwrap is the property's failure
#![allow(clippy::missing_panics_doc)] // so is every panic

pub mod bls;
pub mod certificates;
pub mod precompiles;
pub mod signatures;
pub mod snarkjs;
pub mod tables;
pub mod verkle;
pub mod verkle_json;
pub mod wasm;
pub mod witness;
