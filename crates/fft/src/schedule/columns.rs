//! Columns of a large matrix, brought to cache a panel at a time.
//!
//! Rows of a large vector lie a power of two apart, where all elements of a column compete for a few cache sets. So a
//! panel of adjacent columns is copied to a contiguous block, transformed there, and copied back. a panel is wide
//! enough that each piece of a row fills whole cache lines.

use super::block::Block;
use super::{Kernel, Schedule, Shape, pass_bytes, share_count};
use crate::settings::PANEL_BYTES;
use frumious_parallel::{check_cancelled, for_each_chunk_mut, trace};

/// Calls `transform` on each panel (`rows × width`, row-major, `width` dividing `columns`), on several threads.
///
/// Allocates one block for each share of the columns.
/// Nothing to do for a single row.
pub(super) fn for_each_column_panel<V: Kernel>(
    values: &mut [V::Scalar],
    schedule: &Schedule<'_, V>,
    transform: impl Fn(&mut [V]) + Send + Sync,
) {
    let Schedule { shape, cpu, .. } = *schedule;
    if shape.log_rows == 0 {
        return;
    }
    let (rows, columns) = (shape.rows(), shape.columns());
    let width = panel_width::<V>(rows, columns).min(columns);
    let shares = share_count(columns / width);
    let share_columns = columns / shares;

    for_each_column_share(values, shape, shares, |pieces| {
        let mut block = Block::<V>::new(cpu, rows * width);
        trace::moves(|| pass_bytes::<V::Scalar>(rows * share_columns));
        for first in (0..share_columns).step_by(width) {
            check_cancelled();
            for (kernel, piece) in block.values.chunks_exact_mut(width).zip(pieces.iter()) {
                for (kernel, value) in kernel.iter_mut().zip(&piece[first..]) {
                    *kernel = V::load(cpu, *value);
                }
            }
            transform(&mut block.values);
            for (kernel, piece) in block.values.chunks_exact(width).zip(pieces.iter_mut()) {
                for (kernel, value) in kernel.iter().zip(&mut piece[first..]) {
                    *value = kernel.store();
                }
            }
        }
    });
}

/// Calls `f` on each of `shares` equal shares of the columns, on several threads: its piece of each row.
///
/// Allocates pointers to the pieces: under 1% of the vector.
pub(crate) fn for_each_column_share<F: Send>(
    values: &mut [F],
    shape: Shape,
    shares: usize,
    f: impl Fn(&mut [&mut [F]]) + Send + Sync,
) {
    let mut row_pieces: Vec<Vec<&mut [F]>> = Vec::new();
    row_pieces.resize_with(shares, || Vec::with_capacity(shape.rows()));
    for row in values.chunks_exact_mut(shape.columns()) {
        for (pieces, piece) in row_pieces
            .iter_mut()
            .zip(row.chunks_exact_mut(shape.columns() / shares))
        {
            pieces.push(piece);
        }
    }
    for_each_chunk_mut(&mut row_pieces, 1, |_, share| {
        for pieces in share {
            f(pieces);
        }
    });
}

/// Columns in a panel of `rows` rows: as many as keep it within its bytes, but whole cache lines. Every thread gets two
/// panels, if there are enough of `columns`.
fn panel_width<V>(rows: usize, columns: usize) -> usize {
    let fitting = PANEL_BYTES.get() / (rows * size_of::<V>());
    let line = (128 / size_of::<V>()).max(1);
    let width = fitting.max(line).next_power_of_two();
    let shared = columns / (2 * frumious_parallel::current_num_threads()).next_power_of_two();
    width.min(shared.max(line))
}
