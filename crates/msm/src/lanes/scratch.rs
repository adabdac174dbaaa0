//! Memory that a batch needs, whatever it adds: kept by the thread from one sum to the next.
//!
//! A small sum takes less time than the kernel needs to map and clear its memory. An allocator that gives large blocks
//! back makes it do that each time. A sum of 65 points then took 250 microseconds instead of 170.

use super::addition::{Marks, PAIR, Step};
use super::coordinate::Coordinate;
use super::entries::{Entries, Entry};
use core::any::Any;
use core::cell::RefCell;
use frumious_simd::LANES;

/// Lists, empty when they are taken, and room for intermediate results.
pub(super) struct Scratch<C: Coordinate> {
    /// Additions of points to buckets, no bucket twice.
    pub(super) batch: Entries<ROOM>,
    /// Points for buckets that were empty.
    pub(super) copies: Entries<ROOM>,
    /// Points whose buckets are targets already. There is room for those that find their bucket taken again.
    pub(super) queue: Entries<{ 2 * ROOM }>,
    /// Additions of slots to slots.
    pub(super) slot_batch: Entries<ROOM>,
    pub(super) steps: Vec<Step<C>>,
    pub(super) marks: Vec<Marks>,
    pub(super) cancelled: Vec<u32>,
}

impl<C: Coordinate> Scratch<C> {
    /// The memory that the thread has kept, or else new.
    pub(super) fn take() -> Self {
        let kept = KEPT.with_borrow_mut(|kept| {
            let index = kept.iter().position(|scratch| scratch.is::<Self>())?;
            kept.swap_remove(index).downcast().ok()
        });
        kept.map_or_else(Self::new, |scratch| *scratch)
    }

    /// Leaves it to the thread.
    pub(super) fn keep(mut self) {
        self.batch.clear();
        self.copies.clear();
        self.queue.clear();
        self.slot_batch.clear();
        self.cancelled.clear();
        KEPT.with_borrow_mut(|kept| {
            if kept.len() < MOST_KEPT {
                kept.push(Box::new(self));
            }
        });
    }

    /// Its memory.
    pub(super) const BYTES: usize =
        5 * ROOM * size_of::<Entry>() + ROOM / LANES * (size_of::<Step<C>>() + size_of::<Marks>());

    fn new() -> Self {
        Self {
            batch: Entries::new(),
            copies: Entries::new(),
            queue: Entries::new(),
            slot_batch: Entries::new(),
            steps: vec![Step::EMPTY; ROOM / LANES],
            marks: vec![Marks::NONE; ROOM / LANES],
            cancelled: Vec::new(),
        }
    }
}

thread_local! {
    static KEPT: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// The most that a thread keeps: 0.25 MB each, 0.5 for G2; 0.37 and 0.7 over BLS12-381.
const MOST_KEPT: usize = 4;

/// The largest batch.
pub(super) const MAX_BATCH: usize = crate::settings::MAX_BATCH;

/// Room for the largest batch and entries that do not count.
pub(super) const ROOM: usize = MAX_BATCH + PAIR;

#[cfg(test)]
mod tests {
    use super::Scratch;
    use crate::lanes::entries::Entry;
    use frumious_curves::bn254::{Fq, Fq2};

    #[test]
    fn kept_memory_is_used_again() {
        let on_a_thread_of_its_own = || {
            let mut first = Scratch::<Fq>::take();
            let place = first.steps.as_ptr();
            first.batch.push(Entry::of_point(3, 5, true));
            first.cancelled.push(7);
            first.keep();
            Scratch::<Fq2>::take().keep();
            let second = Scratch::<Fq>::take();
            assert_eq!(second.steps.as_ptr(), place);
            assert!(second.batch.len() == 0 && second.cancelled.is_empty());
            // while it is in use another one is made
            assert_ne!(Scratch::<Fq>::take().steps.as_ptr(), place);
        };
        std::thread::spawn(on_a_thread_of_its_own)
            .join()
            .expect("no assertion fails");
    }
}
