//! `frumious serve` as its clients and its operators see it: requests over sockets, files, signals, kill -9.
//!
//! Circuits are the multiplier of `crates/snarkjs/tests/data`, `c <== a*b`, and chains of squarings under development
//! keys. Their length makes a proof take as long as a test needs.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

mod away;
mod cancelled;
mod capacity;
mod clients;
mod crashes;
mod deploy;
mod document;
mod early;
mod files;
mod fleet;
mod fronts;
mod http;
mod interface;
mod many;
mod promises;
mod secrets;
mod support;
mod tls;
mod tokens;
mod unfriendly;
mod witnesses;
