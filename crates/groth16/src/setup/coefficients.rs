//! Section 4 of a key: the coefficients of A and B, row by row.

use super::circuit::{Circuit, ROWS_PER_BLOCK, RowBlocks, RowTerm};
use super::{Progress, SetupPhase};
use crate::Error;
use frumious_circom::generic::ZkeyWriter;
use frumious_circom::{Coefficient, Matrix};
use frumious_curves::PairingEngine;
use frumious_curves::engine::ScalarField;
use frumious_parallel::{current_num_threads, map_indices, pipeline};
use std::io::Write;

/// Number of records of section 4: the terms of A and B, and one for the constant and each public signal.
///
/// Errors: more than the section's 32-bit count can say.
pub(super) fn count<E: PairingEngine>(circuit: &impl Circuit<E>) -> Result<u32, Error> {
    let [a, b, _] = circuit.n_terms();
    let records = a
        .saturating_add(b)
        .saturating_add(u64::from(circuit.n_public()) + 1);
    u32::try_from(records).map_err(|_| Error::TooManyCoefficients { records })
}

/// Writes section 4: for each row its terms of A, then its terms of B; at the end the rows of the public signals.
pub(super) fn write<E: PairingEngine, W: Write>(
    circuit: &impl Circuit<E>,
    blocks: &dyn RowBlocks,
    out: &mut ZkeyWriter<E, W>,
    progress: Progress<'_>,
) -> Result<(), Error> {
    let stored = StoredForm::<E::Fr>::new();
    let n_rows = u32::try_from(circuit.n_rows()).expect("the domain was checked");
    let n_blocks = (n_rows as usize).div_ceil(ROWS_PER_BLOCK);
    let group = 2 * current_num_threads();
    let end_of = |start: usize| n_blocks.min(start + group);
    let compute =
        |start: usize| map_indices(end_of(start) - start, |k| stored.block(blocks, start + k));
    let starts = (0..n_blocks).step_by(group);
    pipeline(starts, compute, |start, groups| -> Result<(), Error> {
        for records in groups {
            out.write_coefficients(&records)?;
        }
        let fraction = end_of(start) as f64 / n_blocks as f64;
        progress.within(SetupPhase::Coefficients, fraction);
        Ok(())
    })?;
    let one = stored.of(&[1, 0, 0, 0]);
    for first in (0..=circuit.n_public()).step_by(ROWS_PER_BLOCK) {
        let last = circuit.n_public().min(first + (ROWS_PER_BLOCK - 1) as u32);
        let public = (first..=last).map(|signal| Coefficient {
            matrix: Matrix::A,
            constraint: n_rows + signal,
            signal,
            value: one,
        });
        out.write_coefficients(&public.collect::<Vec<_>>())?;
    }
    Ok(())
}

/// From a coefficient to coef·R² mod r, R = 2^256: one Montgomery product with R³.
struct StoredForm<F> {
    /// The element R², whose Montgomery form is R³.
    r_squared: F,
}

impl<F: ScalarField> StoredForm<F> {
    fn new() -> Self {
        // The element with Montgomery form 1 is R⁻¹.
        let r = F::from_words([1, 0, 0, 0])
            .invert_vartime()
            .expect("R is not zero");
        Self {
            r_squared: r.square(),
        }
    }

    /// The records of a block of rows.
    fn block(&self, blocks: &dyn RowBlocks, index: usize) -> Vec<Coefficient> {
        let mut records = Vec::new();
        blocks.visit(index, &mut |row, [a, b, _]| {
            let constraint = u32::try_from(row).expect("the domain was checked");
            self.push(&mut records, Matrix::A, constraint, a);
            self.push(&mut records, Matrix::B, constraint, b);
        });
        records
    }

    fn push(
        &self,
        records: &mut Vec<Coefficient>,
        matrix: Matrix,
        constraint: u32,
        terms: &[RowTerm],
    ) {
        records.extend(terms.iter().map(|term| Coefficient {
            matrix,
            constraint,
            signal: term.wire,
            value: self.of(&term.coefficient),
        }));
    }

    /// (R²·R)·coef/R = coef·R².
    fn of(&self, coefficient: &[u64; 4]) -> [u64; 4] {
        self.r_squared
            .montgomery_product_raw(coefficient)
            .to_words()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_curves::{bls12_381, bn254};

    #[test]
    fn stored_form_is_two_montgomery_factors() {
        check::<bn254::Fr>();
        check::<bls12_381::Fr>();
    }

    fn check<F: ScalarField>() {
        let stored = StoredForm::<F>::new();
        let r = F::from_u64(2).pow_vartime(&[256]);
        let top = -F::from_u64(1);
        for coefficient in [F::ZERO, F::ONE, F::from_u64(7), top, r] {
            let plain = coefficient.to_canonical_limbs();
            let expected = (coefficient * r * r).to_canonical_limbs();
            assert_eq!(stored.of(&plain), expected);
        }
    }
}
