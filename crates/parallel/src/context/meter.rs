//! Measuring work that is under way.
//!
//! The work tells what it does, from wherever it is: [`part`] says which part of the whole comes next, [`expect_units`]
//! and [`advance`] count within it. Whoever wants to know asks the [`Meter`]. Nothing between has to carry it.

use super::trace::count_units;
use super::{current, task, with_current};
use crate::pool::Once;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Tells how much of some work is done, at any time and from any thread. Clones are of the same work.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The part of the whole that the work is at.
    part: Mutex<Part>,
    /// Units of it, done and in all.
    done: AtomicU64,
    total: AtomicU64,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    from: f64,
    to: f64,
}

impl Default for Part {
    fn default() -> Self {
        Self { from: 0.0, to: 1.0 }
    }
}

impl Meter {
    /// Nothing is done yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `work` and all that it starts in parallel, measured by this.
    pub fn measure<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut context = current();
        context.meter = Some(self.clone());
        let mut work = Once::new(work);
        task(&context, &mut || work.run());
        work.result()
    }

    /// The part of the whole that is done, from 0 to 1.
    pub fn done(&self) -> f64 {
        let part = self.lock();
        let (done, total) = (self.0.done.load(Relaxed), self.0.total.load(Relaxed));
        let within = match total {
            0 => 0.0,
            total => (done as f64 / total as f64).min(1.0),
        };
        part.from + (part.to - part.from) * within
    }

    /// Begins another whole.
    pub fn reset(&self) {
        self.enter(Part::default());
    }

    fn enter(&self, next: Part) {
        let mut part = self.lock();
        *part = next;
        self.0.done.store(0, Relaxed);
        self.0.total.store(0, Relaxed);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Part> {
        self.0.part.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs `work`, which leads from `from` to `to` of the whole, both from 0 to 1: of the part that this is itself in. For
/// the thread that leads the work, one part after the other.
pub fn part<T>(from: f64, to: f64, work: impl FnOnce() -> T) -> T {
    let Some(meter) = with_current(|context| context.meter.clone()) else {
        return work();
    };
    let outer = *meter.lock();
    let at = |share: f64| outer.from + (outer.to - outer.from) * share;
    meter.enter(Part {
        from: at(from),
        to: at(to),
    });
    let result = work();
    // What has been done stays done until the next part begins.
    meter.enter(outer);
    meter.0.total.store(UNITS, Relaxed);
    meter.0.done.store((to * UNITS as f64) as u64, Relaxed);
    result
}

/// The part that the work is at has so many units from here on.
pub fn expect_units(total: u64) {
    with_current(|context| {
        if let Some(Meter(state)) = &context.meter {
            state.done.store(0, Relaxed);
            state.total.store(total, Relaxed);
        }
    });
}

/// So many units more are done. Costs some nanoseconds.
#[inline]
pub fn advance(units: u64) {
    with_current(|context| {
        if let Some(Meter(state)) = &context.meter {
            state.done.fetch_add(units, Relaxed);
        }
        count_units(context, units);
    });
}

/// Units of a part whose parts are counted.
const UNITS: u64 = 1 << 20;

#[cfg(test)]
#[allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
mod tests {
    use super::*;
    use crate::{Cancellation, for_each_chunk_mut, join, with_threads};

    #[test]
    fn units_are_counted_by_every_thread() {
        for threads in [1, 2, 3] {
            let meter = Meter::new();
            let least = Mutex::new(0.0);
            let work = || {
                assert_eq!(meter.done(), 0.0);
                expect_units(1000);
                for_each_chunk_mut(&mut [0; 1000], 1, |_, _| {
                    join(|| advance(1), || ());
                    let done = meter.done();
                    let mut least = least.lock().unwrap();
                    assert!(done > 0.0 && done <= 1.0);
                    *least = f64::max(*least, done);
                });
                assert_eq!(meter.done(), 1.0);
                advance(7);
                assert_eq!(meter.done(), 1.0, "never more than all");
            };
            with_threads(threads, || meter.measure(work)).unwrap();
            assert_eq!(*least.lock().unwrap(), 1.0);
            meter.reset();
            assert_eq!(meter.done(), 0.0);
        }
    }

    #[test]
    fn parts_are_of_the_part_around_them() {
        let meter = Meter::new();
        let done = || (meter.done() * 1000.0).round();
        meter.measure(|| {
            part(0.0, 0.5, || {
                expect_units(4);
                advance(2);
                assert_eq!(done(), 250.0);
            });
            assert_eq!(done(), 500.0);
            part(0.5, 1.0, || {
                assert_eq!(done(), 500.0);
                part(0.2, 0.4, || {
                    assert_eq!(done(), 600.0);
                    expect_units(2);
                    advance(1);
                    assert_eq!(done(), 650.0);
                });
                assert_eq!(done(), 700.0);
            });
            assert_eq!(done(), 1000.0);
        });
    }

    /// A meter does not change who may stop the work, and the other way round; without one nothing is counted.
    #[test]
    fn meters_and_cancellations_are_inherited_together() {
        let (meter, cancellation) = (Meter::new(), Cancellation::new());
        let step = || {
            expect_units(2);
            join(|| advance(1), || ());
        };
        assert_eq!(cancellation.run(|| meter.measure(step)), Ok(()));
        assert_eq!(meter.done(), 0.5);
        meter.reset();
        assert_eq!(meter.measure(|| cancellation.run(step)), Ok(()));
        assert_eq!(meter.done(), 0.5);
        step();
        part(0.0, 1.0, step);
        assert_eq!(meter.done(), 0.5);
        cancellation.cancel();
        assert!(cancellation.run(|| meter.measure(step)).is_err());
    }
}
