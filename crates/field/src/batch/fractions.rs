//! Montgomery's trick in lanes, for anything that has denominators.
//!
//! Each lane runs a chain of its own, and blocks go by turns to two groups of eight lanes. A chain alone would wait for
//! every product. So there are sixteen chains, whose products are inverted as one:
//!
//! ```text
//! forth   before[i] = product of the denominators before block i in its chain
//! once    1/(all)
//! back    inverse[i] = rest·before[i],   rest = rest·denominator[i]
//! ```
//!
//! `before` and the denominators are in lane form and what is inverted is packed, so inverses come out packed. a
//! product of both forms is packed (see `frumious_simd`).

use crate::lanes::{self, Lanes5};
use crate::{Field, WordField};
use frumious_simd::{Kernel, LANES, Lanes, Vector};

/// Values with denominators, in blocks of eight, that are to be multiplied by the inverses of the latter.
///
/// [`InvertAll`] asks for each block's denominators twice, first to last and last to first.
pub trait Fractions {
    /// The field of the denominators.
    type Denominator: WordField;

    /// True if inverses are to be the numbers `1/d` themselves instead of packed ones, `2^256/d`. A product with a
    /// value in lane form is then the number that encodings are made of.
    const PLAIN: bool = false;

    /// Number of blocks.
    fn blocks(&self) -> usize;

    /// The denominators of block i in lane form, below `16p`; none is zero.
    fn denominators<V: Vector>(&self, cpu: V::Cpu, i: usize) -> Lanes5<Self::Denominator, V>;

    /// Where eight field elements of block i can be kept until it is finished: 256 bytes without meaning to anyone
    /// else.
    fn room(&mut self, i: usize) -> [&mut [u64; 4]; LANES];

    /// The words that were written to [`Fractions::room`].
    fn kept(&self, i: usize) -> [&[u64; 4]; LANES];

    /// Takes the inverses of block i, packed (or see [`Fractions::PLAIN`]) and below `2p`: times a value in lane form
    /// they give a packed product.
    fn finish<V: Vector>(&mut self, cpu: V::Cpu, i: usize, inverses: Lanes5<Self::Denominator, V>);
}

/// Inverts the denominators of all blocks, and lets each be finished.
///
/// Cost: three products a denominator and one inversion. Time depends on the product of all.
#[derive(Debug)]
pub struct InvertAll<'a, T>(pub &'a mut T);

/// Groups of eight chains.
const GROUPS: usize = 2;

impl<T: Fractions> Kernel for InvertAll<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let fractions = self.0;
        let blocks = fractions.blocks();
        let mut products = [Lanes::one(cpu); GROUPS];
        for first in (0..blocks).step_by(GROUPS) {
            for g in 0..GROUPS {
                if first + g < blocks {
                    products[g] = go_forth::<T, V>(cpu, fractions, first + g, products[g]);
                }
            }
        }
        let [mut rest0, mut rest1] = invert::<T, V>(products);
        if blocks % GROUPS == 1 {
            rest0 = come_back::<T, V>(cpu, fractions, blocks - 1, rest0);
        }
        for pair in (0..blocks / GROUPS).rev() {
            rest1 = come_back::<T, V>(cpu, fractions, GROUPS * pair + 1, rest1);
            rest0 = come_back::<T, V>(cpu, fractions, GROUPS * pair, rest0);
        }
    }
}

/// Keeps the product and returns it with the denominators of block i. Below `2p` from below `2p`.
#[inline(always)]
fn go_forth<T: Fractions, V: Vector>(
    cpu: V::Cpu,
    fractions: &mut T,
    i: usize,
    product: Lanes5<T::Denominator, V>,
) -> Lanes5<T::Denominator, V> {
    product.store_words(fractions.room(i));
    product * fractions.denominators::<V>(cpu, i)
}

/// Finishes block i, given the packed inverse of the product up to it, and returns that of the product before it.
#[inline(always)]
fn come_back<T: Fractions, V: Vector>(
    cpu: V::Cpu,
    fractions: &mut T,
    i: usize,
    rest: Lanes5<T::Denominator, V>,
) -> Lanes5<T::Denominator, V> {
    let inverses = rest * Lanes::load_words::<4, 2>(cpu, fractions.kept(i));
    let rest = rest * fractions.denominators::<V>(cpu, i);
    fractions.finish::<V>(cpu, i, inverses);
    rest
}

/// The inverses, packed or plain, of two groups of products in lane form.
#[inline(always)]
fn invert<T: Fractions, V: Vector>(
    [a, b]: [Lanes5<T::Denominator, V>; GROUPS],
) -> [Lanes5<T::Denominator, V>; GROUPS] {
    let cpu = a.cpu();
    let mut eight = [T::Denominator::ZERO; LANES];
    lanes::store(a * b, &mut eight);
    invert_eight_vartime(&mut eight);
    let both = if T::PLAIN {
        lanes::load(cpu, &eight).to_numbers()
    } else {
        Lanes::load_words::<4, 1>(cpu, lanes::rows(&eight))
    };
    [both * b, both * a]
}

/// The inverses of eight elements that are not zero. A function of its own, as scalar products beside lanes have no
/// registers.
#[inline(never)]
fn invert_eight_vartime<F: Field>(values: &mut [F; LANES]) {
    let mut before = [F::ONE; LANES];
    for i in 1..LANES {
        before[i] = before[i - 1] * values[i - 1];
    }
    let all = before[LANES - 1] * values[LANES - 1];
    let mut rest = all.invert_vartime().expect("no denominator is zero");
    for i in (0..LANES).rev() {
        let own = rest * before[i];
        rest *= values[i];
        values[i] = own;
    }
}
