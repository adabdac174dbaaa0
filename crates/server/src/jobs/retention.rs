//! The time for which results are kept, though clocks are set.

mod boot;

use std::path::Path;
use std::time::{Duration, Instant};

use crate::clock::Millis;
use boot::{Book, Noted};

/// Results have the time of day at which they ended, and are kept for some time from then.
///
/// A machine without a battery begins in an early year, and its clock is set forward later. Results that ended before
/// would be over at once. So for as long as results are kept after a jump, the bound stays behind by the jump. Later it
/// does not, as all that ended before the jump is over then.
///
/// Jumps are noted beside the journal, for a server that begins after them (`boot`).
pub struct Retention {
    keep: Duration,
    /// The last look at both clocks.
    looked: (Millis, Instant),
    /// When a jump was seen, and how far it went.
    jumps: Vec<(Instant, Millis)>,
    book: Option<Book>,
}

impl Retention {
    /// Of results that are kept for so long, as the clocks stand now.
    pub fn new(keep: Duration, time: Millis, now: Instant) -> Self {
        Self {
            keep,
            looked: (time, now),
            jumps: Vec::new(),
            book: None,
        }
    }

    /// As [`Retention::new`], with the jumps that an earlier server of this folder saw, or did not live to see.
    pub fn of_folder(folder: &Path, keep: Duration, time: Millis, now: Instant) -> Self {
        let mut retention = Self::new(keep, time, now);
        retention.book = Book::open(folder);
        if let Some(noted) = retention.book.as_ref().and_then(|book| book.read(time)) {
            let Noted { jumps, missed } = noted;
            // Longer ago than this machine can tell: it counts as seen now, and results are kept for longer.
            let seen = |ago: Duration| now.checked_sub(ago).unwrap_or(now);
            let jumps = jumps.into_iter().map(|(ago, jump)| (seen(ago), jump));
            retention.jumps.extend(jumps);
            if missed >= LEAST_JUMP {
                retention.jumps.push((now, missed));
            }
        }
        retention.note(time, now);
        retention
    }

    /// The time of day before which results must have ended to be over.
    pub fn before(&mut self, time: Millis, now: Instant) -> Millis {
        let (last, looked) = self.looked;
        let passed = millis(now.saturating_duration_since(looked));
        let jump = time.saturating_sub(last).saturating_sub(passed);
        if jump >= LEAST_JUMP {
            self.jumps.push((now, jump));
        }
        self.looked = (time, now);
        let keep = self.keep;
        self.jumps
            .retain(|(seen, _)| now.saturating_duration_since(*seen) < keep);
        // Back, too: the next jump is from there.
        if jump.abs() >= LEAST_JUMP {
            self.note(time, now);
        }
        let jumped = |before: Millis, (_, jump): &(Instant, Millis)| before.saturating_sub(*jump);
        let before = time.saturating_sub(millis(keep));
        self.jumps.iter().fold(before, jumped)
    }

    fn note(&self, time: Millis, now: Instant) {
        let ago = |seen: &Instant| now.saturating_duration_since(*seen);
        let jumps: Vec<_> = (self.jumps.iter())
            .map(|(seen, jump)| (ago(seen), *jump))
            .collect();
        if let Some(book) = &self.book {
            book.write(time, &jumps);
        }
    }
}

pub(super) fn millis(time: Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

/// Milliseconds between two looks. A clock that is corrected slowly stays below.
const LEAST_JUMP: Millis = 1000;
