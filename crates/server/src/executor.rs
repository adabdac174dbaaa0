//! Where proofs are made: in this process, or by a fleet. The journal, the queue and the judgement of proofs are the
//! server's, whoever makes them.

mod fleet;
mod local;

use frumious_app::failure::Failure;

use crate::jobs::{Live, Room};
use crate::journal::{JobId, Outcome};
pub use fleet::FleetExecutor;
pub use local::LocalExecutor;

/// Makes proofs of jobs.
pub trait Executor: Send + Sync {
    /// Most jobs at once: as many threads wait in [`Executor::prove`].
    fn most_jobs(&self) -> usize;

    /// Threads and memory that the jobs share.
    fn room(&self) -> Room;

    /// Proves, and returns when the job has its end. A proof was verified here.
    ///
    /// # Errors
    /// A [`Failure`] with the reason for which there is no proof; it is `interrupted` for a job that was stopped.
    fn prove(&self, live: &Live) -> Result<Outcome, Failure>;

    /// A job was stopped: [`Executor::prove`] shall return.
    fn stopped(&self, id: &JobId);

    /// The state of its machines.
    fn health(&self) -> Health;

    /// Ends what it has begun. No job is in its hands any more.
    fn end(&self);
}

/// The state of an executor's machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// It is this process.
    Local,
    /// It is a fleet.
    Fleet(FleetHealth),
}

/// A fleet as its driver tells of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FleetHealth {
    /// Nodes that work.
    pub nodes: u64,
    /// Jobs in the hands of the driver.
    pub jobs: u64,
    /// Times that the driver was begun anew.
    pub restarts: u64,
}

impl Health {
    /// True if a proof can be made now.
    pub fn is_ready(self) -> bool {
        match self {
            Self::Local => true,
            Self::Fleet(fleet) => fleet.nodes > 0,
        }
    }
}
