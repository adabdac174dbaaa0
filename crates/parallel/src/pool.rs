//! The thread pool's doors, none of them generic.
//!
//! The pool's own are generic over their closures: each call is compiled anew, in each crate that calls. Behind these
//! they are compiled once. So `cargo llvm-lines -p frumious-app` prints 595,000 lines for 997,000. A task costs an
//! indirect call more.

use rayon::prelude::*;
use rayon::{Yield, yield_now};
use std::cell::Cell;
use std::error::Error;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

type Task<'a> = &'a mut (dyn FnMut() + Send);

thread_local! {
    /// True while this thread is a pool of one: it runs what it is given itself, in order. To start a thread for that
    /// and to wait for it takes a tenth of a millisecond.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// True if work that this thread has to do is done by itself.
fn is_alone() -> bool {
    let has_pool = || *OF_PROCESS.get_or_init(begin) == Some(process());
    IS_ALONE.get() || (rayon::current_thread_index().is_none() && !has_pool())
}

/// The process that has the pool's threads; none if it cannot have them, where Rayon panics.
///
/// A process that was forked has none of them, and nobody would do what is given to its pool.
static OF_PROCESS: OnceLock<Option<u32>> = OnceLock::new();

/// Starts the pool of the process, if it has none and can have one.
fn begin() -> Option<u32> {
    let has_pool = match rayon::ThreadPoolBuilder::new().build_global() {
        Ok(()) => true,
        // Without a source there was a pool already: somebody else's, or one of threads that are lent.
        Err(refused) => refused.source().is_none(),
    };
    has_pool.then(process)
}

fn process() -> u32 {
    match cfg!(target_family = "wasm") {
        true => 0, // WebAssembly has no processes, and the library panics
        false => std::process::id(),
    }
}

/// Number of threads of the pool.
pub(crate) fn size() -> usize {
    match is_alone() {
        true => 1,
        false => rayon::current_num_threads(),
    }
}

/// Runs both, possibly at once.
pub(crate) fn join(a: Task<'_>, b: Task<'_>) {
    if is_alone() {
        a();
        return b();
    }
    rayon::join(a, b);
}

/// Runs `task`, possibly at once with `here`, which runs on the caller's thread.
pub(crate) fn beside(task: Task<'_>, here: &mut dyn FnMut()) {
    if is_alone() {
        here();
        return task();
    }
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| task());
        here();
    });
}

/// As `vec![value; len]`, by tasks of `per_task` copies.
pub(crate) fn filled<T: Clone + Send + Sync>(value: T, len: usize, per_task: usize) -> Vec<T> {
    if is_alone() {
        return vec![value; len];
    }
    rayon::iter::repeat_n(value, len)
        .with_min_len(per_task)
        .collect()
}

/// Runs `task` in a pool of its own with `threads` threads (at least one), joined before it returns. A pool of one is
/// the caller's thread.
pub(crate) fn install(threads: usize, task: Task<'_>) -> std::io::Result<()> {
    if threads <= 1 {
        let _end = Alone(IS_ALONE.replace(true));
        task();
        return Ok(());
    }
    Pool::start(threads)?.install(task);
    Ok(())
}

/// Puts [`IS_ALONE`] back, after a panic too.
struct Alone(bool);

impl Drop for Alone {
    fn drop(&mut self) {
        IS_ALONE.set(self.0);
    }
}

/// A pool that stays.
pub(crate) struct Pool(rayon::ThreadPool);

impl Pool {
    pub(crate) fn start(threads: usize) -> std::io::Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1));
        pool.build().map(Self).map_err(|refused| {
            let kind = (refused.source())
                .and_then(|error| error.downcast_ref::<std::io::Error>())
                .map_or(std::io::ErrorKind::Other, std::io::Error::kind);
            std::io::Error::new(kind, refused)
        })
    }

    pub(crate) fn install(&self, task: Task<'_>) {
        self.0.install(task);
    }

    pub(crate) fn size(&self) -> usize {
        self.0.current_num_threads()
    }
}

/// Takes the pool's work, awake, until `ended`.
pub(crate) fn work_until(ended: &AtomicBool) {
    while !ended.load(Relaxed) {
        if yield_now() != Some(Yield::Executed) {
            std::thread::yield_now();
        }
    }
}

/// A closure that runs once, and its result.
pub(crate) enum Once<F, R> {
    Waiting(F),
    Running,
    Done(R),
}

impl<F: FnOnce() -> R, R> Once<F, R> {
    pub(crate) fn new(f: F) -> Self {
        Self::Waiting(f)
    }

    pub(crate) fn run(&mut self) {
        if let Self::Waiting(f) = std::mem::replace(self, Self::Running) {
            *self = Self::Done(f());
        }
    }

    /// Panics if it has not run.
    pub(crate) fn result(self) -> R {
        match self {
            Self::Done(result) => result,
            Self::Waiting(_) | Self::Running => unreachable!("the pool runs each task"),
        }
    }
}
