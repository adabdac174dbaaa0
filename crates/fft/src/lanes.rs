//! Transforms in vector lanes: `schedule` and `kernel` again, eight columns or eight rows at a time.
//!
//! The vector is the same matrix, about square and always twisted, from eight rows and eight columns on. A vector
//! register holds a limb of eight adjacent columns, or of eight adjacent rows. So all stages of both passes work on
//! whole vectors. There is no shuffle: elements are transposed only where they are loaded and stored anyway. Twiddles,
//! the same for all eight, are prepared factors: a product takes 60 products of limbs for 100, and keeps the packed
//! radix. Twists differ from row to row, are computed on the way as powers, and take ordinary products.
//!
//! - `butterfly`: two stages on four vectors, and the bounds; `block`: all stages of eight columns in cache;
//! - `powers`: twists; `words`: where eight elements lie; `passes`: the kernels of a pass over columns or rows;
//! - `tables`: what a domain keeps for lanes.

mod block;
mod butterfly;
mod passes;
mod powers;
mod tables;
mod words;

use crate::schedule::columns::for_each_column_share;
use crate::schedule::{Direction, Passes, pass_bytes, share_count};
use crate::shape::Shape;
use crate::twiddles::Scale;
use frumious_field::{PrimeField, WordField};
use frumious_parallel::{check_cancelled, for_each_chunk_mut, trace};
use frumious_simd::{Block, Factor, LANES, Runner};
use passes::{ColumnPass, Decimation, DifDitRows, DifRows, DitRows};
use powers::Progressions;
use tables::factors;
pub(crate) use tables::{Roots, Tables};
use words::{Columns, EightRows};

/// Below this size transforms stay scalar: lanes take eight rows of eight.
pub(crate) const LOG_SMALLEST: u32 = 6;

/// The transforms of a domain in lanes.
#[derive(Clone, Copy)]
pub(crate) struct LanePasses<'a, F, E> {
    pub tables: &'a Tables<F>,
    pub unit: E,
}

impl<F: PrimeField + WordField, E: Runner> Passes<F> for LanePasses<'_, F, E> {
    fn shape(&self) -> Shape {
        self.tables.shape
    }

    fn dif(&self, values: &mut [F], direction: Direction, scale: &Scale<F>) {
        let roots = self.roots(direction);
        let within = self.within(scale);
        self.columns(values, Decimation::InFrequency(&roots.block));
        self.rows(values, |unit, first, rows, block| {
            unit.run(DifRows {
                rows,
                block,
                twist: self.twist(roots, first, Some(scale)),
                twiddles: &roots.block,
                scale: within.as_deref(),
            });
        });
    }

    fn dit(&self, values: &mut [F], scale: &Scale<F>) {
        let (forward, by_place) = (&self.tables.forward, &self.tables.forward_by_place);
        let within = self.within_or_ones(scale);
        self.rows(values, |unit, first, rows, block| {
            unit.run(DitRows {
                rows,
                block,
                scale: &within,
                twiddles: by_place,
                twist: self.twist(forward, first, Some(scale)),
            });
        });
        self.columns(values, Decimation::InTime(by_place));
    }

    fn dif_then_dit(&self, values: &mut [F], scale: &Scale<F>) {
        let (inverse, forward) = (&self.tables.inverse, &self.tables.forward);
        let by_place = &self.tables.forward_by_place;
        let within = self.within_or_ones(scale);
        self.columns(values, Decimation::InFrequency(&inverse.block));
        self.rows(values, |unit, first, rows, block| {
            unit.run(DifDitRows {
                rows,
                block,
                inverse: (self.twist(inverse, first, Some(scale)), &inverse.block),
                scale: &within,
                forward: (self.twist(forward, first, None), by_place),
            });
        });
        self.columns(values, Decimation::InTime(by_place));
    }
}

impl<F: PrimeField + WordField, E: Runner> LanePasses<'_, F, E> {
    fn roots(&self, direction: Direction) -> &Roots<F> {
        match direction {
            Direction::Forward => &self.tables.forward,
            Direction::Inverse => &self.tables.inverse,
        }
    }

    /// Factors for the places of a row.
    fn within(&self, scale: &Scale<F>) -> Option<Vec<Factor<5>>> {
        scale
            .within
            .as_ref()
            .map(|within| factors(self.unit, within))
    }

    fn within_or_ones(&self, scale: &Scale<F>) -> Vec<Factor<5>> {
        let ones = || factors(self.unit, &vec![F::ONE; self.shape().columns()]);
        self.within(scale).unwrap_or_else(ones)
    }

    /// For the eight rows from `first`: powers of their roots, times the factors of `scale` for their runs, which are
    /// rows.
    fn twist(&self, roots: &Roots<F>, first: usize, scale: Option<&Scale<F>>) -> Progressions<F> {
        let mut start = [F::ONE; LANES];
        let mut step = [F::ONE; LANES];
        for k in 0..LANES {
            let position = (first + k) * self.shape().columns();
            if let Some(factor) = scale.and_then(|scale| scale.run_factor(position)) {
                start[k] = factor;
            }
            step[k] = roots.row[first + k];
        }
        Progressions { start, step }
    }

    /// Transforms all columns, on several threads. Allocates one block for each share of the columns.
    fn columns(&self, values: &mut [F], decimation: Decimation<'_>) {
        let shape = self.shape();
        let shares = share_count(shape.columns() / LANES);
        for_each_column_share(values, shape, shares, |pieces| {
            let mut block = Scratch::new(shape.rows());
            trace::moves(|| pass_bytes::<F>(shape.rows() * shape.columns() / shares));
            for first in (0..shape.columns() / shares).step_by(LANES) {
                check_cancelled();
                self.unit.run(ColumnPass {
                    columns: Columns { pieces, first },
                    block: &mut block.0,
                    decimation,
                });
            }
        });
    }

    /// Calls `f` for each eight rows with the number of the first and a block for them, on several threads. Allocates
    /// one block for each share of the rows.
    fn rows(
        &self,
        values: &mut [F],
        f: impl Fn(E, usize, EightRows<'_, F>, &mut [Block<5>]) + Send + Sync,
    ) {
        let shape = self.shape();
        let (rows, columns) = (shape.rows(), shape.columns());
        let shares = share_count(rows / LANES);
        let share_rows = rows / shares;
        let run_share = |share: usize, values: &mut [F]| {
            let mut block = Scratch::new(columns);
            trace::moves(|| pass_bytes::<F>(values.len()));
            let firsts = (share * share_rows..).step_by(LANES);
            for (first, eight) in firsts.zip(values.chunks_exact_mut(LANES * columns)) {
                check_cancelled();
                f(self.unit, first, EightRows::new(eight), &mut block.0);
            }
        };
        if shares == 1 {
            run_share(0, values);
        } else {
            for_each_chunk_mut(values, share_rows * columns, run_share);
        }
    }
}

/// A buffer wiped when dropped, since what is transformed may be a secret witness.
struct Scratch(Vec<Block<5>>);

impl Scratch {
    fn new(len: usize) -> Self {
        Self(vec![Block::ZERO; len])
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.0.fill(Block::ZERO);
        // As far as the compiler knows the zeros are read here, so it may not leave them out.
        core::hint::black_box(&self.0);
    }
}
