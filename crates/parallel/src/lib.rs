#![forbid(unsafe_code)]
//! The one door to the thread pool: nothing else in Frumious names a thread.
//!
//! The law above it: parallel outside, dispatch in the middle, kernel below. A closure passed here calls a
//! whole kernel; a kernel never calls back into this crate.

use rayon::prelude::*;

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
