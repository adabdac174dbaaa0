#![forbid(unsafe_code)]
//! The one door to the thread pool: nothing else in Frumious names a thread.
//!
//! The law above it: parallel outside, dispatch in the middle, kernel below. A closure passed here calls a
//! whole kernel; a kernel never calls back into this crate.

mod context;
pub mod lent;
mod pool;

pub use context::trace;
pub use context::{Cancellation, Cancelled, Meter, advance, check_cancelled, expect_units, part};

use context::trace::{Forked, Order};
use context::with_current;
use pool::{Once, Pool};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Number of threads that work passed to this crate may use, or that its [`trace`] plans for.
pub fn current_num_threads() -> usize {
    let planned = with_current(|context| context.recording.as_ref().map(|trace| trace.width()));
    planned.unwrap_or_else(pool::size)
}

/// Runs both closures, possibly at once, and returns both results.
pub fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (mut a, mut b) = (Once::new(a), Once::new(b));
    let fork = Forked::new(2, Order::Halves);
    pool::join(&mut || fork.task(0, &mut || a.run()), &mut || {
        fork.task(1, &mut || b.run());
    });
    drop(fork);
    (a.result(), b.result())
}

/// As `f()`, with one more thread of the pool kept from sleeping until it returns, if one is idle.
///
/// For work of few milliseconds that calls [`join`] again and again for parts of some 50 µs: to wake a thread takes as
/// long. The thread spins meanwhile, offers the core to other processes in every turn, and takes whatever work its pool
/// has.
pub fn keep_awake<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    if pool::size() == 1 {
        return f();
    }
    let ended = AtomicBool::new(false);
    let mut f = Once::new(f);
    let fork = Forked::new(1, Order::Halves);
    let mut lead = || {
        let _end = SetOnDrop(&ended); // if `f` panics too
        fork.task(0, &mut || f.run());
    };
    pool::join(&mut lead, &mut || pool::work_until(&ended));
    drop(fork);
    f.result()
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Calls `f(index, chunk)` for each run of `chunk_len` elements (the last may be shorter), possibly at once.
///
/// # Panics
/// If `chunk_len` is zero.
pub fn for_each_chunk_mut<T: Send>(
    slice: &mut [T],
    chunk_len: usize,
    f: impl Fn(usize, &mut [T]) + Send + Sync,
) {
    assert!(chunk_len > 0, "`chunk_len` is zero");
    let fork = Forked::new(slice.len().div_ceil(chunk_len), Order::Halves);
    for_chunks(slice, chunk_len, 0, &|index, chunk| {
        fork.task(index, &mut || f(index, chunk));
    });
}

/// The chunks from number `first` on, by halves.
fn for_chunks<T: Send>(
    slice: &mut [T],
    chunk_len: usize,
    first: usize,
    f: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    let chunks = slice.len().div_ceil(chunk_len);
    if chunks <= 1 {
        if chunks == 1 {
            f(first, slice);
        }
        return;
    }
    let half = chunks / 2;
    let (low, high) = slice.split_at_mut(half * chunk_len);
    pool::join(&mut || for_chunks(low, chunk_len, first, f), &mut || {
        for_chunks(high, chunk_len, first + half, f);
    });
}

/// `[f(0), f(1), …, f(n-1)]`, computed possibly at once; the order of the result does not depend on threads.
pub fn map_indices<T: Send>(n: usize, f: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    let mut results: Vec<Option<T>> = (0..n).map(|_| None).collect();
    for_each_chunk_mut(&mut results, 1, |index, slot| {
        slot.fill_with(|| Some(f(index)));
    });
    results.into_iter().flatten().collect()
}

/// As [`map_indices`], but a thread that is free takes the next index, in order.
///
/// For tasks of which some are much longer than others, the longest first: then the last to end are short. By halves
/// a thread may have a long one left when all others are done.
pub fn map_in_order<T: Send>(n: usize, f: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    let results: Vec<Mutex<Option<T>>> = (0..n).map(|_| Mutex::new(None)).collect();
    in_order(n, &|index| {
        let result = f(index);
        *results[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let result = |slot: Mutex<Option<T>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(result).collect()
}

/// Calls `f` with each index below `n`.
fn in_order(n: usize, f: &(dyn Fn(usize) + Sync)) {
    let fork = Forked::new(n, Order::Queue);
    let next = AtomicUsize::new(0);
    let mut runners = vec![(); n.min(pool::size())];
    for_chunks(&mut runners, 1, 0, &|_, _| {
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= n {
                return;
            }
            fork.task(index, &mut || f(index));
        }
    });
}

/// `len` copies of `value`. Its pages, each of whose first touch costs microseconds, are touched possibly at once.
pub fn filled<T: Clone + Send + Sync>(value: T, len: usize) -> Vec<T> {
    let fill = || pool::filled(value, len, FILLED_PER_TASK);
    let bytes = (len * size_of::<T>()) as u64;
    trace::in_equal_tasks(len.div_ceil(FILLED_PER_TASK), bytes, fill)
}

const FILLED_PER_TASK: usize = 1 << 14;

/// Computes the items one after the other, each while the caller's thread consumes the one before; in order, and on
/// that thread alone.
///
/// Two items are alive at a time.
///
/// # Errors
/// The first of `consume`, which ends it.
pub fn pipeline<K: Copy + Send + Sync, T: Send, E>(
    keys: impl IntoIterator<Item = K>,
    compute: impl Fn(K) -> T + Sync,
    mut consume: impl FnMut(K, T) -> Result<(), E>,
) -> Result<(), E> {
    let mut ready: Option<(K, T)> = None;
    for key in keys {
        let mut computed = None;
        let mut consumed = Ok(());
        let fork = Forked::new(2, Order::Halves);
        pool::beside(
            &mut || fork.task(0, &mut || computed = Some(compute(key))),
            &mut || {
                if let Some((key, item)) = ready.take() {
                    let mut consuming = Once::new(|| consume(key, item));
                    fork.task(1, &mut || consuming.run());
                    consumed = consuming.result();
                }
            },
        );
        drop(fork);
        consumed?;
        ready = computed.map(|item| (key, item));
    }
    ready.map_or(Ok(()), |(key, item)| consume(key, item))
}

/// Runs `f` in a pool of its own with `threads` threads (at least one), joined before it returns. With one it runs on
/// the caller's thread.
///
/// # Errors
/// If the operating system starts no thread.
pub fn with_threads<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> std::io::Result<R> {
    let mut f = Once::new(f);
    let fork = Forked::new(1, Order::Halves);
    pool::install(threads, &mut || fork.task(0, &mut || f.run()))?;
    drop(fork);
    Ok(f.result())
}

/// Threads that stay for one piece of work after the other, as [`with_threads`] without starting them each time.
pub struct Threads(Pool);

impl Threads {
    /// Starts `count` threads (at least one). They end when this is dropped.
    ///
    /// # Errors
    /// If the operating system starts no thread.
    pub fn start(count: usize) -> std::io::Result<Self> {
        Pool::start(count).map(Self)
    }

    /// Number of threads.
    pub fn count(&self) -> usize {
        self.0.size()
    }

    /// Runs `f` on them.
    pub fn run<R: Send>(&self, f: impl FnOnce() -> R + Send) -> R {
        let mut f = Once::new(f);
        let fork = Forked::new(1, Order::Halves);
        self.0.install(&mut || fork.task(0, &mut || f.run()));
        drop(fork);
        f.result()
    }
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
    fn filled_is_as_long_as_asked_for() {
        for len in [0, 1, 1 << 14, 100_001] {
            let vec = filled(7_u16, len);
            assert_eq!(vec.len(), len);
            assert!(vec.iter().all(|value| *value == 7));
        }
    }

    /// With any number of threads, work inside that is parallel itself, and errors anywhere.
    #[test]
    fn pipelines_keep_the_order_and_end_at_an_error() {
        for threads in [1, 2, 3] {
            for (n, failing) in [(0, 9), (1, 9), (1, 0), (5, 9), (5, 0), (5, 2), (5, 4)] {
                let (consumed, result) = with_threads(threads, || {
                    let mut consumed = Vec::new();
                    let here = std::thread::current().id();
                    let result = pipeline(
                        0..n,
                        |i| map_indices(10, |k| i * 10 + k).into_iter().sum::<usize>(),
                        |i, sum| {
                            assert_eq!(std::thread::current().id(), here);
                            assert_eq!(sum, 100 * i + 45);
                            consumed.push(i);
                            if i == failing { Err(i) } else { Ok(()) }
                        },
                    );
                    (consumed, result)
                })
                .unwrap();
                let end = n.min(failing + 1);
                assert_eq!(consumed, (0..end).collect::<Vec<_>>());
                assert_eq!(result, if failing < n { Err(failing) } else { Ok(()) });
            }
        }
    }

    #[test]
    fn threads_that_stay_run_what_they_are_given_and_stop_when_it_is_cancelled() {
        let threads = Threads::start(2).unwrap();
        assert_eq!(threads.count(), 2);
        for round in 0..3 {
            let inside = threads.run(|| (current_num_threads(), map_indices(9, |i| i * round)));
            assert_eq!(inside, (2, (0..9).map(|i| i * round).collect()));
        }
        let cancellation = Cancellation::new();
        let stopped = cancellation.run(|| {
            cancellation.cancel();
            threads.run(|| map_indices(9, |i| i))
        });
        assert!(stopped.is_err());
        assert_eq!(threads.run(|| 7), 7);
    }

    /// A pool of one is the caller's thread, also in a pool of several, and for what it calls alone.
    #[test]
    fn one_thread_is_the_callers_until_the_work_ends() {
        let outside = current_num_threads();
        let here = || std::thread::current().id();
        let all_here = |me| map_indices(1000, |_| here() == me).into_iter().all(|is| is);
        let alone = || with_threads(1, || (current_num_threads(), all_here(here()), here()));
        let (count, is_here, id) = alone().unwrap();
        assert_eq!((count, is_here, id), (1, true, here()));
        let inside = with_threads(3, || {
            let alone = map_indices(20, |_| (here(), alone().unwrap()));
            assert!(alone.iter().all(|(me, seen)| *seen == (1, true, *me)));
            current_num_threads()
        });
        assert_eq!(inside.unwrap(), 3);
        let several = with_threads(1, || with_threads(2, current_num_threads).unwrap());
        assert_eq!(several.unwrap(), 2);
        let panics = std::panic::catch_unwind(|| with_threads(1, || panic!("expected")));
        assert!(panics.is_err());
        assert_eq!(current_num_threads(), outside);
    }

    #[test]
    fn keep_awake_ends_when_the_closure_panics() {
        for threads in [1, 2] {
            let panics = || std::panic::catch_unwind(|| keep_awake(|| panic!("expected")));
            assert!(with_threads(threads, panics).unwrap().is_err());
        }
    }
}
