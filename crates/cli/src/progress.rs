//! The phases of a long command: shown on stderr while they last, if it is a terminal, and timed.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

use crate::output::{Output, seconds};

/// A command's progress. Dropping it clears the bar.
pub struct Progress {
    bar: ProgressBar,
    phases: Mutex<Vec<(&'static str, Instant)>>,
}

impl Progress {
    /// For a command of `steps` phases.
    pub fn new(output: &Output, steps: usize) -> Self {
        let shown = output.wants_progress() && std::io::stderr().is_terminal();
        let target = match shown {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(steps as u64), target).with_style(style());
        if shown {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self {
            bar,
            phases: Mutex::new(Vec::new()),
        }
    }

    /// Begins a phase, and so ends the one before.
    pub fn begin(&self, name: &'static str) {
        let mut phases = self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        self.bar.set_position(phases.len() as u64);
        self.bar.set_message(name);
        phases.push((name, Instant::now()));
    }

    /// Ends the last phase; what each took, in order.
    pub fn finish(self) -> Timings {
        let end = Instant::now();
        let phases = self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = phases.iter().skip(1).map(|(_, start)| *start).chain([end]);
        Timings(
            phases
                .iter()
                .zip(ends)
                .map(|((name, start), end)| (*name, end - *start))
                .collect(),
        )
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What each phase took, in order.
pub struct Timings(pub Vec<(&'static str, Duration)>);

impl Timings {
    /// All phases together.
    pub fn total(&self) -> Duration {
        self.0.iter().map(|(_, duration)| *duration).sum()
    }

    /// `[{"phase": name, "seconds": s}, …]`.
    pub fn to_json(&self) -> Value {
        self.0
            .iter()
            .map(|(name, duration)| serde_json::json!({ "phase": name, "seconds": seconds(*duration) }))
            .collect()
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {bar:24} {pos}/{len} {msg} ({elapsed})")
        .expect("the template is well-formed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_timed_one_after_the_other() {
        let progress = Progress::new(&Output::new("test", false, true), 2);
        let start = Instant::now();
        progress.begin("first");
        std::thread::sleep(Duration::from_millis(20));
        progress.begin("second");
        let timings = progress.finish();
        let names: Vec<&str> = timings.0.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["first", "second"]);
        assert!(timings.0[0].1 >= Duration::from_millis(20));
        assert!(timings.total() <= start.elapsed());
    }

    #[test]
    fn no_phase_takes_no_time() {
        let timings = Progress::new(&Output::new("test", false, true), 0).finish();
        assert_eq!(timings.total(), Duration::ZERO);
        assert_eq!(timings.to_json(), serde_json::json!([]));
    }
}
