//! The proofs of a batch that are not valid, found by halving it.

use super::{PreparedVerifyingKey, check_points};
use crate::{Error, Proof, ProvingEngine};
use frumious_parallel::{check_cancelled, map_indices};

/// A reason for which a proof of a batch is not valid.
#[derive(Debug)]
pub enum Refused {
    /// The equation does not hold.
    False,
    /// It could not be judged: what [`PreparedVerifyingKey::verify`] answers instead of a verdict.
    Malformed(Error),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::False => f.write_str("the proof is not valid"),
            Self::Malformed(error) => error.fmt(f),
        }
    }
}

impl<E: ProvingEngine> PreparedVerifyingKey<E> {
    /// The proofs of `batch` that [`Self::verify`] refuses, by their indices, ascending; none if all are valid.
    ///
    /// A batch that does not hold is halved, and so on down to eight proofs, which are verified one by one. So what is
    /// named is refused for sure. A false proof is passed over with probability at most 2^-128 for each batch it is in.
    /// Cost: that of [`Self::verify_batch`] if all are valid, about twice that more for a single false proof. If all
    /// are false, at most log₂(n/8) batches more than one by one.
    ///
    /// # Errors
    /// [`Error::Randomness`] if the operating system gives no random bytes for the weights.
    #[inline(never)]
    pub fn find_invalid(
        &self,
        batch: &[(&[E::Fr], &Proof<E>)],
    ) -> Result<Vec<(usize, Refused)>, Error> {
        match self.verify_batch(batch) {
            Ok(true) => return Ok(Vec::new()),
            Err(error @ Error::Randomness(_)) => return Err(error),
            Ok(false) | Err(_) => {}
        }
        let checked = map_indices(batch.len(), |index| {
            let (public, proof) = &batch[index];
            self.check_length(public)?;
            check_points(proof).map(drop)
        });
        let mut refused = Vec::new();
        let mut indices = Vec::with_capacity(batch.len());
        for (index, checked) in checked.into_iter().enumerate() {
            match checked {
                Ok(()) => indices.push(index),
                Err(error) => refused.push((index, Refused::Malformed(error))),
            }
        }
        let is_false = refused.is_empty();
        self.find_false(batch, &indices, is_false, &mut refused)?;
        refused.sort_by_key(|(index, _)| *index);
        Ok(refused)
    }

    /// Adds those of the proofs at `indices` that are false; `is_false` tells that there is one. Their points are in
    /// their groups.
    fn find_false(
        &self,
        batch: &[(&[E::Fr], &Proof<E>)],
        indices: &[usize],
        is_false: bool,
        refused: &mut Vec<(usize, Refused)>,
    ) -> Result<(), Error> {
        check_cancelled();
        if !is_false {
            let chosen: Vec<_> = indices.iter().map(|index| batch[*index]).collect();
            if self.verify_batch(&chosen)? {
                return Ok(());
            }
        }
        if indices.len() <= ONE_BY_ONE {
            for index in indices {
                let (public, proof) = batch[*index];
                if !self.verify_in_groups(public, proof)? {
                    refused.push((*index, Refused::False));
                }
            }
            return Ok(());
        }
        let (left, right) = indices.split_at(indices.len() / 2);
        let before = refused.len();
        self.find_false(batch, left, false, refused)?;
        let all_left_hold = refused.len() == before;
        self.find_false(batch, right, all_left_hold, refused)
    }
}

/// So many proofs are verified one by one.
const ONE_BY_ONE: usize = 8;
