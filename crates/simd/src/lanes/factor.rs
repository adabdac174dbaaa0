//! Products by a factor prepared beforehand: 60 products of limbs where others take 100.
//!
//! For a fixed `c` let `c[j] = c·2^(52(j + 1)) mod p`. A number `x` with limbs `x[j]` then has
//!
//! ```text
//! x·c·2^52 ≡ Σ_j x[j]·c[j]     (mod p),
//! ```
//!
//! which is below `L·2^52·p`: one limb above the modulus and not `L`. One Montgomery step of one limb takes away the
//! `2^52` where a product needs `L` of them. As `c` itself is meant and no Montgomery form of it, `x·c` has the form of
//! `x`, packed or in lanes. The price is `L` numbers in memory for each factor, so this is for tables: twiddles of a
//! transform, matrices.
//!
//! Bound: `(Σ_j x[j]·c[j] + m·p)/2^52` for some `m < 2^52` is below `(L + 1)·p`, whatever the bound of `x`. Results
//! come as a [`Sum`] with half of that subtracted, so that sums of results of either sign grow slowly. Source: the
//! reduction is Montgomery 1985. Tables of a factor's multiples are folklore (Barrett's and Shoup's methods keep a
//! quotient instead, which costs half as much again here).

use super::montgomery::{Columns, Reduction};
use super::{Block, Lanes, Sum, paired};
use crate::bound::Bound;
use crate::modulus::{Modulus52, Prime};
use crate::vector::{LANES, Vector};
use core::marker::PhantomData;

/// A factor prepared for [`Lanes::times`], the same in every lane: row j is `c·2^(52(j + 1)) mod p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor<const L: usize>([[u64; L]; L]);

/// Eight factors prepared for [`Lanes::times`], one for each lane: block j holds `c·2^(52(j + 1)) mod p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneFactor<const L: usize>([Block<L>; L]);

/// What [`Lanes::times`] multiplies by: a [`Factor`] or a [`LaneFactor`].
pub trait Prepared<const L: usize>: sealed::Sealed {
    /// Limb `i` of row `j`.
    #[doc(hidden)]
    fn limb<V: Vector>(&self, cpu: V::Cpu, j: usize, i: usize) -> V;
}

impl<const L: usize> Prepared<L> for Factor<L> {
    #[inline(always)]
    fn limb<V: Vector>(&self, cpu: V::Cpu, j: usize, i: usize) -> V {
        V::splat(cpu, self.0[j][i])
    }
}

impl<const L: usize> Prepared<L> for LaneFactor<L> {
    #[inline(always)]
    fn limb<V: Vector>(&self, cpu: V::Cpu, j: usize, i: usize) -> V {
        V::load(cpu, &self.0[j].0[i])
    }
}

mod sealed {
    pub trait Sealed {}
    impl<const L: usize> Sealed for super::Factor<L> {}
    impl<const L: usize> Sealed for super::LaneFactor<L> {}
}

impl<const L: usize> LaneFactor<L> {
    /// The factor of each lane.
    pub fn factors(&self) -> [Factor<L>; LANES] {
        let mut factors = [Factor([[0; L]; L]); LANES];
        for (k, factor) in factors.iter_mut().enumerate() {
            for (row, block) in factor.0.iter_mut().zip(&self.0) {
                for (limb, lanes) in row.iter_mut().zip(&block.0) {
                    *limb = lanes[k];
                }
            }
        }
        factors
    }
}

impl<P: Prime<L>, V: Vector, const L: usize> Lanes<P, V, L> {
    /// These elements as factors. Cost: `L` products.
    ///
    /// Input: in lane form, of any bound.
    #[inline(always)]
    pub fn to_factor(self) -> LaneFactor<L> {
        const { assert!(P::MODULUS.p[L - 1] > 0, "powers of 2^52 below p") };
        let mut rows = [Block::ZERO; L];
        each!(j in 0..L => {
            // c·R times 2^(52(j + 1)) over R.
            let mut power = P::MODULUS.one;
            if j + 1 < L {
                power = [0; L];
                power[j + 1] = 1;
            }
            let row = self * Self::splat(self.cpu(), &power);
            row.reduce().store_block(&mut rows[j]);
        });
        LaneFactor(rows)
    }

    /// `self·c`, minus `h·p`, between `-h·p` and `h·p` for `h = ⌈(L + 1)/2⌉`: 3 for 5 limbs. In the form of `self`.
    ///
    /// Cost: `2·L² + 2·L` products of limbs.
    #[inline(always)]
    pub fn times(self, c: &impl Prepared<L>) -> Sum<P, V, L> {
        let [product] = Self::times_each([self], [c]);
        product
    }

    /// `x[k]·c[k]` for each k, as by [`Lanes::times`]: computed side by side, so that none waits for itself. Two are
    /// enough.
    ///
    /// Carries: a column gathers at most `L + 1` halves of each kind.
    #[inline(always)]
    pub fn times_each<M: Prepared<L>, const N: usize>(
        x: [Self; N],
        c: [&M; N],
    ) -> [Sum<P, V, L>; N] {
        let cpu = x[0].cpu();
        let offset = const { P::MODULUS.multiple((L as u64 + 1).div_ceil(2)) };
        let mut products = [x[0].sum(); N];
        if const { V::PAIRED } {
            each!(k in 0..N => {
                products[k] = Self::of_product(paired_times(x[k], c[k], &offset, P::MODULUS));
            });
            return products;
        }
        let mut columns = [Columns::<V>::zero(cpu); N];
        let reduction = Reduction::by::<P>(cpu);
        each!(k in 0..N => {
            each!(i in 0..L => {
                columns[k].low[i + 1] = V::splat(cpu, offset[i].wrapping_neg());
            });
        });
        unroll!(j in 0..L => {
            each!(k in 0..N => {
                let mut row = [V::splat(cpu, 0); L];
                each!(i in 0..L => {
                    row[i] = c[k].limb(cpu, j, i);
                });
                columns[k].add_row(0, &row, x[k].limbs[j]);
            });
        });
        each!(k in 0..N => {
            columns[k].clear(0, &reduction);
        });
        each!(k in 0..N => {
            let mut limbs = x[0].limbs;
            each!(i in 0..L => {
                limbs[i] = columns[k].low[i + 1].add(columns[k].high[i + 1]);
            });
            products[k] = Self::of_product(limbs);
        });
        products
    }

    /// The limbs of a product as a sum.
    #[inline(always)]
    fn of_product(limbs: [V; L]) -> Sum<P, V, L> {
        let half = Bound::below(const { (L as u64 + 1).div_ceil(2) });
        Sum {
            limbs,
            positive: half,
            negative: half,
            terms: Bound::below(const { 2 * (L as u64 + 1) + 2 }),
            prime: PhantomData,
        }
    }
}

apart! { products:
fn paired_times[P: Prime<L>, V: Vector, M: Prepared<L>, const L: usize](
    x: Lanes<P, V, L>,
    c: &M,
    offset: &[u64; L],
    modulus: &Modulus52<L>,
) -> [V; L] {
    paired::product_by_rows(&x.limbs, c, offset, modulus)
}
}

impl<P: Prime<L>, V: Vector, const L: usize> Sum<P, V, L> {
    /// Sums as [`Sum::store_block`] left them with the same `multiple`.
    #[inline(always)]
    pub fn load_block(cpu: V::Cpu, block: &Block<L>, multiple: u64) -> Self {
        let mut limbs = [V::splat(cpu, 0); L];
        each!(i in 0..L => {
            limbs[i] = V::load(cpu, &block.0[i]);
        });
        Self {
            limbs,
            positive: Bound::below(multiple),
            negative: Bound::below(multiple),
            terms: Bound::below(TERMS_OF_MULTIPLE * multiple),
            prime: PhantomData,
        }
    }

    /// The sums as they are, limbs with their signs. They must lie between `-multiple·p` and `multiple·p` and have at
    /// most `5·multiple` terms (a [product](Lanes::times) has 14, for 5 limbs).
    #[inline(always)]
    pub fn store_block(self, block: &mut Block<L>, multiple: u64) {
        self.positive.check(multiple, "the terms added in a block");
        self.negative
            .check(multiple, "the terms subtracted in a block");
        self.terms.check(
            TERMS_OF_MULTIPLE * multiple,
            "the number of terms in a block",
        );
        each!(i in 0..L => {
            self.limbs[i].store(&mut block.0[i]);
        });
    }

    /// The sum plus half the headroom, for sums of either sign up to half the headroom: fit to be multiplied.
    #[inline(always)]
    pub fn carry_centered(self) -> Lanes<P, V, L> {
        let half = const { P::MODULUS.headroom / 2 };
        let offset = const { P::MODULUS.multiple(P::MODULUS.headroom / 2) };
        self.carry_with(half, &offset)
    }
}

/// Terms of a sum in a block for each multiple of the modulus that it may have.
const TERMS_OF_MULTIPLE: u64 = 5;
