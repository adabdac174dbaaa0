//! Columns of a large matrix, brought to cache a panel at a time.
//!
//! Rows of a large vector lie a power of two apart, where all elements of a column compete for a few cache sets.
//! So a panel of adjacent columns is copied to a contiguous buffer, transformed there, and copied back; a
//! panel is wide enough that each piece of a row fills whole cache lines.

use super::Shape;
use frumious_field::PrimeField;
use frumious_parallel::{current_num_threads, for_each_chunk_mut};

/// Calls `transform` on each panel (`rows × width`, row-major, `width` dividing `columns`), on several threads.
///
/// Allocates one panel for each thread's share, and pointers to the pieces of rows. Nothing to do for a single row.
pub(super) fn for_each_column_panel<F: PrimeField>(
    values: &mut [F],
    shape: Shape,
    transform: impl Fn(&mut [F]) + Send + Sync,
) {
    if shape.log_rows == 0 {
        return;
    }
    let rows = 1usize << shape.log_rows;
    let columns = shape.columns();
    let width = panel_width::<F>(rows).min(columns);
    let shares = share_count(columns / width);
    let share_columns = columns / shares;

    let mut row_pieces: Vec<Vec<&mut [F]>> = Vec::new();
    row_pieces.resize_with(shares, || Vec::with_capacity(rows));
    for row in values.chunks_exact_mut(columns) {
        for (pieces, piece) in row_pieces
            .iter_mut()
            .zip(row.chunks_exact_mut(share_columns))
        {
            pieces.push(piece);
        }
    }
    for_each_chunk_mut(&mut row_pieces, 1, |_, share| {
        for pieces in share {
            let mut panel = Panel::new(rows * width);
            for first in (0..share_columns).step_by(width) {
                let columns = first..first + width;
                for (here, there) in panel.0.chunks_exact_mut(width).zip(pieces.iter()) {
                    here.copy_from_slice(&there[columns.clone()]);
                }
                transform(&mut panel.0);
                for (here, there) in panel.0.chunks_exact(width).zip(pieces.iter_mut()) {
                    there[columns.clone()].copy_from_slice(here);
                }
            }
        }
    });
}

/// Columns in a panel of `rows` rows: as many as keep it within its bytes, but whole cache lines.
fn panel_width<F>(rows: usize) -> usize {
    let fitting = PANEL_BYTES / (rows * size_of::<F>());
    let line = (128 / size_of::<F>()).max(1).next_power_of_two();
    fitting.max(line).next_power_of_two()
}

/// In how many shares to cut `panels` panels, both powers of two: several for each thread, so that a slow one
/// does not hold up the rest.
fn share_count(panels: usize) -> usize {
    let threads = current_num_threads();
    if threads == 1 {
        return 1;
    }
    (4 * threads).next_power_of_two().min(panels)
}

/// A buffer that leaves nothing behind: what is transformed may be a secret witness.
struct Panel<F: PrimeField>(Vec<F>);

impl<F: PrimeField> Panel<F> {
    fn new(len: usize) -> Self {
        Self(vec![F::ZERO; len])
    }
}

impl<F: PrimeField> Drop for Panel<F> {
    fn drop(&mut self) {
        self.0.fill(F::ZERO);
        // The fill has a reader as far as the compiler knows, so that it may not drop it.
        core::hint::black_box(&self.0);
    }
}

/// Half the second cache of the machines we tune for, leaving room for what is being read ahead.
const PANEL_BYTES: usize = 512 << 10;
