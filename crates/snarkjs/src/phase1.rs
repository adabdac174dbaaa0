//! Powers of tau: the phase of a ceremony that all circuits share, in ptau files, with the hashes of snarkjs.
//!
//! | chapter | holds |
//! |---|---|
//! | `resumable` | the hash whose state files keep |
//! | `transcript` | hashes of challenges and responses, and the points of G2 that a contributor multiplies |
//! | `write` | sections of points, written, hashed and read back a window at a time |
//! | `create` | powers without a contribution |
//! | `contribute` | powers with one contribution more: a person's, or a beacon's |
//! | `verdict` | what is found of powers, and the faults by their names |
//! | `verify` | the chain of contributions, the powers that it led to, and the Lagrange bases made of them |
//! | `prepare` | Lagrange bases for the circuits' own phase |
//! | `reduce` | fewer powers of more |
//! | `exchange` | challenges for contributors who have other programs, and their responses |
//! | `answer` | the response to a challenge |

mod answer;
mod at_once;
mod contribute;
mod create;
mod exchange;
mod prepare;
mod reduce;
mod resumable;
mod transcript;
mod verdict;
mod verify;
mod write;

pub use crate::random::{BEACON_EXPONENTS, BEACON_HASH_BYTES, Beacon};
pub use answer::{Answered, answer_challenge};
pub use contribute::{Contributed, contribute, contribute_beacon};
pub use create::{POWERS, create};
pub use exchange::{Imported, export_challenge, import_response};
pub use prepare::{prepare, prepare_bytes};
pub use reduce::reduce;
pub use transcript::first_challenge;
pub(crate) use transcript::response_hash_of;
pub use verdict::{Fault, Verdict, Verified};
pub use verify::{
    VerifiedPowers, check_bases_power, verify_bases, verify_bases_bytes, verify_chain,
    verify_powers,
};
pub use write::PowersOutput;
