//! Which additions make up a batch, in lanes.
//!
//! A point whose bucket is empty is copied there, many at a time. Else the pair (bucket, point) joins the batch that is
//! being collected, unless the bucket is a target in it already. Then it waits in a queue, which is tried again with
//! the next batch.
//!
//! If the queue gets long, points crowd into few buckets (equal scalars, a million ones, an attacker's choice). Then it
//! joins the *crowd*. A large crowd is sorted by bucket, and the points of each bucket are summed in a binary tree, all
//! trees at once. Most steps are full batches again, and each addition is one that has to be made anyway.

use super::addition::{Add, Lines, Marks, PAIR, Step, Summands};
use super::copies::{CopyPoints, ReadSlots};
use super::digits::Codes;
use super::entries::{Entries, Entry};
use super::scratch::{MAX_BATCH, ROOM, Scratch};
use super::slots::Slot;
use crate::kernel::Signed;
use crate::settings::{LANES_AHEAD, LANES_BATCH};
use crate::sums::Sums;
use crate::{BucketPoint, PointList};
use frumious_field::prefetch;
use frumious_simd::{LANES, Runner};

/// Sums of points by bucket, in lane form.
pub(crate) struct LaneBuckets<'a, A: BucketPoint, R> {
    runner: R,
    points: PointList<'a, A>,
    /// The buckets, then spare slots for the trees of the queue, later for partial sums.
    slots: Vec<Slot<A::Base>>,
    /// Number of buckets.
    count: usize,
    /// For each slot [`EMPTY`], [`SETTLED`], or the number of the last batch of points that it was a target of. In
    /// bytes, so that those of 2^15 buckets stay in the level-one cache.
    stamps: Vec<u8>,
    /// Number of the batch that is being collected, above [`SETTLED`].
    number: u8,
    /// Number of additions from which on a batch is full, at most [`MAX_BATCH`].
    full: usize,
    /// Additions of points to buckets, no bucket twice.
    batch: Entries<ROOM>,
    /// Points for buckets that were empty.
    copies: Entries<ROOM>,
    /// Points whose buckets are targets already. There is room for those that find their bucket taken again.
    queue: Entries<{ 2 * ROOM }>,
    /// Points that found their buckets taken again and again.
    crowd: Vec<Entry>,
    /// Additions of slots to slots.
    slot_batch: Entries<ROOM>,
    steps: Vec<Step<A::Base>>,
    marks: Vec<Marks>,
    cancelled: Vec<u32>,
}

impl<'a, A: BucketPoint, R: Runner> LaneBuckets<'a, A, R> {
    /// `count` empty buckets and `spare` slots behind them. There are fewer than 2^31 points.
    pub(super) fn new(runner: R, points: PointList<'a, A>, count: usize, spare: usize) -> Self {
        let scratch = Scratch::take();
        Self {
            runner,
            points,
            slots: vec![Slot::FILLER; count + spare],
            count,
            stamps: vec![EMPTY; count + spare],
            number: SETTLED + 1,
            full: LANES_BATCH.get(),
            batch: scratch.batch,
            copies: scratch.copies,
            queue: scratch.queue,
            crowd: Vec::new(),
            slot_batch: scratch.slot_batch,
            steps: scratch.steps,
            marks: scratch.marks,
            cancelled: scratch.cancelled,
        }
    }

    /// Has `points` added from now on: none may wait.
    pub(super) fn turn_to(&mut self, points: PointList<'a, A>) {
        self.points = points;
    }

    /// Adds the points `first + offsets[i]` to the buckets of their digits, `codes[i]`; that of the digit 1 is
    /// `first_bucket`.
    #[inline(never)]
    pub(super) fn add_digits(
        &mut self,
        first_bucket: usize,
        first: usize,
        offsets: &[u16],
        codes: &[Codes],
    ) {
        for (offset, code) in offsets.iter().zip(codes.as_flattened()) {
            let digit = *code as u32 as usize;
            if digit != 0 {
                let bucket = (first_bucket + digit - 1) as u32;
                let index = first + usize::from(*offset);
                self.add_entry(Entry::of_point(bucket, index, code >> 32 != 0));
            }
        }
    }

    #[inline(always)]
    fn add_entry(&mut self, entry: Entry) {
        self.place(entry);
        if self.batch.len() >= self.full || self.copies.len() >= self.full {
            self.next_batch();
        }
        if self.queue.len() == MAX_QUEUE {
            self.enlarge_crowd();
        }
    }

    /// Adds a point to the batch, or to the copies, or to the queue.
    ///
    /// There is no branch on its bucket being a target already, as it would be mispredicted.
    #[inline(always)]
    fn place(&mut self, entry: Entry) {
        let stamp = &mut self.stamps[entry.target as usize];
        if *stamp == EMPTY {
            *stamp = SETTLED;
            self.copies.push(entry);
            prefetch(&self.slots[entry.target as usize]);
            self.points.prefetch(entry.point());
        } else {
            let waits = *stamp == self.number;
            *stamp = self.number;
            self.batch.push_if(entry, !waits);
            self.queue.push_if(entry, waits);
        }
    }

    /// Makes the copies and the batch, and begins the next one with what is in the queue.
    #[inline(never)]
    fn next_batch(&mut self) {
        self.make_batch();
        // There is room for all of them; what conflicts again goes back.
        let queued = self.queue.len();
        for i in 0..queued {
            let entry = self.queue.as_slice()[i];
            self.place(entry);
        }
        self.queue.remove_first(queued);
    }

    fn make_batch(&mut self) {
        self.make_copies();
        add::<A, R>(
            self.runner,
            &mut self.slots,
            &mut self.batch,
            (self.points.into(), Lines::Chords),
            (&mut self.steps, &mut self.marks),
            &mut self.cancelled,
        );
        self.empty_cancelled();
        self.next_number();
    }

    /// The kernel reads all slots before it writes one.
    fn make_slot_batch(&mut self, lines: Lines) {
        add::<A, R>(
            self.runner,
            &mut self.slots,
            &mut self.slot_batch,
            (Summands::Slots, lines),
            (&mut self.steps, &mut self.marks),
            &mut self.cancelled,
        );
        self.empty_cancelled();
    }

    fn next_number(&mut self) {
        self.number += 1;
        if self.number == u8::MAX {
            self.number = SETTLED + 1;
            for stamp in &mut self.stamps {
                *stamp = (*stamp).min(SETTLED);
            }
        }
    }

    fn make_copies(&mut self) {
        if self.copies.len() > 0 {
            self.runner.run(CopyPoints::<A> {
                slots: &mut self.slots,
                entries: self.copies.filled_up(LANES),
                points: self.points,
            });
            self.copies.clear();
        }
    }

    /// Notes which slots became empty.
    fn empty_cancelled(&mut self) {
        for slot in self.cancelled.drain(..) {
            self.stamps[slot as usize] = EMPTY;
        }
    }

    /// Moves the queue to the crowd, and sums the crowd when it is large.
    #[inline(never)]
    fn enlarge_crowd(&mut self) {
        self.crowd.extend_from_slice(self.queue.as_slice());
        self.queue.clear();
        if self.crowd.len() >= MAX_CROWD {
            self.settle_crowd();
        }
    }

    /// Sums the crowd in trees, and adds the sums to the buckets. No bucket may be a target in the batch.
    fn settle_crowd(&mut self) {
        self.make_batch();
        let mut crowd = core::mem::take(&mut self.crowd);
        crowd.sort_unstable_by_key(|entry| entry.target);
        for part in crowd.chunks(MAX_CROWD) {
            self.sum_part(part);
        }
        crowd.clear();
        self.crowd = crowd;
    }

    /// `part` is sorted.
    fn sum_part(&mut self, part: &[Entry]) {
        let first_spare = self.first_spare();
        let len = self.slots.len().max(first_spare + part.len());
        // By no more than that, as buckets may be many.
        self.slots.reserve_exact(len - self.slots.len());
        self.stamps.reserve_exact(len - self.stamps.len());
        self.slots.resize(len, Slot::FILLER);
        self.stamps.resize(len, EMPTY);
        for (place, entry) in part.iter().enumerate() {
            let target = (first_spare + place) as u32;
            self.copies.push(Entry { target, ..*entry });
            self.stamps[first_spare + place] = SETTLED;
            if self.copies.len() == self.full {
                self.make_copies();
            }
        }
        self.make_copies();
        self.sum_trees(part);
        let mut start = 0;
        for run in part.chunk_by(|left, right| left.target == right.target) {
            self.add_slot(run[0].target as usize, first_spare + start);
            start += run.len();
        }
        self.flush_slots();
        self.stamps[first_spare..].fill(EMPTY);
    }

    /// Sums each run of equal buckets in `part` into the first of the spare slots that the run occupies.
    fn sum_trees(&mut self, part: &[Entry]) {
        let mut trees: Vec<(usize, usize)> = Vec::new(); // (first slot, number of slots still to be summed)
        let mut start = self.first_spare();
        for run in part.chunk_by(|left, right| left.target == right.target) {
            trees.push((start, run.len()));
            start += run.len();
        }
        loop {
            trees.retain(|(_, len)| *len > 1);
            if trees.is_empty() {
                return;
            }
            for (start, len) in &mut trees {
                let half = len.div_ceil(2);
                for k in half..*len {
                    self.add_slot(*start + k - half, *start + k);
                }
                *len = half;
            }
            self.flush_slots();
        }
    }
}

impl<A: BucketPoint, R: Runner> Sums<A> for LaneBuckets<'_, A, R> {
    #[inline(always)]
    fn add_point(&mut self, bucket: usize, source: Signed) {
        self.add_entry(Entry::of_point(
            bucket as u32,
            source.index(),
            source.is_negative(),
        ));
    }

    #[inline(never)]
    fn settle(&mut self) {
        while self.batch.len() >= MIN_BATCH {
            self.next_batch();
        }
        self.enlarge_crowd();
        self.settle_crowd();
    }

    #[inline(always)]
    fn add_slot(&mut self, target: usize, source: usize) {
        if self.stamps[source] == EMPTY {
            return;
        }
        if self.stamps[target] == EMPTY {
            self.stamps[target] = SETTLED;
            self.slots[target] = self.slots[source];
            return;
        }
        self.slot_batch.push(Entry {
            target: target as u32,
            source: source as u32,
        });
        if self.slot_batch.len() == self.full {
            self.flush_slots();
        }
    }

    fn flush_slots(&mut self) {
        self.make_slot_batch(Lines::Chords);
    }

    fn double_slots(&mut self, count: usize) {
        for slot in 0..count {
            if self.stamps[slot] != EMPTY {
                let (target, source) = (slot as u32, slot as u32);
                self.slot_batch.push(Entry { target, source });
            }
            let is_last = slot + 1 == count;
            if self.slot_batch.len() == self.full || (is_last && self.slot_batch.len() > 0) {
                self.make_slot_batch(Lines::Tangents);
            }
        }
    }

    fn first_spare(&self) -> usize {
        self.count
    }

    fn points(&self, slots: &[usize]) -> Vec<Option<A>> {
        let mut points = Vec::with_capacity(slots.len());
        for eight in slots.chunks(LANES) {
            let mut indices = [0; LANES];
            for (index, slot) in indices.iter_mut().zip(eight) {
                *index = *slot as u32;
            }
            let slots = &self.slots;
            let read: [A; LANES] = self.runner.run(ReadSlots { slots, indices });
            let full = eight.iter().map(|slot| self.stamps[*slot] != EMPTY);
            points.extend(full.zip(read).map(|(full, point)| full.then_some(point)));
        }
        points
    }

    fn release(self) {
        let scratch = Scratch {
            batch: self.batch,
            copies: self.copies,
            queue: self.queue,
            slot_batch: self.slot_batch,
            steps: self.steps,
            marks: self.marks,
            cancelled: self.cancelled,
        };
        scratch.keep();
    }
}

/// Makes a batch, clears it, and pushes the targets whose sums vanished.
fn add<A: BucketPoint, R: Runner>(
    runner: R,
    slots: &mut [Slot<A::Base>],
    batch: &mut Entries<ROOM>,
    (summands, lines): (Summands<'_, A>, Lines),
    (steps, marks): (&mut [Step<A::Base>], &mut [Marks]),
    cancelled: &mut Vec<u32>,
) {
    if batch.len() == 0 {
        return;
    }
    let entries = batch.filled_up(PAIR);
    for lines in [lines, Lines::Any] {
        let made = runner.run(Add::<A> {
            slots,
            entries,
            lines,
            ahead: LANES_AHEAD.get(),
            summands,
            steps,
            marks,
            cancelled,
        });
        if made {
            break;
        }
    }
    batch.clear();
}

/// The smallest batch that is worth an inversion when there is a queue.
const MIN_BATCH: usize = 256;

/// Length of the queue at which points crowd; a queue without its last fits a batch.
const MAX_QUEUE: usize = MAX_BATCH;

/// Size of the crowd at which it is summed: 13 inversions for 4096 additions when all go to one bucket.
pub(super) const MAX_CROWD: usize = 4096;

/// Stamp of a slot that holds no point.
const EMPTY: u8 = 0;

/// Stamp of a slot that holds a point and has no addition waiting.
const SETTLED: u8 = 1;
