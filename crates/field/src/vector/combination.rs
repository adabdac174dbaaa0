//! Linear combinations of many vectors, in lanes.
//!
//! Several rows side by side. Eight elements of each are multiplied by the row's weight into one sum of double length.
//! It is reduced once and added to the target once. A product so costs 50 multiply-adds and the loading of its row,
//! where one by itself costs 100 and a store.
//!
//! Rows come from memory meanwhile: while some are multiplied, the next ones are asked for, a block for each block that
//! is multiplied. From memory a product takes 1.6 to 2.2 ns (the memory's 15 to 20 GB/s), 4.0 without that, 1.2 from
//! the caches (Zen 5).

use super::each::{copy, numbers, store};
use crate::WordField;
use crate::lanes::{self, Lanes5};
use frumious_limbs::prefetch;
use frumious_simd::{Block, Kernel, LANES, Lanes, Vector, Wide};

/// `sum[i] += Σ weights[k]·rows[k][i]`, for as many weights as rows and rows as long as the sum.
pub(super) struct Combination<'a, 'b, F> {
    pub(super) sum: &'a mut [F],
    pub(super) rows: &'b [&'b [F]],
    pub(super) weights: &'b [F],
    /// Rows that are read next, by someone else: asked for in time.
    pub(super) next: &'b [&'b [F]],
}

/// Rows side by side.
pub(super) const ROWS: usize = 2 * LANES;

impl<F: WordField> Kernel for Combination<'_, '_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let mut nexts = self.rows.chunks(ROWS).skip(1);
        for (rows, weights) in self.rows.chunks(ROWS).zip(self.weights.chunks(ROWS)) {
            let weights = Weights::new::<V>(cpu, weights);
            let next = nexts.next().unwrap_or(self.next);
            // One row after the other: what the CPU asks for by itself then comes in too.
            let mut asked = next.iter().flat_map(|row| row.as_chunks::<LANES>().0);
            let (sum, rest) = self.sum.as_chunks_mut::<LANES>();
            for (i, sum) in sum.iter_mut().enumerate() {
                let mut products = Wide::zero(cpu);
                products.add_reduced(numbers::<F, V>(cpu, sum));
                for (k, row) in rows.iter().enumerate() {
                    if let Some(next) = asked.next() {
                        prefetch(next);
                    }
                    // always some, as the lengths are one; `if let` leaves no panic in the loop
                    if let Some(row) = row.as_chunks::<LANES>().0.get(i) {
                        products.add_product(numbers(cpu, row), weights.get(cpu, k));
                    }
                }
                finish(products, sum);
            }
            if !rest.is_empty() {
                let mut last = [F::ZERO; LANES];
                copy(&mut last, rest);
                let mut products = Wide::zero(cpu);
                products.add_reduced(numbers::<F, V>(cpu, &last));
                for (k, row) in rows.iter().enumerate() {
                    let mut padded = [F::ZERO; LANES];
                    copy(&mut padded, row.as_chunks::<LANES>().1);
                    products.add_product(numbers(cpu, &padded), weights.get(cpu, k));
                }
                finish(products, &mut last);
                copy(rest, &last);
            }
        }
    }
}

/// The packed numbers: products of bounds `p` and `p`, [`ROWS`] of them, and a summand below `p` are below `3p`.
#[inline(always)]
fn finish<F: WordField, V: Vector>(products: Wide<F, V, 5>, sum: &mut [F; LANES]) {
    store(products.reduce().subtract_once::<2>(), sum);
}

/// Up to [`ROWS`] factors in lane form, each to be had in all lanes.
struct Weights {
    blocks: [Block<5>; ROWS / LANES],
}

impl Weights {
    #[inline(always)]
    fn new<V: Vector>(cpu: V::Cpu, weights: &[impl WordField]) -> Self {
        let mut blocks = [Block::ZERO; ROWS / LANES];
        for (block, weights) in blocks.iter_mut().zip(weights.chunks(LANES)) {
            store_lane_form::<_, V>(cpu, weights, block);
        }
        Self { blocks }
    }

    /// Factor `k < ROWS`. Below `p`.
    #[inline(always)]
    fn get<F: WordField, V: Vector>(&self, cpu: V::Cpu, k: usize) -> Lanes5<F, V> {
        let block = &self.blocks[k / LANES % (ROWS / LANES)];
        let mut limbs = [0; 5];
        for i in 0..5 {
            limbs[i] = block.0[i][k % LANES];
        }
        Lanes::splat(cpu, &limbs)
    }
}

#[inline(always)]
fn store_lane_form<F: WordField, V: Vector>(cpu: V::Cpu, weights: &[F], block: &mut Block<5>) {
    let mut eight = [F::ZERO; LANES];
    copy(&mut eight, weights);
    let lane_form = lanes::load::<F, V>(cpu, &eight).reduce_weakly().reduce();
    lane_form.store_block(block);
}
