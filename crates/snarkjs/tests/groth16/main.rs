//! The protocol as a whole: keys, proofs and verdicts, against a naive twin and against snarkjs.
#![allow(clippy::unwrap_used)]

mod bellman;
mod bls12_381;
mod circuits;
mod naive;
mod provers;
mod setups;
mod snarkjs;
mod verifiers;
