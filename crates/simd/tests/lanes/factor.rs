//! Products by prepared factors, and sums in memory, against big integers.

use crate::both;
use crate::fields::{Field, edges, lane, modulus, pairs};
use frumious_simd::{Block, Factor, Kernel, LANES, LaneFactor, Lanes, Prime, Sum, Vector};
use num_bigint::BigUint;
use std::marker::PhantomData;

/// Of `x` below `16p` and `c` below `p` in lane form, all that is done with `x·c`.
struct Multiplied<'a, P, const L: usize> {
    x: &'a Block<L>,
    c: &'a Block<L>,
    prime: PhantomData<P>,
}

#[derive(Debug, PartialEq)]
struct Products<const L: usize> {
    factor: LaneFactor<L>,
    by_lanes: Block<L>,
    by_first: Block<L>,
    /// `x·c` and `(x + half)·c`, side by side.
    pair: [Block<L>; 2],
    /// `x·c - x`, and `3·x·c - 2·x` after a stay in memory.
    sums: [Block<L>; 2],
}

impl<P: Prime<L>, const L: usize> Kernel for Multiplied<'_, P, L> {
    type Output = Products<L>;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Products<L> {
        let x = Lanes::<P, V, L>::load_block::<16>(cpu, self.x);
        let factor = Lanes::<P, V, L>::load_block::<1>(cpu, self.c).to_factor();
        let factors: [Factor<L>; LANES] = factor.factors();
        let product = x.times(&factor);
        let x_and_half = x.reduce_weakly().sum().carry_centered();
        let [first, second] = Lanes::times_each([x, x_and_half], [&factor, &factor]);

        let little = x.reduce_weakly();
        let difference = product - little;
        let mut stored = Block::ZERO;
        difference.store_block(&mut stored, 7);
        let loaded = Sum::load_block(cpu, &stored, 7);
        let sums = [difference, loaded + (product + product) - little];

        let mut products = Products {
            factor,
            by_lanes: Block::ZERO,
            by_first: Block::ZERO,
            pair: [Block::ZERO; 2],
            sums: [Block::ZERO; 2],
        };
        product.carry::<5>().store_block(&mut products.by_lanes);
        let by_first = x.times(&factors[0]).carry::<5>();
        by_first.store_block(&mut products.by_first);
        first.carry_centered().store_block(&mut products.pair[0]);
        second.carry_centered().store_block(&mut products.pair[1]);
        sums[0].carry::<7>().store_block(&mut products.sums[0]);
        sums[1].carry::<19>().store_block(&mut products.sums[1]);
        products
    }
}

fn products_by_factors<P: Field<L, W>, const L: usize, const W: usize>() {
    let p = modulus::<P, L, W>();
    let r_inv = (BigUint::from(1u8) << (52 * L))
        .modinv(&p)
        .expect("R is prime to p");
    let (numbers, constants) = (edges(&p, &(&p * 16u8)), edges(&p, &p));
    for (x, c) in pairs::<L>(&numbers, &constants) {
        let products = both(|| Multiplied::<P, L> {
            x: &x,
            c: &c,
            prime: PhantomData,
        });
        let constant = |k| lane(&c, k) * &r_inv % &p;
        for k in 0..LANES {
            let x = lane(&x, k) % &p;
            let product = &x * constant(k) % &p;
            let value = lane(&products.by_lanes, k);
            assert!(value < &p * ((L as u64 + 1).div_ceil(2) + 5));
            assert_eq!(&value % &p, product);
            let value = lane(&products.by_first, k);
            assert_eq!(value % &p, &x * constant(0) % &p);
            for value in &products.pair {
                assert_eq!(lane(value, k) % &p, product);
            }
            let [once, thrice] = &products.sums;
            assert_eq!((lane(once, k) + &x) % &p, product);
            assert_eq!((lane(thrice, k) + &x * 2u8) % &p, &product * 3u8 % &p);
        }
    }
}

mod each {
    crate::fields::each_field!(products_by_factors);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the terms added in a block: below 3 times")]
fn a_block_of_sums_has_a_bound() {
    let one = Lanes::<crate::fields::Bls12Fr, frumious_simd::Model, 5>::one(());
    let mut block = Block::ZERO;
    one.times(&one.to_factor()).store_block(&mut block, 2);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "terms subtracted: below 18 times the modulus, where 17 times")]
fn half_the_headroom_is_the_limit_of_a_sum() {
    let sum =
        Sum::<crate::fields::Bls12Fr, frumious_simd::Model, 5>::load_block((), &Block::ZERO, 18);
    let _ = sum.carry_centered();
}
