//! The phases of a long command: shown on stderr while they last, if it is a terminal, and timed.

use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

use crate::output::{Output, seconds};

/// A command's progress. Dropping it clears the bar.
pub struct Progress {
    bar: ProgressBar,
    phases: Mutex<Vec<(&'static str, Instant)>>,
    /// Shares of the time that phases are expected to take.
    weights: &'static [(&'static str, f64)],
}

impl Progress {
    /// For a command of these phases, with the shares of the time that they are expected to take.
    pub fn weighted(output: &Output, weights: &'static [(&'static str, f64)]) -> Self {
        let mut progress = Self::new(output, weights.len());
        progress.weights = weights;
        progress
    }

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
            weights: &[],
        }
    }

    /// Tells how much of a phase is done, from 0 to 1; begins it if it is another than the last one.
    pub fn within(&self, name: &'static str, done: f64) {
        let mut phases = self.lock();
        if phases.last().is_none_or(|(last, _)| *last != name) {
            drop(phases);
            self.begin(name);
            phases = self.lock();
        }
        if done > 0.0 {
            let elapsed = phases
                .first()
                .map_or(Duration::ZERO, |(_, first)| first.elapsed());
            let message = match remaining(self.weights, name, done, elapsed) {
                Some(left) => format!(
                    "{name} {:.0}%, about {} left",
                    done * 100.0,
                    HumanDuration(left)
                ),
                None => format!("{name} {:.0}%", done * 100.0),
            };
            self.bar.set_message(message);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(&'static str, Instant)>> {
        self.phases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a phase, and so ends the one before.
    pub fn begin(&self, name: &'static str) {
        let mut phases = self.lock();
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

    /// The phases of these names together.
    pub fn of<const N: usize>(&self, names: [&str; N]) -> Duration {
        let phases = self.0.iter().filter(|(name, _)| names.contains(name));
        phases.map(|(_, duration)| *duration).sum()
    }

    /// `[{"phase": name, "seconds": s}, …]`.
    pub fn to_json(&self) -> Value {
        self.0
            .iter()
            .map(|(name, duration)| serde_json::json!({ "phase": name, "seconds": seconds(*duration) }))
            .collect()
    }
}

/// The time left when so much of a phase is done, none if too little is to tell.
fn remaining(
    weights: &[(&str, f64)],
    name: &str,
    done: f64,
    elapsed: Duration,
) -> Option<Duration> {
    let index = weights.iter().position(|(other, _)| *other == name)?;
    let sum = |weights: &[(&str, f64)]| weights.iter().map(|(_, weight)| weight).sum::<f64>();
    let total = sum(weights);
    let before = sum(&weights[..index]) + done * weights[index].1;
    (before > total / 50.0).then(|| elapsed.mul_f64((total - before) / before))
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
    fn phases_begin_with_what_is_done_of_them() {
        let progress = Progress::weighted(&Output::new("test", false, true), &[("a", 1.0)]);
        progress.within("a", 0.0);
        progress.within("a", 0.5);
        progress.within("b", 0.1);
        let names: Vec<&str> = progress.finish().0.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn what_is_left_follows_from_the_shares() {
        let weights = [("a", 1.0), ("b", 3.0), ("c", 4.0)];
        let ten = Duration::from_secs(10);
        let left = |name, done| remaining(&weights, name, done, ten);
        assert_eq!(left("b", 1.0), Some(ten));
        assert_eq!(left("a", 0.5), Some(15 * ten));
        assert_eq!(left("c", 1.0), Some(Duration::ZERO));
        assert_eq!(left("a", 0.01), None);
        assert_eq!(left("other", 0.5), None);
    }

    #[test]
    fn no_phase_takes_no_time() {
        let timings = Progress::new(&Output::new("test", false, true), 0).finish();
        assert_eq!(timings.total(), Duration::ZERO);
        assert_eq!(timings.to_json(), serde_json::json!([]));
    }
}
