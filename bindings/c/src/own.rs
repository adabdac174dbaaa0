//! `include/frumious.h`: our own functions.
//!
//! | module | holds |
//! |---|---|
//! | `keys` | keys that stay open |
//! | `tasks` | progress and cancellation |
//! | `proofs` | proofs of witnesses and of inputs, witnesses |
//! | `algebra` | sums over groups, transforms |
//! | `trees` | commitments and multiproofs over Banderwagon |

mod algebra;
mod keys;
mod proofs;
mod tasks;
mod trees;

use std::ffi::c_int;

use frumious_app::failure::{Code, Failure};

use crate::buffers::Refusal;

/// Done, or valid.
const OK: c_int = 0;
/// A buffer is too short; its size is now the one that is needed.
const SHORT_BUFFER: c_int = 100;
/// An argument that is null, of another length than it should be, or no open handle.
const ARGUMENT: c_int = 101;
/// A fault of this library.
const INTERNAL: c_int = 102;

/// The code of a failure: its place in [`Code::ALL`], from 1 on.
fn code(failure: &Failure) -> c_int {
    let place = Code::ALL.iter().position(|code| *code == failure.code());
    place.map_or(INTERNAL, |place| place as c_int + 1)
}

fn failed(failure: Failure) -> Refusal {
    Refusal {
        code: code(&failure),
        words: failure.message(),
    }
}

fn argument(words: impl Into<String>) -> Refusal {
    Refusal {
        code: ARGUMENT,
        words: words.into(),
    }
}
