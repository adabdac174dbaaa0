//! Between words in memory and lanes.

use crate::both;
use crate::fields::{Field, big, edges, lane, modulus, scalar_product, words};
use frumious_simd::{Block, Kernel, LANES, Lanes, Prime, Vector};
use num_bigint::BigUint;
use std::marker::PhantomData;

/// Rows into lanes, by both ways, and from lanes into rows, by both ways.
struct RoundTrip<'a, P, const L: usize, const W: usize> {
    /// Elements below `p`.
    rows: [&'a [u64; W]; LANES],
    prime: PhantomData<P>,
}

#[derive(Debug, PartialEq)]
struct Trip<const L: usize, const W: usize> {
    packed: Block<L>,
    as_they_are: Block<L>,
    back: [[u64; W]; LANES],
    sum_back: [[u64; W]; LANES],
    product_back: [[u64; W]; LANES],
    words_back: [[u64; W]; LANES],
    double_words_back: [[u64; W]; LANES],
    shifted: [Block<L>; 2],
    shifted_back: [[[u64; W]; LANES]; 2],
    quarter_product: [[u64; W]; LANES],
}

impl<P: Prime<L>, const L: usize, const W: usize> Kernel for RoundTrip<'_, P, L, W> {
    type Output = Trip<L, W>;

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output {
        let lanes = Lanes::<P, V, L>::load_packed(cpu, self.rows);
        let numbers = Lanes::<P, V, L>::load_words::<W, 1>(cpu, self.rows);
        let mut trip = Trip {
            packed: Block::ZERO,
            as_they_are: Block::ZERO,
            back: [[0; W]; LANES],
            sum_back: [[0; W]; LANES],
            product_back: [[0; W]; LANES],
            words_back: [[0; W]; LANES],
            double_words_back: [[0; W]; LANES],
            shifted: [Block::ZERO; 2],
            shifted_back: [[[0; W]; LANES]; 2],
            quarter_product: [[0; W]; LANES],
        };
        let once = Lanes::<P, V, L>::load_shifted::<W, 1>(cpu, self.rows);
        let twice = Lanes::<P, V, L>::load_shifted::<W, 2>(cpu, self.rows);
        once.store_block(&mut trip.shifted[0]);
        twice.store_block(&mut trip.shifted[1]);
        once.store_shifted::<W, 1>(trip.shifted_back[0].each_mut());
        twice.store_shifted::<W, 2>(trip.shifted_back[1].each_mut());
        lanes.store_block(&mut trip.packed);
        numbers.store_block(&mut trip.as_they_are);
        lanes.store_packed(trip.back.each_mut());
        (lanes.reduce_weakly() + Lanes::one(cpu)).store_packed(trip.sum_back.each_mut());
        let square = lanes * lanes.reduce_weakly();
        square.store_packed(trip.product_back.each_mut());
        square.store_shifted::<W, 2>(trip.quarter_product.each_mut());
        numbers.store_words(trip.words_back.each_mut());
        numbers
            .double()
            .store_words(trip.double_words_back.each_mut());
        trip
    }
}

fn round_trips<P: Field<L, W>, const L: usize, const W: usize>() {
    let p = modulus::<P, L, W>();
    let scalar = frumious_limbs::Modulus::<W>::new(P::P);
    let numbers = edges(&p, &p);
    for eight in numbers.chunks_exact(LANES) {
        let elements: Vec<[u64; W]> = eight.iter().map(words).collect();
        let rows = core::array::from_fn(|i| &elements[i]);
        let trip = both(|| RoundTrip::<P, L, W> {
            rows,
            prime: PhantomData,
        });
        for (k, number) in eight.iter().enumerate() {
            assert_eq!(lane(&trip.packed, k), number << P::MODULUS.radix_shift);
            assert_eq!(&lane(&trip.as_they_are, k), number);
            assert_eq!(trip.back[k], elements[k]);
            assert_eq!(trip.sum_back[k], scalar.add(&elements[k], &scalar.r));
            assert_eq!(
                trip.product_back[k],
                scalar_product::<P, L, W>(&elements[k], &elements[k])
            );
            assert_eq!(trip.words_back[k], elements[k]);
            assert_eq!(big(&trip.double_words_back[k]), number * 2u8);
            for (shift, shifted) in [1, 2].into_iter().zip(&trip.shifted) {
                assert_eq!(lane(shifted, k), number << shift);
            }
            assert_eq!(trip.shifted_back.map(|rows| rows[k]), [elements[k]; 2]);
            // a packed product is the number over 2^radix_shift
            let factor = words(&(BigUint::from(1u8) << (P::MODULUS.radix_shift - 2)));
            let factor = scalar.mul(&factor, &scalar.r2);
            assert_eq!(
                trip.quarter_product[k],
                scalar.mul(&trip.product_back[k], &factor)
            );
        }
    }
}

/// Elements inside of larger structs: every third row of a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point<const W: usize> {
    x: [u64; W],
    y: [u64; W],
    flags: u64,
}

struct Swap<'a, P, const L: usize, const W: usize> {
    points: &'a mut [Point<W>; LANES],
    prime: PhantomData<P>,
}

impl<P: Prime<L>, const L: usize, const W: usize> Kernel for Swap<'_, P, L, W> {
    type Output = [Point<W>; LANES];

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output {
        let x = Lanes::<P, V, L>::load_packed(cpu, self.points.each_ref().map(|point| &point.x));
        let y = Lanes::<P, V, L>::load_packed(cpu, self.points.each_ref().map(|point| &point.y));
        x.store_packed(self.points.each_mut().map(|point| &mut point.y));
        y.store_packed(self.points.each_mut().map(|point| &mut point.x));
        *self.points
    }
}

fn elements_of_structs<P: Field<L, W>, const L: usize, const W: usize>() {
    let p = modulus::<P, L, W>();
    let number = |i: usize| words(&(&p - BigUint::from(i + 1)));
    let points: [Point<W>; LANES] = core::array::from_fn(|i| Point {
        x: number(2 * i),
        y: number(2 * i + 1),
        flags: i as u64,
    });
    let swapped = {
        let model = frumious_simd::Model::run(Swap::<P, L, W> {
            points: &mut points.clone(),
            prime: PhantomData,
        });
        for unit in frumious_simd::Unit::all() {
            assert_eq!(
                unit.run(Swap::<P, L, W> {
                    points: &mut points.clone(),
                    prime: PhantomData
                }),
                model
            );
        }
        model
    };
    for (point, swapped) in points.iter().zip(&swapped) {
        assert_eq!(
            (point.x, point.y, point.flags),
            (swapped.y, swapped.x, swapped.flags)
        );
    }
}

mod fields_of {
    crate::fields::each_field!(round_trips, elements_of_structs);
}
