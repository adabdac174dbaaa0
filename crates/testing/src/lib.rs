#![forbid(unsafe_code)]
//! Test suites, edge values and readers of shared test data, for the other crates' tests; never published.

pub mod arkworks_suite;
pub mod field_suite;
pub mod group_suite;
pub mod hex;
pub mod mutate;
pub mod pairing_suite;
mod shared;
pub mod small_field;
pub mod symbols;
pub mod tower_suite;

pub use num_bigint;
pub use shared::shared;
