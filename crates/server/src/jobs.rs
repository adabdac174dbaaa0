//! Jobs, from the request to the proof. Everything that has a door to the outside, HTTP or a front, comes here.
//!
//! ```text
//! submit ──journal: accepted──▶ queue ──▶ a worker ──journal: ended──▶ watchers are told
//!                                 ▲            │
//!                       room comes back ◀──────┘
//! ```
//!
//! A client is told nothing that is not durable. Watchers learn of an end when the journal has it.

mod cursors;
mod fingerprints;
mod held;
mod live;
mod machine;
mod promise;
mod queue;
pub mod recovery;
mod retention;
pub mod watchman;
mod worker;

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use frumious_app::failure::Failure;
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

use crate::circuits::{Circuits, Registered};
use crate::clock::Clock;
use crate::config::Limits;
use crate::executor::{Executor, Health};
use crate::journal::{Applied, Change, JobId, Journal, Kind, NewJob, Outcome, Record};
use crate::metrics::{Gauges, Metrics};
use crate::seal::Seal;
use crate::tokens::Owner;
use cursors::Cursors;
use fingerprints::Fingerprints;
pub use held::{Hold, Holds};
pub use live::{Live, Stop, View};
pub use machine::{Child, Machine};
use promise::{Promise, Promised};
use queue::Queue;
pub use queue::Room;

/// The jobs of a server.
pub struct Jobs {
    /// The circuits.
    pub circuits: Circuits,
    /// Counts for Prometheus.
    pub metrics: Metrics,
    /// The time of day.
    pub clock: Clock,
    /// The configuration's.
    pub limits: Limits,
    /// Memory for inputs.
    pub holds: Holds,
    /// The machine that they run on.
    pub machine: Machine,
    journal: Journal,
    seal: Option<Seal>,
    child: Child,
    fingerprints: Fingerprints,
    /// One for each verification that may run.
    verifying: Arc<Semaphore>,
    cursors: Cursors,
    executor: Box<dyn Executor>,
    board: Mutex<Board>,
    /// There is something for a worker to do, or a job has ended.
    changed: Condvar,
}

struct Board {
    /// Jobs that are not final.
    live: HashMap<JobId, Arc<Live>>,
    queue: Queue,
    /// Requests that were promised a place in the queue.
    promised: Promised,
    /// Jobs that are left to the next server.
    left: Vec<Arc<Live>>,
    running: usize,
    is_draining: bool,
    /// Set when workers shall end.
    is_over: bool,
}

/// A job as the journal has it, and in memory if it is not final.
pub type Found = (Record, Option<Arc<Live>>);

/// A request for a proof.
pub struct Request {
    /// Who asks.
    pub owner: Owner,
    /// The circuit.
    pub circuit: Arc<Registered>,
    /// Form of the input.
    pub kind: Kind,
    /// The input.
    pub input: Zeroizing<Vec<u8>>,
    /// The memory that was set aside for it.
    pub hold: Hold,
    /// The client's name for the request.
    pub idempotency_key: Option<String>,
    /// The longest that the job may take; the server's bound if there is none.
    pub within: Option<Duration>,
}

/// A request, as far as it is compared with an earlier one.
pub struct Asked {
    circuit: Arc<Registered>,
    kind: Kind,
    fingerprint: blake3::Hash,
}

/// The reason for which a request is not taken.
#[derive(Debug)]
pub enum Refused {
    /// The queue, or the owner's part of it, is full: again after so many seconds.
    Full(u64),
    /// The inputs of other requests take all the memory for inputs: again after so many seconds.
    Held(u64),
    /// The server is about to end.
    Draining,
    /// The idempotency key belongs to a request with another input.
    Conflict,
    /// The journal does not take it.
    Journal(Failure),
}

/// A job that a request has led to.
#[derive(Debug, PartialEq, Eq)]
pub struct Submitted {
    /// Its name.
    pub id: JobId,
    /// True if an earlier request under the same idempotency key made it.
    pub is_repeated: bool,
}

impl Jobs {
    /// Judges a proof, with at most as many others as there are threads. None after a fault.
    pub async fn verify(
        &self,
        circuit: Arc<Registered>,
        [proof, public]: [String; 2],
    ) -> Option<Result<bool, Failure>> {
        let permit = Arc::clone(&self.verifying).acquire_owned().await.ok()?;
        let judged = tokio::task::spawn_blocking(move || {
            let judged = circuit.circuit.verify(proof.as_bytes(), public.as_bytes());
            drop(permit); // not before, though nobody waits any more
            judged
        });
        judged.await.ok()
    }

    /// Sets memory aside for an input of at most `bytes`.
    ///
    /// # Errors
    /// [`Refused::Held`] if there is none.
    pub fn hold(&self, owner: &Owner, bytes: u64) -> Result<Hold, Refused> {
        let hold = self.holds.take(owner, bytes);
        hold.ok_or_else(|| Refused::Held(self.patience(&self.board())))
    }

    /// The most bytes of an input of this kind: those that the circuit expects, if there can be memory for them.
    pub fn most_bytes(&self, circuit: &Registered, kind: Kind) -> u64 {
        circuit.most_bytes(kind).min(self.holds.most())
    }

    /// Tells whether a request of `owner` has a place in the queue now.
    ///
    /// # Errors
    /// [`Refused::Full`], [`Refused::Draining`].
    pub fn has_place(&self, owner: &Owner) -> Result<(), Refused> {
        self.look_for_place(&self.board(), owner)
    }

    /// The job of an earlier request of `owner` under this key, if there is one.
    ///
    /// # Errors
    /// [`Refused::Journal`].
    pub async fn known(
        self: &Arc<Self>,
        owner: &Owner,
        key: &str,
    ) -> Result<Option<JobId>, Refused> {
        let (jobs, owner, key) = (Arc::clone(self), Arc::clone(&owner.name), key.to_owned());
        let known = tokio::task::spawn_blocking(move || jobs.journal.known(&owner, &key));
        known
            .await
            .map_err(|_| Refused::Draining)?
            .map_err(Refused::Journal)
    }

    /// Compares a job with a request: circuit, form and input. The input of a job that ended before this server began
    /// is not known.
    ///
    /// # Errors
    /// [`Refused::Conflict`] if it is another; [`Refused::Journal`].
    pub async fn is_same(self: &Arc<Self>, id: &JobId, asked: Asked) -> Result<(), Refused> {
        let (jobs, searched) = (Arc::clone(self), id.clone());
        let record = tokio::task::spawn_blocking(move || jobs.journal.job(&searched));
        let record = record.await.map_err(|_| Refused::Draining)?;
        let record = record.map_err(Refused::Journal)?;
        let is_other = record
            .is_some_and(|record| record.circuit != *asked.circuit.id || record.kind != asked.kind);
        match is_other || !self.fingerprints.may_be(id, asked.fingerprint) {
            true => Err(Refused::Conflict),
            false => Ok(()),
        }
    }

    /// Takes a request. The job is durable when this returns.
    ///
    /// # Errors
    /// [`Refused`].
    pub async fn submit(self: &Arc<Self>, request: Request) -> Result<Submitted, Refused> {
        let random = |error: getrandom::Error| {
            Refused::Journal(Failure::bad_input(format!("no random bytes: {error}")))
        };
        let id = JobId::draw().map_err(random)?;
        let most = self.limits.deadline_seconds.duration();
        let within = request.within.map_or(most, |asked| asked.min(most));
        let asked = self.asked(&request.circuit, request.kind, &request.input);
        let seal = self.seal.as_ref();
        let sealed = seal.map(|seal| seal.seal(id.as_str(), &request.input));
        let sealed = sealed.transpose().map_err(Refused::Journal)?;
        let now = self.clock.now();
        let has_key = request.idempotency_key.is_some();
        let job = NewJob {
            id: id.clone(),
            circuit: request.circuit.id.to_string(),
            key_digest: request.circuit.circuit.digest().to_owned(),
            owner: request.owner.name.to_string(),
            idempotency_key: request.idempotency_key,
            kind: request.kind,
            created: now,
            deadline: now.saturating_add(within.as_millis().try_into().unwrap_or(i64::MAX)),
            sealed,
        };
        let live = Live::new(
            id.clone(),
            request.circuit,
            Arc::clone(&request.owner.name),
            request.kind,
            (request.input, request.hold),
            Instant::now() + within,
        )
        .sealed(job.sealed.is_some());
        let promise = self.promise(&request.owner, Arc::new(live))?;
        if has_key {
            // Before the journal has the job: whoever finds it there compares it.
            let until = Instant::now() + within + self.limits.keep_seconds.duration();
            self.fingerprints.keep(&id, asked.fingerprint, until);
        }
        let (sender, told) = tokio::sync::oneshot::channel();
        self.journal.hand_in(
            Change::Accept(Box::new(job)),
            // In the writer's thread: the client may be gone by now, and the job is to run all the same.
            Box::new(move |result| {
                if !matches!(result, Ok(Applied::Made)) {
                    promise.jobs.fingerprints.remove(&promise.live.id);
                }
                let submitted = promise.settle(result);
                let _ = sender.send(submitted);
            }),
        );
        let submitted = told.await.unwrap_or(Err(Refused::Draining))?;
        if submitted.is_repeated {
            self.is_same(&submitted.id, asked).await?;
        }
        Ok(submitted)
    }

    /// A request, to be compared. Its digest is under a key of this process: it tells nothing of the input to who reads
    /// it.
    pub fn asked(&self, circuit: &Arc<Registered>, kind: Kind, input: &[u8]) -> Asked {
        let parts = [circuit.id.as_bytes(), kind.name().as_bytes(), input];
        Asked {
            circuit: Arc::clone(circuit),
            kind,
            fingerprint: self.fingerprints.of(parts),
        }
    }

    /// A job that `owner` may see.
    ///
    /// # Errors
    /// A [`Failure`] if the journal cannot be read.
    pub fn find(&self, owner: &Owner, id: &JobId) -> Result<Option<Found>, Failure> {
        // In this order: a job that ends between the two is in the journal with its end.
        let live = self.board().live.get(id).map(Arc::clone);
        let record = self.journal.job(id)?;
        let record = record.filter(|record| owner.may_see(&record.owner));
        Ok(record.map(|record| (record, live)))
    }

    /// The latest jobs of `owner` below a number, or of all tokens for an operator.
    ///
    /// # Errors
    /// A [`Failure`] if the journal cannot be read.
    pub fn list(
        &self,
        owner: &Owner,
        below: Option<i64>,
        most: usize,
    ) -> Result<Vec<Found>, Failure> {
        let name = (!owner.is_operator).then_some(&*owner.name);
        let records = self.journal.list(name, below, most)?;
        let board = self.board();
        let found = records.into_iter().map(|record| {
            let live = board.live.get(&record.id).map(Arc::clone);
            (record, live)
        });
        Ok(found.collect())
    }

    /// Asks a job to stop. What has ended stays as it is.
    pub fn stop(self: &Arc<Self>, live: &Arc<Live>, reason: Stop) {
        let is_first = live.stop(reason);
        self.executor.stopped(&live.id);
        if !is_first || reason == Stop::Shutdown {
            return;
        }
        // If it waits nobody else will end it; if it runs its worker does, and before that its promise.
        let mut board = self.board();
        let waiting = board.queue.remove(&live.owner, &live.id);
        let waiting = waiting.or_else(|| {
            let place = board.left.iter().position(|left| left.id == live.id)?;
            Some(board.left.swap_remove(place))
        });
        drop(board);
        if let Some(live) = waiting {
            self.finish(&live, worker::stopped(reason));
        }
    }

    /// Numbers of jobs that wait and that run.
    pub fn counts(&self) -> (usize, usize) {
        let board = self.board();
        (board.queue.len(), board.running)
    }

    /// True if it takes requests, and makes proofs.
    pub fn is_ready(&self) -> bool {
        let takes_requests = self.journal.is_healthy() && !self.board().is_draining;
        takes_requests && self.executor.health().is_ready()
    }

    /// The state of the executor's machines.
    pub fn health(&self) -> Health {
        self.executor.health()
    }

    /// As Prometheus is told.
    pub fn gauges(&self) -> Gauges {
        let (queued, running) = self.counts();
        Gauges {
            queued: queued as u64,
            running: running as u64,
            held: self.holds.held(),
            is_durable: self.journal.is_healthy(),
            executor: self.executor.health(),
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look_for_place(&self, board: &Board, owner: &Owner) -> Result<(), Refused> {
        if board.is_draining {
            return Err(Refused::Draining);
        }
        let is_full = board.queue.len() + board.promised.len() >= self.limits.queue;
        let own = board.queue.len_of(&owner.name) + board.promised.len_of(&owner.name);
        match is_full || owner.queue.is_some_and(|most| own >= most) {
            true => Err(Refused::Full(self.patience(board))),
            false => Ok(()),
        }
    }

    /// Seconds after which a place may be free: for a tenth of the queue to be served.
    fn patience(&self, board: &Board) -> u64 {
        let rounds = (board.queue.len() as f64 / 10.0).max(1.0) / board.running.max(1) as f64;
        let seconds = rounds * self.metrics.mean_seconds();
        (seconds.ceil() as u64).clamp(1, 60)
    }

    /// Promises a place in the queue.
    fn promise(self: &Arc<Self>, owner: &Owner, live: Arc<Live>) -> Result<Promise, Refused> {
        let mut board = self.board();
        self.look_for_place(&board, owner)?;
        board.promised.add(&owner.name);
        // So that whoever learns its name finds it.
        board.live.insert(live.id.clone(), Arc::clone(&live));
        Ok(Promise {
            jobs: Arc::clone(self),
            live,
        })
    }

    /// Hands the end of a job in. Its watchers are told when it is durable.
    fn finish(self: &Arc<Self>, live: &Arc<Live>, outcome: Outcome) {
        drop(live.take_input()); // wiped before anyone learns of the end
        let (jobs, live, state) = (Arc::clone(self), Arc::clone(live), outcome.state());
        let change = Change::Finish(live.id.clone(), self.clock.now(), Box::new(outcome));
        self.journal.hand_in(
            change,
            Box::new(move |result| {
                // Not durable: the server ends, and after a restart the job is begun again.
                if result.is_err() {
                    return;
                }
                jobs.board().live.remove(&live.id);
                jobs.metrics.ended(&live.circuit.id, state, live.age());
                live.end(state);
                jobs.changed.notify_all();
            }),
        );
    }
}

#[cfg(test)]
mod tests;
