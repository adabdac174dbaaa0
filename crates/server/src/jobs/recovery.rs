//! Jobs that an earlier server did not finish.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use frumious_app::failure::Failure;
use tokio::sync::Semaphore;

use super::cursors::Cursors;
use super::fingerprints::Fingerprints;
use super::promise::Promised;
use super::queue::Queue;
use super::{Board, Child, Holds, Jobs, Live, Machine};
use crate::circuits::Circuits;
use crate::clock::Clock;
use crate::config::Limits;
use crate::executor::{Executor, Health};
use crate::journal::{Change, Journal, Outcome, Record};
use crate::metrics::Metrics;
use crate::seal::Seal;

/// The parts that jobs are made of.
pub struct Parts {
    /// The circuits.
    pub circuits: Circuits,
    /// The journal.
    pub journal: Journal,
    /// The key of sealed inputs, if there is one.
    pub seal: Option<Seal>,
    /// Bounds.
    pub limits: Limits,
    /// The time of day.
    pub clock: Clock,
    /// The command for a process that computes a witness.
    pub child: Child,
    /// Makes the proofs.
    pub executor: Box<dyn Executor>,
    /// The machine that they run on.
    pub machine: Machine,
}

impl Jobs {
    /// The jobs of a journal. Those that were not finished wait again, in their order; the others end with a reason.
    ///
    /// # Errors
    /// A [`Failure`] if the journal cannot be read.
    pub fn recover(parts: Parts) -> Result<Arc<Self>, Failure> {
        let room = parts.executor.room();
        let jobs = Arc::new(Self {
            holds: Holds::new(parts.limits.held.0),
            circuits: parts.circuits,
            metrics: Metrics::default(),
            clock: parts.clock,
            limits: parts.limits,
            journal: parts.journal,
            seal: parts.seal,
            child: parts.child,
            fingerprints: Fingerprints::new()?,
            verifying: Arc::new(Semaphore::new(parts.machine.threads.max(1))),
            machine: parts.machine,
            cursors: Cursors::new()?,
            executor: parts.executor,
            board: Mutex::new(Board {
                live: HashMap::new(),
                queue: Queue::new(room),
                promised: Promised::default(),
                left: Vec::new(),
                running: 0,
                is_draining: false,
                is_over: false,
            }),
            changed: Condvar::new(),
        });
        for (record, sealed) in jobs.journal.unfinished()? {
            match jobs.again(&record, sealed) {
                Ok(live) => {
                    let live = Arc::new(live);
                    let mut board = jobs.board();
                    board.live.insert(live.id.clone(), Arc::clone(&live));
                    board.queue.push(live);
                }
                Err(outcome) => {
                    let change = Change::Finish(record.id, jobs.clock.now(), Box::new(outcome));
                    jobs.journal.hand_in(change, Box::new(|_| {}));
                }
            }
        }
        // So that nobody finds a job that is neither at work nor at its end.
        jobs.flush();
        Ok(jobs)
    }

    /// Records a run of each circuit's generator, so that the first inputs are replayed. A circuit that cannot be
    /// recorded without inputs is recorded when it has some. A fleet's nodes do so themselves.
    pub fn rehearse(&self) {
        if self.executor.health() != Health::Local {
            return;
        }
        for registered in self.circuits.all() {
            // What is wrong with a generator, its first inputs tell.
            let _ = registered.circuit.rehearse(self.child);
        }
    }

    /// The job, to wait again; or its end.
    fn again(&self, record: &Record, sealed: Option<Vec<u8>>) -> Result<Live, Outcome> {
        let failed = |code: &str, message: &str| Outcome::Failed {
            code: code.into(),
            message: message.into(),
        };
        let Some(circuit) = self.circuits.get(&record.circuit) else {
            return Err(failed("unknown_circuit", "the circuit is no longer served"));
        };
        if circuit.circuit.digest() != record.key_digest {
            return Err(failed(
                "changed",
                "the circuit has another key since the restart",
            ));
        }
        if record.attempts >= self.limits.attempts {
            let message = format!("the server ended {} times while it ran", record.attempts);
            return Err(failed("crashed", &message));
        }
        // A clock that was set back gives no job more time than it had.
        let most = record.deadline.saturating_sub(record.created);
        let left = record.deadline.saturating_sub(self.clock.now()).min(most);
        let Some(left) = u64::try_from(left).ok().filter(|left| *left > 0) else {
            return Err(Outcome::Expired);
        };
        let Some(sealed) = sealed else {
            return Err(failed(
                LOST,
                "its input was in memory only when the server ended",
            ));
        };
        let opened = self
            .seal
            .as_ref()
            .and_then(|seal| seal.open(record.id.as_str(), &sealed));
        let Some(input) = opened else {
            return Err(failed(LOST, "its input was sealed with another key"));
        };
        let digest = self.asked(circuit, record.kind, &input).fingerprint;
        let until =
            Instant::now() + Duration::from_millis(left) + self.limits.keep_seconds.duration();
        self.fingerprints.keep(&record.id, digest, until);
        let owner: Arc<str> = record.owner.as_str().into();
        let hold = self.holds.take_anyway(&owner, input.len() as u64);
        let live = Live::new(
            record.id.clone(),
            Arc::clone(circuit),
            owner,
            record.kind,
            (input, hold),
            Instant::now() + Duration::from_millis(left),
        );
        Ok(live.sealed(true))
    }
}

const LOST: &str = "lost_input";
