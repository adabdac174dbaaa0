//! The time of day, which people and other programs may set back while the server runs.
//!
//! Deadlines go by the monotonic clock of the process. The time of day is for records, for retention, and for deadlines
//! that outlive a restart.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970 (UTC).
pub type Millis = i64;

/// The system's time of day, moved by what a test asks for.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    moved: Arc<AtomicI64>,
}

impl Clock {
    /// The time now.
    pub fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = since.map_or(0, |since| {
            Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
        });
        now.saturating_add(self.moved.load(Relaxed))
    }

    /// Sets it forward, or back if `by` is negative.
    #[cfg(test)]
    pub fn turn(&self, by: Millis) {
        self.moved.fetch_add(by, Relaxed);
    }
}
