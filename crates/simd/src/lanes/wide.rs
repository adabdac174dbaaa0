//! Sums of many products with one reduction.

use super::Lanes;
use super::montgomery::{Columns, Reduction};
use crate::bound::Bound;
use crate::modulus::Prime;
use crate::vector::Vector;
use core::marker::PhantomData;

/// A sum of products of double length, not reduced yet: what inner products and sums of scaled vectors gather in.
///
/// [`Wide::reduce`] makes [`Lanes`] of it. A product costs `2·L²` products of limbs here and twice as many alone. At
/// most [`Wide::MAX_TERMS`] products, which debug builds count: a column then holds at most `2·L·64` halves below 2^52
/// and those of the reduction. So it stays below 2^63, for `L ≤ 8`.
#[derive(Clone, Copy, Debug)]
pub struct Wide<P, V, const L: usize> {
    columns: Columns<V>,
    products: Bound,
    summands: Bound,
    terms: Bound,
    prime: PhantomData<P>,
}

impl<P: Prime<L>, V: Vector, const L: usize> Wide<P, V, L> {
    /// The most products that a sum takes.
    pub const MAX_TERMS: u64 = 64;

    /// The sum of no terms.
    #[inline(always)]
    pub fn zero(cpu: V::Cpu) -> Self {
        Self {
            columns: Columns::zero(cpu),
            products: Bound::below(0),
            summands: Bound::below(0),
            terms: Bound::below(0),
            prime: PhantomData,
        }
    }

    /// Adds `a·b`, for factors of any bounds.
    #[inline(always)]
    pub fn add_product(&mut self, a: Lanes<P, V, L>, b: Lanes<P, V, L>) {
        self.products = self.products.plus(a.bound.times(b.bound));
        self.terms = self.terms.plus(Bound::below(1));
        unroll!(i in 0..L => {
            self.columns.add_row(i, &a.limbs, b.limbs[i]);
        });
    }

    /// Adds `x·R`: after the reduction that is `x`. Counts as one of the terms.
    #[inline(always)]
    pub fn add_reduced(&mut self, x: Lanes<P, V, L>) {
        self.summands = self.summands.plus(x.bound);
        self.terms = self.terms.plus(Bound::below(1));
        self.columns.add_above(&x.limbs);
    }

    /// The sum over `R`. Its bound is a sum: the bounds of what was added reduced, and `p`. Another `p` comes for every
    /// `headroom` (or part of it) in the products of the factors' bounds. That is below `2p` where one product would
    /// be.
    ///
    /// Bound: as in [`Lanes::sum_of_products`], with `p²/R ≤ p/headroom`.
    #[inline(always)]
    pub fn reduce(self) -> Lanes<P, V, L> {
        self.terms.check(Self::MAX_TERMS, "the number of products");
        let of_products = self.products.over(P::MODULUS.headroom);
        let bound = self.summands.plus(of_products).plus(Bound::below(1));
        let mut columns = self.columns;
        let reduction = Reduction::by::<P>(columns.low[0].cpu());
        unroll!(i in 0..L => {
            columns.clear(i, &reduction);
        });
        columns.upper(bound)
    }
}
