//! Sums of up to 64 products before one reduction, against big integers.

use crate::both;
use crate::fields::{Field, edges, lane, modulus, pairs};
use frumious_simd::{Block, Kernel, LANES, Lanes, Prime, Vector, Wide};
use num_bigint::BigUint;
use std::marker::PhantomData;

/// `COUNT·a·b/R`, plus `a` if it is to be added, for factors below `A·p` and `p`.
struct Repeated<'a, P, const L: usize, const A: u64> {
    a: &'a Block<L>,
    b: &'a Block<L>,
    count: usize,
    add: bool,
    prime: PhantomData<P>,
}

impl<P: Prime<L>, const L: usize, const A: u64> Kernel for Repeated<'_, P, L, A> {
    type Output = Block<L>;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output {
        let a = Lanes::<P, V, L>::load_block::<A>(cpu, self.a);
        let b = Lanes::<P, V, L>::load_block::<1>(cpu, self.b);
        let mut sum = Wide::zero(cpu);
        if self.add {
            sum.add_reduced(a);
        }
        for _ in 0..self.count {
            sum.add_product(a, b);
        }
        let mut result = Block::ZERO;
        sum.reduce().store_block(&mut result);
        result
    }
}

fn sums<P: Field<L, W>, const L: usize, const W: usize, const A: u64>(counts: &[usize]) {
    let p = modulus::<P, L, W>();
    let r_inv = (BigUint::from(1u8) << (52 * L))
        .modinv(&p)
        .expect("R is prime to p");
    let numbers = (edges(&p, &(&p * A)), edges(&p, &p));
    for (a, b) in pairs::<L>(&numbers.0, &numbers.1) {
        for (count, add) in counts
            .iter()
            .flat_map(|count| [(*count, false), (*count, true)])
        {
            let result = both(|| Repeated::<P, L, A> {
                a: &a,
                b: &b,
                count,
                add,
                prime: PhantomData,
            });
            let products = (A * count as u64).div_ceil(P::MODULUS.headroom);
            let bound = products + 1 + if add { A } else { 0 };
            for k in 0..LANES {
                let (a, b, result) = (lane(&a, k), lane(&b, k), lane(&result, k));
                assert!(
                    result < &p * bound,
                    "{count}·{a:x}·{b:x} is not below {bound}p"
                );
                let added = if add { a.clone() } else { BigUint::ZERO };
                assert_eq!(result % &p, (&a * &b * &r_inv * count + added) % &p);
            }
        }
    }
}

#[test]
fn of_products_and_summands() {
    use crate::fields::*;
    sums::<Bn254Fr, 5, 4, 1>(&[0, 1, 2, 63]);
    sums::<Bn254Fq, 5, 4, 40>(&[63]);
    sums::<Bls12Fr, 5, 4, 2>(&[0, 1, 63]);
    sums::<Bls12Fr, 5, 4, 9>(&[63]);
    sums::<BandersnatchFr, 5, 4, 16>(&[0, 63]);
    sums::<Bls12Fq, 8, 6, 2>(&[0, 1, 63]);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the number of products: below 65 times")]
fn of_too_many_products_are_refused() {
    let one = Lanes::<crate::fields::Bls12Fq, frumious_simd::Model, 8>::one(());
    let mut sum = Wide::zero(());
    (0..65).for_each(|_| sum.add_product(one, one));
    let _ = sum.reduce();
}
