#![forbid(unsafe_code)]
//! Frumious: groth16.
