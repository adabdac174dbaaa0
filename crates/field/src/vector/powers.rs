//! Geometric progressions in lanes.
//!
//! Each vector of eight powers is the one [`CHAINS`] before it times a constant. That many chains of products side by
//! side, since one alone would wait for each product.

use super::each::{broadcast, copy, numbers, store};
use super::scalar;
use crate::WordField;
use crate::lanes::{self, Lanes5};
use frumious_simd::{Kernel, LANES, Vector};

/// Chains of products.
const CHAINS: usize = 4;

/// From how many powers on the scalar products that a [`Start`] costs are worth it.
pub(super) const WORTH_LANES: usize = 3 * CHAINS * LANES;

/// The first [`CHAINS`] vectors of powers, and the factor from each to the next in its chain.
struct Start<F> {
    powers: [[F; LANES]; CHAINS],
    step: F,
}

impl<F: WordField> Start<F> {
    fn new(first: &F, base: &F) -> Self {
        let mut powers = [[F::ZERO; LANES]; CHAINS];
        scalar::powers(powers.as_flattened_mut(), first, base);
        let squarings = (CHAINS * LANES).ilog2();
        let step = (0..squarings).fold(*base, |power, _| power.square());
        Self { powers, step }
    }
}

/// `out[i] = first·baseⁱ`.
pub(super) struct Powers<'a, F> {
    out: &'a mut [F],
    start: Start<F>,
}

impl<'a, F: WordField> Powers<'a, F> {
    pub(super) fn new(out: &'a mut [F], first: &F, base: &F) -> Self {
        let start = Start::new(first, base);
        Self { out, start }
    }
}

impl<F: WordField> Kernel for Powers<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let mut chains = Chains::<F, V>::new(cpu, &self.start);
        let (out, rest) = self.out.as_chunks_mut::<LANES>();
        let (groups, out) = out.as_chunks_mut::<CHAINS>();
        for group in groups {
            for c in 0..CHAINS {
                store(chains.next(c), &mut group[c]);
            }
        }
        for (c, out) in out.iter_mut().enumerate() {
            store(chains.next(c), out);
        }
        if !rest.is_empty() {
            let mut last = [F::ZERO; LANES];
            store(chains.next(out.len()), &mut last);
            copy(rest, &last);
        }
    }
}

/// `a[i] *= first·baseⁱ`.
pub(super) struct ScaleByPowers<'a, F> {
    a: &'a mut [F],
    start: Start<F>,
}

impl<'a, F: WordField> ScaleByPowers<'a, F> {
    pub(super) fn new(a: &'a mut [F], first: &F, base: &F) -> Self {
        let start = Start::new(first, base);
        Self { a, start }
    }
}

impl<F: WordField> Kernel for ScaleByPowers<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let mut chains = Chains::<F, V>::new(cpu, &self.start);
        let (a, rest) = self.a.as_chunks_mut::<LANES>();
        let (groups, a) = a.as_chunks_mut::<CHAINS>();
        for group in groups {
            for c in 0..CHAINS {
                scale(cpu, &mut group[c], chains.next(c));
            }
        }
        for (c, a) in a.iter_mut().enumerate() {
            scale(cpu, a, chains.next(c));
        }
        if !rest.is_empty() {
            let mut last = [F::ZERO; LANES];
            copy(&mut last, rest);
            scale(cpu, &mut last, chains.next(a.len()));
            copy(rest, &last);
        }
    }
}

/// Elements times packed numbers below `2p`: of bounds `16p` and `2p`.
#[inline(always)]
fn scale<F: WordField, V: Vector>(cpu: V::Cpu, a: &mut [F; LANES], factors: Lanes5<F, V>) {
    store(lanes::load(cpu, a) * factors, a);
}

/// The next powers of each chain, packed numbers below `2p`.
struct Chains<F, V> {
    next: [Lanes5<F, V>; CHAINS],
    step: Lanes5<F, V>,
}

impl<F: WordField, V: Vector> Chains<F, V> {
    #[inline(always)]
    fn new(cpu: V::Cpu, start: &Start<F>) -> Self {
        let step = broadcast(cpu, &start.step);
        let mut next = [step; CHAINS];
        for c in 0..CHAINS {
            next[c] = numbers::<F, V>(cpu, &start.powers[c]);
        }
        Self { next, step }
    }

    /// The powers at hand of chain `c`, which moves on.
    #[inline(always)]
    fn next(&mut self, c: usize) -> Lanes5<F, V> {
        let powers = self.next[c % CHAINS];
        self.next[c % CHAINS] = powers * self.step;
        powers
    }
}
