//! The matrices' columns at τ: for each wire the sum over the rows of coefficient times Lagrange polynomial.
//!
//! One pass over the rows, in groups of blocks. First each block's products are computed and put into bins by wire, at
//! once for all blocks of the group. Then each bin's part of the columns takes its products, at once for all parts. So
//! no column is held twice, and no two threads write to one place. Nothing is as long as the domain: the Lagrange basis
//! is computed block by block.
//!
//! The bins of a block have [room](Products) for what a block has on average and half as much again. Rows for which it
//! does not suffice are added without bins. Each part of the columns has a task that visits all of them, which takes
//! longer, and no memory.

use super::super::lagrange::BasisAt;
use super::products::Products;
use frumious_curves::engine::ScalarField;
use frumious_field::{Integer, TwiceMontgomery};
use frumious_parallel::{current_num_threads, for_each_chunk_mut};
use frumious_r1cs::{CONSTRAINTS_PER_BLOCK, ConstraintBlocks, ConstraintSource, Term};
use std::ops::Range;
use zeroize::Zeroizing;

/// Where a matrix goes: into which column, and times what.
#[derive(Clone, Copy)]
pub(super) struct Target<F> {
    pub(super) column: usize,
    pub(super) weight: Option<F>,
}

/// Adds to columns for the wires of a range, of whose length each is.
///
/// `targets`: of A, B and C. `work` is for so many blocks at a time, which is at least one. `progress` is told how much
/// of the rows is done, from 0 to 1.
///
/// Memory: [`basis_bytes`], and what `work` has.
#[expect(clippy::too_many_arguments)]
pub(super) fn evaluate<F: ScalarField>(
    circuit: &dyn ConstraintSource<F>,
    blocks: &dyn ConstraintBlocks<F>,
    basis: &BasisAt<F>,
    wires: Range<usize>,
    targets: [Option<Target<F>>; 3],
    columns: &mut [Zeroizing<Vec<F>>],
    work: &mut [Products<F>],
    progress: &dyn Fn(f64),
) {
    let n_constraints = circuit.n_constraints() as usize;
    let pass = Pass {
        blocks,
        basis,
        minus_one: Integer::from(-F::ONE),
        part_bits: part_bits(wires.len()),
        wires: wires.clone(),
        targets,
        n_columns: columns.len(),
        n_constraints,
    };
    let n_blocks = n_constraints.div_ceil(CONSTRAINTS_PER_BLOCK);
    for group in (0..n_blocks).step_by(work.len()) {
        let count = work.len().min(n_blocks - group);
        let mut filled: Vec<_> = work[..count].iter_mut().map(|work| (work, None)).collect();
        for_each_chunk_mut(&mut filled, 1, |k, filled| {
            for (products, rest) in filled {
                *rest = pass.fill(group + k, products);
            }
        });
        for (column, values) in columns.iter_mut().enumerate() {
            for_each_chunk_mut(values, 1 << pass.part_bits, |part, chunk| {
                let bin = column * pass.n_parts() + part;
                for (k, (products, rest)) in filled.iter().enumerate() {
                    products.add_to(bin, chunk);
                    if let Some(row) = rest {
                        pass.add_rows(group + k, *row, bin, chunk);
                    }
                }
            });
        }
        progress((group + count) as f64 / n_blocks as f64);
    }
    if let Some(target) = targets[0] {
        let public = wires.start..wires.end.min(circuit.n_public() as usize + 1);
        for start in public.clone().step_by(CONSTRAINTS_PER_BLOCK) {
            let end = public.end.min(start + CONSTRAINTS_PER_BLOCK);
            let values = basis.values(n_constraints + start..n_constraints + end);
            for (wire, value) in (start..end).zip(values.iter()) {
                let value = target.weight.map_or(*value, |weight| weight * *value);
                columns[target.column][wire - wires.start] += value;
            }
        }
    }
}

/// Memory of the Lagrange basis in work, for each thread.
pub(super) const fn basis_bytes() -> u64 {
    2 * 32 * CONSTRAINTS_PER_BLOCK as u64
}

/// The most bins that a pass over `n_wires` for `n_columns` has.
pub(super) fn n_bins(n_wires: usize, n_columns: usize) -> usize {
    n_columns * n_wires.div_ceil(1 << part_bits(n_wires))
}

struct Pass<'a, F: ScalarField> {
    blocks: &'a dyn ConstraintBlocks<F>,
    basis: &'a BasisAt<F>,
    /// −1.
    minus_one: Integer<F>,
    /// Binary logarithm of the wires of a part.
    part_bits: u32,
    wires: Range<usize>,
    targets: [Option<Target<F>>; 3],
    n_columns: usize,
    n_constraints: usize,
}

impl<F: ScalarField> Pass<'_, F> {
    fn n_parts(&self) -> usize {
        self.wires.len().div_ceil(1 << self.part_bits)
    }

    /// The products of a block into their bins, by column and part of it. The first row for which there was no room, if
    /// there is one.
    fn fill(&self, index: usize, products: &mut Products<F>) -> Option<u64> {
        products.clear(self.n_columns * self.n_parts());
        let mut rest = None;
        self.rows(index, |row, value, matrices| {
            let count = matrices.map(<[Term<F>]>::len).iter().sum();
            if rest.is_some() || !products.has_room(count) {
                rest.get_or_insert(row);
                return;
            }
            for (target, terms) in self.targets.iter().zip(matrices) {
                if let Some(target) = target {
                    let first = target.column * self.n_parts();
                    let add = |wire: usize, product| {
                        let place = wire & ((1 << self.part_bits) - 1);
                        products.push(first + (wire >> self.part_bits), place, product);
                    };
                    self.row(target, value, terms, |_| true, add);
                }
            }
        });
        rest
    }

    /// Adds the products of a block's rows from `first` on that belong into a bin to its part of a column.
    fn add_rows(&self, index: usize, first: u64, bin: usize, part: &mut [F]) {
        let (column, number) = (bin / self.n_parts(), bin % self.n_parts());
        self.rows(index, |row, value, matrices| {
            for (target, terms) in self.targets.iter().zip(matrices) {
                let target = target.as_ref().filter(|target| target.column == column);
                if let (Some(target), true) = (target, row >= first) {
                    let wanted = |wire: usize| wire >> self.part_bits == number;
                    let add = |wire: usize, product| {
                        part[wire & ((1 << self.part_bits) - 1)] += product;
                    };
                    self.row(target, value, terms, wanted, add);
                }
            }
        });
    }

    /// Visits the rows of a block with the values of their Lagrange polynomials.
    fn rows(&self, index: usize, mut visit: impl FnMut(u64, &F, [&[Term<F>]; 3])) {
        let first = index * CONSTRAINTS_PER_BLOCK;
        let end = self.n_constraints.min(first + CONSTRAINTS_PER_BLOCK);
        let basis = self.basis.values(first..end);
        self.blocks.visit(index, &mut |row, matrices| {
            visit(row, &basis[row as usize - first], matrices);
        });
    }

    /// Calls `add` with the products of the terms whose wires are in the range and wanted. Wires are counted from the
    /// range's first.
    #[inline(always)]
    fn row(
        &self,
        target: &Target<F>,
        value: &F,
        terms: &[Term<F>],
        wanted: impl Fn(usize) -> bool,
        mut add: impl FnMut(usize, F),
    ) {
        let value = target.weight.map_or(*value, |weight| weight * *value);
        let (minus, factor) = (-value, TwiceMontgomery::from(value));
        for term in terms {
            let Some(wire) = (term.wire as usize).checked_sub(self.wires.start) else {
                continue;
            };
            if wire >= self.wires.len() || !wanted(wire) {
                continue;
            }
            let product = if term.coefficient == Integer::ONE {
                value
            } else if term.coefficient == self.minus_one {
                minus
            } else {
                factor * term.coefficient
            };
            add(wire, product);
        }
    }
}

/// Two parts a thread, or one if there is one thread, of a power of two each.
fn part_bits(wires: usize) -> u32 {
    let parts = match current_num_threads() {
        1 => 1,
        threads => 2 * threads,
    };
    wires
        .div_ceil(parts)
        .next_power_of_two()
        .ilog2()
        .max(MIN_PART_BITS)
}

const MIN_PART_BITS: u32 = 10;
