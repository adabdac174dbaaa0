//! A transform of any size as blocks that fit in cache, spread over threads.
//!
//! The vector is a `rows × columns` matrix in row-major order. With input index `j = j1·columns + j2` and output
//! index `k = k1 + rows·k2`,
//!
//! ```text
//! X[k] = Σ_j2 ω_columns^(j2·k2) · ω^(j2·k1) · Σ_j1 ω_rows^(j1·k1) · x[j]
//! ```
//!
//! which is: transform each column; multiply by a power of `ω^k1` for each row; transform each row. Blocks leave
//! their output in bit-reversed order, so row `h` is `k1 = rev(h)`, place `l` in it is `k2 = rev(l)`, and the result
//! lies at `h·columns + l`, the bit reversal of `k`: in place, with no transposition. Decimation in time runs the
//! same steps backwards. Memory is passed over twice for a transform, three times for an inverse and a forward one,
//! whose rows in the middle stay in cache for both.
//!
//! Small transforms are one row, without the columns.
//! Source: Gentleman and Sande 1966; Bailey 1990, "FFTs in external or hierarchical memory".

mod columns;

use crate::kernel::{dif_block, dit_block, scale_by, scale_by_powers, scale_by_table};
use crate::twiddles::{Scale, Twiddles};
use columns::for_each_column_panel;
use frumious_field::PrimeField;
use frumious_parallel::for_each_chunk_mut;

/// How a vector of `2^(log_rows + log_columns)` elements is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub log_rows: u32,
    pub log_columns: u32,
}

impl Shape {
    /// One row up to 2^12 elements, about square above.
    pub fn of(log_size: u32) -> Self {
        let log_rows = if log_size <= LOG_ONE_ROW {
            0
        } else {
            log_size / 2
        };
        Self {
            log_rows,
            log_columns: log_size - log_rows,
        }
    }

    fn columns(self) -> usize {
        1 << self.log_columns
    }
}

/// Natural → bit-reversed order, then `scale`. `values`: one element for each of the shape.
pub(crate) fn dif<F: PrimeField>(
    values: &mut [F],
    shape: Shape,
    twiddles: &Twiddles<F>,
    scale: &Scale<F>,
) {
    dif_columns(values, shape, twiddles);
    for_each_row(values, shape, |h, row| {
        dif_row(row, h, shape, twiddles, scale);
    });
}

/// `scale`, then bit-reversed → natural order. `values`: one element for each of the shape.
pub(crate) fn dit<F: PrimeField>(
    values: &mut [F],
    shape: Shape,
    twiddles: &Twiddles<F>,
    scale: &Scale<F>,
) {
    for_each_row(values, shape, |h, row| {
        if let Some(table) = &scale.within_row {
            scale_by_table(row, table);
        }
        dit_row(row, h, shape, twiddles, scale.rows[h]);
    });
    dit_columns(values, shape, twiddles);
}

/// [`dif`] with `inverse`, then [`dit`] with `forward`, scaled once between: natural → natural order.
pub(crate) fn dif_then_dit<F: PrimeField>(
    values: &mut [F],
    shape: Shape,
    inverse: &Twiddles<F>,
    forward: &Twiddles<F>,
    scale: &Scale<F>,
) {
    dif_columns(values, shape, inverse);
    for_each_row(values, shape, |h, row| {
        dif_row(row, h, shape, inverse, scale);
        dit_row(row, h, shape, forward, F::ONE);
    });
    dit_columns(values, shape, forward);
}

fn dif_columns<F: PrimeField>(values: &mut [F], shape: Shape, twiddles: &Twiddles<F>) {
    for_each_column_panel(values, shape, |panel| {
        dif_block(panel, shape.log_rows, &twiddles.block);
    });
}

fn dit_columns<F: PrimeField>(values: &mut [F], shape: Shape, twiddles: &Twiddles<F>) {
    for_each_column_panel(values, shape, |panel| {
        dit_block(panel, shape.log_rows, &twiddles.block);
    });
}

fn dif_row<F: PrimeField>(
    row: &mut [F],
    h: usize,
    shape: Shape,
    twiddles: &Twiddles<F>,
    scale: &Scale<F>,
) {
    twist_row(row, h, twiddles, scale.rows[h]);
    dif_block(row, shape.log_columns, &twiddles.block);
    if let Some(table) = &scale.within_row {
        scale_by_table(row, table);
    }
}

fn dit_row<F: PrimeField>(
    row: &mut [F],
    h: usize,
    shape: Shape,
    twiddles: &Twiddles<F>,
    factor: F,
) {
    dit_block(row, shape.log_columns, &twiddles.block);
    twist_row(row, h, twiddles, factor);
}

/// Multiplies element `j` of row `h` by `factor·ω^(rev(h)·j)`. Factors are public, so row 0 may be told apart.
fn twist_row<F: PrimeField>(row: &mut [F], h: usize, twiddles: &Twiddles<F>, factor: F) {
    match (h, factor == F::ONE) {
        (0, true) => {}
        (0, false) => scale_by(row, factor),
        _ => scale_by_powers(row, factor, twiddles.row[h]),
    }
}

/// Calls `f(h, row)` for each row, on several threads.
fn for_each_row<F: PrimeField>(
    values: &mut [F],
    shape: Shape,
    f: impl Fn(usize, &mut [F]) + Send + Sync,
) {
    let columns = shape.columns();
    let rows_in_task = (MIN_TASK_LEN / columns).max(1);
    for_each_chunk_mut(values, rows_in_task * columns, |task, rows| {
        let first = task * rows_in_task;
        for (h, row) in (first..).zip(rows.chunks_exact_mut(columns)) {
            f(h, row);
        }
    });
}

/// Up to here a transform is one block on one thread: a fraction of a millisecond, not worth waking another.
const LOG_ONE_ROW: u32 = 12;

/// Fewer elements are not worth handing to another thread.
const MIN_TASK_LEN: usize = 1 << 10;
