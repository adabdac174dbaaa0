//! The `frumious` command as its users see it: files, exit codes, stdout and stderr.
//!
//! Files by circom and snarkjs are those of `crates/snarkjs/tests/data`: a multiplier, `c <== a*b`. Its witness
//! generator is written by hand (`tests/data/multiplier.wat`), as circom's own modules may not be kept here; `interop/`
//! runs those.

mod batches;
mod bench;
mod bls12_381;
mod ceremony;
mod commands;
mod convert;
mod doctor;
mod exit_codes;
#[cfg(unix)]
mod fleet;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod hardened;
mod help;
#[cfg(target_os = "linux")]
mod interrupted;
mod json;
mod key_json;
#[cfg(target_os = "linux")]
mod killed;
mod kinds;
mod limits;
mod malformed;
mod mistakes;
mod outputs;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod programs;
#[cfg(target_os = "linux")]
mod progress;
mod rapidsnark;
mod signals;
mod snarkjs;
mod support;
mod tapes;
#[cfg(target_os = "linux")]
mod threads;
mod tune;
mod verkle;
