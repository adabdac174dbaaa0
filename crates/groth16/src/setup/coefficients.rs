//! The coefficients of A and B, row by row.

use super::{Progress, SetupPhase};
use crate::{Coefficient, Error, KeySink, Matrix, Part, Position, ProvingEngine};
use frumious_curves::bn254::Fr;
use frumious_curves::engine::ScalarField;
use frumious_field::{Integer, TwiceMontgomery};
use frumious_parallel::{map_indices, pipeline};
use frumious_r1cs::{CONSTRAINTS_PER_BLOCK, ConstraintBlocks, ConstraintSource, Term};
use std::cmp::Ordering;
use std::sync::Mutex;

/// Number of coefficients of a key: the terms of A and B, and one for the constant and each public signal.
///
/// # Errors
/// [`Error::TooManyCoefficients`] for more than 32 bits count.
pub(super) fn count<F>(circuit: &dyn ConstraintSource<F>) -> Result<u32, Error> {
    let [a, b, _] = circuit.n_terms();
    let records = a
        .saturating_add(b)
        .saturating_add(u64::from(circuit.n_public()) + 1);
    u32::try_from(records).map_err(|_| Error::TooManyCoefficients { records })
}

/// Room for the coefficients that are made at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Blocks of rows.
    pub(super) blocks: usize,
    /// Records of a block; those beyond are made one after the other.
    pub(super) records: usize,
}

impl Room {
    /// For what a block has on average and half as much again, at most `most`, and so many blocks.
    pub(super) fn new<F>(circuit: &dyn ConstraintSource<F>, blocks: usize, most: usize) -> Self {
        let [a, b, _] = circuit.n_terms();
        let records = average(circuit, a.saturating_add(b), most);
        Self { blocks, records }
    }

    /// Memory in bytes: of two groups of blocks, as one is written while the next is made.
    pub(super) fn bytes(&self) -> u64 {
        let record = size_of::<Coefficient<Fr>>(); // over either curve
        (2 * self.blocks * self.records * record) as u64
    }
}

/// Half as much again as a block has on average of `all`, at most `most`, at least a few.
pub(super) fn average<F>(circuit: &dyn ConstraintSource<F>, all: u64, most: usize) -> usize {
    let n_constraints = circuit.n_constraints().max(1);
    let rows = n_constraints.min(CONSTRAINTS_PER_BLOCK as u64);
    let average = (u128::from(all) * u128::from(rows)).div_ceil(n_constraints.into());
    (average * 3 / 2 + 64).min(most as u128) as usize
}

/// Writes the coefficients: for each row its terms of A, then its terms of B; at the end the rows of the public
/// signals.
///
/// Those before `start` are there already. `checkpoint` is told how many there are now.
pub(super) fn write<E: ProvingEngine>(
    circuit: &dyn ConstraintSource<E::Fr>,
    blocks: &dyn ConstraintBlocks<E::Fr>,
    out: &mut dyn KeySink<E>,
    room: Room,
    start: Position,
    mut checkpoint: impl FnMut(&mut dyn KeySink<E>, u64) -> Result<(), Error>,
    progress: Progress<'_>,
) -> Result<(), Error> {
    progress.begin(SetupPhase::Coefficients);
    let done = match start.part.cmp(&Part::Coefficients) {
        Ordering::Less => 0,
        Ordering::Equal => start.entries,
        Ordering::Greater => return Ok(()),
    };
    let n_constraints = u32::try_from(circuit.n_constraints()).expect("the domain was checked");
    let n_blocks = (n_constraints as usize).div_ceil(CONSTRAINTS_PER_BLOCK);
    let (mut first, mut written) = (0, 0);
    while first < n_blocks && written < done {
        frumious_parallel::check_cancelled();
        let records = count_of_block(blocks, first);
        if written + records > done {
            break;
        }
        (first, written) = (first + 1, written + records);
    }
    let end_of = |start: usize| n_blocks.min(start + room.blocks);
    let buffers = Buffers::default();
    let compute = |start: usize| {
        map_indices(end_of(start) - start, |k| {
            let mut records = buffers.take(room.records);
            let rest = block(blocks, start + k, &mut records);
            (records, rest)
        })
    };
    let starts = (first..n_blocks).step_by(room.blocks);
    pipeline(starts, compute, |start, group| -> Result<(), Error> {
        for (index, (records, rest)) in (start..).zip(group) {
            written = put(out, &records, written, done)?;
            buffers.give_back(records);
            if let Some(row) = rest {
                written = rows_from(blocks, index, row, out, written, done)?;
            }
        }
        let fraction = end_of(start) as f64 / n_blocks as f64;
        progress.within(SetupPhase::Coefficients, fraction);
        checkpoint(out, written.max(done))
    })?;
    let one = TwiceMontgomery::from(Integer::ONE);
    for first in (0..=circuit.n_public()).step_by(CONSTRAINTS_PER_BLOCK) {
        let last = circuit
            .n_public()
            .min(first + (CONSTRAINTS_PER_BLOCK - 1) as u32);
        let public = (first..=last).map(|signal| Coefficient {
            matrix: Matrix::A,
            row: n_constraints + signal,
            wire: signal,
            value: one,
        });
        written = put(out, &public.collect::<Vec<_>>(), written, done)?;
    }
    checkpoint(out, written)
}

/// Writes those of some records that are behind the first `done` of all, and returns the number of all up to them.
fn put<E: ProvingEngine>(
    out: &mut dyn KeySink<E>,
    records: &[Coefficient<E::Fr>],
    written: u64,
    done: u64,
) -> Result<u64, Error> {
    let there = (records.len() as u64).min(done.saturating_sub(written));
    out.coefficients(&records[there as usize..])
        .map_err(Error::Source)?;
    Ok(written + records.len() as u64)
}

/// Vectors that are used again.
#[derive(Default)]
struct Buffers<F>(Mutex<Vec<Vec<Coefficient<F>>>>);

impl<F> Buffers<F> {
    /// An empty vector with room for so many.
    fn take(&self, capacity: usize) -> Vec<Coefficient<F>> {
        let kept = self.0.lock().expect("no holder panics").pop();
        kept.unwrap_or_else(|| Vec::with_capacity(capacity))
    }

    fn give_back(&self, mut buffer: Vec<Coefficient<F>>) {
        buffer.clear();
        self.0.lock().expect("no holder panics").push(buffer);
    }
}

/// Puts the records of a block of rows into an empty vector, as many rows as there is room for.
///
/// Returns the first row that is left out, if there is one.
fn block<F: ScalarField>(
    blocks: &dyn ConstraintBlocks<F>,
    index: usize,
    records: &mut Vec<Coefficient<F>>,
) -> Option<u64> {
    let mut rest = None;
    blocks.visit(index, &mut |row, [a, b, _]| {
        if rest.is_some() || records.len() + a.len() + b.len() > records.capacity() {
            rest.get_or_insert(row);
            return;
        }
        records.extend(terms_of_row(row, a, b));
    });
    rest
}

/// The number of records of a block.
fn count_of_block<F>(blocks: &dyn ConstraintBlocks<F>, index: usize) -> u64 {
    let mut count = 0;
    blocks.visit(index, &mut |_, [a, b, _]| {
        count += (a.len() + b.len()) as u64;
    });
    count
}

/// Writes the records of a block from `first` on, row by row. As [`put`].
fn rows_from<E: ProvingEngine>(
    blocks: &dyn ConstraintBlocks<E::Fr>,
    index: usize,
    first: u64,
    out: &mut dyn KeySink<E>,
    written: u64,
    done: u64,
) -> Result<u64, Error> {
    let mut result = Ok(written);
    let mut records = Vec::new();
    blocks.visit(index, &mut |row, [a, b, _]| {
        if let (Ok(written), true) = (&result, row >= first) {
            records.clear();
            records.extend(terms_of_row(row, a, b));
            result = put(out, &records, *written, done);
        }
    });
    result
}

/// The records of a row.
fn terms_of_row<'t, F: ScalarField>(
    row: u64,
    a: &'t [Term<F>],
    b: &'t [Term<F>],
) -> impl Iterator<Item = Coefficient<F>> + 't {
    let row = u32::try_from(row).expect("the domain was checked");
    let a = a.iter().map(|term| (Matrix::A, term));
    let b = b.iter().map(|term| (Matrix::B, term));
    a.chain(b).map(move |(matrix, term)| Coefficient {
        matrix,
        row,
        wire: term.wire,
        value: term.coefficient.into(),
    })
}
