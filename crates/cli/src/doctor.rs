//! `frumious doctor`: what this machine has, what is used of it, and whether it is as fast as it should be.
//!
//! [`machine`] asks the system. [`works`] are computed on every backend that the CPU can run, [`selftest`] times them
//! in turn and compares results. [`cpu`] and [`expected`] are what CPUs of this kind showed, [`advice`] what to do if
//! this one is slower; [`report`] tells it all.

mod advice;
pub mod cpu;
mod estimate;
mod expected;
mod machine;
mod report;
mod selftest;
mod works;

use std::time::Duration;

use frumious_limbs::backend;

use crate::arguments::Doctor;
use crate::output::Output;
use crate::progress::Progress;
use frumious_app::failure::Failure;
use frumious_app::limits;
pub use machine::Machine;
use report::Report;

/// Looks, measures, and tells. A result that depends on the backend is a failure; slowness is not.
pub fn doctor(arguments: &Doctor, output: &Output) -> Result<(), Failure> {
    limits::require(MEMORY)?;
    let machine = Machine::look();
    let active = backend::active();
    let progress = Progress::new(output, works::COUNT + 1);
    // One thread: what is compared is the arithmetic, and the pool's other threads would share caches and clock.
    let measured = frumious_parallel::with_threads(1, || {
        selftest::run(Duration::from_secs(arguments.seconds.into()), &progress)
    });
    let measured = measured
        .map_err(|error| Failure::bad_input(format!("cannot start a thread: {error}")))??;
    backend::set(active).map_err(|error| Failure::bad_input(error.to_string()))?;
    progress.finish();
    let differing = measured.differences();
    if !differing.is_empty() {
        return Err(Failure::rejected(format!(
            "results differ between backends, of {}: neither is to be trusted on this machine",
            differing.join(" and of ")
        )));
    }
    let speed = estimate::Speed::measure()?;
    let report = Report {
        machine,
        active,
        measured,
        speed,
    };
    output.answer(&report.for_people(), report.for_programs())
}

/// Tables for commitments most of all.
const MEMORY: u64 = 64 << 20;
