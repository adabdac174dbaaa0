//! The kernel in lanes: eight sums side by side, which are added in the end.
//!
//! Additions between two doublings may come in any order, so they are dealt to the lanes as they come, eight at a time.
//! A doubling doubles all lanes. Where one comes, the last additions before it may not fill all eight, and the rest of
//! the lanes add the neutral element. Three steps add the lanes up: four and four, two and two, one and one.
//!
//! Entries lie in memory as for the scalar kernel, and become lanes by loads that transpose; nothing is gathered.

use super::group::{FixedGroup, LaneSum, LaneTables};
use super::operations::{BATCH, Operation, Sink};
use frumious_field::prefetch;
use frumious_simd::{Kernel, LANES, Mask, Runner, Vector};

/// One sum over one table, in lanes.
pub(super) struct LaneKernel<'a, G: FixedGroup, R> {
    runner: R,
    entries: &'a [G::EntryWords],
    /// Operations that wait for others to fill all lanes.
    waiting: [Operation; BATCH + LANES],
    count: usize,
    sums: Sums<G>,
}

/// Eight sums in memory; none as long as nothing was added.
type Sums<G> = Option<<G as LaneTables>::LaneBlocks>;

impl<'a, G: FixedGroup, R: Runner> LaneKernel<'a, G, R> {
    /// The empty sum.
    #[inline]
    pub(super) fn new(runner: R, entries: &'a [G::EntryWords]) -> Self {
        Self {
            runner,
            entries,
            waiting: [Operation::DOUBLE; BATCH + LANES],
            count: 0,
            sums: None,
        }
    }

    /// The operations, if they are few and none was carried out: the scalar kernel is faster then.
    #[inline]
    pub(super) fn too_few(&self) -> Option<&[Operation]> {
        (self.sums.is_none() && self.count < LEAST).then_some(&self.waiting[..self.count])
    }

    /// The sum.
    #[inline]
    pub(super) fn finish(mut self) -> G::Projective {
        let mut sum = None;
        self.runner.run(Steps::<G> {
            entries: self.entries,
            operations: &self.waiting[..self.count],
            sums: &mut self.sums,
            result: Some(&mut sum),
        });
        sum.unwrap_or(G::Projective::default())
    }
}

impl<G: FixedGroup, R: Runner> Sink for LaneKernel<'_, G, R> {
    fn run(&mut self, operations: &[Operation]) {
        let end = self.count + operations.len();
        self.waiting[self.count..end].copy_from_slice(operations);
        self.count = end;
        if end >= BATCH {
            let done = self.runner.run(Steps::<G> {
                entries: self.entries,
                operations: &self.waiting[..end],
                sums: &mut self.sums,
                result: None,
            });
            self.waiting.copy_within(done..end, 0);
            self.count = end - done;
        }
    }
}

/// Carries out operations on the sums.
struct Steps<'a, G: FixedGroup> {
    entries: &'a [G::EntryWords],
    operations: &'a [Operation],
    sums: &'a mut Sums<G>,
    /// Where the sum of all lanes goes if these operations are the last; else those that do not fill all lanes are
    /// left.
    result: Option<&'a mut Option<G::Projective>>,
}

impl<G: FixedGroup> Kernel for Steps<'_, G> {
    /// Number of operations that were carried out.
    type Output = usize;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> usize {
        let mut sums = None;
        if let Some(blocks) = &self.sums {
            sums = Some(G::LaneSum::<V>::load(cpu, blocks));
        }
        let mut done = 0;
        for operation in self.operations.iter().take(AHEAD) {
            self.fetch(operation);
        }
        while let Some(step) = self.step(done) {
            for operation in self.operations.iter().skip(done + AHEAD).take(step.length) {
                self.fetch(operation);
            }
            done += step.length;
            if step.adds {
                sums = Some(match sums {
                    Some(sums) => sums.add(step.entries, step.negative),
                    None => G::LaneSum::<V>::start(cpu, step.entries, step.negative),
                });
            }
            if step.doubles
                && let Some(own) = sums
            {
                sums = Some(own.double());
            }
        }
        let Some(sums) = sums else { return done };
        match self.result {
            None => sums.store(self.sums.insert(G::ZERO_BLOCKS)),
            Some(result) => {
                let mut sums = sums;
                let mut distance = LANES;
                while distance > 1 {
                    // A loop, as three copies of an addition do not fit the cache for instructions.
                    distance /= 2;
                    sums = sums.join(sums.rotate(distance));
                }
                *result = Some(sums.elements()[0]);
            }
        }
        done
    }
}

/// One entry for each lane, then perhaps a doubling.
struct Step<'a, G: FixedGroup> {
    entries: [&'a G::EntryWords; LANES],
    negative: Mask,
    /// True if there is an entry at all.
    adds: bool,
    doubles: bool,
    /// Number of operations that it takes.
    length: usize,
}

impl<'a, G: FixedGroup> Steps<'a, G> {
    /// The next step, from the operations behind the first `done`; none if they do not fill it.
    #[inline(always)]
    fn step(&self, done: usize) -> Option<Step<'a, G>> {
        let mut step = Step {
            entries: [G::IDENTITY_WORDS; LANES],
            negative: Mask::NONE,
            adds: false,
            doubles: false,
            length: 0,
        };
        let mut lane = 0;
        for operation in self.operations.iter().skip(done) {
            step.length += 1;
            if let Some(index) = operation.entry() {
                step.entries[lane % LANES] = self.entries.get(index).unwrap_or(G::IDENTITY_WORDS);
                step.negative.0 |= u8::from(operation.is_negative()) << lane;
                step.adds = true;
                lane += 1;
            }
            if operation.doubles() {
                step.doubles = true;
                return Some(step);
            }
            if lane == LANES {
                return Some(step);
            }
        }
        (self.result.is_some() && step.adds).then_some(step)
    }

    #[inline(always)]
    fn fetch(&self, operation: &Operation) {
        if let Some(entry) = operation.entry().and_then(|index| self.entries.get(index)) {
            prefetch(entry);
        }
    }
}

/// Operations ahead at which an entry is asked for.
const AHEAD: usize = 32;

/// So many operations at least; a sum of fewer is faster by scalar code, as lanes take three additions to combine.
const LEAST: usize = 5;
