#![forbid(unsafe_code)]
//! The one door to the thread pool: nothing else in Frumious names a thread.
//!
//! The law above it: parallel outside, dispatch in the middle, kernel below. A closure passed here calls a
//! whole kernel; a kernel never calls back into this crate.

use rayon::prelude::*;
use rayon::{Yield, yield_now};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Number of threads that work passed to this crate may use.
pub fn current_num_threads() -> usize {
    rayon::current_num_threads()
}

/// Runs both closures, possibly at once, and returns both results.
pub fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(a, b)
}

/// As `f()`, with one more thread of the pool kept from sleeping until it returns, if one is idle.
///
/// For work of few milliseconds that calls [`join`] again and again for parts of some 50 µs: to wake a thread takes as long. The thread
/// spins meanwhile, offers the core to other processes in every turn, and takes whatever work its pool has.
pub fn keep_awake<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    if current_num_threads() == 1 {
        return f();
    }
    let ended = AtomicBool::new(false);
    let lead = || {
        let _end = SetOnDrop(&ended); // if `f` panics too
        f()
    };
    let spin = || {
        while !ended.load(Relaxed) {
            if yield_now() != Some(Yield::Executed) {
                std::thread::yield_now();
            }
        }
    };
    rayon::join(lead, spin).0
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Calls `f(index, chunk)` for each run of `chunk_len` elements (the last may be shorter), possibly at once.
///
/// Panics if `chunk_len` is zero.
pub fn for_each_chunk_mut<T: Send>(
    slice: &mut [T],
    chunk_len: usize,
    f: impl Fn(usize, &mut [T]) + Send + Sync,
) {
    slice
        .par_chunks_mut(chunk_len)
        .enumerate()
        .for_each(|(index, chunk)| f(index, chunk));
}

/// `[f(0), f(1), …, f(n-1)]`, computed possibly at once; the order of the result does not depend on threads.
pub fn map_indices<T: Send>(n: usize, f: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    (0..n).into_par_iter().with_max_len(1).map(f).collect()
}

/// Runs `f` in a pool of its own with `threads` threads (at least one), joined before it returns.
pub fn with_threads<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> std::io::Result<R> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build()
        .map_err(std::io::Error::other)?;
    Ok(pool.install(f))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure
mod tests {
    use super::*;

    /// With any number of threads, nested, and with work inside that the spinning thread takes.
    #[test]
    fn keep_awake_returns_what_the_closure_does() {
        for threads in [1, 2, 3] {
            let sum = with_threads(threads, || {
                keep_awake(|| {
                    let squares = map_indices(100, |i| keep_awake(|| i * i));
                    let (a, b) = join(|| squares[..50].iter().sum(), || squares[50..].iter().sum());
                    let sums: [usize; 2] = [a, b];
                    sums[0] + sums[1]
                })
            });
            assert_eq!(sum.unwrap(), (0..100).map(|i| i * i).sum());
        }
    }

    #[test]
    fn keep_awake_ends_when_the_closure_panics() {
        for threads in [1, 2] {
            let panics = || std::panic::catch_unwind(|| keep_awake(|| panic!("expected")));
            assert!(with_threads(threads, panics).unwrap().is_err());
        }
    }
}
