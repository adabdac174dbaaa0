//! The desk between workers and the driver: jobs in the hands of the fleet, until each has its end.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use zeroize::Zeroizing;

use super::super::FleetHealth;
use crate::jobs::Hold;
use crate::journal::{JobId, Kind};

/// A job that the fleet shall prove. Its input is wiped when nobody has it any more.
pub struct Ask {
    /// Its name.
    pub id: JobId,
    /// Id of its circuit.
    pub circuit: Arc<str>,
    /// Form of its input.
    pub kind: Kind,
    /// The input.
    pub input: Zeroizing<Vec<u8>>,
    /// The memory that was set aside for it.
    pub _hold: Hold,
}

/// News of a job for its worker.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The driver has it.
    Sent,
    /// A node has it.
    Begun,
    /// A proof, which nobody has verified yet.
    Proved {
        /// As JSON.
        proof: String,
        /// As JSON.
        public: String,
        /// The number of the driver.
        driver: u64,
    },
    /// There is none.
    Failed {
        /// One that the interface promises.
        code: String,
        /// For people.
        message: String,
    },
    /// Somebody has stopped it.
    Stopped,
}

/// A letter to the driver.
pub enum Letter {
    /// Prove.
    Prove(Arc<Ask>),
    /// The answer is not wanted.
    Cancel(JobId),
}

/// The desk.
#[derive(Default)]
pub struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    jobs: HashMap<JobId, Entry>,
    /// Jobs that the driver is not told of.
    waiting: VecDeque<JobId>,
    /// Jobs that were given while one waited that is to be given alone.
    passed: u32,
    /// Those that it need not answer.
    cancelled: VecDeque<JobId>,
    /// Number of the driver, from 1.
    driver: u64,
    /// True once it may have jobs.
    is_greeted: bool,
    /// True if it shall be ended.
    is_distrusted: bool,
    /// True once nobody hears it any more.
    is_dismissed: bool,
    nodes: u64,
    is_closed: bool,
}

impl State {
    /// True if a driver of this number is to have no more jobs.
    fn is_over(&self, driver: u64) -> bool {
        self.is_closed || self.is_distrusted || self.is_dismissed || self.driver != driver
    }

    /// The next job to be given. One that may be what drivers die of is given alone, after the others: but after
    /// [`MOST_PASSED`] of them no other is given before it.
    fn next_job(&mut self) -> Option<&mut Entry> {
        let mut given = self.jobs.values().filter(|entry| entry.is_given());
        let (has_given, has_suspect) = match given.next() {
            Some(first) => (true, first.is_suspect()),
            None => (false, false),
        };
        if has_suspect {
            return None;
        }
        let is_suspect = |id: &JobId| self.jobs.get(id).is_some_and(Entry::is_suspect);
        let usual = self.waiting.iter().position(|id| !is_suspect(id));
        let suspect = self.waiting.iter().position(is_suspect);
        let place = match (usual, suspect) {
            (Some(usual), None) => usual,
            (Some(usual), Some(_)) if self.passed < MOST_PASSED => {
                self.passed += 1;
                usual
            }
            (_, Some(suspect)) if !has_given => {
                self.passed = 0;
                suspect
            }
            _ => return None,
        };
        let id = self.waiting.remove(place)?;
        self.jobs.get_mut(&id)
    }
}

struct Entry {
    ask: Arc<Ask>,
    answers: Sender<Answer>,
    stage: Stage,
    /// Drivers that ended while a node had the job.
    losses: u32,
}

impl Entry {
    /// True if it may be what drivers die of.
    fn is_suspect(&self) -> bool {
        self.losses >= SUSPECT
    }

    fn is_given(&self) -> bool {
        matches!(self.stage, Stage::Sent | Stage::Begun)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Waiting,
    Sent,
    Begun,
    /// The worker has the last answer.
    Answered,
}

impl Desk {
    /// Puts a job on the desk, for as long as the place is kept.
    pub fn put(self: &Arc<Self>, ask: Ask) -> Place {
        let (sender, answers) = channel();
        let id = ask.id.clone();
        let mut state = self.state();
        state.waiting.push_back(id.clone());
        let entry = Entry {
            ask: Arc::new(ask),
            answers: sender,
            stage: Stage::Waiting,
            losses: 0,
        };
        state.jobs.insert(id.clone(), entry);
        drop(state);
        self.changed.notify_all();
        Place {
            desk: Arc::clone(self),
            id,
            answers,
        }
    }

    /// Wakes the worker of a job, which was stopped.
    pub fn stop(&self, id: &JobId) {
        if let Some(entry) = self.state().jobs.get(id) {
            let _ = entry.answers.send(Answer::Stopped); // it may be at its end
        }
    }

    /// There are no more jobs.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// As the driver tells.
    pub fn health(&self) -> FleetHealth {
        let state = self.state();
        FleetHealth {
            nodes: state.nodes,
            jobs: state.jobs.len() as u64,
            restarts: state.driver.saturating_sub(1),
        }
    }

    /// A driver was begun; its number.
    pub fn begin_driver(&self) -> u64 {
        let mut state = self.state();
        state.driver += 1;
        (state.is_distrusted, state.is_dismissed) = (false, false);
        state.driver
    }

    /// The driver may have jobs.
    pub fn greet(&self) {
        self.state().is_greeted = true;
        self.changed.notify_all();
    }

    /// Nobody hears a driver any more.
    pub fn dismiss(&self, driver: u64) {
        let mut state = self.state();
        state.is_dismissed = state.driver == driver;
        drop(state);
        self.changed.notify_all();
    }

    /// The driver has ended. What it has not answered waits again, in front of the others, but not for ever.
    pub fn end_driver(&self) {
        let mut state = self.state();
        (state.is_greeted, state.nodes) = (false, 0);
        state.cancelled.clear();
        let mut lost = Vec::new();
        for (id, entry) in &mut state.jobs {
            if !entry.is_given() {
                continue;
            }
            entry.losses += u32::from(entry.stage == Stage::Begun);
            if entry.losses < MOST_LOSSES {
                entry.stage = Stage::Waiting;
                lost.push(id.clone());
            } else {
                entry.stage = Stage::Answered;
                let _ = entry.answers.send(Answer::Failed {
                    code: "crashed".into(),
                    message: format!("the fleet's driver ended {MOST_LOSSES} times while it ran"),
                });
            }
        }
        for id in lost {
            state.waiting.push_front(id);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// So many nodes work.
    pub fn tell_nodes(&self, nodes: u64) {
        self.state().nodes = nodes;
    }

    /// A node has a job.
    pub fn tell_begun(&self, job: &str) {
        self.advance(job, Stage::Begun, || Answer::Begun);
    }

    /// A job has its answer; true if anybody waits for it.
    pub fn tell_answer(&self, job: &str, answer: impl FnOnce(u64) -> Answer) -> bool {
        let driver = self.state().driver;
        self.advance(job, Stage::Answered, || answer(driver))
    }

    /// Each stage is told once, so that a driver cannot fill the memory.
    fn advance(&self, job: &str, stage: Stage, answer: impl FnOnce() -> Answer) -> bool {
        let Some(id) = JobId::parse(job) else {
            return false;
        };
        let mut state = self.state();
        let entry = state.jobs.get_mut(&id);
        let Some(entry) =
            entry.filter(|entry| entry.stage != Stage::Waiting && entry.stage < stage)
        else {
            return false;
        };
        entry.stage = stage;
        entry.answers.send(answer()).is_ok()
    }

    /// The next letter to a driver; none when it is not to have any more.
    pub fn next_letter(&self, driver: u64) -> Option<Letter> {
        let mut state = self.state();
        loop {
            if state.is_over(driver) {
                return None;
            }
            if state.is_greeted {
                if let Some(id) = state.cancelled.pop_front() {
                    return Some(Letter::Cancel(id));
                }
                if let Some(entry) = state.next_job() {
                    entry.stage = Stage::Sent;
                    let _ = entry.answers.send(Answer::Sent); // it may be at its end
                    return Some(Letter::Prove(Arc::clone(&entry.ask)));
                }
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for so long, or until a driver is to end; true if it is.
    pub fn wait_for_end(&self, driver: u64, time: Duration) -> bool {
        self.wait(time, |state| state.is_over(driver))
    }

    /// Waits for so long, or until nobody hears the driver any more.
    pub fn wait_for_dismissal(&self, time: Duration) {
        self.wait(time, |state| state.is_dismissed);
    }

    /// Waits for so long, or until there are no more jobs.
    pub fn wait_for_close(&self, time: Duration) {
        self.wait(time, |state| state.is_closed);
    }

    fn wait(&self, time: Duration, is_over: impl Fn(&State) -> bool) -> bool {
        let waited = self
            .changed
            .wait_timeout_while(self.state(), time, |state| !is_over(state));
        is_over(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// True if there are no more jobs.
    pub fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A worker's place at the desk. Left, the answer is not wanted any more.
pub struct Place {
    desk: Arc<Desk>,
    id: JobId,
    answers: Receiver<Answer>,
}

impl Place {
    /// Waits for an answer.
    pub fn answer(&self) -> Answer {
        // The desk has the other end as long as the place is kept.
        self.answers.recv().unwrap_or(Answer::Stopped)
    }

    /// The answer of a driver was wrong: it is ended, and the job is given to the next.
    pub fn reject(&self, driver: u64) {
        let mut state = self.desk.state();
        if state.driver == driver {
            state.is_distrusted = true;
        }
        if let Some(entry) = state.jobs.get_mut(&self.id) {
            entry.stage = Stage::Waiting;
            state.waiting.push_back(self.id.clone());
        }
        drop(state);
        self.desk.changed.notify_all();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.desk.state();
        let Some(entry) = state.jobs.remove(&self.id) else {
            return;
        };
        match entry.stage {
            Stage::Waiting => state.waiting.retain(|id| *id != self.id),
            Stage::Sent | Stage::Begun => state.cancelled.push_back(self.id.clone()),
            Stage::Answered => {}
        }
        drop(state);
        self.desk.changed.notify_all();
    }
}

/// Losses after which a job is given alone.
const SUSPECT: u32 = 2;

/// Jobs may come without end, and one that is to be given alone would wait for ever.
const MOST_PASSED: u32 = 16;

/// Losses after which it has failed.
const MOST_LOSSES: u32 = 5;
