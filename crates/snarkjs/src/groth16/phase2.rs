//! The circuit's own phase of a ceremony, in zkeys, with the hashes of snarkjs.
//!
//! | chapter | holds |
//! |---|---|
//! | `random` | the generator of ffjavascript, and elements and points drawn from it |
//! | `transcript` | hashes over contributions, and the point of G2 that a contributor multiplies |
//! | `contribute` | a key with one contribution more: a person's, or a beacon's |
//! | `verify` | the whole chain of contributions, and the key that it led to |

mod contribute;
mod random;
mod transcript;
mod verify;

pub use contribute::{Beacon, Contributed, contribute, contribute_beacon};
pub use random::{BEACON_EXPONENTS, BEACON_HASH_BYTES};
pub use transcript::hash_lines;
pub use verify::{Fault, Verdict, Verified, verify_chain, verify_initial, verify_key};
