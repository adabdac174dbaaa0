#![forbid(unsafe_code)]
//! Frumious: curves.
