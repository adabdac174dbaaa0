//! Memory for inputs, of which there is only so much.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The memory for inputs of a server.
pub struct Holds {
    held: Arc<AtomicU64>,
    most: u64,
}

/// A part of it. Dropped, it is free again.
#[derive(Debug)]
pub struct Hold {
    held: Arc<AtomicU64>,
    bytes: u64,
}

impl Holds {
    /// Of `most` bytes.
    pub fn new(most: u64) -> Self {
        Self {
            held: Arc::default(),
            most,
        }
    }

    /// Sets `bytes` aside, if there are as many left.
    pub fn take(&self, bytes: u64) -> Option<Hold> {
        let more = |held: u64| held.checked_add(bytes).filter(|held| *held <= self.most);
        let taken = self.held.fetch_update(Relaxed, Relaxed, more);
        taken.ok().map(|_| self.hold(bytes))
    }

    /// Sets `bytes` aside, whatever is left: of inputs that are there already.
    pub fn take_anyway(&self, bytes: u64) -> Hold {
        self.held.fetch_add(bytes, Relaxed);
        self.hold(bytes)
    }

    /// Bytes that are set aside.
    pub fn held(&self) -> u64 {
        self.held.load(Relaxed)
    }

    fn hold(&self, bytes: u64) -> Hold {
        Hold {
            held: Arc::clone(&self.held),
            bytes,
        }
    }
}

impl Hold {
    /// Gives back all but `bytes`.
    pub fn shrink(&mut self, bytes: u64) {
        let less = self.bytes.saturating_sub(bytes);
        self.held.fetch_sub(less, Relaxed);
        self.bytes -= less;
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.held.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_held_than_there_is() {
        let holds = Holds::new(10);
        let mut first = holds.take(7).expect("there is room");
        assert!(holds.take(4).is_none() && holds.take(u64::MAX).is_none());
        first.shrink(2);
        first.shrink(5); // it has no more
        let second = holds.take(8).expect("there is room");
        assert_eq!(holds.held(), 10);
        drop((first, second));
        assert_eq!(holds.held(), 0);
    }
}
