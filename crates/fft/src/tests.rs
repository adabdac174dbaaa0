//! Tests of the whole crate: against the definition, against the textbook algorithm, against arkworks.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

mod backends;
mod differential;
mod edges;
mod exhaustive;
mod lanes;
pub(crate) use frumious_testing::small_field;
mod threads;
