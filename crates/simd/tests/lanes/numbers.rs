//! Out of lane form and into it, against big integers.

use crate::both;
use crate::fields::{Field, block, edges, lane, modulus};
use frumious_simd::{Block, Kernel, LANES, Lanes, Mask, Prime, Vector};
use num_bigint::BigUint;
use std::marker::PhantomData;

struct Conversions<'a, P, const L: usize> {
    /// Below `2p`.
    a: &'a Block<L>,
    prime: PhantomData<P>,
}

#[derive(Debug, PartialEq)]
struct Converted<const L: usize> {
    numbers: Block<L>,
    numbers_of_many: Block<L>,
    lane_form: Block<L>,
    zero: Mask,
    odd: Mask,
    lowest: [u64; LANES],
}

impl<P: Prime<L>, const L: usize> Kernel for Conversions<'_, P, L> {
    type Output = Converted<L>;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Converted<L> {
        let a = Lanes::<P, V, L>::load_block::<2>(cpu, self.a);
        let mut converted = Converted {
            numbers: Block::ZERO,
            numbers_of_many: Block::ZERO,
            lane_form: Block::ZERO,
            zero: a.is_number_zero(),
            odd: a.is_odd(),
            lowest: a.lowest_limbs(),
        };
        a.to_numbers().store_block(&mut converted.numbers);
        (a.double().double() + a.double())
            .to_numbers()
            .store_block(&mut converted.numbers_of_many);
        a.from_numbers().store_block(&mut converted.lane_form);
        converted
    }
}

fn numbers_of_elements<P: Field<L, W>, const L: usize, const W: usize>() {
    let p = modulus::<P, L, W>();
    let r = (BigUint::from(1u8) << (52 * L)) % &p;
    for eight in edges(&p, &(&p * 2u8)).as_chunks::<LANES>().0 {
        let a = block(eight);
        let converted = both(|| Conversions::<P, L> {
            a: &a,
            prime: PhantomData,
        });
        for (k, number) in eight.iter().enumerate() {
            let out = lane(&converted.numbers, k);
            assert!(out < p);
            assert_eq!(&out * &r % &p, number % &p);
            let out = lane(&converted.numbers_of_many, k);
            assert!(out < p);
            assert_eq!(&out * &r % &p, number * 6u8 % &p);
            assert_eq!(lane(&converted.lane_form, k) % &p, number * &r % &p);
            assert_eq!(converted.zero.contains(k), *number == BigUint::ZERO);
            assert_eq!(converted.odd.contains(k), number.bit(0));
            assert_eq!(converted.lowest[k], a.0[0][k]);
        }
    }
}

mod fields_of {
    crate::fields::each_field!(numbers_of_elements);
}
