#![forbid(unsafe_code)]
//! Frumious: frumious.
