//! The phases of a long command: shown on stderr while they last, if it is a terminal, and timed.

use std::io::IsTerminal;
use std::time::Duration;

use frumious_app::observer::{Observer, Phases, Timings};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::Output;

/// A command's progress. Dropping it clears the bar.
pub struct Progress<'a> {
    bar: ProgressBar,
    phases: Phases,
    output: &'a Output,
    /// Shares of the time that phases are expected to take.
    weights: &'static [(&'static str, f64)],
}

impl<'a> Progress<'a> {
    /// For a command of these phases, with the shares of the time that they are expected to take.
    pub fn weighted(output: &'a Output, weights: &'static [(&'static str, f64)]) -> Self {
        let mut progress = Self::new(output, weights.len());
        progress.weights = weights;
        progress
    }

    /// For a command of `steps` phases.
    pub fn new(output: &'a Output, steps: usize) -> Self {
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
            phases: Phases::default(),
            output,
            weights: &[],
        }
    }

    /// Begins a phase, and so ends the one before.
    pub fn begin(&self, name: &'static str) {
        let before = self.phases.begin(name);
        self.bar.set_position(before as u64);
        self.bar.set_message(name);
    }

    /// Ends the last phase; tells how long each took, in order.
    pub fn finish(self) -> Timings {
        self.phases.timings()
    }
}

impl Observer for Progress<'_> {
    fn begin(&self, phase: &'static str) {
        Progress::begin(self, phase);
    }

    fn within(&self, phase: &'static str, done: f64) {
        if !self.phases.is_in(phase) {
            self.begin(phase);
        }
        if done > 0.0 {
            let percent = format!("{phase} {:.0}%", done * 100.0);
            let left = remaining(self.weights, phase, done, self.phases.elapsed());
            self.bar.set_message(match left {
                Some(left) => format!("{percent}, about {} left", HumanDuration(left)),
                None => percent,
            });
        }
    }

    fn note(&self, text: &str) {
        self.output.note(text);
    }

    fn warning(&self, text: &str) {
        self.output.warning(text);
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
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
    use std::time::Instant;

    #[test]
    fn phases_are_timed_one_after_the_other() {
        let output = Output::new("test", false, true);
        let progress = Progress::new(&output, 2);
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
        let output = Output::new("test", false, true);
        let progress = Progress::weighted(&output, &[("a", 1.0)]);
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
        let output = Output::new("test", false, true);
        let timings = Progress::new(&output, 0).finish();
        assert_eq!(timings.total(), Duration::ZERO);
        assert_eq!(timings.to_json(), serde_json::json!([]));
    }
}
