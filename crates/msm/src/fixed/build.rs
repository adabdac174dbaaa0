//! Tables from points: every table is a row of *runs*, and a run is all sums of a start with some of its increments.
//!
//! A run grows in steps: each increment, added to all entries so far, gives as many more. The steps of many runs are
//! taken together, in batches of affine additions that share one inversion (15 products each in Banderwagon). All runs
//! start from the powers `2^i·P`, which are made first.

use super::group::{EntryForm, FixedGroup};

/// `±2^exponent·P[point]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedPower {
    point: u32,
    exponent: u16,
    negative: bool,
}

impl SignedPower {
    /// `2^exponent·P[point]`.
    pub(super) fn power(point: usize, exponent: usize) -> Self {
        Self {
            point: point as u32,
            exponent: exponent as u16,
            negative: false,
        }
    }

    /// The opposite.
    pub(super) fn negated(self) -> Self {
        Self {
            negative: !self.negative,
            ..self
        }
    }
}

/// The entries `Σ start + Σ_{bit k of i} increments[k]` for `i = 0, 1, …, 2^increments − 1`.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Nothing is the neutral element.
    pub(super) start: Vec<SignedPower>,
    /// One for each bit.
    pub(super) increments: Vec<SignedPower>,
    /// True if the entry for `i = 0` is left out.
    pub(super) skips_first: bool,
}

impl Run {
    /// Number of entries that are kept.
    pub(super) fn entries(&self) -> usize {
        (1 << self.increments.len()) - usize::from(self.skips_first)
    }
}

/// Writes the entries of `runs` into `bytes`, which has room for just these. In parallel.
pub(super) fn build_vartime<G: FixedGroup>(powers: &Powers<G>, runs: &[Run], mut bytes: &mut [u8]) {
    let mut tasks: Vec<(&[Run], &mut [u8])> = Vec::new();
    let mut rest = runs;
    while !rest.is_empty() {
        let mut entries = 0;
        let count = rest
            .iter()
            .take_while(|run| {
                let fits = entries < TASK;
                entries += if fits { run.entries() } else { 0 };
                fits
            })
            .count();
        let (own, later) = bytes.split_at_mut(entries * G::Entry::BYTES);
        tasks.push((&rest[..count], own));
        (rest, bytes) = (&rest[count..], later);
    }
    debug_assert!(bytes.is_empty());
    frumious_parallel::for_each_chunk_mut(&mut tasks, 1, |_, task| {
        let (runs, bytes) = &mut task[0];
        build_task_vartime(powers, runs, bytes);
    });
}

/// All runs of a task, step by step.
fn build_task_vartime<G: FixedGroup>(powers: &Powers<G>, runs: &[Run], bytes: &mut [u8]) {
    let mut adder = Adder::<G>::default();
    let mut tables: Vec<Vec<G::Entry>> = runs
        .iter()
        .map(|run| {
            let mut table = Vec::with_capacity(1 << run.increments.len());
            table.push(match run.start.first() {
                Some(term) => powers.get(*term),
                None => G::Entry::IDENTITY,
            });
            table
        })
        .collect();
    let longest = runs.iter().map(|run| run.start.len()).max().unwrap_or(0);
    for place in 1..longest {
        let more = |(run, _): &(&Run, &mut Vec<G::Entry>)| place < run.start.len();
        for (run, table) in runs.iter().zip(&mut tables).filter(more) {
            adder.push(table[0], powers.get(run.start[place]));
        }
        let mut sums = adder.take().into_iter();
        for (_, table) in runs.iter().zip(&mut tables).filter(more) {
            table[0] = sums.next().expect("a sum for each pair");
        }
    }
    let steps = runs
        .iter()
        .map(|run| run.increments.len())
        .max()
        .unwrap_or(0);
    for step in 0..steps {
        let more = |(run, _): &(&Run, &mut Vec<G::Entry>)| step < run.increments.len();
        for (run, table) in runs.iter().zip(&mut tables).filter(more) {
            let increment = powers.get(run.increments[step]);
            for entry in table.iter() {
                adder.push(*entry, increment);
            }
        }
        let sums = adder.take();
        let mut sums = sums.as_slice();
        for (_, table) in runs.iter().zip(&mut tables).filter(more) {
            let (own, later) = sums.split_at(table.len());
            table.extend_from_slice(own);
            sums = later;
        }
    }
    let entries = runs
        .iter()
        .zip(&tables)
        .flat_map(|(run, table)| &table[usize::from(run.skips_first)..]);
    for (entry, bytes) in entries.zip(bytes.chunks_exact_mut(G::Entry::BYTES)) {
        entry.write(bytes);
    }
}

/// Collects pairs and adds them in batches.
struct Adder<G: FixedGroup> {
    pairs: Vec<(G::Entry, G::Entry)>,
    sums: Vec<G::Entry>,
}

impl<G: FixedGroup> Default for Adder<G> {
    fn default() -> Self {
        Self {
            pairs: Vec::with_capacity(BATCH),
            sums: Vec::new(),
        }
    }
}

impl<G: FixedGroup> Adder<G> {
    fn push(&mut self, left: G::Entry, right: G::Entry) {
        self.pairs.push((left, right));
        if self.pairs.len() == BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        G::sums_vartime(&self.pairs, &mut self.sums);
        self.pairs.clear();
    }

    /// The sums of all pairs since the last call, in their order.
    fn take(&mut self) -> Vec<G::Entry> {
        self.flush();
        core::mem::take(&mut self.sums)
    }
}

/// `2^i·P` for each point and each bit of a scalar, and one more.
pub(super) struct Powers<G: FixedGroup>(Vec<Vec<G::Entry>>);

impl<G: FixedGroup> Powers<G> {
    /// `count` powers of each point, in parallel.
    pub(super) fn new_vartime(points: &[G], count: usize) -> Self {
        Self(frumious_parallel::map_indices(points.len(), |index| {
            G::powers_vartime(&points[index], count)
        }))
    }

    /// The entry of a term.
    pub(super) fn get(&self, term: SignedPower) -> G::Entry {
        let entry = self.0[term.point as usize][usize::from(term.exponent)];
        if term.negative {
            entry.opposite()
        } else {
            entry
        }
    }
}

/// Entries of a task, more or less: 1.5 MB, of the size of a second-level cache.
const TASK: usize = 1 << 13;

/// Additions that share an inversion: it costs some 70 products, a seventh of a product for each.
const BATCH: usize = 512;
