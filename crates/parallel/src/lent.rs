//! A pool of threads that others start. WebAssembly starts none itself: the workers of a page are its threads.

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

/// Makes the pool of the whole process: the calling thread and `threads - 1` others, which [`lend`] themselves.
///
/// Waits for all of them. At most once in a process, before any other work.
///
/// # Errors
/// If there is a pool already.
pub fn gather(threads: usize) -> std::io::Result<()> {
    let seat = |seat: ThreadBuilder| {
        lock(&PLACES).push_back(seat);
        ONE_MORE.notify_one();
        Ok(())
    };
    (ThreadPoolBuilder::new().num_threads(threads.max(1)))
        .use_current_thread()
        .spawn_handler(seat)
        .build_global()
        .map_err(std::io::Error::other)
}

/// Lends the calling thread to the pool that is [gathered](gather), before or later.
///
/// Returns when the pool ends, which that of a process never does.
pub fn lend() {
    let mut places = lock(&PLACES);
    let place = loop {
        match places.pop_front() {
            Some(place) => break place,
            None => {
                places = ONE_MORE
                    .wait(places)
                    .unwrap_or_else(PoisonError::into_inner)
            }
        }
    };
    drop(places);
    place.run();
}

/// Of the pool, those which no thread has taken.
static PLACES: Mutex<VecDeque<ThreadBuilder>> = Mutex::new(VecDeque::new());
static ONE_MORE: Condvar = Condvar::new();

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
