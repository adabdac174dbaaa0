//! The circuit's own phase of a ceremony, in zkeys, with the hashes of snarkjs.
//!
//! | chapter | holds |
//! |---|---|
//! | `transcript` | hashes over contributions, and the point of G2 that a contributor multiplies |
//! | `contribute` | a key with one contribution more: a person's, or a beacon's |
//! | `verify` | the whole chain of contributions, and the key that it led to |

mod contribute;
mod transcript;
mod verify;

pub use crate::random::{BEACON_EXPONENTS, BEACON_HASH_BYTES, Beacon};
pub use contribute::{Contributed, contribute, contribute_beacon};
pub(in crate::groth16) use contribute::{next, recorded, section, write_error};
pub(in crate::groth16) use transcript::contribution_hash;
pub use transcript::hash_lines;
pub(in crate::groth16) use verify::verify_further;
pub use verify::{Fault, Verdict, Verified, verify_chain, verify_initial, verify_key};
