//! Proofs in this process, on as many threads as their circuit asks for.

use std::sync::{Mutex, PoisonError};

use frumious_app::cancellable;
use frumious_app::circuit::ProofInput;
use frumious_app::failure::Failure;
use frumious_parallel::Threads;

use super::{Executor, Health};
use crate::jobs::{Child, Live, Machine, Room};
use crate::journal::{JobId, Kind, Outcome};

/// This process.
pub struct LocalExecutor {
    pools: Pools,
    child: Child,
    room: Room,
}

impl LocalExecutor {
    /// On a machine. `child` is the command for a process that computes a witness.
    pub fn new(machine: &Machine, child: Child) -> Self {
        let room = Room {
            threads: machine.threads,
            memory: machine.memory,
        };
        Self {
            pools: Pools::default(),
            child,
            room,
        }
    }
}

impl Executor for LocalExecutor {
    fn most_jobs(&self) -> usize {
        self.room.threads
    }

    fn room(&self) -> Room {
        self.room
    }

    fn prove(&self, live: &Live) -> Result<Outcome, Failure> {
        let Some((input, _hold)) = live.take_input() else {
            return Err(Failure::interrupted());
        };
        let input = match live.kind {
            Kind::Witness => ProofInput::Witness(&input),
            Kind::Inputs => ProofInput::Inputs(&input),
        };
        let circuit = &live.circuit;
        let memory = Some(circuit.memory);
        let threads = self.pools.take(circuit.threads)?;
        let proved = cancellable(&live.cancellation, || {
            threads.run(|| circuit.circuit.prove(&input, memory, self.child, live))
        });
        self.pools.give_back(threads);
        let proved = proved?;
        Ok(Outcome::Succeeded {
            proof: proved.proof,
            public: proved.public,
        })
    }

    /// The proof looks at its cancellation.
    fn stopped(&self, _: &JobId) {}

    fn health(&self) -> Health {
        Health::Local
    }

    fn end(&self) {}
}

/// Pools of threads that wait for the next proof: to start one for each would take longer than a small proof.
#[derive(Default)]
struct Pools(Mutex<Vec<Threads>>);

impl Pools {
    /// One with `count` threads.
    fn take(&self, count: usize) -> Result<Threads, Failure> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = idle.iter().position(|threads| threads.count() == count) {
            return Ok(idle.swap_remove(place));
        }
        drop(idle);
        Threads::start(count).map_err(|error| Failure::of_system("cannot start threads", &error))
    }

    fn give_back(&self, threads: Threads) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(threads);
    }
}
