//! The promise of a place in the queue, which is kept when the journal has the job.

use std::sync::Arc;

use frumious_app::failure::Failure;

use super::{Jobs, Live, Refused, Submitted};
use crate::journal::Applied;

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
        board.promised -= 1;
        if let Ok(Applied::Made) = result {
            board.queue.push(self.live);
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
