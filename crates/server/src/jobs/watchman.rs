//! Deadlines, retention, and the end of the server.

use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::retention::Retention;
use super::{Change, Jobs, Live, Stop, worker};
use crate::clock::Millis;
use crate::journal::Applied;

/// The threads of a server's jobs.
pub struct Crew {
    jobs: Arc<Jobs>,
    threads: Vec<JoinHandle<()>>,
}

impl Crew {
    /// Starts `workers` threads that wait for proofs, and one that looks at the clock.
    ///
    /// # Errors
    /// If the operating system starts no thread.
    pub fn start(jobs: &Arc<Jobs>, workers: usize) -> std::io::Result<Self> {
        let mut threads = Vec::new();
        for number in 0..workers {
            let jobs = Arc::clone(jobs);
            let thread = std::thread::Builder::new().name(format!("worker-{number}"));
            threads.push(thread.spawn(move || worker::work(&jobs))?);
        }
        let watched = Arc::clone(jobs);
        let keep = jobs.limits.keep_seconds.duration();
        let folder = jobs.journal.folder();
        let retention = Retention::of_folder(folder, keep, jobs.clock.now(), Instant::now());
        let thread = std::thread::Builder::new().name("watchman".into());
        threads.push(thread.spawn(move || watch(&watched, retention))?);
        Ok(Self {
            jobs: Arc::clone(jobs),
            threads,
        })
    }

    /// Takes no more requests. Jobs that run get some time to end, and so do those that wait and whose inputs would be
    /// lost. The others stay in the journal, for the next server.
    pub fn drain(self, time: Duration) {
        let deadline = Instant::now() + time;
        let mut board = self.jobs.board();
        board.is_draining = true;
        // They may still be cancelled, and expire.
        board.left = board.queue.drain(|live| live.is_sealed);
        let is_idle = self.wait(board, deadline);
        self.jobs.flush(); // so that whoever waits for an end that was made is told it
        let live: Vec<Arc<Live>> = self.jobs.board().live.values().map(Arc::clone).collect();
        for live in &live {
            self.jobs.stop(live, Stop::Shutdown);
        }
        if !is_idle {
            self.wait(self.jobs.board(), Instant::now() + TO_STOP);
        }
        self.jobs.board().is_over = true;
        self.jobs.changed.notify_all();
        for thread in self.threads {
            let _ = thread.join(); // its faults were those of its jobs
        }
        self.jobs.executor.end();
        self.jobs.flush();
    }

    /// Waits until nothing runs and nothing waits; false if that takes too long.
    fn wait(&self, mut board: std::sync::MutexGuard<'_, super::Board>, deadline: Instant) -> bool {
        loop {
            if board.running == 0 && board.promised.len() == 0 && board.queue.len() == 0 {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.jobs.changed.wait_timeout(board, left);
            board = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Jobs {
    /// Waits until the journal has what was handed in, as long as its disk takes it.
    pub(super) fn flush(&self) {
        let (sender, told) = std::sync::mpsc::channel();
        let nothing = Change::Forget(i64::MIN);
        self.journal.hand_in(
            nothing,
            Box::new(move |_| {
                let _ = sender.send(());
            }),
        );
        let _ = told.recv_timeout(TO_STOP);
    }
}

fn watch(jobs: &Arc<Jobs>, mut retention: Retention) {
    let mut swept = Instant::now();
    let (mut looked, mut was_there) = (Instant::now(), true);
    let mut sweep_now = || {
        let before = retention.before(jobs.clock.now(), Instant::now());
        sweep(Arc::clone(jobs), before);
    };
    sweep_now();
    loop {
        let board = jobs.board();
        if board.is_over {
            return;
        }
        let now = Instant::now();
        let is_late = |live: &&Arc<Live>| live.deadline <= now && live.stopped().is_none();
        let late: Vec<Arc<Live>> = board
            .live
            .values()
            .filter(is_late)
            .map(Arc::clone)
            .collect();
        drop(board);
        for live in late {
            jobs.stop(&live, Stop::Expired);
        }
        if looked.elapsed() >= BETWEEN_LOOKS_FOR_FOLDER {
            looked = Instant::now();
            let there = jobs.journal.look_for_folder();
            if let Err(failure) = &there
                && was_there
            {
                crate::log(&format!("no requests are taken: {}", failure.message()));
            }
            was_there = there.is_ok();
        }
        if swept.elapsed() >= BETWEEN_SWEEPS {
            swept = Instant::now();
            sweep_now();
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

/// Forgets results that ended before: some in each change, so that nobody waits for many.
pub(super) fn sweep(jobs: Arc<Jobs>, before: Millis) {
    let is_known = |id: &_| !matches!(jobs.journal.job(id), Ok(None));
    jobs.fingerprints.forget(is_known);
    let again = Arc::clone(&jobs);
    let told = move |result| {
        if let Ok(Applied::Made) = result {
            sweep(again, before);
        }
    };
    jobs.journal.hand_in(Change::Forget(before), Box::new(told));
}

/// For a proof that is asked to stop, and for the disk.
const TO_STOP: Duration = Duration::from_secs(2);

/// A deadline is kept to this.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

const BETWEEN_SWEEPS: Duration = Duration::from_secs(30);

const BETWEEN_LOOKS_FOR_FOLDER: Duration = Duration::from_secs(1);
