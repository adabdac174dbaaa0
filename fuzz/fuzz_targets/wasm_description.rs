#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| frumious_fuzz::wasm_description(bytes));
