#![forbid(unsafe_code)]
//! Frumious: limbs.
