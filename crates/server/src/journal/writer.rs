//! The thread that writes.
//!
//! While the disk is full, ends of jobs wait and everything else is answered at once. However many ends wait, the work
//! of an attempt is bounded: a request is told within moments that there is no room.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use frumious_app::failure::{Code, Failure};
use rusqlite::Connection;

use super::changes::{Handed, apply};
use super::reserve::Reserve;
use super::{Change, NewJob, failure, schema};

/// The writing side of a journal.
pub struct Writer {
    connection: Connection,
    reserve: Reserve,
    healthy: Arc<AtomicBool>,
    /// Ends of jobs that the disk did not take, in their order.
    ends: VecDeque<Handed>,
    /// Of them, in the next transaction.
    at_once: usize,
    /// Results that the next change forgets.
    forgotten: i64,
    /// The reason for which ends wait; none while they are worked off.
    refused: Option<Failure>,
    /// The last attempt that failed.
    tried: Instant,
    /// The last look for room for the reserve.
    looked: Instant,
}

impl Writer {
    /// Writes by this connection, and says whether the disk takes it.
    pub fn new(connection: Connection, reserve: Reserve, healthy: Arc<AtomicBool>) -> Self {
        healthy.store(reserve.is_there(), Relaxed);
        Self {
            connection,
            reserve,
            healthy,
            ends: VecDeque::new(),
            at_once: MOST_ENDS,
            forgotten: MOST_FORGOTTEN,
            refused: None,
            tried: Instant::now(),
            looked: Instant::now(),
        }
    }

    /// Writes all changes that come, as many as wait in one transaction, until no sender is left.
    pub fn write(mut self, waiting: &Receiver<Handed>) {
        while !self.round(waiting) {}
        while self.refused.is_none() && !self.ends.is_empty() {
            self.try_ends();
        }
        let refused = self.refused.unwrap_or_else(nothing);
        refuse(self.ends.into(), &refused);
    }

    /// Takes the changes that came, and tries the ends that wait if it is time. True if there will be no others.
    pub fn round(&mut self, waiting: &Receiver<Handed>) -> bool {
        let (batch, is_last) = collect(waiting, self.pause());
        self.take(batch);
        if is_last || self.refused.is_none() || self.tried.elapsed() >= BETWEEN_TRIES {
            self.try_ends();
        }
        self.look_for_room();
        is_last
    }

    /// The longest time to wait for a change; none for ever.
    fn pause(&self) -> Option<Duration> {
        match (self.ends.is_empty(), self.reserve.is_there()) {
            (true, true) => None,
            (true, false) => Some(BETWEEN_LOOKS.saturating_sub(self.looked.elapsed())),
            (false, _) if self.refused.is_none() => Some(Duration::ZERO),
            (false, _) => Some(BETWEEN_TRIES.saturating_sub(self.tried.elapsed())),
        }
    }

    fn take(&mut self, batch: Vec<Handed>) {
        let mut now = Vec::new();
        for (change, told) in batch {
            match (&change, &self.refused) {
                (Change::Finish(..), refused) if refused.is_some() || !self.ends.is_empty() => {
                    self.ends.push_back((change, told));
                }
                // It makes room.
                (Change::Forget(_), Some(_)) if !self.reserve.is_there() => {
                    now.push((change, told));
                }
                (_, Some(refused)) => told(Err(copy(refused))),
                (Change::Accept(job), None) if !self.reserve.covers(sealed(job)) => {
                    told(Err(self.reserve.reason()));
                }
                _ => now.push((change, told)),
            }
        }
        self.make(now);
    }

    /// Some of the ends that wait, in a transaction of their own.
    fn try_ends(&mut self) {
        let count = self.at_once.min(self.ends.len());
        let batch = self.ends.drain(..count).collect();
        self.make(batch);
    }

    /// Makes changes in one transaction, and tells of them.
    fn make(&mut self, batch: Vec<Handed>) {
        if batch.is_empty() {
            return;
        }
        match apply(&mut self.connection, &batch, self.forgotten) {
            Ok(applied) => {
                self.made(true);
                for ((_, told), applied) in batch.into_iter().zip(applied) {
                    told(Ok(applied));
                }
            }
            // One change that the database refuses is not to stop the others.
            Err(error) if !may_pass(&error) => self.make_one_by_one(batch),
            Err(error) => self.put_off(batch, failure(&error)),
        }
    }

    fn make_one_by_one(&mut self, batch: Vec<Handed>) {
        let mut is_sound = true;
        let mut left = batch.into_iter();
        while let Some(one) = left.next() {
            let one_alone = std::slice::from_ref(&one);
            let applied = apply(&mut self.connection, one_alone, self.forgotten);
            match applied {
                Err(error) if may_pass(&error) => {
                    let left = std::iter::once(one).chain(left).collect();
                    return self.put_off(left, failure(&error));
                }
                Err(error) => {
                    is_sound &= failure(&error).code() != Code::Changed;
                    (one.1)(Err(failure(&error)));
                }
                Ok(applied) => (one.1)(applied.into_iter().next().ok_or_else(nothing)),
            }
        }
        self.made(is_sound);
    }

    /// The disk took something.
    fn made(&mut self, is_sound: bool) {
        self.refused = None;
        self.at_once = (self.at_once * 2).min(MOST_ENDS);
        self.forgotten = (self.forgotten * 2).min(MOST_FORGOTTEN);
        if !self.reserve.is_there() {
            schema::empty_log(&self.connection); // so that the next change has its room
        }
        let is_healthy = is_sound && self.ends.is_empty() && self.reserve.is_there();
        self.healthy.store(is_healthy, Relaxed);
    }

    /// The disk did not take them. Ends wait, and the others are told so at once.
    fn put_off(&mut self, batch: Vec<Handed>, refused: Failure) {
        self.healthy.store(false, Relaxed);
        // SQLite tells alike of a full disk, and of one that was mounted anew to read.
        let refused = match (refused.code(), self.reserve.reason()) {
            (Code::NoSpace, reason) if reason.code() != Code::NoSpace => reason,
            _ => refused,
        };
        let is_full = refused.code() == Code::NoSpace;
        let has_given_up = is_full && self.reserve.give_up();
        if is_full {
            schema::empty_log(&self.connection); // so that the next attempt has its room
        }
        if has_given_up {
            self.looked = Instant::now();
            // The room is not for requests.
            let (requests, others) = split(batch, |change| matches!(change, Change::Accept(_)));
            refuse(requests, &refused);
            return self.make(others);
        }
        let (ends, others) = split(batch, |change| matches!(change, Change::Finish(..)));
        if !ends.is_empty() {
            // Fewer may fit.
            self.at_once = (ends.len() / 2).max(1);
            let later = std::mem::replace(&mut self.ends, ends.into());
            self.ends.extend(later);
        }
        self.tried = Instant::now();
        let may_fit = is_full && self.forgotten > 1;
        let is_less_to_forget = |change: &Change| may_fit && matches!(change, Change::Forget(_));
        let (forgets, others) = split(others, is_less_to_forget);
        refuse(others, &refused);
        self.refused = (!self.ends.is_empty()).then_some(refused);
        if !forgets.is_empty() {
            self.forgotten = (self.forgotten / 8).max(1);
            self.make(forgets);
        }
    }

    /// Makes the reserve again if it fits. Room that results have left in the database goes back to the disk before.
    fn look_for_room(&mut self) {
        let is_early = self.looked.elapsed() < BETWEEN_LOOKS;
        if self.reserve.is_there() || is_early || !self.ends.is_empty() {
            return;
        }
        schema::empty_log(&self.connection);
        schema::shrink(&self.connection);
        let is_there = self.reserve.make();
        self.healthy.store(is_there, Relaxed);
        self.looked = Instant::now();
    }
}

/// True for what the disk or another process is to blame for.
fn may_pass(error: &rusqlite::Error) -> bool {
    let code = failure(error).code();
    matches!(
        code,
        Code::NoSpace | Code::Permission | Code::Busy | Code::MemoryLimit
    )
}

fn split(batch: Vec<Handed>, is_first: impl Fn(&Change) -> bool) -> (Vec<Handed>, Vec<Handed>) {
    batch.into_iter().partition(|(change, _)| is_first(change))
}

fn refuse(batch: Vec<Handed>, refused: &Failure) {
    for (_, told) in batch {
        told(Err(copy(refused)));
    }
}

fn nothing() -> Failure {
    Failure::bad_input("the journal: no answer")
}

/// The same, to be told to another.
fn copy(failure: &Failure) -> Failure {
    Failure::new(failure.code(), failure.message())
}

/// All changes that wait, or as many as one transaction has; true if there will be no others.
fn collect(waiting: &Receiver<Handed>, pause: Option<Duration>) -> (Vec<Handed>, bool) {
    let first = match pause {
        None => waiting.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(pause) => waiting.recv_timeout(pause),
    };
    let mut batch = match first {
        Ok(first) => vec![first],
        Err(error) => return (Vec::new(), error == RecvTimeoutError::Disconnected),
    };
    let of = |(change, _): &Handed| match change {
        Change::Accept(job) => sealed(job),
        _ => 0,
    };
    let mut bytes = of(&batch[0]);
    while batch.len() < MOST_AT_ONCE && bytes < MOST_SEALED {
        match waiting.try_recv() {
            Ok(handed) => {
                bytes += of(&handed);
                batch.push(handed);
            }
            Err(TryRecvError::Empty) => break,
            Err(TryRecvError::Disconnected) => return (batch, true),
        }
    }
    (batch, false)
}

/// Bytes of a sealed input.
fn sealed(job: &NewJob) -> usize {
    job.sealed.as_ref().map_or(0, Vec::len)
}

/// Jobs that one change forgets, if there is room: what is wiped goes through the log.
const MOST_FORGOTTEN: i64 = 1000;

/// Changes in one transaction.
const MOST_AT_ONCE: usize = 256;

/// Ends in one transaction that are tried again.
const MOST_ENDS: usize = 128;

/// Bytes of sealed inputs after which a transaction takes no more of them. The reserve has room for as many.
const MOST_SEALED: usize = 4 << 20;

/// While the disk is full.
const BETWEEN_TRIES: Duration = Duration::from_millis(200);

/// Looks for room for the reserve. Each writes as much as fits, so it is not done all the time.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);
