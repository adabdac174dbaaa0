//! Something said at intervals, by a thread of its own, as long as the work lasts.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Beats until it is dropped.
pub struct Heartbeat {
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// Calls `beat` after each interval. Where no thread can be had nothing is called.
    pub fn begin(interval: Duration, beat: impl Fn() + Send + 'static) -> Self {
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let shared = Arc::clone(&ended);
        let run = move || {
            let (lock, changed) = &*shared;
            let mut ended = lock.lock().unwrap_or_else(PoisonError::into_inner);
            while !*ended {
                let waited = changed.wait_timeout(ended, interval);
                let (guard, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                ended = guard;
                if timeout.timed_out() && !*ended {
                    beat();
                }
            }
        };
        let thread = std::thread::Builder::new().spawn(run).ok();
        Self { ended, thread }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        let (lock, changed) = &*self.ended;
        *lock.lock().unwrap_or_else(PoisonError::into_inner) = true;
        changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it only speaks
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::time::Instant;

    #[test]
    fn it_beats_at_intervals_and_ends_at_once() {
        let beats = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&beats);
        let heartbeat = Heartbeat::begin(Duration::from_millis(5), move || {
            counter.fetch_add(1, Relaxed);
        });
        while beats.load(Relaxed) < 3 {
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(heartbeat);
        let start = Instant::now();
        drop(Heartbeat::begin(Duration::from_secs(3600), || {
            panic!("it is too early")
        }));
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}
