//! The `frumious` command as its users see it: files, exit codes, stdout and stderr.
//!
//! Files by circom and snarkjs are those of `crates/snarkjs/tests/data`: a multiplier, `c <== a*b`. Its witness
//! generator is written by hand (`tests/data/multiplier.wat`), as circom's own modules may not be kept here; `interop/`
//! runs those.

mod bench;
mod bls12_381;
mod commands;
mod convert;
mod doctor;
mod exit_codes;
#[cfg(target_os = "linux")]
mod interrupted;
mod json;
mod malformed;
mod outputs;
mod support;
mod tapes;
mod verkle;
