//! Quadratic extensions in vector lanes, eight elements at a time: what kernels over G2 compute with.
//!
//! An element is two [`Lanes`] of the base field, each with its own bound. The methods are those of `Lanes` by
//! coordinates, with the same names and bounds; only products differ, as they mix the coordinates.

use crate::{bls12_381, bn254};
use core::ops::{Add, Mul};
use frumious_field::{Field, PackedWords};
use frumious_simd::{Block, LANES, Lanes, Mask, Prime, Sum, Vector};

/// A quadratic extension `F[u]/(u² + 1)` whose elements lie in memory as two residues of `W` words.
pub trait PairOfWords<const W: usize>: Field {
    /// The words of the coefficients of 1 and of `u`.
    fn as_words(&self) -> [&[u64; W]; 2];
    /// The same, for kernels: what is written must be below the modulus.
    fn as_words_mut(&mut self) -> [&mut [u64; W]; 2];
}

macro_rules! impl_pair_of_words {
    ($field:ty, $words:literal) => {
        impl PairOfWords<$words> for $field {
            #[inline(always)]
            fn as_words(&self) -> [&[u64; $words]; 2] {
                [self.c0.as_words(), self.c1.as_words()]
            }

            #[inline(always)]
            fn as_words_mut(&mut self) -> [&mut [u64; $words]; 2] {
                [self.c0.as_words_mut(), self.c1.as_words_mut()]
            }
        }
    };
}

impl_pair_of_words!(bn254::Fq2, 4);
impl_pair_of_words!(bls12_381::Fq2, 6);

/// The same of each of eight; by name, as `array::map` leaves a call.
macro_rules! each {
    ($eight:ident, $item:ident => $what:expr) => {{
        let [e0, e1, e2, e3, e4, e5, e6, e7] = $eight;
        each!(@ $item => $what, e0 e1 e2 e3 e4 e5 e6 e7)
    }};
    (@ $item:ident => $what:expr, $($e:ident)*) => { [$({ let $item = $e; $what }),*] };
}

/// Eight elements `c0 + c1·u` with `u² = -1` over the field of `P`, reduced lazily.
#[derive(Clone, Copy, Debug)]
pub struct QuadraticLanes<P, V, const L: usize> {
    /// The coefficients of 1.
    pub c0: Lanes<P, V, L>,
    /// The coefficients of `u`.
    pub c1: Lanes<P, V, L>,
}

impl<P: Prime<L>, V: Vector, const L: usize> QuadraticLanes<P, V, L> {
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

    /// Elements times `2^S`, below `2^S·p`: see [`Lanes::load_shifted`].
    #[inline(always)]
    pub fn load_shifted<F: PairOfWords<W>, const W: usize, const S: u32>(
        cpu: V::Cpu,
        elements: [&F; LANES],
    ) -> Self {
        Self {
            c0: Lanes::load_shifted::<W, S>(cpu, each!(elements, e => e.as_words()[0])),
            c1: Lanes::load_shifted::<W, S>(cpu, each!(elements, e => e.as_words()[1])),
        }
    }

    /// The inverse of [`load_shifted`](Self::load_shifted), for values below `2^S·p` and `S ≥ 1`. Reduced.
    #[inline(always)]
    pub fn store_shifted<F: PairOfWords<W>, const W: usize, const S: u32>(
        self,
        mut elements: [&mut F; LANES],
    ) {
        let borrowed = &mut elements;
        let [c0, c1] = [self.c0, self.c1];
        c0.store_shifted::<W, S>(each!(borrowed, e => first(e.as_words_mut())));
        c1.store_shifted::<W, S>(each!(elements, e => second(e.as_words_mut())));
    }

    /// The numbers in the rows as they are, below `K·p`: see [`Lanes::load_words`].
    #[inline(always)]
    pub fn load_words<const W: usize, const K: u64>(
        cpu: V::Cpu,
        rows: [&[[u64; W]; 2]; LANES],
    ) -> Self {
        Self {
            c0: Lanes::load_words::<W, K>(cpu, each!(rows, row => &row[0])),
            c1: Lanes::load_words::<W, K>(cpu, each!(rows, row => &row[1])),
        }
    }

    /// The numbers as they are, for values that fit the words: see [`Lanes::store_words`].
    #[inline(always)]
    pub fn store_words<const W: usize>(self, mut rows: [&mut [[u64; W]; 2]; LANES]) {
        let borrowed = &mut rows;
        self.c0.store_words(each!(borrowed, row => &mut row[0]));
        self.c1.store_words(each!(rows, row => &mut row[1]));
    }

    /// Numbers in lane form below `K·p`, all limbs below 2^52.
    #[inline(always)]
    pub fn load_blocks<const K: u64>(cpu: V::Cpu, blocks: &[Block<L>; 2]) -> Self {
        Self {
            c0: Lanes::load_block::<K>(cpu, &blocks[0]),
            c1: Lanes::load_block::<K>(cpu, &blocks[1]),
        }
    }

    /// The numbers as they are, in lane form and not reduced.
    #[inline(always)]
    pub fn store_blocks(self, blocks: &mut [Block<L>; 2]) {
        self.c0.store_block(&mut blocks[0]);
        self.c1.store_block(&mut blocks[1]);
    }

    /// The square, for coordinates below `4p`. Below `2p`.
    ///
    /// Cost: `(c0 + c1)·(c0 - c1) + 2c0·c1·u`, two products of coordinates.
    #[inline(always)]
    pub fn square(self) -> Self {
        carried(self.square_uncarried())
    }

    /// As [`QuadraticLanes::square`], each coordinate with its carries left in the limbs.
    #[inline(always)]
    pub fn square_uncarried(self) -> [Sum<P, V, L>; 2] {
        let (sum, difference) = (self.c0 + self.c1, self.c0.minus::<4>(self.c1));
        [
            Lanes::sum_of_products_uncarried([sum], [difference]), // 8·8 ≤ 84
            Lanes::sum_of_products_uncarried([self.c0.double()], [self.c1]),
        ]
    }

    /// As the product, each coordinate with its carries left in the limbs.
    #[inline(always)]
    pub fn multiply_uncarried(self, other: Self) -> [Sum<P, V, L>; 2] {
        let minus_c1 = self.c1.negate::<4>(); // below 5p, so (4 + 5)·4 ≤ 84
        [
            Lanes::sum_of_products_uncarried([self.c0, minus_c1], [other.c0, other.c1]),
            Lanes::sum_of_products_uncarried([self.c0, self.c1], [other.c1, other.c0]),
        ]
    }

    /// The product with the conjugate of `other`, below `2p`. Coordinates of `self` are below `K·p`. Those of `other`
    /// have a bound `b·p`, and `(2K + 1)·b` is within the headroom.
    #[inline(always)]
    pub fn times_conjugate<const K: u64>(self, other: Self) -> Self {
        let minus_c0 = self.c0.negate::<K>();
        Self {
            c0: Lanes::sum_of_products([self.c0, self.c1], [other.c0, other.c1]),
            c1: Lanes::sum_of_products([self.c1, minus_c0], [other.c0, other.c1]),
        }
    }

    /// `c0² + c1²`, the norm to the base field, for coordinates whose bound `b·p` has `2b²` within the headroom. Below
    /// `2p`.
    #[inline(always)]
    pub fn norm(self) -> Lanes<P, V, L> {
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

impl<P: Prime<L>, V: Vector, const L: usize> Add for QuadraticLanes<P, V, L> {
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

impl<P: Prime<L>, V: Vector, const L: usize> Mul for QuadraticLanes<P, V, L> {
    type Output = Self;

    /// The product, for factors below `4p` (or any whose `5·a·b` and `2·a·b` fit: see the checks of debug builds).
    /// Below `2p`.
    ///
    /// Cost: four products of coordinates and two reductions. For 5 limbs these are 310 products of limbs, where one of
    /// coordinates has 105. Measured: 5.8 ns against 1.8. Karatsuba's three products before two reductions (260
    /// products of limbs) take 5.1 ns in a row. In two chains they take 7.5, as their columns do not fit the registers.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        carried(self.multiply_uncarried(other))
    }
}

/// Products with their carries done.
#[inline(always)]
fn carried<P: Prime<L>, V: Vector, const L: usize>(
    [c0, c1]: [Sum<P, V, L>; 2],
) -> QuadraticLanes<P, V, L> {
    QuadraticLanes {
        c0: c0.carry::<0>(),
        c1: c1.carry::<0>(),
    }
}

#[inline(always)]
fn first<T>([first, _]: [T; 2]) -> T {
    first
}

#[inline(always)]
fn second<T>([_, second]: [T; 2]) -> T {
    second
}

#[cfg(test)]
mod tests;
