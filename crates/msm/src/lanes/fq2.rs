//! Quadratic extensions as coordinates, for G2: the states of `coordinate` hold for each coefficient.
//!
//! Linear operations go by coefficients through the operations of the base field. Products are those of
//! [`QuadraticLanes`].

use super::coordinate::{Coordinate, LaneField};
use frumious_curves::{PairOfWords, QuadraticLanes, bls12_381, bn254};
use frumious_simd::{Block, LANES, Mask, Prime, Vector};

macro_rules! impl_coordinate {
    ($curve:ident, $words:literal, $limbs:literal) => {
        impl Coordinate for $curve::Fq2 {
            type Words = [[u64; $words]; 2];
            type Block = [Block<$limbs>; 2];
            type Lanes<V: Vector> = QuadraticLanes<$curve::Fq, V, $limbs>;

            const ZERO_WORDS: [[u64; $words]; 2] = [[0; $words]; 2];
            const ZERO_BLOCK: [Block<$limbs>; 2] = [Block::ZERO; 2];
        }
    };
}

impl_coordinate!(bn254, 4, 5);
impl_coordinate!(bls12_381, 6, 8);

/// As in `coordinate`, with `S` the shift to the lane form.
macro_rules! impl_lane_field {
    ($words:literal words, $limbs:literal limbs, S = $s:literal, X = $x:literal, Y = $y:literal, FACTOR = $factor:expr) => {
        impl<C, P, V> LaneField<C, V> for QuadraticLanes<P, V, $limbs>
        where
            C: PairOfWords<$words>
                + Coordinate<Words = [[u64; $words]; 2], Block = [Block<$limbs>; 2]>,
            P: Prime<$limbs>,
            V: Vector,
        {
            #[inline(always)]
            fn one(cpu: V::Cpu) -> Self {
                Self::one(cpu)
            }

            #[inline(always)]
            fn load_x(cpu: V::Cpu, elements: &[C; LANES]) -> Self {
                Self::load_shifted::<C, $words, $x>(cpu, refs(elements))
            }

            #[inline(always)]
            fn load_y(cpu: V::Cpu, elements: &[C; LANES], opposite: Mask) -> Self {
                let y = Self::load_shifted::<C, $words, $y>(cpu, refs(elements));
                y.negate_where::<{ 1 << $y }>(opposite)
            }

            #[inline(always)]
            fn store_x(self, elements: &mut [C; LANES]) {
                self.store_shifted::<C, $words, $x>(refs_mut(elements));
            }

            #[inline(always)]
            fn store_y(self, elements: &mut [C; LANES]) {
                self.store_shifted::<C, $words, $y>(refs_mut(elements));
            }

            #[inline(always)]
            fn load_coefficient(cpu: V::Cpu, a: &C) -> Self {
                Self::load_shifted::<C, $words, 0>(cpu, [a; LANES]) // u⁴·a: see there
            }

            #[inline(always)]
            fn from_elements(cpu: V::Cpu, elements: &[C; LANES]) -> Self {
                Self::load_shifted::<C, $words, $s>(cpu, refs(elements)).reduce_weakly()
            }

            #[inline(always)]
            fn to_elements(self, elements: &mut [C; LANES]) {
                self.store_shifted::<C, $words, $s>(refs_mut(elements));
            }

            #[inline(always)]
            fn load_words(cpu: V::Cpu, words: [&[[u64; $words]; 2]; LANES]) -> Self {
                Self::load_words::<$words, 2>(cpu, words)
            }

            #[inline(always)]
            fn store_words(self, words: [&mut [[u64; $words]; 2]; LANES]) {
                QuadraticLanes::store_words(self, words);
            }

            #[inline(always)]
            fn load_block(cpu: V::Cpu, block: &[Block<$limbs>; 2]) -> Self {
                Self::load_blocks::<{ $factor }>(cpu, block)
            }

            #[inline(always)]
            fn load_settled(cpu: V::Cpu, block: &[Block<$limbs>; 2]) -> Self {
                Self::load_blocks::<2>(cpu, block)
            }

            #[inline(always)]
            fn store_block(self, block: &mut [Block<$limbs>; 2]) {
                self.c0.check_below::<{ $factor }>();
                self.c1.check_below::<{ $factor }>();
                self.store_blocks(block);
            }

            #[inline(always)]
            fn difference(self, settled: Self) -> Self {
                self.minus::<2>(settled)
            }

            #[inline(always)]
            fn times(self, factor: Self) -> Self {
                self * factor
            }

            #[inline(always)]
            fn squared(self) -> Self {
                self.square()
            }

            #[inline(always)]
            fn third_x(square: Self, dx: Self, x1: Self) -> Self {
                let c0 = square.c0.sum() - dx.c0 - x1.c0 - x1.c0; // x1 + x2 = dx + 2·x1
                let c1 = square.c1.sum() - dx.c1 - x1.c1 - x1.c1;
                Self {
                    c0: c0.carry::<{ $factor + 4 }>().reduce_weakly(),
                    c1: c1.carry::<{ $factor + 4 }>().reduce_weakly(),
                }
            }

            #[inline(always)]
            fn third_y(product: Self, y1: Self) -> Self {
                product.minus::<2>(y1).subtract_once::<2>()
            }

            #[inline(always)]
            fn tangent_numerator(x: Self, a: Self) -> Self {
                let square = x.square();
                Self {
                    c0: (square.c0.sum() + square.c0 + square.c0 + a.c0).carry::<0>(), // below (6 + 1)p
                    c1: (square.c1.sum() + square.c1 + square.c1 + a.c1).carry::<0>(),
                }
            }

            #[inline(always)]
            fn tangent_denominator(y: Self) -> Self {
                y.double()
            }

            #[inline(always)]
            fn settled(self) -> Self {
                if 1u64 << $x > 4 {
                    self.reduce_weakly()
                } else {
                    self.subtract_once::<2>()
                }
            }

            #[inline(always)]
            fn zeros(self) -> Mask {
                self.reduce_weakly().is_zero()
            }

            #[inline(always)]
            fn choose(self, other: Self, mask: Mask) -> Self {
                self.select(other, mask)
            }
        }
    };
}

// A settled value and a factor have, in products, the bounds `5·2·7 = 70` and `2·2·7 = 28`, below the headroom of 84 for BN254; those of
// six words have `9·(2^16 + 2)`, below 2^35.
impl_lane_field!(4 words, 5 limbs, S = 4, X = 2, Y = 1, FACTOR = 7);
impl_lane_field!(6 words, 8 limbs, S = 32, X = 16, Y = 8, FACTOR = (1 << 16) + 2);

/// By name, as `each_ref` may leave a call.
#[inline(always)]
fn refs<F>(elements: &[F; LANES]) -> [&F; LANES] {
    let [e0, e1, e2, e3, e4, e5, e6, e7] = elements;
    [e0, e1, e2, e3, e4, e5, e6, e7]
}

#[inline(always)]
fn refs_mut<F>(elements: &mut [F; LANES]) -> [&mut F; LANES] {
    let [e0, e1, e2, e3, e4, e5, e6, e7] = elements;
    [e0, e1, e2, e3, e4, e5, e6, e7]
}
