#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| frumious_properties::certificates::certificates(bytes));
