//! The rows of A and B times the witness.
//!
//! A coefficient is stored as coef·R² mod r, twice in Montgomery form, and the witness as plain integers, so that one
//! Montgomery product gives the Montgomery form of coef·w: (coef·R²)·w·R⁻¹ = (coef·w)·R. Rows beyond the last record are zero.

use crate::key::Rows;
use crate::{Error, ProvingEngine, ProvingKey};
use frumious_circom::Matrix;
use frumious_circom::generic::Coefficients;
use frumious_curves::engine::ScalarField;
use frumious_field::{Field, vector};
use frumious_parallel::join;
use zeroize::Zeroizing;

/// Values on the domain (or a coset), of the size of the domain; they depend on the witness.
pub(super) type Evaluations<F> = Zeroizing<Vec<F>>;

/// `A·w` and `B·w`, each of the size of the domain; in parallel over ranges of rows.
///
/// `witness`: canonical, one value for each wire.
pub(super) fn evaluate<E: ProvingEngine>(
    key: &ProvingKey<E>,
    witness: &[[u64; 4]],
) -> Result<[Evaluations<E::Fr>; 2], Error> {
    let size = key.domain_size();
    let mut a = Zeroizing::new(vec![E::Fr::ZERO; size]);
    let mut b = Zeroizing::new(vec![E::Fr::ZERO; size]);
    let matrices = Matrices {
        coefficients: key.zkey().coefficients(),
        rows: key.rows(),
        witness,
    };
    matrices.evaluate_range(0, &mut a, &mut b)?;
    Ok([a, b])
}

struct Matrices<'a, E: ProvingEngine> {
    coefficients: Coefficients<'a, E>,
    rows: &'a Rows,
    witness: &'a [[u64; 4]],
}

impl<E: ProvingEngine> Matrices<'_, E> {
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
        let mut products = Products::new();
        let first = self.rows.first_of_row(&self.coefficients, first_row)?;
        for k in first..self.coefficients.len() {
            let record = self.rows.record(&self.coefficients, k)?;
            // Below first_row only if the file changes under the mapping after the bisection: then it wraps, and ends.
            let row = (record.constraint as usize).wrapping_sub(first_row);
            if row >= a.len() {
                break;
            }
            let value = &self.witness[record.signal as usize];
            products.push((record.matrix, row), record.value, value);
            if products.len == BATCH {
                products.add_to(a, b);
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
    fn push(&mut self, row: (Matrix, usize), coefficient: [u64; 4], value: &[u64; 4]) {
        self.rows[self.len] = row;
        self.coefficients[self.len] = F::from_words(coefficient);
        self.values[self.len] = F::from_words(*value);
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
const ROWS_PER_TASK: usize = 1 << 10;

/// Products at a time: what fits the first-level cache beside the rows.
const BATCH: usize = 128;
