//! Fq2 in vector lanes, eight elements at a time: what kernels over G2 compute with.
//!
//! An element is two [`Lanes`] of Fq, each with its own bound. The methods are those of `Lanes` by coordinates, with the same names
//! and bounds; only products differ, as they mix the coordinates.

use super::{Fq, Fq2};
use core::ops::{Add, Mul};
use frumious_field::WordField;
use frumious_field::lanes::Lanes5;
use frumious_simd::{Block, LANES, Lanes, Mask, Vector};

/// The words of two numbers, of which an element in lane form is kept in memory.
pub type Fq2Words = [[u64; 4]; 2];

/// The same of each of eight; by name, as `array::map` leaves a call.
macro_rules! each {
    ($eight:ident, $item:ident => $what:expr) => {{
        let [e0, e1, e2, e3, e4, e5, e6, e7] = $eight;
        each!(@ $item => $what, e0 e1 e2 e3 e4 e5 e6 e7)
    }};
    (@ $item:ident => $what:expr, $($e:ident)*) => { [$({ let $item = $e; $what }),*] };
}

/// Eight elements `c0 + c1·u` with `u² = -1`, reduced lazily.
#[derive(Clone, Copy, Debug)]
pub struct Fq2Lanes<V> {
    /// The coefficients of 1.
    pub c0: Lanes5<Fq, V>,
    /// The coefficients of `u`.
    pub c1: Lanes5<Fq, V>,
}

impl<V: Vector> Fq2Lanes<V> {
    /// The proof that the values were made with.
    #[inline(always)]
    pub fn cpu(self) -> V::Cpu {
        self.c0.cpu()
    }

    /// Eight zeros. Below `p`.
    #[inline(always)]
    pub fn zero(cpu: V::Cpu) -> Self {
        let zero = Lanes::zero(cpu);
        Self { c0: zero, c1: zero }
    }

    /// Eight ones. Below `p`.
    #[inline(always)]
    pub fn one(cpu: V::Cpu) -> Self {
        let (c0, c1) = (Lanes::one(cpu), Lanes::zero(cpu));
        Self { c0, c1 }
    }

    /// Elements times `2^S`, `S ≤ 4`, below `2^S·p`: see [`Lanes::load_shifted`].
    #[inline(always)]
    pub fn load_shifted<const S: u32>(cpu: V::Cpu, elements: [&Fq2; LANES]) -> Self {
        Self {
            c0: Lanes::load_shifted::<4, S>(cpu, each!(elements, e => e.c0.as_words())),
            c1: Lanes::load_shifted::<4, S>(cpu, each!(elements, e => e.c1.as_words())),
        }
    }

    /// The inverse of [`load_shifted`](Self::load_shifted), for values below `2^S·p` and `1 ≤ S ≤ 4`. Reduced.
    #[inline(always)]
    pub fn store_shifted<const S: u32>(self, mut elements: [&mut Fq2; LANES]) {
        let borrowed = &mut elements;
        self.c0
            .store_shifted::<4, S>(each!(borrowed, e => e.c0.as_words_mut()));
        self.c1
            .store_shifted::<4, S>(each!(elements, e => e.c1.as_words_mut()));
    }

    /// The numbers in the rows as they are, below `K·p`: see [`Lanes::load_words`].
    #[inline(always)]
    pub fn load_words<const K: u64>(cpu: V::Cpu, rows: [&Fq2Words; LANES]) -> Self {
        Self {
            c0: Lanes::load_words::<4, K>(cpu, each!(rows, row => &row[0])),
            c1: Lanes::load_words::<4, K>(cpu, each!(rows, row => &row[1])),
        }
    }

    /// The numbers as they are, for values below `5p`: see [`Lanes::store_words`].
    #[inline(always)]
    pub fn store_words(self, mut rows: [&mut Fq2Words; LANES]) {
        let borrowed = &mut rows;
        self.c0.store_words(each!(borrowed, row => &mut row[0]));
        self.c1.store_words(each!(rows, row => &mut row[1]));
    }

    /// Numbers in lane form below `K·p`, all limbs below 2^52.
    #[inline(always)]
    pub fn load_blocks<const K: u64>(cpu: V::Cpu, blocks: &[Block<5>; 2]) -> Self {
        Self {
            c0: Lanes::load_block::<K>(cpu, &blocks[0]),
            c1: Lanes::load_block::<K>(cpu, &blocks[1]),
        }
    }

    /// The numbers as they are, in lane form and not reduced.
    #[inline(always)]
    pub fn store_blocks(self, blocks: &mut [Block<5>; 2]) {
        self.c0.store_block(&mut blocks[0]);
        self.c1.store_block(&mut blocks[1]);
    }

    /// The square, for coordinates below `4p`. Below `2p`.
    ///
    /// Cost: `(c0 + c1)·(c0 - c1) + 2c0·c1·u`, two products of coordinates.
    #[inline(always)]
    pub fn square(self) -> Self {
        Self {
            c0: (self.c0 + self.c1) * self.c0.minus::<4>(self.c1), // 8·8 ≤ 84
            c1: self.c0.double() * self.c1,
        }
    }

    /// `c0² + c1²`, the norm to Fq, for coordinates below `4p`. Below `2p`.
    #[inline(always)]
    pub fn norm(self) -> Lanes5<Fq, V> {
        Lanes::sum_of_products([self.c0, self.c1], [self.c0, self.c1])
    }

    /// `2·self`. Below the double bound.
    #[inline(always)]
    pub fn double(self) -> Self {
        self + self
    }

    /// `self - other + K·p`, for `other` below `K·p`. Below the bound of `self` plus `K·p`.
    #[inline(always)]
    pub fn minus<const K: u64>(self, other: Self) -> Self {
        Self {
            c0: self.c0.minus::<K>(other.c0),
            c1: self.c1.minus::<K>(other.c1),
        }
    }

    /// `-self + K·p` in the lanes of `mask`, `self` in the others, for `self` below `K·p`.
    #[inline(always)]
    pub fn negate_where<const K: u64>(self, mask: Mask) -> Self {
        Self {
            c0: self.c0.negate_where::<K>(mask),
            c1: self.c1.negate_where::<K>(mask),
        }
    }

    /// `other` in the lanes of `mask`, `self` in the others. Below the weaker of both bounds.
    #[inline(always)]
    pub fn select(self, other: Self, mask: Mask) -> Self {
        Self {
            c0: self.c0.select(other.c0, mask),
            c1: self.c1.select(other.c1, mask),
        }
    }

    /// The same elements below `K·p`, for values below `2K·p`.
    #[inline(always)]
    pub fn subtract_once<const K: u64>(self) -> Self {
        Self {
            c0: self.c0.subtract_once::<K>(),
            c1: self.c1.subtract_once::<K>(),
        }
    }

    /// The same elements below `2p`, from any bound.
    #[inline(always)]
    pub fn reduce_weakly(self) -> Self {
        Self {
            c0: self.c0.reduce_weakly(),
            c1: self.c1.reduce_weakly(),
        }
    }

    /// The lanes whose element is zero, for values below `2p`.
    #[inline(always)]
    pub fn is_zero(self) -> Mask {
        self.c0.is_zero() & self.c1.is_zero()
    }

    /// The lanes whose elements are equal, for values below `2p`.
    #[inline(always)]
    pub fn equals(self, other: Self) -> Mask {
        self.c0.equals(other.c0) & self.c1.equals(other.c1)
    }
}

impl<V: Vector> Add for Fq2Lanes<V> {
    type Output = Self;

    /// The sum, below the sum of the bounds.
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            c0: self.c0 + other.c0,
            c1: self.c1 + other.c1,
        }
    }
}

impl<V: Vector> Mul for Fq2Lanes<V> {
    type Output = Self;

    /// The product, for factors below `4p` (or any whose `5·a·b` and `2·a·b` fit: see the checks of debug builds). Below `2p`.
    ///
    /// Cost: four products of coordinates and two reductions, 310 products of limbs where a product of Fq has 105: measured
    /// 5.8 ns against 1.8. Karatsuba's three products before two reductions (260 products of limbs) take 5.1 ns in a row and 7.5 in two
    /// chains, as their columns do not fit the registers.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let minus_c1 = self.c1.negate::<4>(); // below 5p, so (4 + 5)·4 ≤ 84
        Self {
            c0: Lanes::sum_of_products([self.c0, minus_c1], [other.c0, other.c1]),
            c1: Lanes::sum_of_products([self.c0, self.c1], [other.c1, other.c0]),
        }
    }
}

#[cfg(test)]
mod tests;
