//! A transform of any size as blocks that fit in cache, spread over threads.
//!
//! The vector is a `rows × columns` matrix in row-major order. With input index `j = j1·columns + j2` and output
//! index `k = k1 + rows·k2`,
//!
//! ```text
//! X[k] = Σ_j2 ω_columns^(j2·k2) · ω^(j2·k1) · Σ_j1 ω_rows^(j1·k1) · x[j]
//! ```
//!
//! which is: transform each column; multiply by a power of `ω^k1` for each row; transform each row. Blocks leave their
//! output in bit-reversed order. So row `h` is `k1 = rev(h)`, place `l` in it is `k2 = rev(l)`. The result lies at
//! `h·columns + l`, the bit reversal of `k`: in place, with no transposition. Decimation in time runs the same steps
//! backwards. Memory is passed over twice for a transform. An inverse and a forward one take three passes, as rows in
//! the middle stay in cache for both.
//!
//! That is the *twisted* form of large transforms, whose tables have `O(√n)` entries; the powers are computed on the
//! way. Up to 2^16 elements there is a table of `n/2` twiddles. Row `h` is then block `h` of the whole transform with
//! its own twiddles, and no multiplication comes between. The smallest transforms are one row, without the columns.
//! Source: Gentleman and Sande 1966; Bailey 1990, "FFTs in external or hierarchical memory".

mod block;
pub(crate) mod columns;
mod rows;

use crate::kernel::{dif_block, dit_block};
use crate::shape::Shape;
use crate::twiddles::{Scale, Twiddles};
use columns::for_each_column_panel;
use frumious_field::{PrimeField, TransformField};
use rows::{Row, for_each_row};

/// The arithmetic of a kernel.
pub(crate) trait Kernel: TransformField<Scalar: PrimeField> {}
impl<V: TransformField<Scalar: PrimeField>> Kernel for V {}

/// Which of a domain's roots.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Direction {
    Forward,
    Inverse,
}

/// The passes over a vector that transforms are made of, as one backend does them. `values`: one element for each of
/// the shape.
pub(crate) trait Passes<F: PrimeField> {
    /// The cut of the vector.
    fn shape(&self) -> Shape;
    /// Natural → bit-reversed order, then `scale`.
    fn dif(&self, values: &mut [F], direction: Direction, scale: &Scale<F>);
    /// `scale`, then bit-reversed → natural order, forward.
    fn dit(&self, values: &mut [F], scale: &Scale<F>);
    /// Inverse `dif`, then forward `dit`, scaled once between: natural order in and out.
    fn dif_then_dit(&self, values: &mut [F], scale: &Scale<F>);
}

/// The transforms of one shape in the kernel form `V`.
pub(crate) struct Schedule<'a, V: Kernel> {
    pub shape: Shape,
    pub forward: &'a Twiddles<V::Scalar>,
    pub inverse: &'a Twiddles<V::Scalar>,
    /// Proof that this CPU has what `V` needs.
    pub cpu: V::Cpu,
}

impl<V: Kernel> Passes<V::Scalar> for Schedule<'_, V> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn dif(&self, values: &mut [V::Scalar], direction: Direction, scale: &Scale<V::Scalar>) {
        let twiddles = self.twiddles(direction);
        self.dif_columns(values, twiddles);
        for_each_row(values, self, |row| {
            self.dif_row(row, twiddles, scale);
            row.store();
        });
    }

    fn dit(&self, values: &mut [V::Scalar], scale: &Scale<V::Scalar>) {
        let twiddles = self.forward;
        for_each_row(values, self, |row| {
            row.load();
            row.scale_within(scale);
            // A twisted row takes the factor of its run into its powers.
            let (_, twist) = twiddles.of_row(row.index);
            if twist.is_none() {
                row.scale_runs(scale);
            }
            self.dit_row(row, twiddles, scale.run_factor(row.position()));
        });
        self.dit_columns(values, twiddles);
    }

    fn dif_then_dit(&self, values: &mut [V::Scalar], scale: &Scale<V::Scalar>) {
        let (inverse, forward) = (self.inverse, self.forward);
        self.dif_columns(values, inverse);
        for_each_row(values, self, |row| {
            self.dif_row(row, inverse, scale);
            self.dit_row(row, forward, None);
        });
        self.dit_columns(values, forward);
    }
}

impl<V: Kernel> Schedule<'_, V> {
    fn twiddles(&self, direction: Direction) -> &Twiddles<V::Scalar> {
        match direction {
            Direction::Forward => self.forward,
            Direction::Inverse => self.inverse,
        }
    }

    /// From the vector to the transformed, scaled block.
    fn dif_row(
        &self,
        row: &mut Row<'_, V>,
        twiddles: &Twiddles<V::Scalar>,
        scale: &Scale<V::Scalar>,
    ) {
        let (number, twist) = twiddles.of_row(row.index);
        match twist {
            None => row.load(),
            Some(step) => row.load_by_powers(scale.run_factor(row.position()), step),
        }
        let log_columns = self.shape.log_columns;
        dif_block(self.cpu, row.block, number, log_columns, &twiddles.block);
        if twist.is_none() {
            row.scale_runs(scale);
        }
        row.scale_within(scale);
    }

    /// From the block to the transformed row of the vector; `factor` is for twisted rows.
    fn dit_row(
        &self,
        row: &mut Row<'_, V>,
        twiddles: &Twiddles<V::Scalar>,
        factor: Option<V::Scalar>,
    ) {
        let (number, twist) = twiddles.of_row(row.index);
        let log_columns = self.shape.log_columns;
        dit_block(self.cpu, row.block, number, log_columns, &twiddles.block);
        match twist {
            None => row.store(),
            Some(step) => row.store_by_powers(factor, step),
        }
    }

    fn dif_columns(&self, values: &mut [V::Scalar], twiddles: &Twiddles<V::Scalar>) {
        for_each_column_panel(values, self, |panel| {
            dif_block(self.cpu, panel, 0, self.shape.log_rows, &twiddles.block);
        });
    }

    fn dit_columns(&self, values: &mut [V::Scalar], twiddles: &Twiddles<V::Scalar>) {
        for_each_column_panel(values, self, |panel| {
            dit_block(self.cpu, panel, 0, self.shape.log_rows, &twiddles.block);
        });
    }
}

/// Number of shares to cut `parts` equal parts of a vector into, both powers of two. There are several for each thread,
/// so that a slow one does not hold up the rest.
pub(crate) fn share_count(parts: usize) -> usize {
    let threads = frumious_parallel::current_num_threads();
    if threads == 1 {
        1
    } else {
        (4 * threads).next_power_of_two().min(parts)
    }
}

/// Bytes read and written by a pass over so many elements: for traces.
pub(crate) fn pass_bytes<F>(elements: usize) -> u64 {
    2 * (elements * size_of::<F>()) as u64
}
