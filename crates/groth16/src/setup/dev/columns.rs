//! The matrices' columns at τ: for each wire the sum over the rows of coefficient times Lagrange polynomial.
//!
//! One pass over the rows, in groups of blocks. First each block's products are computed and put into bins by wire, at once for all blocks
//! of the group; then each bin's part of the columns takes its products, at once for all parts. So no column is held twice, and no two
//! threads write to one place. Nothing is as long as the domain: the Lagrange basis is computed block by block.

use super::super::circuit::{Circuit, ROWS_PER_BLOCK, RowBlocks, RowTerm};
use super::super::lagrange::BasisAt;
use frumious_curves::PairingEngine;
use frumious_curves::engine::ScalarField;
use frumious_field::{Field, WordField};
use frumious_parallel::{current_num_threads, filled, for_each_chunk_mut, map_indices};
use std::ops::Range;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Where a matrix goes: into which column, and times what.
#[derive(Clone, Copy)]
pub(super) struct Target<F> {
    pub(super) column: usize,
    pub(super) weight: Option<F>,
}

/// Columns for the wires of a range: one for each number below `n_columns`.
///
/// `targets`: of A, B and C. `progress` is told how much of the rows is done, from 0 to 1.
///
/// Memory: 32 bytes a wire of the range and column, and [`buffer_bytes`].
pub(super) fn evaluate<E: PairingEngine>(
    circuit: &impl Circuit<E>,
    blocks: &dyn RowBlocks,
    basis: &BasisAt<E::Fr>,
    wires: Range<usize>,
    targets: [Option<Target<E::Fr>>; 3],
    n_columns: usize,
    progress: &dyn Fn(f64),
) -> Vec<Zeroizing<Vec<E::Fr>>> {
    let mut columns: Vec<_> = (0..n_columns)
        .map(|_| Zeroizing::new(filled(E::Fr::ZERO, wires.len())))
        .collect();
    let pass = Pass {
        blocks,
        basis,
        // The element with Montgomery form 1 is R⁻¹.
        r: E::Fr::from_words([1, 0, 0, 0])
            .invert_vartime()
            .expect("R is not zero"),
        minus_one: (-E::Fr::ONE).to_canonical_limbs(),
        part_bits: part_bits(wires.len()),
        wires: wires.clone(),
        targets,
        n_columns,
    };
    let n_rows = circuit.n_rows() as usize;
    let n_blocks = n_rows.div_ceil(ROWS_PER_BLOCK);
    for group in (0..n_blocks).step_by(blocks_per_group()) {
        let count = blocks_per_group().min(n_blocks - group);
        let bins = map_indices(count, |k| pass.products(group + k, n_rows));
        for (column, values) in columns.iter_mut().enumerate() {
            for_each_chunk_mut(values, 1 << pass.part_bits, |part, chunk| {
                for block in &bins {
                    block[column * pass.n_parts() + part].add_to(chunk);
                }
            });
        }
        progress((group + count) as f64 / n_blocks as f64);
    }
    if let Some(target) = targets[0] {
        let public = wires.start..wires.end.min(circuit.n_public() as usize + 1);
        for start in public.clone().step_by(ROWS_PER_BLOCK) {
            let end = public.end.min(start + ROWS_PER_BLOCK);
            let values = basis.values(n_rows + start..n_rows + end);
            for (wire, value) in (start..end).zip(values.iter()) {
                let value = target.weight.map_or(*value, |weight| weight * *value);
                columns[target.column][wire - wires.start] += value;
            }
        }
    }
    columns
}

/// Memory that a pass takes beside its columns, at most if rows are of like length.
pub(super) fn buffer_bytes<E: PairingEngine>(circuit: &impl Circuit<E>) -> u64 {
    let n_rows = circuit.n_rows().max(1);
    let n_terms: u64 = circuit.n_terms().iter().sum();
    let rows = n_rows.min((blocks_per_group() * ROWS_PER_BLOCK) as u64);
    // Vectors that grow by doubling have at most twice what they need.
    2 * 36 * (n_terms.div_ceil(n_rows) * rows) + 64 * rows
}

struct Pass<'a, F: ScalarField> {
    blocks: &'a dyn RowBlocks,
    basis: &'a BasisAt<F>,
    /// The element R, whose products with others are what [`ScalarField::montgomery_product_raw`] takes.
    r: F,
    /// −1 as a plain integer.
    minus_one: [u64; 4],
    /// Binary logarithm of the wires of a part.
    part_bits: u32,
    wires: Range<usize>,
    targets: [Option<Target<F>>; 3],
    n_columns: usize,
}

impl<F: ScalarField> Pass<'_, F> {
    fn n_parts(&self) -> usize {
        self.wires.len().div_ceil(1 << self.part_bits)
    }

    /// The products of a block, by column and part of it.
    fn products(&self, index: usize, n_rows: usize) -> Vec<Bin<F>> {
        let first = index * ROWS_PER_BLOCK;
        let basis = self.basis.values(first..n_rows.min(first + ROWS_PER_BLOCK));
        let mut bins: Vec<Bin<F>> = Vec::new();
        bins.resize_with(self.n_columns * self.n_parts(), Bin::default);
        self.blocks.visit(index, &mut |row, matrices| {
            let value = &basis[row as usize - first];
            for (target, terms) in self.targets.iter().zip(matrices) {
                if let Some(target) = target {
                    let bins = &mut bins[target.column * self.n_parts()..];
                    self.row(target, value, terms, bins);
                }
            }
        });
        bins
    }

    fn row(&self, target: &Target<F>, value: &F, terms: &[RowTerm], bins: &mut [Bin<F>]) {
        let value = target.weight.map_or(*value, |weight| weight * *value);
        let (minus, times_r) = (-value, value * self.r);
        for term in terms {
            let Some(wire) = (term.wire as usize).checked_sub(self.wires.start) else {
                continue;
            };
            if wire >= self.wires.len() {
                continue;
            }
            let product = if term.coefficient == [1, 0, 0, 0] {
                value
            } else if term.coefficient == self.minus_one {
                minus
            } else {
                times_r.montgomery_product_raw(&term.coefficient)
            };
            let bin = &mut bins[wire >> self.part_bits];
            bin.push(wire & ((1 << self.part_bits) - 1), product);
        }
    }
}

/// Products for one part of a column.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Bin<F: ScalarField> {
    places: Vec<u32>,
    values: Vec<F>,
}

impl<F: ScalarField> Default for Bin<F> {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<F: ScalarField> Bin<F> {
    #[inline(always)]
    fn push(&mut self, place: usize, value: F) {
        if self.values.len() == self.values.capacity() {
            self.grow();
        }
        self.places.push(place as u32);
        self.values.push(value);
    }

    /// A vector that grows by itself leaves what it held in freed memory.
    fn grow(&mut self) {
        let mut larger = Vec::with_capacity((2 * self.values.len()).max(64));
        larger.extend_from_slice(&self.values);
        self.values.zeroize();
        self.values = larger;
    }

    fn add_to(&self, part: &mut [F]) {
        for (place, value) in self.places.iter().zip(&self.values) {
            part[*place as usize] += *value;
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

fn blocks_per_group() -> usize {
    2 * current_num_threads()
}

const MIN_PART_BITS: u32 = 10;
