//! The rows of A and B times the witness.
//!
//! A coefficient is stored as coef·R² mod r, twice in Montgomery form, and the witness as plain integers, so that one
//! Montgomery product gives the Montgomery form of coef·w: (coef·R²)·w·R⁻¹ = (coef·w)·R. Rows beyond the last record are zero.

use crate::key::Rows;
use crate::{Error, ProvingEngine, ProvingKey};
use frumious_circom::generic::{KeyCoefficients, Wtns};
use frumious_circom::{Coefficient, FileBytes, Matrix};
use frumious_curves::engine::ScalarField;
use frumious_field::{Field, vector};
use frumious_parallel::{filled, for_each_chunk_mut, join};
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// Values on the domain (or a coset), of the size of the domain; they depend on the witness.
pub(super) type Evaluations<F> = Zeroizing<Vec<F>>;

/// `A·w` and `B·w`, each of the size of the domain; in parallel over ranges of rows.
///
/// `witness`: one value for each wire.
pub(super) fn evaluate<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Wtns<E>,
) -> Result<[Evaluations<E::Fr>; 2], Error> {
    let size = key.domain_size();
    let matrices = Matrices::of(key, witness);
    matrices.read_ahead(0)?;
    let mut a = zeros(size);
    let mut b = zeros(size);
    let blocks = a
        .chunks_mut(ROWS_PER_BLOCK)
        .zip(b.chunks_mut(ROWS_PER_BLOCK));
    for (index, (a, b)) in blocks.enumerate() {
        matrices.read_ahead(index + 1)?;
        matrices.evaluate_range(index * ROWS_PER_BLOCK, a, b)?;
        matrices.release_block(index)?;
    }
    Ok([a, b])
}

/// What of the rows is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// `A·w`.
    A,
    /// `B·w`.
    B,
    /// `(A·w)∘(B·w)`.
    Products,
}

/// One side of all rows into `out`, of the size of the domain, without other vectors; in parallel over ranges of rows.
///
/// `witness`: one value for each wire.
pub(super) fn evaluate_one<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Wtns<E>,
    side: Side,
    out: &mut [E::Fr],
) -> Result<(), Error> {
    let matrices = Matrices::of(key, witness);
    matrices.read_ahead(0)?;
    for (index, block) in out.chunks_mut(ROWS_PER_BLOCK).enumerate() {
        matrices.read_ahead(index + 1)?;
        let first_row = index * ROWS_PER_BLOCK;
        let failure = Mutex::new(Ok(()));
        for_each_chunk_mut(block, ROWS_PER_TASK, |task, out| {
            let [mut a, mut b] = [(); 2].map(|()| Zeroizing::new([E::Fr::ZERO; ROWS_PER_TASK]));
            let (a, b) = (&mut a[..out.len()], &mut b[..out.len()]);
            match matrices.evaluate_task(first_row + task * ROWS_PER_TASK, a, b) {
                Ok(()) => match side {
                    Side::A => out.copy_from_slice(a),
                    Side::B => out.copy_from_slice(b),
                    Side::Products => vector::multiply(a, b, out),
                },
                Err(error) => *failure.lock().unwrap_or_else(PoisonError::into_inner) = Err(error),
            }
        });
        failure
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)?;
        matrices.release_block(index)?;
    }
    Ok(())
}

/// A vector to be filled.
pub(super) fn zeros<F: ScalarField>(len: usize) -> Evaluations<F> {
    Zeroizing::new(filled(F::ZERO, len))
}

struct Matrices<'a, E: ProvingEngine> {
    file: &'a FileBytes,
    coefficients: KeyCoefficients<'a, E>,
    rows: &'a Rows,
    witness: &'a Wtns<E>,
    domain_size: usize,
}

impl<'a, E: ProvingEngine> Matrices<'a, E> {
    fn of(key: &'a ProvingKey<E>, witness: &'a Wtns<E>) -> Self {
        Self {
            file: key.file().bytes(),
            coefficients: key.file().coefficients(),
            rows: key.rows(),
            witness,
            domain_size: key.domain_size(),
        }
    }

    /// Has the coefficients of a block, if there is one of this number, read from the file soon.
    fn read_ahead(&self, index: usize) -> Result<(), frumious_circom::Error> {
        if let Some(bytes) = self.block(index)? {
            self.file.read_ahead(bytes);
        }
        Ok(())
    }

    /// Gives up the pages of a block's coefficients, if there are several blocks.
    fn release_block(&self, index: usize) -> Result<(), frumious_circom::Error> {
        if let Some(bytes) = self.block(index)?
            && self.domain_size > ROWS_PER_BLOCK
        {
            self.file.release(bytes);
        }
        Ok(())
    }

    /// A block's coefficients, if there are any and they lie together.
    fn block(&self, index: usize) -> Result<Option<&'a [u8]>, frumious_circom::Error> {
        let first_row = index * ROWS_PER_BLOCK;
        let rows = first_row..first_row + ROWS_PER_BLOCK;
        if first_row >= self.domain_size {
            return Ok(None);
        }
        match (&self.coefficients, self.rows) {
            (KeyCoefficients::Records(records), Rows::Sorted) => {
                let [start, end] =
                    [rows.start, rows.end].map(|row| self.rows.first_of_row(records, row));
                let (start, end) = (start?, end?);
                // In this order unless the file changes under the mapping.
                Ok((start < end).then(|| records.bytes(start..end)))
            }
            (KeyCoefficients::Records(_), Rows::Permuted(_)) => Ok(None),
            (KeyCoefficients::Rows(code), _) => Ok(Some(code.code_of(rows))),
            (KeyCoefficients::Templates(_), _) => Ok(None), // not in the file any more
        }
    }

    /// Adds rows `first_row ..` to `a` and `b`, which are of one length and zero.
    fn evaluate_range(
        &self,
        first_row: usize,
        a: &mut [E::Fr],
        b: &mut [E::Fr],
    ) -> Result<(), frumious_circom::Error> {
        if a.len() <= ROWS_PER_TASK {
            return self.evaluate_task(first_row, a, b);
        }
        let middle = a.len() / 2;
        let (a_low, a_high) = a.split_at_mut(middle);
        let (b_low, b_high) = b.split_at_mut(middle);
        let (low, high) = join(
            || self.evaluate_range(first_row, a_low, b_low),
            || self.evaluate_range(first_row + middle, a_high, b_high),
        );
        low.and(high)
    }

    fn evaluate_task(
        &self,
        first_row: usize,
        a: &mut [E::Fr],
        b: &mut [E::Fr],
    ) -> Result<(), frumious_circom::Error> {
        let n = a.len();
        let mut products = Products::new();
        let mut take = |record: Coefficient, row: usize| {
            let value = self.witness.get(record.signal as usize);
            products.push((record.matrix, row), record.value, value);
            if products.len == BATCH {
                products.add_to(a, b);
            }
        };
        match &self.coefficients {
            KeyCoefficients::Records(records) => {
                let first = self.rows.first_of_row(records, first_row)?;
                for k in first..records.len() {
                    let record = self.rows.record(records, k)?;
                    // Below first_row only if the file changes under the mapping after the bisection: then it wraps, and ends.
                    let row = (record.constraint as usize).wrapping_sub(first_row);
                    if row >= n {
                        break;
                    }
                    take(record, row);
                }
            }
            KeyCoefficients::Rows(code) => {
                code.for_each(first_row..first_row + n, |record| {
                    take(record, record.constraint as usize - first_row);
                    Ok(())
                })?;
            }
            KeyCoefficients::Templates(rows) => {
                rows.for_each(first_row..first_row + n, |record| {
                    take(record, record.constraint as usize - first_row);
                    Ok(())
                })?;
            }
        }
        products.add_to(a, b);
        Ok(())
    }
}

/// Products that are computed together, then added to their rows. They tell of the witness, and are wiped.
struct Products<F: ScalarField> {
    len: usize,
    rows: [(Matrix, usize); BATCH],
    coefficients: Zeroizing<[F; BATCH]>,
    values: Zeroizing<[F; BATCH]>,
}

impl<F: ScalarField> Products<F> {
    fn new() -> Self {
        Self {
            len: 0,
            rows: [(Matrix::A, 0); BATCH],
            coefficients: Zeroizing::new([F::ZERO; BATCH]),
            values: Zeroizing::new([F::ZERO; BATCH]),
        }
    }

    #[inline(always)]
    fn push(&mut self, row: (Matrix, usize), coefficient: [u64; 4], value: [u64; 4]) {
        self.rows[self.len] = row;
        self.coefficients[self.len] = F::from_words(coefficient);
        self.values[self.len] = F::from_words(value);
        self.len += 1;
    }

    #[inline(always)]
    fn add_to(&mut self, a: &mut [F], b: &mut [F]) {
        let products = &mut self.coefficients[..self.len];
        vector::multiply_assign(products, &self.values[..self.len]);
        for ((matrix, row), product) in self.rows.iter().zip(products) {
            match matrix {
                Matrix::A => a[*row] += *product,
                Matrix::B => b[*row] += *product,
            }
        }
        self.len = 0;
    }
}

/// About 50 µs of work.
const ROWS_PER_TASK: usize = if cfg!(test) { 1 << 3 } else { 1 << 10 };

/// Rows whose coefficients are resident at once, of circuits that have more: with two terms each 90 MiB.
/// Few in the tests of this crate.
pub(super) const ROWS_PER_BLOCK: usize = if cfg!(test) { 1 << 5 } else { 1 << 20 };

/// Products at a time: what fits the first-level cache beside the rows.
const BATCH: usize = 128;
