//! Quadratic extensions as coordinates, for G2: the states of `coordinate` hold for each coefficient.
//!
//! Linear operations go by coefficients through the operations of the base field. Products are those of
//! [`QuadraticLanes`].
//!
//! A slope `n/d` is `n·d'/(d·d')` with the conjugate `d'`, and the norm `d·d'` is in the base field. That is what a
//! batch inverts. Of 5 limbs an addition then takes 1,450 products of limbs; inverting `d` itself, it would take 1,700.

use super::coordinate::{Coordinate, LaneField};
use frumious_curves::{PairOfWords, QuadraticLanes, bls12_381, bn254};
use frumious_simd::{Block, LANES, Lanes, Mask, Prime, Vector};

macro_rules! impl_coordinate {
    ($curve:ident, $words:literal, $limbs:literal) => {
        impl Coordinate for $curve::Fq2 {
            type Words = [[u64; $words]; 2];
            type Block = [Block<$limbs>; 2];
            type Lanes<V: Vector> = QuadraticLanes<$curve::Fq, V, $limbs>;
            type Norm = $curve::Fq;
            type KeptNorm = Block<$limbs>;

            const ZERO_WORDS: [[u64; $words]; 2] = [[0; $words]; 2];
            const ZERO_BLOCK: [Block<$limbs>; 2] = [Block::ZERO; 2];
            const ZERO_NORM: Block<$limbs> = Block::ZERO;
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
                + Coordinate<
                    Words = [[u64; $words]; 2],
                    Block = [Block<$limbs>; 2],
                    Norm = P,
                    KeptNorm = Block<$limbs>,
                >,
            P: Prime<$limbs>
                + Coordinate<Block = Block<$limbs>, Lanes<V> = Lanes<P, V, $limbs>, Norm = P>,
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
            fn norm(self) -> Lanes<P, V, $limbs> {
                QuadraticLanes::norm(self)
            }

            #[inline(always)]
            fn above_norm(self, denominator: Self) -> Self {
                self.times_conjugate::<{ (1 << $y) + 3 }>(denominator)
            }

            #[inline(always)]
            fn scaled(self, by: Lanes<P, V, $limbs>) -> Self {
                Self {
                    c0: self.c0 * by,
                    c1: self.c1 * by,
                }
            }

            #[inline(always)]
            fn keep_norm(norm: Lanes<P, V, $limbs>, kept: &mut Block<$limbs>) {
                norm.store_block(kept);
            }

            #[inline(always)]
            fn kept_norm(
                cpu: V::Cpu,
                kept: &Block<$limbs>,
                _: &[Block<$limbs>; 2],
            ) -> Lanes<P, V, $limbs> {
                Lanes::load_block::<2>(cpu, kept)
            }

            #[inline(always)]
            fn third_x(slope: Self, dx: Self, x1: Self) -> Self {
                let [c0, c1] = slope.square_uncarried();
                let c0 = c0 - dx.c0 - x1.c0 - x1.c0; // x1 + x2 = dx + 2·x1
                let c1 = c1 - dx.c1 - x1.c1 - x1.c1;
                Self {
                    c0: c0.carry_weakly::<{ $factor + 4 }>(),
                    c1: c1.carry_weakly::<{ $factor + 4 }>(),
                }
            }

            #[inline(always)]
            fn third_y(slope: Self, dx: Self, y1: Self) -> Self {
                let [c0, c1] = slope.multiply_uncarried(dx);
                Self {
                    c0: (c0 - y1.c0).carry_weakly::<2>(),
                    c1: (c1 - y1.c1).carry_weakly::<2>(),
                }
            }

            #[inline(always)]
            fn tangent_numerator(x: Self, a: Self) -> Self {
                let square = x.square();
                Self {
                    c0: (square.c0.sum() + square.c0 + square.c0 + a.c0).carry::<0>(), // below (6 + 1)p
                    c1: (square.c1.sum() + square.c1 + square.c1 + a.c1).carry::<0>(),
                }
                .reduce_weakly() // or its product with the denominator would be too large
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

// For BN254 the headroom is 84. A denominator is below 6p, its norm of the bound 2·6·6 = 72. A numerator is below 5p, and
// times the conjugate of a denominator of the bounds (5 + 5)·6 and (5 + 6)·6. A settled value and a factor have
// 5·2·7 = 70 and 2·2·7 = 28. All of six words are below 2·(2^16 + 2)², and the headroom is 2^35.
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
