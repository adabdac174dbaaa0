//! The calculator on small modules written here in WebAssembly text: one that behaves, and its hostile relatives.
//!
//! Modules that circom itself compiled are run by `interop/`, which has the compiler.

use std::time::Duration;

mod behaviour;
mod choices;
mod circom;
mod edited;
mod generator;
mod graphs;
mod hostile;
mod input;
mod logs;
mod short;

/// The inputs that this JSON is.
fn given(json: &serde_json::Value) -> crate::Inputs {
    crate::parse_inputs(&json.to_string()).expect("it is JSON")
}

/// The time that this thread has worked: what others do beside it does not count.
#[cfg(unix)]
fn worked() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time of day.
#[cfg(not(unix))]
fn worked() -> Duration {
    let day = std::time::UNIX_EPOCH.elapsed();
    day.expect("after 1970")
}
