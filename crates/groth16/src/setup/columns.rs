//! The constraint matrices by wire instead of by row.

use frumious_circom::generic::{Constraint, LinearCombination, R1cs};
use frumious_curves::PairingEngine;

/// One matrix by column: for each wire the rows it occurs in.
pub(super) struct Columns {
    /// `starts[s] .. starts[s + 1]` are the terms of wire s.
    starts: Vec<u32>,
    terms: Vec<ColumnTerm>,
}

/// A wire's occurrence in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ColumnTerm {
    pub(super) row: u32,
    /// Canonical.
    pub(super) coefficient: [u64; 4],
}

impl Columns {
    /// The columns of the matrix that `select` takes from a constraint; terms of a wire are in order of their rows.
    ///
    /// `extra`: rows of a single term with coefficient 1, as `(row, wire)`, to be added after the circuit's own.
    pub(super) fn new<E: PairingEngine>(
        r1cs: &R1cs<E>,
        select: impl for<'a> Fn(Constraint<'a, E>) -> LinearCombination<'a, E>,
        extra: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> Self {
        let n_wires = r1cs.n_wires() as usize;
        // A counting sort: starts[s + 1] first counts the terms of s, then sums up, then runs along while filling.
        let mut starts = vec![0_u32; n_wires + 1];
        for constraint in r1cs.constraints() {
            for term in select(constraint).terms() {
                starts[term.wire as usize + 1] += 1;
            }
        }
        for (_, wire) in extra.clone() {
            starts[wire as usize + 1] += 1;
        }
        for s in 0..n_wires {
            starts[s + 1] += starts[s];
        }
        let blank = ColumnTerm {
            row: 0,
            coefficient: [0; 4],
        };
        let mut terms = vec![blank; starts[n_wires] as usize];
        let mut next = starts.clone();
        let mut place = |row: u32, wire: u32, coefficient: [u64; 4]| {
            let position = &mut next[wire as usize];
            terms[*position as usize] = ColumnTerm { row, coefficient };
            *position += 1;
        };
        for (row, constraint) in (0..).zip(r1cs.constraints()) {
            for term in select(constraint).terms() {
                place(row, term.wire, term.coefficient);
            }
        }
        for (row, wire) in extra {
            place(row, wire, [1, 0, 0, 0]);
        }
        Self { starts, terms }
    }

    /// The terms of one wire.
    pub(super) fn of(&self, wire: usize) -> &[ColumnTerm] {
        &self.terms[self.starts[wire] as usize..self.starts[wire + 1] as usize]
    }
}
