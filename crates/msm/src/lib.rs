#![forbid(unsafe_code)]
//! Frumious: msm.
