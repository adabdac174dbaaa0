//! Section 4 of a key: the coefficients of A and B, row by row.

use crate::Error;
use frumious_circom::generic::{LinearCombination, R1cs, ZkeyWriter};
use frumious_circom::{Coefficient, Matrix};
use frumious_curves::PairingEngine;
use frumious_curves::engine::ScalarField;
use std::io::Write;

/// Number of records of section 4: the terms of A and B, and one for the constant and each public signal.
///
/// Errors: more than the section's 32-bit count can say.
pub(super) fn count<E: PairingEngine>(r1cs: &R1cs<E>) -> Result<u32, Error> {
    let [a, b, _] = r1cs.n_terms();
    let records = a
        .saturating_add(b)
        .saturating_add(u64::from(r1cs.n_public()) + 1);
    u32::try_from(records).map_err(|_| Error::TooManyCoefficients { records })
}

/// Writes section 4: for each row its terms of A, then its terms of B; at the end the rows of the public signals.
pub(super) fn write<E: PairingEngine, W: Write>(
    r1cs: &R1cs<E>,
    out: &mut ZkeyWriter<E, W>,
) -> Result<(), Error> {
    let mut batch = Vec::with_capacity(BATCH);
    let stored = StoredForm::<E::Fr>::new();
    for (constraint, row) in (0..).zip(r1cs.constraints()) {
        push_terms(&mut batch, &stored, Matrix::A, constraint, &row.a);
        push_terms(&mut batch, &stored, Matrix::B, constraint, &row.b);
        if batch.len() >= BATCH {
            out.write_coefficients(&batch)?;
            batch.clear();
        }
    }
    batch.extend((0..=r1cs.n_public()).map(|signal| Coefficient {
        matrix: Matrix::A,
        constraint: r1cs.n_constraints() + signal,
        signal,
        value: stored.of(&[1, 0, 0, 0]),
    }));
    Ok(out.write_coefficients(&batch)?)
}

fn push_terms<E: PairingEngine>(
    batch: &mut Vec<Coefficient>,
    stored: &StoredForm<E::Fr>,
    matrix: Matrix,
    constraint: u32,
    combination: &LinearCombination<E>,
) {
    batch.extend(combination.terms().map(|term| Coefficient {
        matrix,
        constraint,
        signal: term.wire,
        value: stored.of(&term.coefficient),
    }));
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

    /// (R²·R)·coef/R = coef·R².
    fn of(&self, coefficient: &[u64; 4]) -> [u64; 4] {
        self.r_squared
            .montgomery_product_raw(coefficient)
            .to_words()
    }
}

const BATCH: usize = 1 << 12;

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
