//! Verkle's inputs and outputs as JSON.

pub mod formats;
mod json;
pub mod properties;
#[cfg(test)]
mod tests;

pub use json::Error as JsonError;
pub use json::{Problem, hexadecimal, to_hexadecimal};
