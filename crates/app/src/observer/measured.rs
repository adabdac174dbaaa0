//! Phases of work that measures itself: its observer is told of the part that is done, again and again.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use frumious_parallel::Meter;

use super::Observer;

/// Work whose phases an observer is told of, and how far each is.
pub struct Measured<'a> {
    observer: &'a dyn Observer,
    meter: Meter,
    /// The phase that lasts.
    phase: Mutex<Option<&'static str>>,
}

impl<'a> Measured<'a> {
    /// Of which `observer` is told.
    pub fn new(observer: &'a dyn Observer) -> Self {
        Self {
            observer,
            meter: Meter::new(),
            phase: Mutex::new(None),
        }
    }

    /// A phase begins, and ends the one before. For the thread that leads the work.
    pub fn begin(&self, phase: &'static str) {
        let mut current = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        self.observer.begin(phase);
        self.meter.reset();
        *current = Some(phase);
    }

    /// Runs the work. Where no thread can be had, its observer is told of phases alone.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let ended = Ended::default();
        std::thread::scope(|scope| {
            let tell = || ended.each(BETWEEN_LOOKS, || self.tell());
            let _teller = std::thread::Builder::new().spawn_scoped(scope, tell);
            let _end = EndOnDrop(&ended); // also if the work is stopped
            self.meter.measure(work)
        })
    }

    fn tell(&self) {
        let current = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        let done = self.meter.done();
        if let Some(phase) = current.filter(|_| done > 0.0) {
            self.observer.within(phase, done);
        }
    }
}

/// Set at the end.
#[derive(Default)]
struct Ended {
    is_set: Mutex<bool>,
    changed: Condvar,
}

impl Ended {
    /// Calls `act` after each interval until the end.
    fn each(&self, interval: Duration, act: impl Fn()) {
        let mut is_set = self.is_set.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_set {
            let waited = self.changed.wait_timeout(is_set, interval);
            let (guard, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            is_set = guard;
            if timeout.timed_out() && !*is_set {
                act();
            }
        }
    }
}

struct EndOnDrop<'a>(&'a Ended);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        let mut is_set = self.0.is_set.lock().unwrap_or_else(PoisonError::into_inner);
        *is_set = true;
        self.0.changed.notify_all();
    }
}

/// Short enough for a line that moves.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that was said.
    #[derive(Default)]
    struct Heard(Mutex<Vec<(&'static str, f64)>>);

    impl Observer for Heard {
        fn begin(&self, phase: &'static str) {
            self.within(phase, 0.0);
        }

        fn within(&self, phase: &'static str, done: f64) {
            let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push((phase, done));
        }

        fn note(&self, _: &str) {}

        fn warning(&self, _: &str) {}
    }

    #[test]
    fn what_is_done_of_a_phase_is_told_while_it_lasts() {
        let heard = Heard::default();
        let measured = Measured::new(&heard);
        let told = |count: usize| {
            while heard.0.lock().unwrap_or_else(PoisonError::into_inner).len() < count {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        measured.run(|| {
            measured.begin("a");
            frumious_parallel::expect_units(4);
            frumious_parallel::advance(3);
            told(2);
            measured.begin("b"); // nothing of it is done
            std::thread::sleep(3 * BETWEEN_LOOKS);
            frumious_parallel::part(0.0, 0.5, || ());
            let count = heard.0.lock().unwrap_or_else(PoisonError::into_inner).len();
            told(count + 1);
        });
        let heard = heard.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut said = heard.clone();
        said.dedup();
        assert_eq!(said, [("a", 0.0), ("a", 0.75), ("b", 0.0), ("b", 0.5)]);
    }
}
