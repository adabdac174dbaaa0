//! Whether entries are those for the points: all of them, by the law of addition.
//!
//! Each entry of a run but the first is the sum of an earlier one and of an increment, see `build`. The first ones and
//! the increments are computed anew from the points. To compute a sum takes a share of an inversion; to see that one
//! is right takes none, and half as many products. So a file is opened in a fraction of the time that its tables take
//! to build, and its entries are then as certain as if they had been built: nothing rests on chance, nor on who made
//! the file.

use super::super::build::{Powers, Run, build_vartime};
use super::super::group::FixedGroup;
use super::super::strategy::{Table, order_bits};

/// Checks all entries, in parallel. The same points of Banderwagon may have been given by their other representatives.
///
/// Errors: the place of the first entry that is wrong, in bytes from the first.
pub(super) fn check_vartime<G: FixedGroup>(
    tables: &[Table<G>],
    points: &[G::Affine],
    entries: &[u8],
) -> Result<(), usize> {
    let powers = Powers::<G>::new_vartime(points, order_bits::<G>() + 1);
    let mut end = 0;
    for table in tables {
        let runs = table.runs();
        let mut firsts = vec![0; runs.len() * G::ENTRY_BYTES];
        build_vartime(&powers, &first_entries(&runs), &mut firsts);
        let places: Vec<usize> = runs
            .iter()
            .map(|run| {
                let place = end;
                end += run.entries() * G::ENTRY_BYTES;
                place
            })
            .collect();
        let wrong = frumious_parallel::map_indices(runs.len(), |index| {
            let (run, place) = (&runs[index], places[index]);
            let first = &firsts[index * G::ENTRY_BYTES..][..G::ENTRY_BYTES];
            let bytes = &entries[place..place + run.entries() * G::ENTRY_BYTES];
            first_wrong_vartime(&powers, run, first, bytes).map(|offset| place + offset)
        });
        if let Some(offset) = wrong.into_iter().flatten().next() {
            return Err(offset);
        }
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

/// Where the first wrong entry of a run starts in its bytes; `first` is what its first entry must be.
fn first_wrong_vartime<G: FixedGroup>(
    powers: &Powers<G>,
    run: &Run,
    first: &[u8],
    bytes: &[u8],
) -> Option<usize> {
    let size = G::ENTRY_BYTES;
    // Of the entry for i, which is not left out.
    let place = |i: usize| (i - usize::from(run.skips_first)) * size;
    if !run.skips_first {
        let mut neutral = vec![0; size];
        G::write_entry(&G::IDENTITY_ENTRY, &mut neutral);
        let expected = G::read_entry(first);
        if G::first_wrong_sum_vartime(&neutral, &expected, &bytes[..size]).is_some() {
            return Some(0);
        }
    }
    for (step, term) in run.increments.iter().enumerate() {
        let increment = powers.get(*term);
        let (half, end) = (1 << step, 2 << step);
        let wrong = |entries, start: usize, end: usize| {
            let index = G::first_wrong_sum_vartime(entries, &increment, &bytes[start..end])?;
            Some(start + index * size)
        };
        let earlier = &bytes[place(1)..place(half)];
        let wrong = wrong(first, place(half), place(half + 1))
            .or_else(|| wrong(earlier, place(half + 1), place(end)));
        if wrong.is_some() {
            return wrong;
        }
    }
    None
}
