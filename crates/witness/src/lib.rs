#![forbid(unsafe_code)]
//! Frumious: witness.
