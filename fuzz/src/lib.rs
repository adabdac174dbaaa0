#![forbid(unsafe_code)]
//! The properties that the fuzz targets check: those of the mutation test in `crates/circom/tests/mutations.rs`.

#[path = "../../crates/circom/tests/support/properties.rs"]
pub mod properties;
