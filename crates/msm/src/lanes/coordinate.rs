//! Fields of coordinates that lane kernels compute with.
//!
//! Points are on an isomorphic curve in lanes: of the point `(x, y)` they hold `(u²x, u³y)`, which is on
//! `y² = x³ + u⁴·a·x + u⁶·b`. The chord knows neither coefficient, and only the tangent asks for the first. What it is
//! for: the lane form is `2^s` times the packed one, with `s = 4` for four words and `s = 32` for six. With
//! `u = 2^(-s/4)` packed coordinates come in by shifts of `s/2` bits and `s/4` bits instead of `s` and `s`, and `a` by
//! none. They are then below `2^(s/2)·p` and `2^(s/4)·p` instead of `2^s·p`, so that no field needs a reduction after
//! loading.
//!
//! Values are in one of three states, and each operation says which it takes:
//!
//! | state | what | bound for 4 words | for 6 words |
//! |---|---|---|---|
//! | settled | a product, or a coordinate in a slot | `2p` | `2p` |
//! | loaded | a coordinate of a point of the key, or its opposite | `4p` | `2^16·p` |
//! | factor | a difference of a loaded or settled value and a settled one | `7p` | `(2^16 + 2)·p` |

use frumious_curves::{bandersnatch, bls12_381, bn254};
use frumious_field::lanes::{rows, rows_mut};
use frumious_field::{Field, PackedWords};
use frumious_simd::{Block, LANES, Lanes, Mask, Prime, Vector};

/// A field whose elements the lane kernels add points with.
pub trait Coordinate: Field {
    /// A settled value in memory: the lane form in 64-bit words.
    type Words: Copy + Send + Sync + 'static;
    /// Eight values of any state in memory.
    type Block: Copy + Send + Sync + 'static;
    /// Eight values in lanes.
    type Lanes<V: Vector>: LaneField<Self, V>;
    /// The field that denominators are inverted in: by their norms, for an extension.
    type Norm: Coordinate<Norm = Self::Norm>;
    /// Eight norms of denominators in memory, where the denominators are no norms themselves.
    type KeptNorm: Copy + Send + Sync + 'static;

    /// Zero.
    const ZERO_WORDS: Self::Words;
    /// Eight zeros.
    const ZERO_BLOCK: Self::Block;
    /// Eight norms that are zero.
    const ZERO_NORM: Self::KeptNorm;
}

/// Eight norms of elements of `C` in lanes.
pub(super) type Norm<C, V> = <<C as Coordinate>::Norm as Coordinate>::Lanes<V>;

/// Eight elements of `C` in lanes.
pub trait LaneField<C: Coordinate, V: Vector>: Copy {
    /// Ones, settled.
    fn one(cpu: V::Cpu) -> Self;
    /// The `x` of points of the key, loaded.
    fn load_x(cpu: V::Cpu, elements: &[C; LANES]) -> Self;
    /// The `y` of points of the key, loaded; or their opposites in the lanes of `opposite`.
    fn load_y(cpu: V::Cpu, elements: &[C; LANES], opposite: Mask) -> Self;
    /// The inverse of [`load_x`](LaneField::load_x), of settled values.
    fn store_x(self, elements: &mut [C; LANES]);
    /// The inverse of [`load_y`](LaneField::load_y), of settled values.
    fn store_y(self, elements: &mut [C; LANES]);
    /// The coefficient `a` of a curve as that of the isomorphic curve, `u⁴·a`, loaded.
    fn load_coefficient(cpu: V::Cpu, a: &C) -> Self;
    /// The elements as they are, settled.
    fn from_elements(cpu: V::Cpu, elements: &[C; LANES]) -> Self;
    /// The inverse of [`from_elements`](LaneField::from_elements), of settled values.
    fn to_elements(self, elements: &mut [C; LANES]);
    /// Settled values from slots.
    fn load_words(cpu: V::Cpu, words: [&C::Words; LANES]) -> Self;
    /// Settled values to slots.
    fn store_words(self, words: [&mut C::Words; LANES]);
    /// Values of any state: the result is a factor.
    fn load_block(cpu: V::Cpu, block: &C::Block) -> Self;
    /// Settled values.
    fn load_settled(cpu: V::Cpu, block: &C::Block) -> Self;
    /// Values of any state.
    fn store_block(self, block: &mut C::Block);

    /// `self`, loaded or settled, less a settled value: a factor.
    fn difference(self, settled: Self) -> Self;
    /// A settled value times a settled one or a factor: settled.
    fn times(self, factor: Self) -> Self;
    /// The norm of a denominator, as a factor.
    fn norm(self) -> Norm<C, V>;
    /// For a numerator and its denominator `n/d·norm(d)`, as a factor: the slope but for the inverse of the norm.
    fn above_norm(self, denominator: Self) -> Self;
    /// A factor times a settled value: settled.
    fn scaled(self, by: Norm<C, V>) -> Self;
    /// Keeps a norm, unless it is the denominator itself.
    fn keep_norm(norm: Norm<C, V>, kept: &mut C::KeptNorm);
    /// The norm of a denominator that was kept, as a factor.
    fn kept_norm(cpu: V::Cpu, kept: &C::KeptNorm, denominator: &C::Block) -> Norm<C, V>;
    /// `λ² - x1 - x2`, settled, from settled `λ` and `x1` and `dx = x2 - x1`, a factor.
    fn third_x(slope: Self, dx: Self, x1: Self) -> Self;
    /// `λ·dx - y1`, settled, from settled `λ` and `y1` and a factor `dx`.
    fn third_y(slope: Self, dx: Self, y1: Self) -> Self;
    /// The numerator of the slope of the tangent, `3·x² + a`: a factor, from a settled `x` and a loaded `a`.
    fn tangent_numerator(x: Self, a: Self) -> Self;
    /// The denominator of it, `2·y`: a factor, from a settled `y`.
    fn tangent_denominator(y: Self) -> Self;
    /// A loaded value, settled.
    fn settled(self) -> Self;
    /// The lanes in which a value of any state is zero.
    fn zeros(self) -> Mask;
    /// `other` in the lanes of `mask`, of the weaker state of both.
    fn choose(self, other: Self, mask: Mask) -> Self;
}

macro_rules! impl_coordinate {
    ($($field:ty, $words:literal, $limbs:literal;)*) => {$(
        impl Coordinate for $field {
            type Words = [u64; $words];
            type Block = Block<$limbs>;
            type Lanes<V: Vector> = Lanes<$field, V, $limbs>;
            type Norm = Self;
            type KeptNorm = ();

            const ZERO_WORDS: [u64; $words] = [0; $words];
            const ZERO_BLOCK: Block<$limbs> = Block::ZERO;
            const ZERO_NORM: () = ();
        }
    )*};
}

impl_coordinate!(
    bn254::Fq, 4, 5;
    bandersnatch::Fq, 4, 5;
    bls12_381::Fq, 6, 8;
);

/// Elements of so many words in so many limbs. `X` and `Y` are the shifts by which coordinates come in, `FACTOR` the
/// bound of a factor.
macro_rules! impl_lane_field {
    ($words:literal words, $limbs:literal limbs, X = $x:literal, Y = $y:literal, FACTOR = $factor:expr) => {
        impl<C, V> LaneField<C, V> for Lanes<C, V, $limbs>
        where
            C: PackedWords<$words>
                + Prime<$limbs>
                + Coordinate<
                    Words = [u64; $words],
                    Block = Block<$limbs>,
                    Lanes<V> = Self,
                    Norm = C,
                    KeptNorm = (),
                >,
            V: Vector,
        {
            #[inline(always)]
            fn one(cpu: V::Cpu) -> Self {
                Lanes::one(cpu)
            }

            #[inline(always)]
            fn load_x(cpu: V::Cpu, elements: &[C; LANES]) -> Self {
                Lanes::load_shifted::<$words, $x>(cpu, rows(elements))
            }

            #[inline(always)]
            fn load_y(cpu: V::Cpu, elements: &[C; LANES], opposite: Mask) -> Self {
                let y = Lanes::load_shifted::<$words, $y>(cpu, rows(elements));
                y.negate_where::<{ 1 << $y }>(opposite)
            }

            #[inline(always)]
            fn store_x(self, elements: &mut [C; LANES]) {
                self.store_shifted::<$words, $x>(rows_mut(elements));
            }

            #[inline(always)]
            fn store_y(self, elements: &mut [C; LANES]) {
                self.store_shifted::<$words, $y>(rows_mut(elements));
            }

            #[inline(always)]
            fn load_coefficient(cpu: V::Cpu, a: &C) -> Self {
                // A packed element, as it is, is the lane form of u⁴ times it.
                Lanes::load_words::<$words, 1>(cpu, [a.as_words(); LANES])
            }

            #[inline(always)]
            fn from_elements(cpu: V::Cpu, elements: &[C; LANES]) -> Self {
                Lanes::load_packed(cpu, rows(elements)).reduce_weakly()
            }

            #[inline(always)]
            fn to_elements(self, elements: &mut [C; LANES]) {
                self.store_packed(rows_mut(elements));
            }

            #[inline(always)]
            fn load_words(cpu: V::Cpu, words: [&[u64; $words]; LANES]) -> Self {
                Lanes::load_words::<$words, 2>(cpu, words)
            }

            #[inline(always)]
            fn store_words(self, words: [&mut [u64; $words]; LANES]) {
                Lanes::store_words(self, words);
            }

            #[inline(always)]
            fn load_block(cpu: V::Cpu, block: &Block<$limbs>) -> Self {
                Lanes::load_block::<{ $factor }>(cpu, block)
            }

            #[inline(always)]
            fn load_settled(cpu: V::Cpu, block: &Block<$limbs>) -> Self {
                Lanes::load_block::<2>(cpu, block)
            }

            #[inline(always)]
            fn store_block(self, block: &mut Block<$limbs>) {
                self.check_below::<{ $factor }>();
                Lanes::store_block(self, block);
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
            fn norm(self) -> Self {
                self
            }

            #[inline(always)]
            fn above_norm(self, _: Self) -> Self {
                self
            }

            #[inline(always)]
            fn scaled(self, by: Self) -> Self {
                by * self
            }

            #[inline(always)]
            fn keep_norm(_: Self, (): &mut ()) {}

            #[inline(always)]
            fn kept_norm(cpu: V::Cpu, (): &(), denominator: &Block<$limbs>) -> Self {
                Lanes::load_block::<{ $factor }>(cpu, denominator)
            }

            #[inline(always)]
            fn third_x(slope: Self, dx: Self, x1: Self) -> Self {
                let sum = slope.square_uncarried() - dx - x1 - x1; // x1 + x2 = dx + 2·x1
                sum.carry_weakly::<{ $factor + 4 }>()
            }

            #[inline(always)]
            fn third_y(slope: Self, dx: Self, y1: Self) -> Self {
                let product = Lanes::sum_of_products_uncarried([slope], [dx]);
                (product - y1).carry_weakly::<2>()
            }

            #[inline(always)]
            fn tangent_numerator(x: Self, a: Self) -> Self {
                let square = x.square();
                (square.sum() + square + square + a).carry::<0>() // below (6 + 1)p
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

// Products of a settled value and a factor are of bounds 2·7, where the headroom is 84 for BN254 and 35 for Bandersnatch; and of
// 2·(2^16 + 2), where it is 2^35 for BLS12-381.
impl_lane_field!(4 words, 5 limbs, X = 2, Y = 1, FACTOR = 7);
impl_lane_field!(6 words, 8 limbs, X = 16, Y = 8, FACTOR = (1 << 16) + 2);
