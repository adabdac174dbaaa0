//! The promise of a place in the queue, which is kept when the journal has the job.

use std::collections::HashMap;
use std::sync::Arc;

use frumious_app::failure::Failure;

use super::{Jobs, Live, Refused, Stop, Submitted, worker};
use crate::journal::Applied;

/// Numbers of promises, by owner.
#[derive(Default)]
pub struct Promised {
    of: HashMap<Arc<str>, usize>,
    length: usize,
}

impl Promised {
    /// All of them.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Those of an owner.
    pub fn len_of(&self, owner: &str) -> usize {
        self.of.get(owner).copied().unwrap_or_default()
    }

    /// Another one.
    pub fn add(&mut self, owner: &Arc<str>) {
        *self.of.entry(Arc::clone(owner)).or_default() += 1;
        self.length += 1;
    }

    fn remove(&mut self, owner: &Arc<str>) {
        self.length -= 1;
        if let Some(count) = self.of.get_mut(owner) {
            *count -= 1;
            if *count == 0 {
                self.of.remove(owner);
            }
        }
    }
}

/// A place in the queue, until the journal has the job.
pub struct Promise {
    /// The jobs.
    pub jobs: Arc<Jobs>,
    /// The job.
    pub live: Arc<Live>,
}

impl Promise {
    /// The journal has answered.
    ///
    /// # Errors
    /// [`Refused`], if it did not take the job.
    pub fn settle(self, result: Result<Applied, Failure>) -> Result<Submitted, Refused> {
        let id = self.live.id.clone();
        let mut board = self.jobs.board();
        board.promised.remove(&self.live.owner);
        if let Ok(Applied::Made) = result {
            // Whoever stops it from now on finds it in its place, as the board is held.
            match self.live.stopped() {
                None => board.queue.push(self.live),
                Some(Stop::Shutdown) => {}
                Some(reason) => {
                    drop(board);
                    self.jobs.finish(&self.live, worker::stopped(reason));
                }
            }
            self.jobs.changed.notify_all();
            return Ok(Submitted {
                id,
                is_repeated: false,
            });
        }
        board.live.remove(&id);
        drop(board);
        match result {
            Ok(Applied::Known(id)) => Ok(Submitted {
                id,
                is_repeated: true,
            }),
            Ok(_) => Err(Refused::Draining),
            Err(failure) => Err(Refused::Journal(failure)),
        }
    }
}
