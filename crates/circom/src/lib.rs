#![forbid(unsafe_code)]
//! Frumious: circom.
