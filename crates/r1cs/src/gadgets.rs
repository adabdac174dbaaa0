//! Parts of circuits: functions that take a [`Component`](crate::Component) and combinations of its signals, and become
//! part of it.
//!
//! | module | what |
//! |---|---|
//! | [`baby_jubjub`] | the curve of signatures in circuits: points, multiples |
//! | [`bits`] | booleans, binary representations, ranges, comparisons, choices |
//! | [`eddsa`] | EdDSA signatures over BabyJubJub with Poseidon, as circomlib has them |
//! | [`merkle`] | membership in Merkle trees, updates of them |
//! | [`mimc`] | MiMC with seventh powers and in Feistel's form, as circomlib has them |
//! | [`poseidon`] | the hash function Poseidon, as circomlib has it |
//! | [`sha256`] | SHA-256 |

pub mod baby_jubjub;
pub mod bits;
mod compare;
pub mod eddsa;
pub mod merkle;
pub mod mimc;
pub mod poseidon;
pub mod sha256;
