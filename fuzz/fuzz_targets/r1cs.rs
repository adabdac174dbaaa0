#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| frumious_fuzz::properties::r1cs(bytes));
