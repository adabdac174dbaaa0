//! For how long a driver has said nothing, and for how long it has read no letter of those that were sent.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Times of one driver.
pub(super) struct Clocks(Mutex<Times>);

struct Times {
    heard: Instant,
    sent: u64,
    read: u64,
    has_nodes: bool,
    /// Since when it could read a letter and does not.
    behind: Option<Instant>,
}

impl Clocks {
    /// Of a driver that begins now.
    pub(super) fn start() -> Self {
        Self(Mutex::new(Times {
            heard: Instant::now(),
            sent: 0,
            read: 0,
            has_nodes: false,
            behind: None,
        }))
    }

    /// It said something.
    pub(super) fn hear(&self) {
        self.times().heard = Instant::now();
    }

    /// A letter is sent.
    pub(super) fn send(&self) {
        let mut times = self.times();
        times.sent += 1;
        times.look(false);
    }

    /// It tells its nodes, and the letters that it has read. Without nodes it reads keys, which may take minutes.
    pub(super) fn beat(&self, nodes: u64, read: Option<u64>) {
        let mut times = self.times();
        let read = read.unwrap_or(times.sent); // it does not tell
        let has_more = read > times.read || (nodes > 0) != times.has_nodes;
        (times.read, times.has_nodes) = (read, nodes > 0);
        times.look(has_more);
    }

    /// The time since it said something.
    pub(super) fn quiet(&self) -> Duration {
        self.times().heard.elapsed()
    }

    /// The time for which it has read nothing, though there are letters.
    pub(super) fn unread(&self) -> Duration {
        (self.times().behind).map_or(Duration::ZERO, |behind| behind.elapsed())
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Times {
    fn look(&mut self, is_anew: bool) {
        let is_behind = self.has_nodes && self.sent > self.read;
        if !is_behind {
            self.behind = None;
        } else if is_anew || self.behind.is_none() {
            self.behind = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_unread_from_when_they_could_be_read() {
        let clocks = Clocks::start();
        let wait = || std::thread::sleep(Duration::from_millis(20));
        let is_unread = || clocks.unread() >= Duration::from_millis(20);
        wait();
        assert!(clocks.quiet() >= Duration::from_millis(20) && !is_unread());
        clocks.send();
        clocks.send();
        wait();
        assert!(!is_unread(), "it reads keys");
        clocks.beat(2, Some(0));
        assert!(!is_unread());
        wait();
        clocks.beat(1, Some(0)); // as ready as before
        assert!(is_unread());
        clocks.beat(1, Some(1));
        assert!(!is_unread(), "it has read one");
        wait();
        assert!(is_unread());
        clocks.beat(0, Some(1));
        assert!(!is_unread());
        clocks.beat(1, Some(2));
        wait();
        assert!(!is_unread(), "it has read all");
        clocks.send();
        wait();
        assert!(is_unread());
        clocks.beat(1, None);
        assert!(!is_unread());
    }
}
