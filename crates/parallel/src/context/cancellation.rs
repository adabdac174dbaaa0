//! Stopping work that is under way.
//!
//! Work is stopped by unwinding, from one of the places where it passes the door of this crate, or asks by itself
//! ([`check_cancelled`]). So nothing between has to carry an error for it, values are dropped and wiped as on any
//! return, and [`Cancellation::run`] catches it. Unwinding starts without a panic's message.

use super::{current, task, with_current};
use crate::pool::Once;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Asks work to stop, from any thread. Clones ask the same work.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

/// The answer of work that was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl Cancellation {
    /// Nothing is stopped yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop, for good.
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// True if the work was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Runs `work` and all that it starts in parallel, until it ends or is asked to stop.
    ///
    /// # Errors
    /// [`Cancelled`] if it was stopped before its end.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        let mut work = Once::new(work);
        let mut context = current();
        context.cancellation = Some(self.clone());
        let run = || task(&context, &mut || work.run());
        // Whoever shares state with work that stops half way learns of it by the error.
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(()) => Ok(work.result()),
            Err(reason) if reason.is::<Cancelled>() => Err(Cancelled),
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// Stops here if the work that this is part of was asked to. For loops that run long without starting anything.
///
/// Costs some nanoseconds.
#[inline]
pub fn check_cancelled() {
    let cancelled = with_current(|context| {
        let cancellation = context.cancellation.as_ref();
        cancellation.is_some_and(Cancellation::is_cancelled)
    });
    if cancelled {
        resume_unwind(Box::new(Cancelled));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
mod tests {
    use super::*;
    use crate::{for_each_chunk_mut, join, map_indices, pipeline, with_threads};
    use std::sync::atomic::AtomicUsize;

    /// By each door, nested, with any number of threads: nothing begins after it was asked to stop.
    #[test]
    fn work_stops_at_each_door() {
        let doors: [fn(&(dyn Fn() + Sync)); 4] = [
            |step| drop(map_indices(1000, |_| step())),
            |step| for_each_chunk_mut(&mut [0; 1000], 1, |_, _| step()),
            |step| {
                pipeline(0..1000, |_| step(), |_, ()| Ok::<(), ()>(())).unwrap();
            },
            |step| {
                fn halve(n: usize, step: &(dyn Fn() + Sync)) {
                    match n {
                        1 => step(),
                        _ => drop(join(|| halve(n / 2, step), || halve(n - n / 2, step))),
                    }
                }
                halve(1000, step);
            },
        ];
        for threads in [1, 2, 3] {
            for door in doors {
                let (cancellation, steps) = (Cancellation::new(), AtomicUsize::new(0));
                let step = || {
                    map_indices(2, |_| ()); // nested
                    if steps.fetch_add(1, Relaxed) == 10 {
                        cancellation.cancel();
                    }
                };
                let stopped = with_threads(threads, || cancellation.run(|| door(&step))).unwrap();
                assert_eq!(stopped, Err(Cancelled));
                // Those that had begun on other threads end.
                assert!(steps.load(Relaxed) <= 11 + threads);
                assert_eq!(cancellation.run(|| 7), Err(Cancelled), "for good");
            }
        }
    }

    #[test]
    fn other_work_goes_on() {
        let (stopped, other) = (Cancellation::new(), Cancellation::new());
        stopped.cancel();
        assert_eq!(other.run(|| map_indices(3, |i| i)), Ok(vec![0, 1, 2]));
        assert_eq!(map_indices(3, |i| i), [0, 1, 2]);
        let inner = other.run(|| stopped.run(|| map_indices(3, |i| i)));
        assert_eq!(inner, Ok(Err(Cancelled)));
        assert!(current().cancellation.is_none());
    }

    #[test]
    fn a_panic_stays_one() {
        let panics = || Cancellation::new().run(|| panic!("expected"));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    }
}
