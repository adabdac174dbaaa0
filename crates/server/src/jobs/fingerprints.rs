//! Digests of inputs, by which a repeated request is told from another one under the same idempotency key.
//!
//! An input may have so little entropy that its plain digest would tell it. So the digest is keyed, and the key is
//! drawn by each process: after a restart a repeated key names its job, whatever the input.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use frumious_app::failure::Failure;

use crate::journal::JobId;

/// The digests of this process.
pub struct Fingerprints {
    key: [u8; 32],
    known: Mutex<HashMap<JobId, (blake3::Hash, Instant)>>,
}

impl Fingerprints {
    /// Under a new key.
    ///
    /// # Errors
    /// If the operating system has no random bytes.
    pub fn new() -> Result<Self, Failure> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)
            .map_err(|error| Failure::bad_input(format!("no random bytes: {error}")))?;
        Ok(Self {
            key,
            known: Mutex::default(),
        })
    }

    /// The digest of a request's parts.
    pub fn of(&self, parts: [&[u8]; 3]) -> blake3::Hash {
        let mut digest = blake3::Hasher::new_keyed(&self.key);
        for part in parts {
            digest.update(&(part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        digest.finalize()
    }

    /// Keeps the digest of a job until a time.
    pub fn keep(&self, id: &JobId, digest: blake3::Hash, until: Instant) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(id.clone(), (digest, until));
    }

    /// Drops the digest of a job that was not made.
    pub fn remove(&self, id: &JobId) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(id);
    }

    /// Number of digests.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.len()
    }

    /// False if the job is known to have another digest.
    pub fn may_be(&self, id: &JobId, digest: blake3::Hash) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(id).is_none_or(|(known, _)| *known == digest)
    }

    /// Forgets those whose time is over, if their jobs are not known any more. Jobs outlive their time if the clock is
    /// set back, or nothing can be deleted.
    pub fn forget(&self, is_known: impl Fn(&JobId) -> bool) {
        let now = Instant::now();
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = |(_, (_, until)): &(&JobId, &(_, Instant))| *until <= now;
        let over: Vec<JobId> = known()
            .iter()
            .filter(is_over)
            .map(|(id, _)| id.clone())
            .collect();
        // Not under the lock: this reads the journal.
        for id in over.iter().filter(|id| !is_known(id)) {
            known().remove(id);
        }
    }
}
