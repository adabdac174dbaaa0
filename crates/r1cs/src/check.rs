//! Checks that a witness satisfies a system.

use crate::row::PooledTerm;
use crate::system::System;
use frumious_field::WordField;

/// Constraints that one task checks.
const TASK: u64 = 1 << 14;

impl<F: WordField> System<F> {
    /// `Σ coefficient·wire` of some terms. Variable time in the system, not in the values.
    #[inline]
    pub fn evaluate(&self, terms: &[PooledTerm], witness: &[F]) -> F {
        terms.iter().fold(F::ZERO, |sum, term| {
            let value = witness[term.wire as usize];
            match term.coefficient {
                0 => sum + value,
                1 => sum - value,
                number => sum + value * *self.pool().value(number),
            }
        })
    }

    /// The number of the first constraint that `witness` does not satisfy, none if it satisfies all; [`System::path`]
    /// says where it stands.
    ///
    /// `witness`: a value for each wire, that of wire 0 being one. Parallel over the pool of the caller. Variable time
    /// in the system, and in the result.
    ///
    /// # Panics
    /// When `witness` has another length than [`System::n_wires`], or does not begin with one: zeros alone would
    /// satisfy any system.
    #[track_caller]
    pub fn first_unsatisfied(&self, witness: &[F]) -> Option<u64> {
        assert!(
            witness.len() == self.n_wires() as usize,
            "`witness` has {} values, and the system {} wires",
            witness.len(),
            self.n_wires()
        );
        // Public: the same in each witness.
        assert!(
            witness[0] == F::ONE,
            "`witness` begins with the value of wire 0, which must be one"
        );
        let tasks = self.n_constraints().div_ceil(TASK) as usize;
        let found = frumious_parallel::map_indices(tasks, |task| {
            let start = task as u64 * TASK;
            let mut first = None;
            self.for_each_row(
                start..self.n_constraints().min(start + TASK),
                |number, row| {
                    if first.is_none() {
                        let [a, b, c] =
                            [row.a, row.b, row.c].map(|terms| self.evaluate(terms, witness));
                        first = (a * b != c).then_some(number);
                    }
                },
            );
            first
        });
        found.into_iter().flatten().next()
    }
}
