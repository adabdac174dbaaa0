//! Products of points and scalars in lanes, each from its table to its end in registers: sixteen points at a time.
//!
//! [`Round`]s say which doublings and additions there are. All results become affine with one inversion.
//!
//! Additions have no exceptional case for points of the group's order: see `scale::jacobian`. Others may come to a z
//! that is zero, and to infinity.

use super::inversion::invert_elements_vartime;
use super::jacobian::{Affine, Jacobian, Two};
use crate::BucketPoint;
use crate::scale::infinity;
use core::ops::Range;
use frumious_curves::{bls12_381, bn254};
use frumious_field::lanes::{rows, rows_mut};
use frumious_field::{Field, PackedWords};
use frumious_simd::{Block, Kernel, LANES, Lanes, Mask, Prime, Runner, Vector};
use zeroize::Zeroize;

/// Points that are multiplied side by side.
pub(crate) const SIDE_BY_SIDE: usize = 2 * LANES;

/// Doublings of sixteen sums, then an addition to each. Secret if the scalars are.
#[derive(Clone, Copy, Debug, Zeroize)]
pub(crate) struct Round {
    pub(crate) doublings: u8,
    /// For each point the row of its table that is added.
    pub(crate) rows: [u8; SIDE_BY_SIDE],
    /// Points of whose row the opposite is added: a bit each.
    pub(crate) opposite: u16,
    /// Points to which nothing is added.
    pub(crate) skipped: u16,
}

/// Sixteen points, of whose tables each row is together.
#[derive(Clone, Debug)]
pub(crate) struct Sixteen {
    /// Their rounds among all.
    pub(crate) rounds: Range<usize>,
    /// Those that are at infinity: a bit each.
    pub(crate) absent: u16,
}

/// Points to be multiplied, and how.
pub(crate) struct DoubleAndAdd<'k, A> {
    /// For each sixteen points their rows.
    pub(crate) table: &'k [A],
    /// Rows of a table.
    pub(crate) height: usize,
    pub(crate) sixteens: &'k [Sixteen],
    pub(crate) rounds: &'k [Round],
    /// One for each point; infinity as `(0, 0)`.
    pub(crate) products: &'k mut [A],
}

/// A group whose products are taken so: G1 of either curve, whose equation has no linear term.
pub(crate) trait JacobianPoint: BucketPoint {
    /// Makes all products of `work`.
    fn double_and_add_vartime(runner: impl Runner, work: DoubleAndAdd<'_, Self>);
}

impl JacobianPoint for bn254::G1Affine {
    fn double_and_add_vartime(runner: impl Runner, work: DoubleAndAdd<'_, Self>) {
        let mut rests = vec![Rest::EMPTY; 2 * work.sixteens.len()];
        runner.run(Products::<Self, 4, 5, 2, 1, 2>(work, &mut rests));
        wipe(&mut rests);
    }
}

impl JacobianPoint for bls12_381::G1Affine {
    fn double_and_add_vartime(runner: impl Runner, work: DoubleAndAdd<'_, Self>) {
        let mut rests = vec![Rest::EMPTY; 2 * work.sixteens.len()];
        runner.run(Products::<Self, 6, 8, 16, 8, 256>(work, &mut rests));
        wipe(&mut rests);
    }
}

/// The kernel, with room for two groups of each sixteen. Coordinates have `W` words in `L` limbs, and come in by shifts
/// of `X` and `Y` bits; `BOUND` is `2^Y`.
struct Products<'k, A, const W: usize, const L: usize, const X: u32, const Y: u32, const BOUND: u64>(
    DoubleAndAdd<'k, A>,
    &'k mut [Rest<L>],
);

/// Eight sums until they are affine.
#[derive(Clone, Copy)]
struct Rest<const L: usize> {
    x: Block<L>,
    y: Block<L>,
    /// One for those at infinity.
    z: Block<L>,
    /// Product of the z before this one.
    before: Block<L>,
    infinite: Mask,
}

impl<const L: usize> Rest<L> {
    const EMPTY: Self = Self {
        x: Block::ZERO,
        y: Block::ZERO,
        z: Block::ZERO,
        before: Block::ZERO,
        infinite: Mask::NONE,
    };
}

/// A z tells something of a scalar.
fn wipe<const L: usize>(rests: &mut [Rest<L>]) {
    rests.fill(Rest::EMPTY);
    core::hint::black_box(rests);
}

impl<A, const W: usize, const L: usize, const X: u32, const Y: u32, const BOUND: u64> Kernel
    for Products<'_, A, W, L, X, Y, BOUND>
where
    A: BucketPoint<Base: PackedWords<W> + Prime<L>>,
{
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let DoubleAndAdd {
            table,
            height,
            sixteens,
            rounds,
            products,
        } = self.0;
        let rests = self.1;
        let mut product = Lanes::<A::Base, V, L>::one(cpu);
        let (pairs, _) = rests.as_chunks_mut::<2>();
        let tables = table.chunks_exact(height * SIDE_BY_SIDE);
        for ((sixteens, table), pair) in sixteens.iter().zip(tables).zip(pairs) {
            let (rows, _) = table.as_chunks::<SIDE_BY_SIDE>();
            let mut sums = Jacobian::<A::Base, V, L>::infinity(cpu);
            let mut infinite = [Mask::ALL; 2];
            for round in &rounds[sixteens.rounds.clone()] {
                for _ in 0..round.doublings {
                    sums = sums.doubled();
                }
                let point = Self::load::<V>(cpu, rows, round);
                let before = sums;
                sums = sums.plus(point);
                let skipped = masks(round.skipped | sixteens.absent);
                let begun = [infinite[0] & !skipped[0], infinite[1] & !skipped[1]];
                // Rare, and each a dozen instructions a coordinate.
                if !(skipped[0] | skipped[1]).is_empty() {
                    sums = sums.select(before, skipped);
                }
                if !(begun[0] | begun[1]).is_empty() {
                    sums = sums.select(point.to_jacobian(), begun);
                }
                infinite = [infinite[0] & skipped[0], infinite[1] & skipped[1]];
            }
            let [rest0, rest1] = pair;
            product = product * keep((sums.x.0[0], sums.y.0[0], sums.z.0[0]), product, rest0);
            product = product * keep((sums.x.0[1], sums.y.0[1], sums.z.0[1]), product, rest1);
        }

        let mut inverses = [A::Base::ZERO; LANES];
        product.store_packed(rows_mut(&mut inverses));
        if !invert_elements_vartime(&mut inverses) {
            // No z is zero, if coordinates were below the modulus: ones stand for those. Others may give anything.
            products.fill(infinity());
            return;
        }
        let mut inverse = Lanes::<A::Base, V, L>::load_packed(cpu, rows(&inverses)).reduce_weakly();
        let (products, _) = products.as_chunks_mut::<LANES>();
        for (rest, products) in rests.iter().zip(products).rev() {
            let own = inverse * Lanes::load_block::<2>(cpu, &rest.before);
            inverse = inverse * Lanes::load_block::<2>(cpu, &rest.z);
            let square = own.square();
            let mut x = [A::Base::ZERO; LANES];
            let mut y = [A::Base::ZERO; LANES];
            (Lanes::load_block::<2>(cpu, &rest.x) * square).store_shifted::<W, X>(rows_mut(&mut x));
            (Lanes::load_block::<2>(cpu, &rest.y) * (square * own))
                .store_shifted::<W, Y>(rows_mut(&mut y));
            for (k, point) in products.iter_mut().enumerate() {
                *point = match rest.infinite.contains(k) {
                    true => infinity(),
                    false => A::from_coordinates(x[k], y[k]),
                };
            }
        }
    }
}

impl<A, const W: usize, const L: usize, const X: u32, const Y: u32, const BOUND: u64>
    Products<'_, A, W, L, X, Y, BOUND>
where
    A: BucketPoint<Base: PackedWords<W> + Prime<L>>,
{
    /// The rows that a round adds, with their signs.
    #[inline(always)]
    fn load<V: Vector>(
        cpu: V::Cpu,
        rows: &[[A; SIDE_BY_SIDE]],
        round: &Round,
    ) -> Affine<A::Base, V, L> {
        let (x0, y0) = Self::load_group(cpu, rows, round, 0);
        let (x1, y1) = Self::load_group(cpu, rows, round, 1);
        Affine {
            x: Two([x0, x1]),
            y: Two([y0, y1]),
        }
    }

    /// Those of the first or the second eight points.
    #[inline(always)]
    fn load_group<V: Vector>(
        cpu: V::Cpu,
        table: &[[A; SIDE_BY_SIDE]],
        round: &Round,
        group: usize,
    ) -> (Lanes<A::Base, V, L>, Lanes<A::Base, V, L>) {
        let mut x = [A::Base::ZERO; LANES];
        let mut y = [A::Base::ZERO; LANES];
        for k in 0..LANES {
            let place = group * LANES + k;
            (x[k], y[k]) = table[usize::from(round.rows[place])][place].coordinates();
        }
        let y = Lanes::load_shifted::<W, Y>(cpu, rows(&y));
        (
            Lanes::load_shifted::<W, X>(cpu, rows(&x)),
            y.negate_where::<BOUND>(masks(round.opposite)[group]),
        )
    }
}

/// Keeps eight sums with the product of the z before; their z, ones for zeros.
#[inline(always)]
fn keep<P: Prime<L>, V: Vector, const L: usize>(
    (x, y, z): (Lanes<P, V, L>, Lanes<P, V, L>, Lanes<P, V, L>),
    before: Lanes<P, V, L>,
    rest: &mut Rest<L>,
) -> Lanes<P, V, L> {
    rest.infinite = z.is_zero();
    let z = z.select(Lanes::one(z.cpu()), rest.infinite);
    x.store_block(&mut rest.x);
    y.store_block(&mut rest.y);
    z.store_block(&mut rest.z);
    before.store_block(&mut rest.before);
    z
}

#[inline(always)]
fn masks(bits: u16) -> [Mask; 2] {
    [Mask(bits as u8), Mask((bits >> LANES) as u8)]
}
