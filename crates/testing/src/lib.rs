#![forbid(unsafe_code)]
//! Test suites, edge values and readers of shared test data, for the other crates' tests; never published.

mod shared;

pub use shared::shared;
