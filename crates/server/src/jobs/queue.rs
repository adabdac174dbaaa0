//! Jobs that wait, and who is next: fair between tokens, within threads and memory.
//!
//! Each token has a queue in the order of its requests. The token that has been served least is next. Service is
//! counted by the size of circuits. A token that comes back after a pause does not get the time that it did not use.
//! The next job waits until there is room for it, and no other passes it: a large one is not starved by small ones.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::live::Live;
use crate::journal::JobId;

/// Threads and memory (bytes) of the jobs that run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Threads.
    pub threads: usize,
    /// Bytes.
    pub memory: u64,
}

/// All jobs that wait.
pub struct Queue<J = Arc<Live>> {
    waiting: BTreeMap<Arc<str>, Waiting<J>>,
    length: usize,
    room: Room,
    /// The service of the token that was served last, when it was.
    level: u64,
}

struct Waiting<J> {
    jobs: VecDeque<J>,
    served: u64,
}

/// A job, as far as the queue needs to know.
pub trait Queued {
    /// Its name.
    fn id(&self) -> &JobId;
    /// Its owner.
    fn owner(&self) -> &Arc<str>;
    /// Its work against that of others.
    fn cost(&self) -> u64;
    /// The room that it takes.
    fn needs(&self) -> Room;
}

impl Queued for Arc<Live> {
    fn id(&self) -> &JobId {
        &self.id
    }

    fn owner(&self) -> &Arc<str> {
        &self.owner
    }

    fn cost(&self) -> u64 {
        self.circuit.cost()
    }

    fn needs(&self) -> Room {
        Room {
            threads: self.circuit.threads,
            memory: self.circuit.memory,
        }
    }
}

impl<J: Queued> Queue<J> {
    /// Without a job, and with this room.
    pub fn new(room: Room) -> Self {
        Self {
            waiting: BTreeMap::new(),
            length: 0,
            room,
            level: 0,
        }
    }

    /// Number of jobs.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Number of jobs of one token.
    pub fn len_of(&self, owner: &str) -> usize {
        self.waiting
            .get(owner)
            .map_or(0, |waiting| waiting.jobs.len())
    }

    /// Adds a job behind the others of its token.
    pub fn push(&mut self, job: J) {
        let level = self.level;
        let waiting = self.waiting.entry(Arc::clone(job.owner()));
        let waiting = waiting.or_insert_with(|| Waiting {
            jobs: VecDeque::new(),
            served: level,
        });
        if waiting.jobs.is_empty() {
            waiting.served = waiting.served.max(level);
        }
        waiting.jobs.push_back(job);
        self.length += 1;
    }

    /// The next job, if there is one and there is room for it. Its room is taken until [`Queue::give_back`].
    pub fn pop(&mut self) -> Option<J> {
        let waiting = self
            .waiting
            .values_mut()
            .filter(|waiting| !waiting.jobs.is_empty());
        let waiting = waiting.min_by_key(|waiting| waiting.served)?;
        let needs = waiting.jobs.front()?.needs();
        let room = Room {
            threads: self.room.threads.checked_sub(needs.threads)?,
            memory: self.room.memory.checked_sub(needs.memory)?,
        };
        let job = waiting.jobs.pop_front()?;
        self.room = room;
        self.level = waiting.served;
        waiting.served += job.cost().max(1);
        self.length -= 1;
        Some(job)
    }

    /// A job has ended, and leaves its room.
    pub fn give_back(&mut self, room: Room) {
        self.room.threads += room.threads;
        self.room.memory += room.memory;
    }

    /// Takes a job out that waits.
    pub fn remove(&mut self, owner: &str, id: &JobId) -> Option<J> {
        let waiting = self.waiting.get_mut(owner)?;
        let place = waiting.jobs.iter().position(|job| job.id() == id)?;
        self.length -= 1;
        waiting.jobs.remove(place)
    }

    /// Takes all jobs out that satisfy a condition.
    pub fn drain(&mut self, mut is_wanted: impl FnMut(&J) -> bool) -> Vec<J> {
        let mut taken = Vec::new();
        for waiting in self.waiting.values_mut() {
            for job in std::mem::take(&mut waiting.jobs) {
                match is_wanted(&job) {
                    true => taken.push(job),
                    false => waiting.jobs.push_back(job),
                }
            }
        }
        self.length -= taken.len();
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Fake(JobId, Arc<str>, u64, Room);

    impl Queued for Fake {
        fn id(&self) -> &JobId {
            &self.0
        }

        fn owner(&self) -> &Arc<str> {
            &self.1
        }

        fn cost(&self) -> u64 {
            self.2
        }

        fn needs(&self) -> Room {
            self.3
        }
    }

    fn fake(owner: &str, cost: u64, threads: usize, memory: u64) -> Fake {
        let id = JobId::draw().expect("random bytes");
        Fake(id, owner.into(), cost, Room { threads, memory })
    }

    fn owners(queue: &mut Queue<Fake>, count: usize) -> String {
        let mut names = String::new();
        for _ in 0..count {
            let job = queue.pop().expect("there is one, and room for it");
            names += &job.1;
            queue.give_back(job.3);
        }
        names
    }

    const ROOM: Room = Room {
        threads: 2,
        memory: 10,
    };

    #[test]
    fn tokens_take_turns_whoever_asked_first_and_most() {
        let mut queue = Queue::new(ROOM);
        for _ in 0..6 {
            queue.push(fake("a", 1, 1, 1));
        }
        for _ in 0..3 {
            queue.push(fake("b", 1, 1, 1));
        }
        assert_eq!(owners(&mut queue, 9), "abababaaa");
    }

    #[test]
    fn large_circuits_count_for_more() {
        let mut queue = Queue::new(ROOM);
        for _ in 0..2 {
            queue.push(fake("a", 3, 1, 1));
        }
        for _ in 0..6 {
            queue.push(fake("b", 1, 1, 1));
        }
        assert_eq!(owners(&mut queue, 8), "abbbabbb");
    }

    #[test]
    fn a_pause_is_not_saved_up() {
        let mut queue = Queue::new(ROOM);
        queue.push(fake("b", 1, 1, 1));
        assert_eq!(owners(&mut queue, 1), "b");
        for _ in 0..104 {
            queue.push(fake("a", 1, 1, 1));
        }
        owners(&mut queue, 100);
        for _ in 0..4 {
            queue.push(fake("b", 1, 1, 1));
        }
        let next = owners(&mut queue, 6);
        assert!(next.matches('a').count() >= 2, "{next}");
    }

    #[test]
    fn nothing_passes_a_job_that_waits_for_room() {
        let mut queue = Queue::new(ROOM);
        queue.push(fake("a", 1, 1, 4));
        queue.push(fake("a", 1, 2, 9));
        queue.push(fake("a", 1, 1, 1));
        let first = queue.pop().expect("there is room");
        assert!(queue.pop().is_none(), "it passes the large one");
        queue.give_back(first.3);
        assert_eq!(queue.pop().expect("there is room").3.memory, 9);
        assert!(queue.pop().is_none(), "all threads are taken");
        queue.give_back(Room {
            threads: 2,
            memory: 9,
        });
        assert!(queue.pop().is_some());
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn jobs_are_taken_out() {
        let mut queue = Queue::new(ROOM);
        let jobs = ["a", "b", "a"].map(|owner| fake(owner, 1, 1, 1));
        let ids = jobs.each_ref().map(|job| job.0.clone());
        for job in jobs {
            queue.push(job);
        }
        assert!(queue.remove("a", &ids[1]).is_none());
        assert!(queue.remove("b", &ids[1]).is_some());
        assert_eq!(
            (queue.len(), queue.len_of("a"), queue.len_of("b")),
            (2, 2, 0)
        );
        let taken = queue.drain(|job| job.0 == ids[2]);
        assert_eq!((taken.len(), queue.len()), (1, 1));
        assert_eq!(owners(&mut queue, 1), "a");
    }
}
