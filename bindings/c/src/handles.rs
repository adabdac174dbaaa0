//! Numbers that stand for what a caller has open.
//!
//! A caller holds a number and no address. So one that was closed, or never was, is an error and not a crash. What is
//! closed while another thread uses it ends when that is done.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Open things, by number.
pub struct Handles<T>(Mutex<Open<T>>);

struct Open<T> {
    by_number: Option<HashMap<usize, Arc<T>>>,
}

/// The next number, of whatever kind: one of another kind is none here.
static NEXT: AtomicUsize = AtomicUsize::new(1);

impl<T> Handles<T> {
    /// Nothing is open.
    pub const fn new() -> Self {
        Self(Mutex::new(Open { by_number: None }))
    }

    /// The number of something new: one that nothing had before, and no address.
    pub fn keep(&self, new: T) -> usize {
        let mut open = self.lock();
        let number = NEXT.fetch_add(2, Relaxed); // odd, as no address of an object is
        let by_number = open.by_number.get_or_insert_default();
        by_number.insert(number, Arc::new(new));
        number
    }

    /// The open thing of this number, if there is one.
    pub fn get(&self, number: usize) -> Option<Arc<T>> {
        self.lock().by_number.as_ref()?.get(&number).cloned()
    }

    /// Closes what has this number, if anything has.
    pub fn close(&self, number: usize) {
        let closed = (self.lock().by_number.as_mut()).and_then(|open| open.remove(&number));
        drop(closed); // the lock is free by now
    }

    fn lock(&self) -> MutexGuard<'_, Open<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
