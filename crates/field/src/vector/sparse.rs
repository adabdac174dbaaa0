//! Linear combinations of vectors of which some are mostly zero, as nodes of trees are: there only what is not zero is
//! multiplied.

use super::combination::ROWS;
use super::each::{copy, numbers, store};
use super::{add_combination_before, same_length};
use crate::WordField;
use crate::lanes;
use frumious_limbs::prefetch;
use frumious_simd::{Kernel, LANES, Vector};

/// Rows that are multiplied at once: of the scalar products side by side (up to seven) and of those in lanes (sixteen)
/// a multiple.
const AT_ONCE: usize = 7 * ROWS;

/// Rows that wait, at most: those, and the ones that are asked for while they are multiplied.
const GATHERED: usize = AT_ONCE + ROWS;

/// As [`add_combination`](super::add_combination), over terms `(row, weight)`, where rows that are mostly zero cost
/// less. Brings some of the rows in `then` close, for what is read after these. Time: depends on where zeros are.
pub fn add_combination_vartime<'a, F: WordField>(
    sum: &mut [F],
    terms: impl IntoIterator<Item = (&'a [F], F)>,
    then: impl IntoIterator<Item = &'a [F]>,
) {
    let mut gathered = Gathered {
        rows: [&[]; GATHERED],
        weights: [F::ZERO; GATHERED],
        dense: 0,
        len: 0,
    };
    for (row, weight) in terms {
        same_length(sum, row);
        if gathered.len == GATHERED {
            gathered.add_some_vartime(sum);
        }
        gathered.push(row, weight);
    }
    let mut next: [&[F]; ROWS] = [&[]; ROWS];
    for (next, row) in next.iter_mut().zip(then) {
        samples(row, FEW_SAMPLES).for_each(prefetch);
        *next = row;
    }
    gathered.add_all_vartime(sum, &next);
}

/// Terms that wait for others.
struct Gathered<'a, F> {
    rows: [&'a [F]; GATHERED],
    weights: [F; GATHERED],
    /// So many at the beginning are known to be dense.
    dense: usize,
    len: usize,
}

impl<'a, F: WordField> Gathered<'a, F> {
    /// Another term, of fewer than [`GATHERED`].
    fn push(&mut self, row: &'a [F], weight: F) {
        // what tells later whether it is sparse, and the way to its memory
        samples(row, FEW_SAMPLES).for_each(prefetch);
        (self.rows[self.len], self.weights[self.len]) = (row, weight);
        self.len += 1;
    }

    /// Adds the sparse terms and so many of the dense ones that there is room.
    fn add_some_vartime(&mut self, sum: &mut [F]) {
        self.add_sparse_vartime(sum);
        if let Some(rest) = self.len.checked_sub(AT_ONCE) {
            let (rows, next) = self.rows[..self.len].split_at(AT_ONCE);
            add_combination_before(sum, rows, &self.weights[..AT_ONCE], next);
            self.rows.copy_within(AT_ONCE..self.len, 0);
            self.weights.copy_within(AT_ONCE..self.len, 0);
            (self.dense, self.len) = (rest, rest);
        }
    }

    /// Adds all terms.
    fn add_all_vartime(mut self, sum: &mut [F], next: &[&[F]]) {
        self.add_sparse_vartime(sum);
        let (rows, weights) = (&self.rows[..self.len], &self.weights[..self.len]);
        add_combination_before(sum, rows, weights, next);
    }

    /// Adds the sparse terms and keeps the others.
    fn add_sparse_vartime(&mut self, sum: &mut [F]) {
        for k in self.dense..self.len {
            let (row, weight) = (self.rows[k], self.weights[k]);
            if !add_if_sparse_vartime(sum, row, &weight) {
                (self.rows[self.dense], self.weights[self.dense]) = (row, weight);
                self.dense += 1;
            }
        }
        self.len = self.dense;
    }
}

/// Adds `weight·row` if the row is sparse; else does nothing and answers false.
fn add_if_sparse_vartime<F: WordField>(sum: &mut [F], row: &[F], weight: &F) -> bool {
    match lanes::active() {
        // In lanes dense rows cost too little to be read twice: one value that is not zero tells enough.
        Some(cpu) => {
            let sparse = samples(row, FEW_SAMPLES).all(|value| value.is_zero_vartime());
            if sparse {
                cpu.run(AddSparse::new(sum, row, weight));
            }
            sparse
        }
        None => add_if_sparse_scalar_vartime(sum, row, weight),
    }
}

/// About `count` elements at equal distances.
fn samples<F: WordField>(row: &[F], count: usize) -> impl Iterator<Item = &F> {
    row.iter().step_by((row.len() / count).max(1))
}

const FEW_SAMPLES: usize = 4;
const MANY_SAMPLES: usize = 16;

/// Of the scalar products. A product alone costs about two and a half times its share of a sum. So up to three eighths
/// of the elements are multiplied one by one.
pub(super) fn add_if_sparse_scalar_vartime<F: WordField>(
    sum: &mut [F],
    row: &[F],
    weight: &F,
) -> bool {
    let count = |values: &mut dyn Iterator<Item = &F>| {
        values.filter(|value| !value.is_zero_vartime()).count()
    };
    if count(&mut samples(row, MANY_SAMPLES)) > MANY_SAMPLES / 2 {
        return false; // without reading everything
    }
    if count(&mut row.iter()) > row.len() * 3 / 8 {
        return false;
    }
    for (sum, value) in sum.iter_mut().zip(row) {
        if !value.is_zero_vartime() {
            *sum += *value * *weight;
        }
    }
    true
}

/// `sum[i] += weight·row[i]`, skipping blocks of eight zeros.
pub(super) struct AddSparse<'a, F> {
    sum: &'a mut [F],
    row: &'a [F],
    weight: F,
}

impl<'a, F: WordField> AddSparse<'a, F> {
    pub(super) fn new(sum: &'a mut [F], row: &'a [F], weight: &F) -> Self {
        let weight = *weight;
        Self { sum, row, weight }
    }
}

impl<F: WordField> Kernel for AddSparse<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let (sum, sum_rest) = self.sum.as_chunks_mut::<LANES>();
        let (row, row_rest) = self.row.as_chunks::<LANES>();
        for (sum, row) in sum.iter_mut().zip(row) {
            add_scaled::<F, V>(cpu, sum, row, &self.weight);
        }
        if !row_rest.is_empty() {
            let (mut sum, mut row) = ([F::ZERO; LANES], [F::ZERO; LANES]);
            copy(&mut sum, sum_rest);
            copy(&mut row, row_rest);
            add_scaled::<F, V>(cpu, &mut sum, &row, &self.weight);
            copy(sum_rest, &sum);
        }
    }
}

#[inline(always)]
fn add_scaled<F: WordField, V: Vector>(
    cpu: V::Cpu,
    sum: &mut [F; LANES],
    row: &[F; LANES],
    weight: &F,
) {
    let row = numbers::<F, V>(cpu, row);
    if row.is_number_zero() == frumious_simd::Mask::ALL {
        return;
    }
    let weight = lanes::load(cpu, &[*weight; LANES]); // below 16p
    let scaled = weight * row + numbers(cpu, sum); // below 3p
    store(scaled.subtract_once::<2>(), sum);
}
