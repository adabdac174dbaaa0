//! Progress of long tasks.

mod measured;
mod shares;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::quantities::seconds;
pub use measured::Measured;
pub use shares::Shares;

/// Who is told of a task's progress: a terminal, a server's queue, a caller of a binding.
pub trait Observer: Sync {
    /// A phase begins, and ends the one before.
    fn begin(&self, phase: &'static str);

    /// So much of a phase is done, from 0 to 1; it begins if it is another than the last one.
    fn within(&self, phase: &'static str, done: f64);

    /// Something worth knowing.
    fn note(&self, text: &str);

    /// Something dangerous.
    fn warning(&self, text: &str);
}

/// Nobody.
pub struct Silent;

impl Observer for Silent {
    fn begin(&self, _phase: &'static str) {}

    fn within(&self, _phase: &'static str, _done: f64) {}

    fn note(&self, _text: &str) {}

    fn warning(&self, _text: &str) {}
}

/// When each phase began.
#[derive(Default)]
pub struct Phases(Mutex<Vec<(&'static str, Instant)>>);

impl Phases {
    /// A phase begins; returns how many there were before.
    pub fn begin(&self, phase: &'static str) -> usize {
        let mut phases = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        phases.push((phase, Instant::now()));
        phases.len() - 1
    }

    /// True if `phase` is the last one.
    pub fn is_in(&self, phase: &'static str) -> bool {
        let phases = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        phases.last().is_some_and(|(last, _)| *last == phase)
    }

    /// Number of phases that began.
    pub fn number(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Time since the first phase began.
    pub fn elapsed(&self) -> Duration {
        let phases = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        phases
            .first()
            .map_or(Duration::ZERO, |(_, first)| first.elapsed())
    }

    /// The durations, the last phase ending now.
    pub fn timings(&self) -> Timings {
        let end = Instant::now();
        let phases = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = phases.iter().skip(1).map(|(_, start)| *start).chain([end]);
        let durations = phases.iter().zip(ends);
        Timings(
            durations
                .map(|((name, start), end)| (*name, end - *start))
                .collect(),
        )
    }
}

/// The duration of each phase, in order.
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
