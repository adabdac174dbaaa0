//! The constraint matrices by wire instead of by row, for a range of wires at a time.

use crate::Error;
use frumious_r1cs::{CONSTRAINTS_PER_BLOCK, ConstraintBlocks, ConstraintSource, ConstraintVisitor};
use std::collections::HashMap;
use std::ops::Range;

/// One matrix by column: for each wire of a range the rows it occurs in.
pub(super) struct Columns {
    /// The first wire.
    first: usize,
    /// `starts[s] .. starts[s + 1]` are the terms of wire `first + s`.
    starts: Vec<u32>,
    terms: Vec<ColumnTerm>,
}

/// A wire's occurrence in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ColumnTerm {
    pub(super) row: u32,
    /// Number of the coefficient in [`Census::coefficients`].
    pub(super) coefficient: u32,
}

/// Counts of terms, taken in one pass, so that columns can be made in ranges, each in memory known before.
pub(super) struct Census {
    /// For A, B and C: terms of each group of [`GROUP`] wires.
    terms: [Vec<u32>; 3],
    numbers: HashMap<[u64; 4], u32>,
    /// The distinct coefficients.
    pub(super) coefficients: Vec<[u64; 4]>,
}

impl Census {
    /// Errors: more than 2^32 terms in a matrix.
    pub(super) fn take<F>(
        circuit: &dyn ConstraintSource<F>,
        blocks: &dyn ConstraintBlocks<F>,
    ) -> Result<Self, Error> {
        for records in circuit.n_terms() {
            if u32::try_from(records + u64::from(circuit.n_public()) + 1).is_err() {
                return Err(Error::TooManyCoefficients { records });
            }
        }
        let groups = (circuit.n_wires() as usize).div_ceil(GROUP);
        let mut census = Self {
            terms: [(); 3].map(|()| vec![0; groups]),
            numbers: HashMap::new(),
            coefficients: Vec::new(),
        };
        census.number(&[1, 0, 0, 0]);
        for index in 0..(circuit.n_constraints() as usize).div_ceil(CONSTRAINTS_PER_BLOCK) {
            frumious_parallel::check_cancelled();
            blocks.visit(index, &mut |_, matrices| {
                for (matrix, terms) in matrices.into_iter().enumerate() {
                    for term in terms {
                        census.terms[matrix][term.wire as usize / GROUP] += 1;
                        census.number(term.coefficient.words());
                    }
                }
            });
        }
        for signal in 0..=circuit.n_public() as usize {
            census.terms[0][signal / GROUP] += 1;
        }
        Ok(census)
    }

    /// The number of a coefficient; that of one is 0.
    fn number(&mut self, coefficient: &[u64; 4]) -> u32 {
        if *coefficient == [1, 0, 0, 0] && !self.coefficients.is_empty() {
            return 0;
        }
        *self.numbers.entry(*coefficient).or_insert_with(|| {
            self.coefficients.push(*coefficient);
            self.coefficients.len() as u32 - 1 // fewer than terms
        })
    }

    /// The number that a coefficient has. All are in the census, unless the file changes between the passes.
    fn number_of(&self, coefficient: &[u64; 4]) -> u32 {
        match *coefficient {
            [1, 0, 0, 0] => 0,
            _ => self.numbers.get(coefficient).copied().unwrap_or(0),
        }
    }

    /// Memory of the census in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let groups = 12 * self.terms[0].len() as u64;
        // A hash table of at least four sevenths full, and vectors that grow by doubling.
        groups + (2 * 41 + 2 * 32) * self.coefficients.len() as u64
    }

    /// Memory of the columns of some matrices for wires of whole groups.
    pub(super) fn columns_bytes(&self, matrices: &[ColumnMatrix], groups: Range<usize>) -> u64 {
        let bytes = |matrix: &ColumnMatrix| {
            let terms = self.terms[*matrix as usize][groups.clone()].iter();
            let terms: u64 = terms.map(|count| u64::from(*count)).sum();
            // Starts and, while the terms are placed, where each wire's next one goes.
            8 * terms + 8 * (groups.len() * GROUP) as u64
        };
        matrices.iter().map(bytes).sum()
    }

    /// True if the columns of all wires in `matrices` take at most `limit` bytes.
    pub(super) fn fits(&self, matrices: &[ColumnMatrix], limit: u64) -> bool {
        self.columns_bytes(matrices, 0..self.terms[0].len()) <= limit
    }

    /// Cuts the wires into ranges, as long as possible, whose columns of `matrices` take at most `limit` bytes. If one
    /// group alone takes more, it is a range.
    pub(super) fn ranges(
        &self,
        matrices: &[ColumnMatrix],
        n_wires: usize,
        limit: u64,
    ) -> Vec<Range<usize>> {
        let n_groups = self.terms[0].len();
        let mut ranges = Vec::new();
        let mut start = 0;
        while start < n_groups {
            let (mut end, mut bytes) = (start, 0);
            while end < n_groups {
                let more = self.columns_bytes(matrices, end..end + 1);
                if end > start && bytes + more > limit {
                    break;
                }
                bytes += more;
                end += 1;
            }
            ranges.push(start * GROUP..n_wires.min(end * GROUP));
            start = end;
        }
        ranges
    }

    /// The most that the columns of one of the ranges take.
    pub(super) fn largest(&self, matrices: &[ColumnMatrix], ranges: &[Range<usize>]) -> u64 {
        let groups = |range: &Range<usize>| range.start / GROUP..range.end.div_ceil(GROUP);
        let bytes = ranges
            .iter()
            .map(|range| self.columns_bytes(matrices, groups(range)));
        bytes.max().unwrap_or(0)
    }
}

/// One of the three matrices, as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnMatrix {
    A,
    B,
    C,
}

impl ColumnMatrix {
    pub(super) const ALL: [Self; 3] = [Self::A, Self::B, Self::C];
}

impl Columns {
    /// The columns of some wires in each of the matrices, by [`PASSES`](Self::PASSES) over the rows. Terms of a wire
    /// are in order of their rows. In A the constant and each public signal has one more, in its own row after the
    /// circuit's.
    pub(super) fn of_matrices<F>(
        circuit: &dyn ConstraintSource<F>,
        blocks: &dyn ConstraintBlocks<F>,
        census: &Census,
        matrices: &[ColumnMatrix],
        wires: Range<usize>,
    ) -> Vec<Self> {
        let public = |matrix: &ColumnMatrix| match matrix {
            ColumnMatrix::A => wires.start..wires.end.min(circuit.n_public() as usize + 1),
            _ => 0..0,
        };
        // A counting sort: starts[s + 1] first counts the terms of s, then sums up.
        let mut starts: Vec<Vec<u32>> = (matrices.iter())
            .map(|_| vec![0; wires.len() + 1])
            .collect();
        let each_row = |visit: &mut ConstraintVisitor<'_, F>| {
            for index in 0..(circuit.n_constraints() as usize).div_ceil(CONSTRAINTS_PER_BLOCK) {
                frumious_parallel::check_cancelled();
                blocks.visit(index, visit);
            }
        };
        each_row(&mut |_, rows| {
            for (matrix, starts) in matrices.iter().zip(&mut starts) {
                for term in rows[*matrix as usize] {
                    let wire = term.wire as usize;
                    if wires.contains(&wire) {
                        starts[wire - wires.start + 1] += 1;
                    }
                }
            }
        });
        for (matrix, starts) in matrices.iter().zip(&mut starts) {
            for wire in public(matrix) {
                starts[wire - wires.start + 1] += 1;
            }
            for s in 0..wires.len() {
                starts[s + 1] += starts[s];
            }
        }
        let mut placed: Vec<Placed> = starts.iter().map(|starts| Placed::new(starts)).collect();
        each_row(&mut |row, rows| {
            for (matrix, placed) in matrices.iter().zip(&mut placed) {
                for term in rows[*matrix as usize] {
                    let wire = term.wire as usize;
                    if wires.contains(&wire) {
                        let number = census.number_of(term.coefficient.words());
                        placed.put(row, wire - wires.start, number);
                    }
                }
            }
        });
        for (matrix, placed) in matrices.iter().zip(&mut placed) {
            for wire in public(matrix) {
                let row = circuit.n_constraints() + wire as u64;
                placed.put(row, wire - wires.start, 0);
            }
        }
        let columns = starts.into_iter().zip(placed).map(|(starts, placed)| Self {
            first: wires.start,
            starts,
            terms: placed.terms,
        });
        columns.collect()
    }

    /// Passes over the rows of one [`of_matrices`](Self::of_matrices).
    pub(super) const PASSES: u64 = 2;

    /// The terms of one wire of the range.
    pub(super) fn of(&self, wire: usize) -> &[ColumnTerm] {
        let s = wire - self.first;
        &self.terms[self.starts[s] as usize..self.starts[s + 1] as usize]
    }
}

/// Terms of one matrix that are put into the order of their wires.
struct Placed {
    /// Where the next term of each wire goes.
    next: Vec<u32>,
    terms: Vec<ColumnTerm>,
}

impl Placed {
    fn new(starts: &[u32]) -> Self {
        let blank = ColumnTerm {
            row: 0,
            coefficient: 0,
        };
        Self {
            next: starts.to_vec(),
            terms: vec![blank; starts.last().map_or(0, |end| *end as usize)],
        }
    }

    /// Puts the next term of the wire `s` of the range.
    fn put(&mut self, row: u64, s: usize, coefficient: u32) {
        let position = &mut self.next[s];
        // As many as were counted, unless the file changes between the passes; `ConstraintSource::check_unchanged` tells.
        if let Some(term) = self.terms.get_mut(*position as usize) {
            *term = ColumnTerm {
                row: row as u32, // the domain has been checked
                coefficient,
            };
        }
        *position += 1;
    }
}

/// Wires that are counted together.
pub(super) const GROUP: usize = 1 << 10;
