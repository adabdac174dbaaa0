//! Threads that take jobs from the queue and prove.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use frumious_app::failure::{Code, Failure};

use super::queue::Queued;
use super::{Change, Jobs, Live, Outcome, Stop};

/// Takes jobs until the server ends.
pub fn work(jobs: &Arc<Jobs>) {
    while let Some(live) = next(jobs) {
        if let Some(outcome) = run(jobs, &live) {
            jobs.finish(&live, outcome);
        }
        let mut board = jobs.board();
        board.running -= 1;
        board.queue.give_back(live.needs());
        drop(board);
        jobs.changed.notify_all();
    }
}

/// The end of a job that was stopped.
pub fn stopped(reason: Stop) -> Outcome {
    match reason {
        Stop::Expired => Outcome::Expired,
        Stop::Cancelled | Stop::Shutdown => Outcome::Cancelled,
    }
}

/// The end of a job for which there is no proof.
pub fn failed(failure: &Failure) -> Outcome {
    Outcome::Failed {
        code: failure.code().name().to_owned(),
        message: failure.message().chars().take(LONGEST_MESSAGE).collect(),
    }
}

/// Characters: a message is kept, and shown in lists.
const LONGEST_MESSAGE: usize = 2000;

/// Waits for a job; none when the server ends.
fn next(jobs: &Arc<Jobs>) -> Option<Arc<Live>> {
    let mut board = jobs.board();
    loop {
        if board.is_over {
            return None;
        }
        if let Some(live) = board.queue.pop() {
            board.running += 1;
            return Some(live);
        }
        board = jobs
            .changed
            .wait(board)
            .unwrap_or_else(PoisonError::into_inner);
    }
}

/// Proves; none if the server ends, so that the job is begun again.
fn run(jobs: &Arc<Jobs>, live: &Arc<Live>) -> Option<Outcome> {
    if live.deadline <= Instant::now() {
        live.stop(Stop::Expired);
    }
    if let Some(reason) = live.stopped() {
        return (reason != Stop::Shutdown).then(|| stopped(reason));
    }
    // Not waited for: if it is lost the job is begun again, and would be anyway.
    let start = Change::Start(live.id.clone(), jobs.clock.now());
    jobs.journal.hand_in(start, Box::new(|_| {}));
    live.begin();
    // A fault of ours ends one job, and not the server.
    let proved = catch_unwind(AssertUnwindSafe(|| jobs.executor.prove(live)));
    let proved = proved.unwrap_or_else(|_| Err(Failure::bad_input(INTERNAL)));
    match proved {
        Ok(outcome) => Some(outcome),
        Err(failure) if failure.code() == Code::Interrupted => match live.stopped() {
            Some(Stop::Shutdown) => {
                let leave = Change::Leave(live.id.clone());
                jobs.journal.hand_in(leave, Box::new(|_| {}));
                None
            }
            Some(reason) => Some(stopped(reason)),
            None => Some(failed(&failure)),
        },
        Err(failure) if failure.message() == INTERNAL => Some(Outcome::Failed {
            code: "internal".into(),
            message: INTERNAL.into(),
        }),
        Err(failure) => Some(failed(&failure)),
    }
}

const INTERNAL: &str = "a fault of the server, which its log tells";
