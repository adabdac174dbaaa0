//! Timing of a row: the same rule as `peers/go/measure.go`.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::row::Row;

/// Long against the clocks' resolution, short against the time between interruptions.
const SHORTEST_SAMPLE: Duration = Duration::from_millis(2);

/// Nanoseconds an operation, by wall clock and by CPU time of the whole process. The figure is the smallest of as many
/// samples as fit in `budget`, at least one. The first sample also warms caches and branch predictors, so it counts
/// only if there is no time for another.
pub fn measure(row: &mut Row, budget: Duration) -> (f64, f64) {
    let began = Instant::now();
    let mut repeats = 1;
    let mut sample = take(row, repeats);
    while sample.0 < SHORTEST_SAMPLE && began.elapsed() < budget {
        let scale = SHORTEST_SAMPLE.as_nanos() / sample.0.as_nanos().max(1);
        repeats *= 2.max(usize::try_from(scale).unwrap_or(usize::MAX));
        sample = take(row, repeats);
    }
    let per = |time: Duration| time.as_nanos() as f64 / (repeats * row.count) as f64;
    let mut best = (per(sample.0), per(sample.1));
    let mut warm = false;
    while began.elapsed() < budget {
        let (wall, cpu) = take(row, repeats);
        let this = (
            (wall.as_nanos() as f64) / (repeats * row.count) as f64,
            (cpu.as_nanos() as f64) / (repeats * row.count) as f64,
        );
        best = if warm {
            (best.0.min(this.0), best.1.min(this.1))
        } else {
            this
        };
        warm = true;
    }
    best
}

/// Wall-clock and CPU time of so many runs.
fn take(row: &mut Row, repeats: usize) -> (Duration, Duration) {
    let (cpu, wall) = (cpu_time(), Instant::now());
    for _ in 0..repeats {
        (row.op)();
    }
    (wall.elapsed(), cpu_time() - cpu)
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
