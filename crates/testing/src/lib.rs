#![forbid(unsafe_code)]
//! Frumious: testing.
