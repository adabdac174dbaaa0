//! Bytes of WebAssembly modules.

/// Any bytes as a module to describe; it is described the same the next time.
pub fn description(bytes: &[u8]) {
    if let Ok(described) = frumious_wasm::describe(bytes) {
        assert_eq!(frumious_wasm::describe(bytes), Ok(described));
    }
}
