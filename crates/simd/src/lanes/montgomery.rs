//! Montgomery products.
//!
//! A product of `L` limbs has `2L` columns: column c gathers what stands at `2^(52c)`. Reduction clears the columns
//! `0..L` from below. Let column i hold `t` by then, and `m = t·(-p⁻¹) mod 2^52`. Then `t + m·p[0]` is a multiple of
//! 2^52 and goes into the next column. It is never added up: the next multiple of 2^52 above `t` is found by
//! `(t + 2^52 - 1) >> 52`.
//!
//! This is for vectors that find the halves of a product one by one; `paired` is for others.
//!
//! Low and high halves of the products are gathered in separate accumulators, since one chain of both is 2-3 times
//! slower. a column adds its two once, when it is cleared. Rows of the product run one ahead of the reduction, so that
//! the chain of the reduction, nine cycles a row, never waits for them.
//!
//! Bound: with `R = 2^(52L)`, the result is `(S + M·p)/R` for the sum of products `S` and some `M < R`, so below
//! `S/R + p`. If `S ≤ headroom·p²` with `headroom = floor(R/p)`, it is below `2p`. Source: Montgomery 1985; Gueron and
//! Krasnov 2016 for the halves.

use super::{Lanes, Sum, carry, paired, splat};
use crate::bound::Bound;
use crate::modulus::{MASK_52, Prime};
use crate::vector::Vector;

impl<P: Prime<L>, V: Vector, const L: usize> Lanes<P, V, L> {
    /// `(a[0]·b[0] + a[1]·b[1] + ...)/R`, reduced once, for `1 ≤ T ≤ 8` products whose bounds, multiplied, add up to no
    /// more than the headroom. Below `2p`.
    ///
    /// Cost: `2T·L² + 2·L²` products of limbs, where `T` separate products take `4T·L²`.
    /// Carries: a column gathers at most `L·(T + 1)` halves of each kind, all below 2^52, so stays below 2^60.
    #[inline(always)]
    pub fn sum_of_products<const T: usize>(a: [Self; T], b: [Self; T]) -> Self {
        const { assert!(T >= 1 && T <= 8, "one to eight products") };
        sum_of_products(a, b)
    }

    /// As [`Lanes::sum_of_products`], with its carries left in the limbs: for products that others are added to.
    /// Between 0 and `2p`.
    #[inline(always)]
    pub fn sum_of_products_uncarried<const T: usize>(a: [Self; T], b: [Self; T]) -> Sum<P, V, L> {
        const { assert!(T >= 1 && T <= 8, "one to eight products") };
        sum_of_products_uncarried(a, b)
    }

    /// `a[k]·b[k]/R` for each k, each as by `*`: computed side by side, so that none waits for itself. Two keep the
    /// multiplier busy. Below `2p`.
    #[inline(always)]
    pub fn multiply_each<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self; N] {
        multiply_each(a, b)
    }

    /// As [`Lanes::multiply_each`], with the carries of each left in its limbs. Between 0 and `2p`.
    #[inline(always)]
    pub fn multiply_each_uncarried<const N: usize>(
        a: [Self; N],
        b: [Self; N],
    ) -> [Sum<P, V, L>; N] {
        multiply_each_uncarried(a, b)
    }

    /// The Montgomery square `self²/R`, for a bound whose square is up to the headroom. Below `2p`.
    ///
    /// Cost: `L² + L` products of limbs and `2·L²` of the reduction; a product takes `4·L²`.
    /// Carries: as in [`Lanes::sum_of_products`].
    #[inline(always)]
    pub fn square(self) -> Self {
        square(self)
    }

    /// As [`Lanes::square`], with its carries left in the limbs. Between 0 and `2p`.
    #[inline(always)]
    pub fn square_uncarried(self) -> Sum<P, V, L> {
        square_uncarried(self)
    }

    /// `self^(2^count)`, for a bound whose square is up to the headroom. Below `2p` for `count > 0`.
    #[inline(always)]
    pub fn square_repeated(self, count: u32) -> Self {
        let mut power = self;
        for _ in 0..count {
            power = power.square();
        }
        power
    }
}

apart! { products:
fn sum_of_products[P: Prime<L>, V: Vector, const L: usize, const T: usize](a: [Lanes<P, V, L>; T], b: [Lanes<P, V, L>; T]) -> Lanes<P, V, L> {
    check_products(&a, &b);
    if const { V::PAIRED } {
        let limbs = paired::sum_of_products::<P, V, L, T, true>(&a, &b);
        return Lanes::new(limbs, Bound::below(2));
    }
    reduced_products(a, b).upper(Bound::below(2))
}
}

apart! { products:
fn sum_of_products_uncarried[P: Prime<L>, V: Vector, const L: usize, const T: usize](a: [Lanes<P, V, L>; T], b: [Lanes<P, V, L>; T]) -> Sum<P, V, L> {
    check_products(&a, &b);
    if const { V::PAIRED } {
        return uncarried(paired::sum_of_products::<P, V, L, T, false>(&a, &b), T);
    }
    reduced_products(a, b).upper_uncarried(T)
}
}

/// Debug builds panic if the products' bounds add up to more than the headroom.
#[inline(always)]
fn check_products<P: Prime<L>, V: Vector, const L: usize, const T: usize>(
    a: &[Lanes<P, V, L>; T],
    b: &[Lanes<P, V, L>; T],
) {
    let mut bound = Bound::below(0);
    each!(k in 0..T => {
        bound = bound.plus(a[k].bound.times(b[k].bound));
    });
    bound.check(P::MODULUS.headroom, "the factors of a product");
}

/// Debug builds panic if the square's bound is above the headroom.
#[inline(always)]
fn check_square<P: Prime<L>, V: Vector, const L: usize>(a: Lanes<P, V, L>) {
    let bound = a.bound.times(a.bound);
    bound.check(P::MODULUS.headroom, "the factors of a square");
}

/// A sum of so many products, below `2p`, with the carries left in its limbs.
///
/// A column gathers `L` low and `L` high halves of each product and of the reduction, and what another carries.
#[inline(always)]
fn uncarried<P: Prime<L>, V: Vector, const L: usize>(
    limbs: [V; L],
    products: usize,
) -> Sum<P, V, L> {
    let halves = 2 * L * (products + 1) + 1;
    Sum::of_limbs(limbs, Bound::below(2), Bound::below(halves as u64))
}

/// The columns of a sum of products, those below `L` clear.
#[inline(always)]
fn reduced_products<P: Prime<L>, V: Vector, const L: usize, const T: usize>(
    a: [Lanes<P, V, L>; T],
    b: [Lanes<P, V, L>; T],
) -> Columns<V> {
    let mut columns = Columns::<V>::zero(a[0].cpu());
    let reduction = Reduction::by::<P>(a[0].cpu());
    each!(k in 0..T => {
        columns.add_row(0, &a[k].limbs, b[k].limbs[0]);
    });
    unroll!(i in 0..L => {
        if i + 1 < L {
            each!(k in 0..T => {
                columns.add_row(i + 1, &a[k].limbs, b[k].limbs[i + 1]);
            });
        }
        columns.clear(i, &reduction);
    });
    columns
}

apart! {
fn multiply_each[P: Prime<L>, V: Vector, const L: usize, const N: usize](a: [Lanes<P, V, L>; N], b: [Lanes<P, V, L>; N]) -> [Lanes<P, V, L>; N] {
    let mut products = a;
    if const { V::PAIRED } {
        each!(k in 0..N => {
            products[k] = a[k] * b[k];
        });
        return products;
    }
    let columns = reduced_each(a, b);
    each!(k in 0..N => {
        products[k] = columns[k].upper(Bound::below(2));
    });
    products
}
}

apart! {
fn multiply_each_uncarried[P: Prime<L>, V: Vector, const L: usize, const N: usize](a: [Lanes<P, V, L>; N], b: [Lanes<P, V, L>; N]) -> [Sum<P, V, L>; N] {
    let mut products = [a[0].sum(); N];
    if const { V::PAIRED } {
        each!(k in 0..N => {
            products[k] = sum_of_products_uncarried([a[k]], [b[k]]);
        });
        return products;
    }
    let columns = reduced_each(a, b);
    each!(k in 0..N => {
        products[k] = columns[k].upper_uncarried(1);
    });
    products
}
}

/// The columns of each product, those below `L` clear.
#[inline(always)]
fn reduced_each<P: Prime<L>, V: Vector, const L: usize, const N: usize>(
    a: [Lanes<P, V, L>; N],
    b: [Lanes<P, V, L>; N],
) -> [Columns<V>; N] {
    let mut columns = [Columns::<V>::zero(a[0].cpu()); N];
    let reduction = Reduction::by::<P>(a[0].cpu());
    each!(k in 0..N => {
        check_products(&[a[k]], &[b[k]]);
        columns[k].add_row(0, &a[k].limbs, b[k].limbs[0]);
    });
    unroll!(i in 0..L => {
        each!(k in 0..N => {
            if i + 1 < L {
                columns[k].add_row(i + 1, &a[k].limbs, b[k].limbs[i + 1]);
            }
        });
        each!(k in 0..N => {
            columns[k].clear(i, &reduction);
        });
    });
    columns
}

apart! { products:
fn square[P: Prime<L>, V: Vector, const L: usize](a: Lanes<P, V, L>) -> Lanes<P, V, L> {
    check_square(a);
    if const { V::PAIRED } {
        return Lanes::new(paired::square::<P, V, L, true>(&a), Bound::below(2));
    }
    reduced_square(a).upper(Bound::below(2))
}
}

apart! { products:
fn square_uncarried[P: Prime<L>, V: Vector, const L: usize](a: Lanes<P, V, L>) -> Sum<P, V, L> {
    check_square(a);
    if const { V::PAIRED } {
        return uncarried(paired::square::<P, V, L, false>(&a), 1);
    }
    reduced_square(a).upper_uncarried(1)
}
}

/// The columns of a square, those below `L` clear.
#[inline(always)]
fn reduced_square<P: Prime<L>, V: Vector, const L: usize>(a: Lanes<P, V, L>) -> Columns<V> {
    let (cpu, a) = (a.cpu(), a.limbs);
    let mut columns = Columns::<V>::zero(cpu);
    let reduction = Reduction::by::<P>(cpu);
    unroll!(i in 0..L => {
        each!(j in i + 1..L => {
            columns.low[i + j] = columns.low[i + j].madd52lo(a[i], a[j]);
            columns.high[i + j + 1] = columns.high[i + j + 1].madd52hi(a[i], a[j]);
        });
    });
    each!(columns c in 1..2 * L - 1 => {
        columns.low[c] = columns.low[c].add(columns.high[c]).shl(1);
        columns.high[c] = V::splat(cpu, 0);
    });
    each!(i in 0..L => {
        columns.low[2 * i] = columns.low[2 * i].madd52lo(a[i], a[i]);
        columns.high[2 * i + 1] = columns.high[2 * i + 1].madd52hi(a[i], a[i]);
    });
    unroll!(i in 0..L => {
        columns.clear(i, &reduction);
    });
    columns
}

/// A number in columns of 52 bits: column c is `low[c] + high[c]`, of absolute value below 2^63. It is negative only
/// where low halves have signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns<V> {
    pub(super) low: [V; COLUMNS],
    pub(super) high: [V; COLUMNS],
}

impl<V: Vector> Columns<V> {
    #[inline(always)]
    pub(super) fn zero(cpu: V::Cpu) -> Self {
        let zero = [V::splat(cpu, 0); COLUMNS];
        Self {
            low: zero,
            high: zero,
        }
    }

    /// Adds `a·b·2^(52i)`.
    #[inline(always)]
    pub(super) fn add_row<const L: usize>(&mut self, i: usize, a: &[V; L], b: V) {
        const { assert!(2 * L <= COLUMNS, "columns of a product") };
        add_row(self, i, a, b);
    }

    /// Adds the multiple of `p·2^(52i)` that clears column i, given that the columns below are clear, and moves what
    /// column i carries to the next.
    #[inline(always)]
    pub(super) fn clear<const L: usize>(&mut self, i: usize, reduction: &Reduction<V, L>) {
        clear(self, i, reduction);
    }

    /// Adds `x·2^(52L)`.
    #[inline(always)]
    pub(super) fn add_above<const L: usize>(&mut self, x: &[V; L]) {
        each!(i in 0..L => {
            self.low[L + i] = self.low[L + i].add(x[i]);
        });
    }

    /// The columns from `L`, with their carries: `1/R` of the number, if the columns below are clear. Columns below
    /// 2^63, and the result must be below `bound`.
    #[inline(always)]
    pub(super) fn upper<P: Prime<L>, const L: usize>(self, bound: Bound) -> Lanes<P, V, L> {
        Lanes::new(carry(upper(&self)), bound)
    }

    /// As [`Columns::upper`], for a sum of so many products, below `2p`, with the carries left in its limbs.
    #[inline(always)]
    fn upper_uncarried<P: Prime<L>, const L: usize>(self, products: usize) -> Sum<P, V, L> {
        uncarried(upper(&self), products)
    }
}

apart! {
fn add_row[V: Vector, const L: usize](columns: &mut Columns<V>, i: usize, a: &[V; L], b: V) {
    if const { V::PAIRED } {
        let cpu = b.cpu();
        let (low_exponent, high_exponent) = (V::splat(cpu, V::LOW_EXPONENT), V::splat(cpu, V::HIGH_EXPONENT));
        let b = b.to_factor();
        each!(j in 0..L => {
            let (low, high) = (columns.low[i + j].sub(low_exponent), columns.high[i + j + 1].sub(high_exponent));
            (columns.low[i + j], columns.high[i + j + 1]) = V::add_product(low, high, a[j].to_factor(), b);
        });
        return;
    }
    each!(j in 0..L => {
        columns.low[i + j] = columns.low[i + j].madd52lo(a[j], b);
    });
    each!(j in 0..L => {
        columns.high[i + j + 1] = columns.high[i + j + 1].madd52hi(a[j], b);
    });
}
}

apart! {
fn clear[V: Vector, const L: usize](columns: &mut Columns<V>, i: usize, reduction: &Reduction<V, L>) {
    let Reduction { p, p_neg_inv, zero, mask } = *reduction;
    let column = columns.low[i].add(columns.high[i]);
    let m = zero.madd52lo(column, p_neg_inv);
    let carried = column.add(mask).sar(52);
    columns.low[i + 1] = columns.low[i + 1].add(carried);
    each!(j in 1..L => {
        columns.low[i + j] = columns.low[i + j].madd52lo(m, p[j]);
    });
    each!(j in 0..L => {
        columns.high[i + j + 1] = columns.high[i + j + 1].madd52hi(m, p[j]);
    });
}
}

apart! {
fn upper[V: Vector, const L: usize](columns: &Columns<V>) -> [V; L] {
    let mut limbs = [columns.low[L]; L];
    each!(i in 0..L => {
        limbs[i] = columns.low[L + i].add(columns.high[L + i]);
    });
    limbs
}
}

/// The constants that clear columns, in every lane: once for a product, as spreading each takes time to compile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction<V, const L: usize> {
    p: [V; L],
    p_neg_inv: V,
    zero: V,
    mask: V,
}

impl<V: Vector, const L: usize> Reduction<V, L> {
    #[inline(always)]
    pub(super) fn by<P: Prime<L>>(cpu: V::Cpu) -> Self {
        Self {
            p: splat(cpu, &P::MODULUS.p),
            p_neg_inv: V::splat(cpu, P::MODULUS.p_neg_inv),
            zero: V::splat(cpu, 0),
            mask: V::splat(cpu, MASK_52),
        }
    }
}

/// Columns of the longest product: of twice eight limbs.
const COLUMNS: usize = 16;
