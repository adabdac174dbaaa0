//! Proofs by a fleet: jobs go to a driver, a child process in Python, which gives them to nodes by Ray.
//!
//! ```text
//! a worker ──ask──▶ desk ──writer──▶ driver ──Ray──▶ nodes
//!     ▲               │                 │
//!     └──answer───────┴◀────reader──────┘
//! ```
//!
//! The journal alone knows what is done. The driver may die, hang or lie at any time. It is begun anew, and gets jobs
//! without an answer again. A proof counts when it was verified here.

mod clocks;
mod desk;
mod driver;
mod lines;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use frumious_app::failure::{Code, Failure};
use frumious_app::fleet;
use frumious_app::observer::Observer;

use super::{Executor, Health};
use crate::circuits::Circuits;
use crate::config::Config;
use crate::config::FleetEntry;
use crate::jobs::{Live, Room};
use crate::journal::{JobId, Kind, Outcome};
use desk::{Answer, Ask, Desk};
use driver::Supervisor;

/// A fleet.
pub struct FleetExecutor {
    desk: Arc<Desk>,
    most_jobs: usize,
    supervisor: Mutex<Option<JoinHandle<()>>>,
}

impl FleetExecutor {
    /// The driver's program, and the variables that it must not see.
    ///
    /// # Errors
    /// A [`Failure`] if the fleet cannot prove for a circuit, or if the program is missing or of another version.
    pub fn check(
        entry: &FleetEntry,
        config: &Config,
        circuits: &Circuits,
    ) -> Result<(PathBuf, Vec<String>), Failure> {
        for circuit in circuits.all() {
            if circuit.circuit.runs_a_program() {
                let message = format!(
                    "circuit {}: a fleet runs no program as a generator, but modules and graphs",
                    circuit.id
                );
                return Err(Failure::new(Code::WrongKind, message));
            }
        }
        let program = fleet::find(entry.program.as_deref())?;
        let seal = config.seal.as_ref().and_then(|seal| seal.env.clone());
        let secrets: Vec<String> = seal.into_iter().chain([TOKEN.into()]).collect();
        let names: Vec<&str> = secrets.iter().map(String::as_str).collect();
        fleet::check_version(&program, env!("CARGO_PKG_VERSION"), &names)?;
        Ok((program, secrets))
    }

    /// Finds the program of the fleet, and begins its driver. It need not reach a fleet yet.
    ///
    /// # Errors
    /// A [`Failure`] of exit code 2 if the program is not there or has another version, or cannot serve a circuit.
    pub fn start(
        entry: &FleetEntry,
        config: &Config,
        circuits: &Circuits,
    ) -> Result<Self, Failure> {
        let (program, secrets) = Self::check(entry, config, circuits)?;
        let desk = Arc::new(Desk::default());
        let supervisor = Supervisor {
            program,
            opening: lines::opening(entry, config, circuits),
            most_line: lines::most_bytes(circuits),
            silence: entry.silence_seconds.duration(),
            state: entry.state.clone(),
            secrets,
        };
        let thread = std::thread::Builder::new().name("fleet".into());
        let shared = Arc::clone(&desk);
        let thread = thread
            .spawn(move || supervisor.run(&shared))
            .map_err(|error| Failure::of_system("cannot start threads", &error))?;
        Ok(Self {
            desk,
            most_jobs: entry.jobs,
            supervisor: Mutex::new(Some(thread)),
        })
    }
}

impl Executor for FleetExecutor {
    fn most_jobs(&self) -> usize {
        self.most_jobs
    }

    /// That of the nodes, which Ray gives away.
    fn room(&self) -> Room {
        Room {
            threads: usize::MAX,
            memory: u64::MAX,
        }
    }

    fn prove(&self, live: &Live) -> Result<Outcome, Failure> {
        let Some((input, hold)) = live.take_input() else {
            return Err(Failure::interrupted());
        };
        let circuit = &live.circuit.circuit;
        let expected = match live.kind {
            Kind::Witness => Some(circuit.public_of(&input)?),
            Kind::Inputs => None,
        };
        let place = self.desk.put(Ask {
            id: live.id.clone(),
            circuit: Arc::clone(&live.circuit.id),
            kind: live.kind,
            input,
            _hold: hold,
        });
        let mut wrong = 0;
        // Whoever stops the job from now on finds it on the desk.
        while live.stopped().is_none() {
            match place.answer() {
                Answer::Sent => Observer::begin(live, SENT),
                Answer::Begun => Observer::begin(live, BEGUN),
                Answer::Failed { code, message } => return Ok(Outcome::Failed { code, message }),
                Answer::Stopped => {}
                Answer::Proved {
                    proof,
                    public,
                    driver,
                } => {
                    let (proof, public) = (proof.as_bytes(), public.as_bytes());
                    if let Some((proof, public)) =
                        circuit.accept(proof, public, expected.as_deref())
                    {
                        return Ok(Outcome::Succeeded { proof, public });
                    }
                    wrong += 1;
                    if wrong >= MOST_WRONG {
                        return Err(Failure::new(Code::InvalidProof, WRONG));
                    }
                    // A driver verifies, too: one that passes this on is broken.
                    place.reject(driver);
                }
            }
        }
        Err(Failure::interrupted())
    }

    fn stopped(&self, id: &JobId) {
        self.desk.stop(id);
    }

    fn health(&self) -> Health {
        Health::Fleet(self.desk.health())
    }

    fn end(&self) {
        self.desk.close();
        let thread = self.supervisor.lock();
        let thread = thread.unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join(); // it has no result
        }
    }
}

impl Drop for FleetExecutor {
    fn drop(&mut self) {
        self.end();
    }
}

/// Wrong answers for one job, after which it has failed.
const MOST_WRONG: u32 = 3;

const WRONG: &str = "the fleet returned proofs that are not valid";

/// Phases of a job, for its watchers.
const SENT: &str = "fleet";
const BEGUN: &str = "node";

/// The variable with the token of another program of ours.
const TOKEN: &str = "FRUMIOUS_TOKEN";

#[cfg(test)]
mod tests;
