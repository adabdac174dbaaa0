//! Rows of the matrix, each copied to kernel form and back.

use super::block::Block;
use super::{Kernel, Schedule, pass_bytes, share_count};
use crate::kernel::powers::{load_by_powers, store_by_powers};
use crate::twiddles::Scale;
use frumious_field::Field;
use frumious_parallel::{check_cancelled, for_each_chunk_mut, trace};

/// One row of the vector and the block it is transformed in, of equal length.
pub(super) struct Row<'a, V: Kernel> {
    /// Its place among the rows, 0 at the top.
    pub index: usize,
    /// The row in kernel form, once loaded.
    pub block: &'a mut [V],
    values: &'a mut [V::Scalar],
    cpu: V::Cpu,
}

/// Calls `f` on each row, on several threads. Allocates one block for each share of the rows.
pub(super) fn for_each_row<V: Kernel>(
    values: &mut [V::Scalar],
    schedule: &Schedule<'_, V>,
    f: impl Fn(&mut Row<'_, V>) + Send + Sync,
) {
    let Schedule { shape, cpu, .. } = *schedule;
    let columns = shape.columns();
    let shares = share_count(values.len() / MIN_SHARE_LEN).clamp(1, shape.rows());
    let share_rows = shape.rows() / shares;
    let run_share = |share: usize, values: &mut [V::Scalar]| {
        let mut block = Block::new(cpu, columns);
        trace::moves(|| pass_bytes::<V::Scalar>(values.len()));
        let first = share * share_rows;
        for (index, values) in (first..).zip(values.chunks_exact_mut(columns)) {
            check_cancelled();
            f(&mut Row {
                index,
                block: &mut block.values,
                values,
                cpu,
            });
        }
    };
    if shares == 1 {
        run_share(0, values);
    } else {
        for_each_chunk_mut(values, share_rows * columns, run_share);
    }
}

impl<V: Kernel> Row<'_, V> {
    /// Vector to block.
    pub fn load(&mut self) {
        for (kernel, value) in self.block.iter_mut().zip(self.values.iter()) {
            *kernel = V::load(self.cpu, *value);
        }
    }

    /// Block to vector.
    pub fn store(&mut self) {
        for (value, kernel) in self.values.iter_mut().zip(self.block.iter()) {
            *value = kernel.store();
        }
    }

    /// Vector to block, element `j` multiplied by `factor·step^j`; no factor is one.
    pub fn load_by_powers(&mut self, factor: Option<V::Scalar>, step: V::Scalar) {
        let start = factor.unwrap_or(V::Scalar::ONE);
        load_by_powers(self.cpu, self.values, self.block, start, step);
    }

    /// Block to vector, element `j` multiplied by `factor·step^j`; no factor is one.
    pub fn store_by_powers(&mut self, factor: Option<V::Scalar>, step: V::Scalar) {
        let start = factor.unwrap_or(V::Scalar::ONE);
        store_by_powers(self.cpu, self.block, self.values, start, step);
    }

    /// Multiplies each place by its factor within its run, if there are any.
    pub fn scale_within(&mut self, scale: &Scale<V::Scalar>) {
        let Some(within) = &scale.within else { return };
        for run in self.block.chunks_mut(within.len()) {
            for (value, factor) in run.iter_mut().zip(within) {
                *value = *value * V::load(self.cpu, *factor);
            }
        }
    }

    /// Multiplies each place by the factor of its run, if there are any.
    pub fn scale_runs(&mut self, scale: &Scale<V::Scalar>) {
        let first = self.position();
        let len = self.block.len().min(1 << scale.log_run);
        for (run, part) in self.block.chunks_mut(len).enumerate() {
            if let Some(factor) = scale.run_factor(first + run * len) {
                let factor = V::load(self.cpu, factor);
                part.iter_mut().for_each(|value| *value = *value * factor);
            }
        }
    }

    /// Where the row begins in the vector.
    pub fn position(&self) -> usize {
        self.index * self.block.len()
    }
}

/// Fewer elements are not worth handing to another thread.
const MIN_SHARE_LEN: usize = 1 << 10;
