//! Memory for inputs, of which there is only so much.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::tokens::Owner;

/// The memory for inputs of a server.
///
/// A body's length is set aside before the body comes. So whoever has a token could keep others out by a few bytes: it
/// gets half of the memory, or one input.
pub struct Holds {
    taken: Arc<Mutex<Taken>>,
    most: u64,
}

#[derive(Debug, Default)]
struct Taken {
    bytes: u64,
    by_owner: HashMap<Arc<str>, u64>,
}

/// A part of it. Dropped, it is free again.
#[derive(Debug)]
pub struct Hold {
    taken: Arc<Mutex<Taken>>,
    owner: Arc<str>,
    bytes: u64,
}

impl Holds {
    /// Of `most` bytes.
    pub fn new(most: u64) -> Self {
        Self {
            taken: Arc::default(),
            most,
        }
    }

    /// The longest input that has room when there is no other.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Sets `bytes` aside, if there are as many left, and for this owner.
    pub fn take(&self, owner: &Owner, bytes: u64) -> Option<Hold> {
        let mut taken = lock(&self.taken);
        let all = taken.bytes.checked_add(bytes)?;
        let own = taken.by_owner.get(&owner.name).copied().unwrap_or(0);
        let is_fair = own == 0 || owner.is_nobody() || own.saturating_add(bytes) <= self.most / 2;
        (all <= self.most && is_fair).then(|| self.hold(&mut taken, &owner.name, bytes))
    }

    /// Sets `bytes` aside, whatever is left: of inputs that are there already.
    pub fn take_anyway(&self, owner: &Arc<str>, bytes: u64) -> Hold {
        self.hold(&mut lock(&self.taken), owner, bytes)
    }

    /// Bytes that are set aside.
    pub fn held(&self) -> u64 {
        lock(&self.taken).bytes
    }

    fn hold(&self, taken: &mut Taken, owner: &Arc<str>, bytes: u64) -> Hold {
        taken.bytes += bytes;
        *taken.by_owner.entry(Arc::clone(owner)).or_default() += bytes;
        Hold {
            taken: Arc::clone(&self.taken),
            owner: Arc::clone(owner),
            bytes,
        }
    }
}

impl Hold {
    /// Gives back all but `bytes`.
    pub fn shrink(&mut self, bytes: u64) {
        let less = self.bytes.saturating_sub(bytes);
        self.bytes -= less;
        let mut taken = lock(&self.taken);
        taken.bytes -= less;
        if let Some(own) = taken.by_owner.get_mut(&self.owner) {
            *own -= less;
            if *own == 0 {
                taken.by_owner.remove(&self.owner);
            }
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.shrink(0);
    }
}

fn lock(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_held_than_there_is() {
        let (holds, owner) = (Holds::new(10), Owner::nobody());
        let mut first = holds.take(&owner, 7).expect("there is room");
        assert!(holds.take(&owner, 4).is_none() && holds.take(&owner, u64::MAX).is_none());
        first.shrink(2);
        first.shrink(5); // it has no more
        let second = holds.take(&owner, 8).expect("there is room");
        assert_eq!(holds.held(), 10);
        drop((first, second));
        assert_eq!(holds.held(), 0);
        assert!(lock(&holds.taken).by_owner.is_empty());
    }

    #[test]
    fn one_owner_leaves_room_for_anothers_first_input() {
        let holds = Holds::new(10);
        let [one, other] = ["one", "other"].map(Owner::of_front);
        let small: Vec<Hold> = (0..5).map_while(|_| holds.take(&one, 1)).collect();
        assert_eq!(small.len(), 5);
        assert!(holds.take(&one, 1).is_none());
        let first = holds.take(&other, 5).expect("there is room");
        drop((small, first));
        // One input may be longer than half of it.
        let long = holds.take(&one, 9).expect("there is room");
        assert!(holds.take(&one, 1).is_none());
        drop(holds.take(&other, 1).expect("there is room"));
        drop(long);
        assert_eq!(holds.held(), 0);
    }
}
