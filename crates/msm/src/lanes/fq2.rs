//! Fq2 as a coordinate, for G2: the states of `coordinate` hold for each coefficient.
//!
//! What is linear goes by coefficients through the operations of Fq. Products are those of [`Fq2Lanes`]: a settled value and a
//! factor have the bounds `5·2·6 = 60` and `2·2·6 = 24` there, below the headroom of 84.

use super::coordinate::{Coordinate, LaneField};
use frumious_curves::bn254::{Fq2, Fq2Lanes, Fq2Words};
use frumious_simd::{Block, LANES, Mask, Vector};

impl Coordinate for Fq2 {
    type Words = Fq2Words;
    type Block = [Block<5>; 2];
    type Lanes<V: Vector> = Fq2Lanes<V>;

    const ZERO_WORDS: Fq2Words = [[0; 4]; 2];
    const ZERO_BLOCK: [Block<5>; 2] = [Block::ZERO; 2];
}

impl<V: Vector> LaneField<Fq2, V> for Fq2Lanes<V> {
    #[inline(always)]
    fn one(cpu: V::Cpu) -> Self {
        Fq2Lanes::one(cpu)
    }

    #[inline(always)]
    fn load_x(cpu: V::Cpu, elements: &[Fq2; LANES]) -> Self {
        Fq2Lanes::load_shifted::<2>(cpu, refs(elements))
    }

    #[inline(always)]
    fn load_y(cpu: V::Cpu, elements: &[Fq2; LANES], opposite: Mask) -> Self {
        Fq2Lanes::load_shifted::<1>(cpu, refs(elements)).negate_where::<2>(opposite)
    }

    #[inline(always)]
    fn store_x(self, elements: &mut [Fq2; LANES]) {
        self.store_shifted::<2>(refs_mut(elements));
    }

    #[inline(always)]
    fn store_y(self, elements: &mut [Fq2; LANES]) {
        self.store_shifted::<1>(refs_mut(elements));
    }

    #[inline(always)]
    fn load_coefficient(cpu: V::Cpu, a: &Fq2) -> Self {
        Fq2Lanes::load_shifted::<0>(cpu, [a; LANES]) // a sixteenth: see there
    }

    #[inline(always)]
    fn from_elements(cpu: V::Cpu, elements: &[Fq2; LANES]) -> Self {
        Fq2Lanes::load_shifted::<4>(cpu, refs(elements)).reduce_weakly()
    }

    #[inline(always)]
    fn to_elements(self, elements: &mut [Fq2; LANES]) {
        self.store_shifted::<4>(refs_mut(elements));
    }

    #[inline(always)]
    fn load_words(cpu: V::Cpu, words: [&Fq2Words; LANES]) -> Self {
        Fq2Lanes::load_words::<2>(cpu, words)
    }

    #[inline(always)]
    fn store_words(self, words: [&mut Fq2Words; LANES]) {
        Fq2Lanes::store_words(self, words);
    }

    #[inline(always)]
    fn load_block(cpu: V::Cpu, block: &[Block<5>; 2]) -> Self {
        Fq2Lanes::load_blocks::<7>(cpu, block)
    }

    #[inline(always)]
    fn load_settled(cpu: V::Cpu, block: &[Block<5>; 2]) -> Self {
        Fq2Lanes::load_blocks::<2>(cpu, block)
    }

    #[inline(always)]
    fn store_block(self, block: &mut [Block<5>; 2]) {
        self.c0.check_below::<7>();
        self.c1.check_below::<7>();
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
        Self {
            c0: LaneField::third_x(square.c0, dx.c0, x1.c0),
            c1: LaneField::third_x(square.c1, dx.c1, x1.c1),
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

/// By name, as `each_ref` may leave a call.
#[inline(always)]
fn refs(elements: &[Fq2; LANES]) -> [&Fq2; LANES] {
    let [e0, e1, e2, e3, e4, e5, e6, e7] = elements;
    [e0, e1, e2, e3, e4, e5, e6, e7]
}

#[inline(always)]
fn refs_mut(elements: &mut [Fq2; LANES]) -> [&mut Fq2; LANES] {
    let [e0, e1, e2, e3, e4, e5, e6, e7] = elements;
    [e0, e1, e2, e3, e4, e5, e6, e7]
}
