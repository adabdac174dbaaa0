//! Many cores: the time that work would take on more of them than this machine has.
//!
//! Work is recorded on one thread, cut as for so many ([`record`]), and its tasks are scheduled on as many workers
//! ([`schedule`]). The order is that of the thread pool. A worker takes the upper half of what another has begun, and
//! one that waits takes other work. Memory gives so many bytes a second to all workers together.
//!
//! Shared caches and clocks, and slower memory of another socket, are not in the model.

mod schedule;

pub use schedule::{Loss, Machine, Schedule, schedule};

use frumious_groth16::Phase;
use frumious_parallel::trace::{Step, Task, Trace, Work};
use serde_json::{Value, json};
use std::time::Duration;

use crate::quantities::seconds;

/// Runs `work` on the calling thread's pool, cut as for `width` threads; its result and its tasks.
pub fn record<T>(width: usize, work: impl FnOnce() -> T) -> (T, Vec<Task>) {
    let trace = Trace::new(width, thread_time);
    let result = trace.record(work);
    (result, trace.take())
}

/// The time of all tasks together.
pub fn work(tasks: &[Task]) -> Duration {
    let durations = stretches(tasks).map(|work| work.duration);
    durations.fold(Duration::ZERO, Duration::saturating_add)
}

/// Bytes that all tasks move.
pub fn bytes_moved(tasks: &[Task]) -> u64 {
    stretches(tasks).fold(0, |sum: u64, work| sum.saturating_add(work.bytes))
}

/// Makes all times and bytes those of a circuit that is so many times as large. Blinding and verification do not
/// grow. Less than zero counts as zero; what is more than a [`Duration`] or a `u64` holds becomes the most.
pub fn enlarge(tasks: &mut [Task], times: f64) {
    let times = times.max(0.0); // nor is it "not a number" then
    let fixed = [Phase::Blinding, Phase::Verify].map(Phase::name);
    for step in tasks.iter_mut().flat_map(|task| &mut task.steps) {
        if let Step::Work(work) = step
            && !fixed.contains(&work.phase)
        {
            work.duration = span(work.duration.as_secs_f64() * times);
            work.bytes = (work.bytes as f64 * times) as u64;
        }
    }
}

/// Seconds as a [`Duration`]; the longest one if it does not hold them.
pub fn span(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

fn stretches(tasks: &[Task]) -> impl Iterator<Item = &Work> {
    let steps = tasks.iter().flat_map(|task| &task.steps);
    steps.filter_map(|step| match step {
        Step::Work(work) => Some(work),
        Step::Fork(_) => None,
    })
}

/// A task as a line of a file for other programs.
pub fn task_to_json(width: usize, number: usize, task: &Task) -> Value {
    let steps = task.steps.iter().map(|step| match step {
        Step::Work(work) => json!({
            "phase": work.phase,
            "kind": work.kind,
            "start": seconds(work.start),
            "seconds": seconds(work.duration),
            "units": work.units,
            "bytes": work.bytes,
        }),
        Step::Fork(fork) => json!({
            "tasks": [fork.first, fork.first + fork.count],
            "order": format!("{:?}", fork.order).to_lowercase(),
        }),
    });
    json!({
        "workers": width,
        "task": number,
        "steps": steps.collect::<Value>(),
    })
}

/// The time that this thread has worked.
#[cfg(unix)]
fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Some time that passes.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_parallel::{join, trace};

    /// Real work under the thread's clock: it is all there, and what does not grow does not.
    #[test]
    fn work_is_recorded_and_enlarged() {
        let spin = |milliseconds| {
            let until = thread_time() + Duration::from_millis(milliseconds);
            while thread_time() < until {}
        };
        let ((), mut tasks) = record(7, || {
            trace::phase(Phase::Rows.name());
            join(|| spin(20), || spin(10));
            trace::moves(|| 1000);
            trace::phase(Phase::Verify.name());
            spin(10);
            trace::moves(|| 100);
        });
        let before = work(&tasks);
        assert!(before >= Duration::from_millis(40), "{before:?}");
        assert_eq!(bytes_moved(&tasks), 1100);
        enlarge(&mut tasks, 3.0);
        assert_eq!(bytes_moved(&tasks), 3100);
        let grown = work(&tasks) - before;
        assert!(grown >= Duration::from_millis(60), "{grown:?}");
        assert!(grown < 2 * before, "verification does not grow");
        let fork = task_to_json(7, 0, &tasks[0])["steps"].to_string();
        assert!(fork.contains(r#""tasks":[1,3]"#), "{fork}");
    }

    /// Factors and machines out of all bounds end, and without a panic.
    #[test]
    fn no_number_is_too_large_or_too_small() {
        let ((), recorded) = record(3, || {
            trace::phase(Phase::Rows.name());
            let step = || {
                let until = thread_time() + Duration::from_millis(1);
                while thread_time() < until {}
                trace::moves(|| 1000);
            };
            join(step, step);
        });
        for times in [1e300, 1e-300, f64::INFINITY, -1.0, f64::NAN] {
            let mut tasks = recorded.clone();
            enlarge(&mut tasks, times);
            let is_more = work(&tasks) == Duration::MAX && bytes_moved(&tasks) == u64::MAX;
            assert_eq!(is_more, times > 1.0, "{times}");
            for bytes_per_second in [1e-300, 0.0, -1.0, f64::NAN, 1e300, f64::INFINITY] {
                for steal in [Duration::ZERO, Duration::MAX] {
                    let machine = Machine {
                        workers: 3,
                        bytes_per_second,
                        steal,
                    };
                    let seconds = schedule(&tasks, &machine).seconds;
                    assert!(seconds >= 0.0, "{times} {bytes_per_second} {seconds}");
                }
            }
        }
    }
}
