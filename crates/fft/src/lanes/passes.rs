//! The kernels of the two passes: work on eight columns or eight rows while they are in cache.

use super::block;
use super::butterfly::{PRODUCT, finished, load};
use super::powers::{Powers, Progressions};
use super::words::{Columns, EightRows, Eights};
use frumious_field::WordField;
use frumious_simd::{Block, Factor, Kernel, Lanes, Vector};

/// Which way a block is transformed, with the twiddles for it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decimation<'a> {
    /// Natural to bit-reversed order; twiddles by sub-block.
    InFrequency(&'a [Factor<5>]),
    /// Bit-reversed to natural order; twiddles by place.
    InTime(&'a [Factor<5>]),
}

/// Transforms eight columns in place.
pub(super) struct ColumnPass<'a, 'b, F> {
    pub columns: Columns<'a, 'b, F>,
    /// One for each row.
    pub block: &'a mut [Block<5>],
    pub decimation: Decimation<'a>,
}

impl<F: WordField> Kernel for ColumnPass<'_, '_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, cpu: V::Cpu) {
        for (i, block) in self.block.iter_mut().enumerate() {
            self.columns.prefetch(i + AHEAD);
            let x = Lanes::<F, V, 5>::load_words::<4, 1>(cpu, self.columns.words(i));
            x.sum().store_block(block, 1);
        }
        let bound = match self.decimation {
            Decimation::InFrequency(twiddles) => block::dif::<F, V>(cpu, self.block, twiddles, 1),
            Decimation::InTime(twiddles) => block::dit::<F, V>(cpu, self.block, twiddles, 1),
        };
        store_all::<F, V>(cpu, self.block, bound, &mut self.columns);
    }
}

/// Eight rows: twisted by the powers of `inverse`, transformed, and scaled.
pub(super) struct DifRows<'a, F> {
    pub rows: EightRows<'a, F>,
    /// One for each column.
    pub block: &'a mut [Block<5>],
    pub twist: Progressions<F>,
    pub twiddles: &'a [Factor<5>],
    /// A factor for each place of a row, if they differ.
    pub scale: Option<&'a [Factor<5>]>,
}

impl<F: WordField> Kernel for DifRows<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, cpu: V::Cpu) {
        twist_in::<F, V>(cpu, &self.rows, self.block, &self.twist);
        let mut bound = block::dif::<F, V>(cpu, self.block, self.twiddles, 2);
        if let Some(scale) = self.scale {
            multiply::<F, V>(cpu, self.block, bound, scale);
            bound = PRODUCT;
        }
        store_all::<F, V>(cpu, self.block, bound, &mut self.rows);
    }
}

/// Eight rows: scaled, transformed, and twisted.
pub(super) struct DitRows<'a, F> {
    pub rows: EightRows<'a, F>,
    /// One for each column.
    pub block: &'a mut [Block<5>],
    /// A factor for each place of a row.
    pub scale: &'a [Factor<5>],
    pub twiddles: &'a [Factor<5>],
    pub twist: Progressions<F>,
}

impl<F: WordField> Kernel for DitRows<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, cpu: V::Cpu) {
        for ((i, block), scale) in self.block.iter_mut().enumerate().zip(self.scale) {
            let x = Lanes::<F, V, 5>::load_words::<4, 1>(cpu, self.rows.words(i));
            x.times(scale).store_block(block, PRODUCT);
        }
        let bound = block::dit::<F, V>(cpu, self.block, self.twiddles, PRODUCT);
        twist_out::<F, V>(cpu, self.block, bound, &self.twist, &mut self.rows);
    }
}

/// [`DifRows`], then [`DitRows`], with one scaling between.
pub(super) struct DifDitRows<'a, F> {
    pub rows: EightRows<'a, F>,
    /// One for each column.
    pub block: &'a mut [Block<5>],
    /// Twist and twiddles of the first, by sub-block.
    pub inverse: (Progressions<F>, &'a [Factor<5>]),
    /// A factor for each place of a row.
    pub scale: &'a [Factor<5>],
    /// Twist and twiddles of the second, by place.
    pub forward: (Progressions<F>, &'a [Factor<5>]),
}

impl<F: WordField> Kernel for DifDitRows<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, cpu: V::Cpu) {
        let (twist, twiddles) = self.inverse;
        twist_in::<F, V>(cpu, &self.rows, self.block, &twist);
        let bound = block::dif::<F, V>(cpu, self.block, twiddles, 2);
        multiply::<F, V>(cpu, self.block, bound, self.scale);
        let (twist, twiddles) = self.forward;
        let bound = block::dit::<F, V>(cpu, self.block, twiddles, PRODUCT);
        twist_out::<F, V>(cpu, self.block, bound, &twist, &mut self.rows);
    }
}

/// Rows to block, each element multiplied by its power. Up to `2p`.
#[inline(always)]
fn twist_in<F: WordField, V: Vector>(
    cpu: V::Cpu,
    rows: &EightRows<'_, F>,
    block: &mut [Block<5>],
    twist: &Progressions<F>,
) {
    let mut powers = Powers::<F, V>::new(cpu, twist);
    for (i, four) in block.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let powers = powers.next_four();
        for k in 0..4 {
            let x = Lanes::<F, V, 5>::load_words::<4, 1>(cpu, rows.words(4 * i + k));
            (x * powers[k]).sum().store_block(&mut four[k], 2);
        }
    }
}

/// Block to rows, each element multiplied by its power.
#[inline(always)]
fn twist_out<F: WordField, V: Vector>(
    cpu: V::Cpu,
    block: &[Block<5>],
    bound: u64,
    twist: &Progressions<F>,
    rows: &mut EightRows<'_, F>,
) {
    let mut powers = Powers::<F, V>::new(cpu, twist);
    for (i, four) in block.as_chunks::<4>().0.iter().enumerate() {
        let powers = powers.next_four();
        for k in 0..4 {
            let x = load::<F, V>(cpu, &four[k], bound).carry_centered();
            let product = x.reduce_weakly() * powers[k];
            product.reduce().store_words(rows.words_mut(4 * i + k));
        }
    }
}

/// Multiplies each value by its factor. Products are up to [`PRODUCT`].
#[inline(always)]
fn multiply<F: WordField, V: Vector>(
    cpu: V::Cpu,
    block: &mut [Block<5>],
    bound: u64,
    factors: &[Factor<5>],
) {
    for (value, factor) in block.iter_mut().zip(factors) {
        let x = load::<F, V>(cpu, value, bound).carry_centered();
        x.times(factor).store_block(value, PRODUCT);
    }
}

/// Block to vector.
#[inline(always)]
fn store_all<F: WordField, V: Vector>(
    cpu: V::Cpu,
    block: &[Block<5>],
    bound: u64,
    to: &mut impl Eights,
) {
    for (i, value) in block.iter().enumerate() {
        to.prefetch(i + AHEAD);
        finished(load::<F, V>(cpu, value, bound)).store_words(to.words_mut(i));
    }
}

/// Rows ahead at which columns are fetched: rows lie a power of two apart, which the CPU does not foresee.
const AHEAD: usize = 16;
