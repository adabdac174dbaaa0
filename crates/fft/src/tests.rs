//! Tests of the whole crate: against the definition, against the textbook algorithm, against arkworks.

mod differential;
mod edges;
mod exhaustive;
pub(crate) mod small_field;
mod threads;
