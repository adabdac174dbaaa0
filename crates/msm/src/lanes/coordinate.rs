//! What the lane kernels ask of the field of the coordinates.
//!
//! Points are on an isomorphic curve in lanes: of the point `(x, y)` they hold `(x/4, y/8)`, which is on
//! `y² = x³ + (a/16)·x + b/64`, as `(u²x, u³y)` with `u = 1/2` is in general. The chord knows neither coefficient, and only the tangent
//! asks for the first. What it is for: packed coordinates then come in by shifts of 2 bits and 1 bit instead of 4 and 4,
//! below `4p` and `2p` instead of `16p`, so that no field needs a reduction after loading.
//!
//! Values are in one of three states, and each operation says which it takes:
//!
//! | state | what | bound |
//! |---|---|---|
//! | settled | a product, or a coordinate in a slot | `2p` |
//! | loaded | a coordinate of a point of the key, or its opposite | `4p` |
//! | factor | a difference of a loaded or settled value and a settled one | `6p` |

use frumious_curves::{bandersnatch, bn254};
use frumious_field::lanes::{Lanes5, rows, rows_mut};
use frumious_field::{Field, WordField};
use frumious_simd::{Block, LANES, Lanes, Mask, Vector};

/// A field whose elements the lane kernels add points with.
pub trait Coordinate: Field {
    /// A settled value in memory: the lane form in 64-bit words.
    type Words: Copy + Send + Sync + 'static;
    /// Eight values of any state in memory.
    type Block: Copy + Send + Sync + 'static;
    /// Eight values in lanes.
    type Lanes<V: Vector>: LaneField<Self, V>;

    /// Zero.
    const ZERO_WORDS: Self::Words;
    /// Eight zeros.
    const ZERO_BLOCK: Self::Block;
}

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
    /// The coefficient `a` of a curve as that of the isomorphic curve, `a/16`, loaded.
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
    /// The square of a settled value: settled.
    fn squared(self) -> Self;
    /// `λ² - x1 - x2`, settled, from settled `λ²` and `x1` and `dx = x2 - x1`, a factor.
    fn third_x(square: Self, dx: Self, x1: Self) -> Self;
    /// `product - y1`, settled, from settled values.
    fn third_y(product: Self, y1: Self) -> Self;
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
    ($($field:ty),*) => {$(
        impl Coordinate for $field {
            type Words = [u64; 4];
            type Block = Block<5>;
            type Lanes<V: Vector> = Lanes5<$field, V>;

            const ZERO_WORDS: [u64; 4] = [0; 4];
            const ZERO_BLOCK: Block<5> = Block::ZERO;
        }
    )*};
}

impl_coordinate!(bn254::Fq, bandersnatch::Fq);

/// Products of a settled value and a factor are of bounds `2·6 = 12`, where the headroom is 84 for BN254 and 35 for Bandersnatch.
impl<C, V> LaneField<C, V> for Lanes5<C, V>
where
    C: WordField + Coordinate<Words = [u64; 4], Block = Block<5>>,
    V: Vector,
{
    #[inline(always)]
    fn one(cpu: V::Cpu) -> Self {
        Lanes::one(cpu)
    }

    #[inline(always)]
    fn load_x(cpu: V::Cpu, elements: &[C; LANES]) -> Self {
        Lanes::load_shifted::<4, 2>(cpu, rows(elements))
    }

    #[inline(always)]
    fn load_y(cpu: V::Cpu, elements: &[C; LANES], opposite: Mask) -> Self {
        Lanes::load_shifted::<4, 1>(cpu, rows(elements)).negate_where::<2>(opposite)
    }

    #[inline(always)]
    fn store_x(self, elements: &mut [C; LANES]) {
        self.store_shifted::<4, 2>(rows_mut(elements));
    }

    #[inline(always)]
    fn store_y(self, elements: &mut [C; LANES]) {
        self.store_shifted::<4, 1>(rows_mut(elements));
    }

    #[inline(always)]
    fn load_coefficient(cpu: V::Cpu, a: &C) -> Self {
        // A packed element, as it is, is the lane form of a sixteenth of it.
        Lanes::load_words::<4, 1>(cpu, [a.as_words(); LANES])
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
    fn load_words(cpu: V::Cpu, words: [&[u64; 4]; LANES]) -> Self {
        Lanes::load_words::<4, 2>(cpu, words)
    }

    #[inline(always)]
    fn store_words(self, words: [&mut [u64; 4]; LANES]) {
        Lanes::store_words(self, words);
    }

    #[inline(always)]
    fn load_block(cpu: V::Cpu, block: &Block<5>) -> Self {
        Lanes::load_block::<7>(cpu, block)
    }

    #[inline(always)]
    fn load_settled(cpu: V::Cpu, block: &Block<5>) -> Self {
        Lanes::load_block::<2>(cpu, block)
    }

    #[inline(always)]
    fn store_block(self, block: &mut Block<5>) {
        self.check_below::<7>();
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
    fn squared(self) -> Self {
        self.square()
    }

    #[inline(always)]
    fn third_x(square: Self, dx: Self, x1: Self) -> Self {
        let sum = square.sum() - dx - x1 - x1; // x1 + x2 = dx + 2·x1, below (7 + 4)p
        sum.carry::<11>().reduce_weakly()
    }

    #[inline(always)]
    fn third_y(product: Self, y1: Self) -> Self {
        product.minus::<2>(y1).subtract_once::<2>()
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
        self.subtract_once::<2>()
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
