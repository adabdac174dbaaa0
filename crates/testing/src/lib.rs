#![forbid(unsafe_code)]
//! Test suites, edge values and readers of shared test data, for the other crates' tests; never published.

pub mod field_suite;
pub mod hex;
pub mod mutate;
mod shared;
pub mod small_field;

pub use num_bigint;
pub use shared::shared;
