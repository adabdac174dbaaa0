#![forbid(unsafe_code)]
//! The properties that the fuzz targets check: those of the mutation tests of the crates.

/// Of `crates/circom/tests/mutations.rs`.
#[path = "../../crates/circom/tests/support/properties.rs"]
pub mod properties;

/// Of `crates/verkle/tests/mutations.rs`.
#[path = "../../crates/verkle/tests/support/properties.rs"]
pub mod verkle;

/// Of `crates/bls/tests/mutations.rs`.
#[path = "../../crates/bls/tests/support/properties.rs"]
pub mod bls;

/// Of `crates/signatures/tests/mutations.rs`.
#[path = "../../crates/signatures/tests/support/properties.rs"]
pub mod signatures;

/// Of `crates/precompiles/tests/mutations.rs`.
#[path = "../../crates/precompiles/tests/support/properties.rs"]
pub mod precompiles;

/// Of `crates/msm/tests/table_file.rs`.
#[path = "../../crates/msm/tests/support/table_file.rs"]
pub mod table_file;

/// Of the unit tests in `crates/cli/src/verkle`: the readers of a program cannot be linked, so they are compiled here again.
#[path = "../../crates/cli/src/verkle"]
pub mod cli {
    mod formats;
    mod json;
    pub mod properties;
}

/// The reader of WebAssembly's sections, compiled here again: its crate has a compiler with it.
#[allow(dead_code)] // what else of it there is
#[path = "../../crates/witness/src/description.rs"]
mod description;
#[allow(dead_code)]
#[path = "../../crates/witness/src/error.rs"]
mod error;

/// Any bytes as a module to describe; whatever is told is the same the next time.
pub fn wasm_description(bytes: &[u8]) {
    if let Ok(described) = description::describe(bytes) {
        assert_eq!(description::describe(bytes).ok(), Some(described));
    }
}
