//! Modules whose log has no end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use serde_json::json;

use super::generator::Generator;
use crate::tests::given;
use crate::{Error, Limit, Limits, WitnessCalculator};

/// Lines are kept until the run is over: long ones, and empty ones.
#[test]
fn lines_count_as_memory() {
    let long = "(call $say (i32.const 1024)) (call $write_buffer)";
    for part in [long, ""] {
        let init = format!(
            "(param i32) (memory.fill (i32.const 1024) (i32.const 120) (i32.const 4000))
             (loop $again {part} (call $say (i32.const 608)) (call $write_buffer) (br $again))"
        );
        let generator = Generator::new().with("init", &init);
        let calculator = WitnessCalculator::with_limits(&generator.wasm(), LIMITS);
        let told = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&told);
        let inputs = given(&json!({"a": 1, "b": [2, 3]}));
        let stopped =
            calculator
                .expect("the module loads")
                .calculate_with_log(&inputs, move |line| {
                    counter.fetch_add(EMPTY_LINE + line.len(), Relaxed);
                });
        let bytes = LIMITS.memory_bytes;
        assert!(
            matches!(stopped, Err(Error::Stopped(Limit::Memory { bytes: most })) if most == bytes),
            "{part}: {:?}",
            stopped.map(drop)
        );
        let told = told.load(Relaxed) as u64;
        assert!((bytes / 4..=bytes).contains(&told), "{part}: {told} bytes");
    }
}

/// More than an empty string takes, less than what is counted for it.
const EMPTY_LINE: usize = 32;

const LIMITS: Limits = Limits {
    memory_bytes: 1 << 20,
    time: Duration::from_secs(60),
};
