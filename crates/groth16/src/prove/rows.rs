//! The rows of A and B times the witness.
//!
//! A coefficient is stored as coef·R² mod r, and the witness as plain integers: one Montgomery product makes the
//! element coef·w of both. Rows beyond the last coefficient are zero.

use crate::key::{Filled, RowBatch, RowReader, RowWindow};
use crate::{Error, Matrix, ProvingEngine, ProvingKey, Witness};
use frumious_curves::engine::ScalarField;
use frumious_field::vector;
use frumious_parallel::{advance, expect_units, filled, for_each_chunk_mut, join, part, trace};
use frumious_r1cs::SourceError;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// Values on the domain (or a coset), of the size of the domain; they depend on the witness.
pub type Evaluations<F> = Zeroizing<Vec<F>>;

/// `A·w` and `B·w`, each of the size of the domain; in parallel over ranges of rows.
///
/// `witness`: one value for each wire.
pub(super) fn evaluate<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &Witness<'_, E::Fr>,
) -> Result<[Evaluations<E::Fr>; 2], Error> {
    let size = key.domain_size();
    let mut a = zeros(size);
    let mut b = zeros(size);
    let evaluated = key.source().rows(&mut |RowWindow { rows, read }| {
        let products = Products { read, witness };
        of_rows(&rows, size, || {
            products.evaluate_range(rows.start, &mut a[rows.clone()], &mut b[rows.clone()])
        })
    });
    evaluated.map_err(Error::Source)?;
    Ok([a, b])
}

/// One of the vectors that rows give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
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
    witness: &Witness<'_, E::Fr>,
    side: Side,
    out: &mut [E::Fr],
) -> Result<(), Error> {
    let evaluated = key.source().rows(&mut |RowWindow { rows, read }| {
        let products = Products { read, witness };
        of_rows(&rows, key.domain_size(), || {
            products.evaluate_side(rows.clone(), side, &mut out[rows.clone()])
        })
    });
    evaluated.map_err(Error::Source)
}

/// Runs work on some of `size` rows, which tells how far it is.
fn of_rows<T>(rows: &Range<usize>, size: usize, work: impl FnOnce() -> T) -> T {
    let at = |row: usize| row as f64 / size as f64;
    part(at(rows.start), at(rows.end), || {
        expect_units(rows.len() as u64);
        work()
    })
}

/// A vector to be filled.
pub(super) fn zeros<F: ScalarField>(len: usize) -> Evaluations<F> {
    Zeroizing::new(filled(F::ZERO, len))
}

/// The rows of a window times the witness.
#[derive(Clone, Copy)]
struct Products<'a, F: ScalarField> {
    read: &'a RowReader<'a, F>,
    witness: &'a Witness<'a, F>,
}

impl<F: ScalarField> Products<'_, F> {
    /// One side of some rows into `out`, of their number.
    fn evaluate_side(
        &self,
        rows: Range<usize>,
        side: Side,
        out: &mut [F],
    ) -> Result<(), SourceError> {
        let failure = Mutex::new(Ok(()));
        for_each_chunk_mut(out, ROWS_PER_TASK, |task, out| {
            let [mut a, mut b] = [(); 2].map(|()| Zeroizing::new([F::ZERO; ROWS_PER_TASK]));
            let (a, b) = (&mut a[..out.len()], &mut b[..out.len()]);
            match self.evaluate_task(rows.start + task * ROWS_PER_TASK, a, b) {
                Ok(()) => match side {
                    Side::A => out.copy_from_slice(a),
                    Side::B => out.copy_from_slice(b),
                    Side::Products => vector::multiply(a, b, out),
                },
                Err(error) => *failure.lock().unwrap_or_else(PoisonError::into_inner) = Err(error),
            }
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds rows `first_row ..` to `a` and `b`, which are of one length and zero.
    fn evaluate_range(
        &self,
        first_row: usize,
        a: &mut [F],
        b: &mut [F],
    ) -> Result<(), SourceError> {
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

    fn evaluate_task(&self, first_row: usize, a: &mut [F], b: &mut [F]) -> Result<(), SourceError> {
        let rows = first_row..first_row + a.len();
        let mut work = |batch: &mut Filled<'_, F>| {
            trace::moves(|| batch.wires.len() as u64 * TERM_BYTES);
            let value = |k: usize| self.witness.get(batch.wires[k] as usize);
            let products = batch.products.times(value);
            for ((matrix, row), product) in batch.places.iter().zip(products) {
                let row = *row as usize - first_row;
                match matrix {
                    Matrix::A => a[row] += *product,
                    Matrix::B => b[row] += *product,
                }
            }
        };
        let mut batch = RowBatch::new(&mut work);
        let n_rows = rows.len() as u64;
        (self.read)(rows, &mut batch)?;
        batch.flush();
        advance(n_rows);
        Ok(())
    }
}

/// Bytes read for a coefficient, for traces: its record in a zkey, and the value of its wire.
const TERM_BYTES: u64 = 44 + 32;

/// About 50 µs of work.
const ROWS_PER_TASK: usize = if cfg!(test) { 1 << 3 } else { 1 << 10 };
