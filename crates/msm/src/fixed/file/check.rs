//! A check that entries are those for the points: all of them, by the law of addition.
//!
//! Each entry of a run but the first is the sum of an earlier one and of an increment, see `build`. The first ones and
//! the increments are computed anew from the points. To compute a sum takes a share of an inversion. To see that one is
//! right takes none, and fewer products, which lanes can do.
//!
//! Opening a file thus takes a fraction of the time of building its tables. Its entries are as certain as if they had
//! been built: nothing rests on chance, nor on who made the file.

use super::super::build::{Powers, Run, build_vartime};
use super::super::group::{EntryForm, FixedGroup};
use super::super::strategy::order_bits;
use super::super::table::Table;

/// Checks all entries, in parallel. The same points of Banderwagon may have been given by their other representatives.
///
/// Errors: the place of the first entry that is wrong, in bytes from the first.
pub(super) fn check_vartime<G: FixedGroup>(
    tables: &[Table<G>],
    points: &[G],
    entries: &[u8],
) -> Result<(), usize> {
    let powers = Powers::<G>::new_vartime(points, order_bits::<G>() + 1);
    let mut end = 0;
    for table in tables {
        let runs = table.runs();
        let mut firsts = vec![0; runs.len() * G::Entry::BYTES];
        build_vartime(&powers, &first_entries(&runs), &mut firsts);
        let mut tasks: Vec<Vec<Checked<'_, G>>> = Vec::new();
        let mut left = 0;
        for (run, first) in runs.iter().zip(firsts.chunks_exact(G::Entry::BYTES)) {
            if left == 0 {
                tasks.push(Vec::new());
                left = TASK;
            }
            left = left.saturating_sub(run.entries());
            let own = Checked {
                run,
                first: G::Entry::read(first),
                place: end,
            };
            tasks.last_mut().expect("one was made").push(own);
            end += run.entries() * G::Entry::BYTES;
        }
        let results = frumious_parallel::map_indices(tasks.len(), |task| {
            let mut checker = Checker::<G>::new(entries);
            for own in &tasks[task] {
                own.push_all(&powers, &mut checker)?;
            }
            checker.flush()
        });
        results.into_iter().collect::<Result<(), usize>>()?;
    }
    Ok(())
}

/// Of each run the first entry, also if the table leaves it out.
fn first_entries(runs: &[Run]) -> Vec<Run> {
    let first = |run: &Run| Run {
        start: run.start.clone(),
        increments: Vec::new(),
        skips_first: false,
    };
    runs.iter().map(first).collect()
}

/// A run to be checked.
struct Checked<'a, G: FixedGroup> {
    run: &'a Run,
    /// The value that its first entry must have.
    first: G::Entry,
    /// Where its entries start.
    place: usize,
}

impl<G: FixedGroup> Checked<'_, G> {
    /// All entries as sums, by ascending place.
    fn push_all(&self, powers: &Powers<G>, checker: &mut Checker<'_, G>) -> Result<(), usize> {
        // Of the entry for i, which is not left out.
        let place =
            |i: usize| self.place + (i - usize::from(self.run.skips_first)) * G::Entry::BYTES;
        if !self.run.skips_first {
            checker.push((G::Entry::IDENTITY, self.first), place(0))?;
        }
        for (step, term) in self.run.increments.iter().enumerate() {
            let increment = powers.get(*term);
            let (half, end) = (1 << step, 2 << step);
            checker.push((self.first, increment), place(half))?;
            for i in half + 1..end {
                let earlier = G::Entry::read(&checker.entries[place(i - half)..]);
                checker.push((earlier, increment), place(i))?;
            }
        }
        Ok(())
    }
}

/// Collects sums and checks them in batches. The entries that sums are made of were collected before them. So of those
/// that are wrong the first is found, whatever it makes of later ones.
struct Checker<'a, G: FixedGroup> {
    entries: &'a [u8],
    pairs: Vec<(G::Entry, G::Entry)>,
    sums: Vec<G::Entry>,
    places: Vec<usize>,
}

impl<'a, G: FixedGroup> Checker<'a, G> {
    fn new(entries: &'a [u8]) -> Self {
        Self {
            entries,
            pairs: Vec::with_capacity(BATCH),
            sums: Vec::with_capacity(BATCH),
            places: Vec::with_capacity(BATCH),
        }
    }

    /// The entry at this place is to be the sum of the pair.
    ///
    /// Errors: the place of an entry that is wrong.
    fn push(&mut self, pair: (G::Entry, G::Entry), place: usize) -> Result<(), usize> {
        let Some(sum) = G::Entry::read_checked(&self.entries[place..]) else {
            self.flush()?;
            return Err(place);
        };
        self.pairs.push(pair);
        self.sums.push(sum);
        self.places.push(place);
        match self.sums.len() {
            BATCH => self.flush(),
            _ => Ok(()),
        }
    }

    /// Checks what was collected.
    fn flush(&mut self) -> Result<(), usize> {
        let wrong = G::first_wrong_sum_vartime(&self.pairs, &self.sums);
        let place = wrong.map(|index| self.places[index]);
        self.pairs.clear();
        self.sums.clear();
        self.places.clear();
        place.map_or(Ok(()), Err)
    }
}

/// Entries of a task, more or less, as in `build`.
const TASK: usize = 1 << 13;

/// Sums of a batch.
const BATCH: usize = 128;
