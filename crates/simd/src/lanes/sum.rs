//! Sums and differences of several values with one propagation of carries.

use super::reduce::subtract_quotient;
use super::{Lanes, carry, splat};
use crate::bound::Bound;
use crate::modulus::Prime;
use crate::vector::Vector;
use core::marker::PhantomData;
use core::ops::{Add, Sub};

/// A sum of values of either sign, limb by limb and without carries, so with limbs of any sign: not a factor yet.
///
/// [`Sum::carry`] makes [`Lanes`] of it. At most 512 terms, which debug builds count: limbs then stay below 2^61 in
/// absolute value.
#[derive(Clone, Copy, Debug)]
pub struct Sum<P, V, const L: usize> {
    pub(super) limbs: [V; L],
    pub(super) positive: Bound,
    pub(super) negative: Bound,
    pub(super) terms: Bound,
    pub(super) prime: PhantomData<P>,
}

impl<P: Prime<L>, V: Vector, const L: usize> Lanes<P, V, L> {
    /// The value as a sum of one term.
    #[inline(always)]
    pub fn sum(self) -> Sum<P, V, L> {
        Sum {
            limbs: self.limbs,
            positive: self.bound,
            negative: Bound::below(0),
            terms: Bound::below(1),
            prime: PhantomData,
        }
    }
}

impl<P: Prime<L>, V: Vector, const L: usize> Sum<P, V, L> {
    /// A number below `bound·p` in limbs, each below 2^52 times `terms`.
    #[inline(always)]
    pub(super) fn of_limbs(limbs: [V; L], bound: Bound, terms: Bound) -> Self {
        Self {
            limbs,
            positive: bound,
            negative: Bound::below(0),
            terms,
            prime: PhantomData,
        }
    }

    /// The sum plus `K·p`, which must be at least the sum of the bounds of all terms subtracted. Below `K·p` plus the
    /// sum of the bounds of all terms added.
    #[inline(always)]
    pub fn carry<const K: u64>(self) -> Lanes<P, V, L> {
        self.carry_with(K, const { &P::MODULUS.multiple(K) })
    }

    /// The sum plus `multiple·p`, the limbs of which are given.
    #[inline(always)]
    pub(super) fn carry_with(self, multiple: u64, offset: &[u64; L]) -> Lanes<P, V, L> {
        self.negative.check(multiple, "terms subtracted");
        self.terms.check(MAX_TERMS, "the number of terms");
        let mut limbs = self.limbs;
        if multiple > 0 {
            let offset = splat(limbs[0].cpu(), offset);
            each!(i in 0..L => {
                limbs[i] = limbs[i].add(offset[i]);
            });
        }
        Lanes::new(carry(limbs), self.positive.plus(Bound::below(multiple)))
    }

    /// The same residues below `2p`, for any `K` that [`Sum::carry`] allows: that and [`Lanes::reduce_weakly`] in one,
    /// with one propagation of carries instead of two.
    ///
    /// `(K + 1)·p` is added, so that the number `x` is above `p`. Names are those of [`Lanes::reduce_weakly`]. The
    /// quotient is found as there, from an estimate `t` of `floor(x/B)`: the top limb with what the one below it
    /// carries. What lower limbs carry is below 2^10 there, so `t` is off by one at most. Let
    /// `h = floor(t·reciprocal/2^52) - 1`. One more in `t` is less than one more in `h`, so `h` is at most `x·2^s/p`.
    /// It is above `x·2^s/p - 5`. So `q = floor(h/2^s)` is at most `x/p`, and `0 ≤ x - q·p < (1 + 5/2^s)·p < 2p`.
    #[inline(always)]
    pub fn carry_weakly<const K: u64>(self) -> Lanes<P, V, L> {
        self.negative.check(K, "terms subtracted");
        self.terms.check(MAX_TERMS, "the number of terms");
        let total = self.positive.plus(Bound::below(K + 1));
        total.check(P::MODULUS.headroom, "a value in lanes");
        carry_weakly(self, const { &P::MODULUS.multiple(K + 1) })
    }

    /// Twice the sum.
    #[inline(always)]
    pub fn double(self) -> Self {
        let mut limbs = self.limbs;
        each!(i in 0..L => {
            limbs[i] = limbs[i].shl(1);
        });
        Self {
            limbs,
            positive: self.positive.plus(self.positive),
            negative: self.negative.plus(self.negative),
            terms: self.terms.plus(self.terms),
            ..self
        }
    }
}

apart! {
fn carry_weakly[P: Prime<L>, V: Vector, const L: usize](sum: Sum<P, V, L>, offset: &[u64; L]) -> Lanes<P, V, L> {
    let mut limbs = sum.limbs;
    let cpu = limbs[0].cpu();
    let offset: [V; L] = splat(cpu, offset);
    each!(i in 0..L => {
        limbs[i] = limbs[i].add(offset[i]);
    });
    let top = limbs[L - 1].add(limbs[L - 2].sar(52));
    Lanes::new(subtract_quotient(limbs, top, u64::MAX, P::MODULUS), Bound::below(2))
}
}

impl<P: Prime<L>, V: Vector, const L: usize> Add<Lanes<P, V, L>> for Sum<P, V, L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, term: Lanes<P, V, L>) -> Self {
        let mut limbs = self.limbs;
        each!(i in 0..L => {
            limbs[i] = limbs[i].add(term.limbs[i]);
        });
        Self {
            limbs,
            positive: self.positive.plus(term.bound),
            terms: self.terms.plus(Bound::below(1)),
            ..self
        }
    }
}

impl<P: Prime<L>, V: Vector, const L: usize> Sub<Lanes<P, V, L>> for Sum<P, V, L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, term: Lanes<P, V, L>) -> Self {
        let mut limbs = self.limbs;
        each!(i in 0..L => {
            limbs[i] = limbs[i].sub(term.limbs[i]);
        });
        Self {
            limbs,
            negative: self.negative.plus(term.bound),
            terms: self.terms.plus(Bound::below(1)),
            ..self
        }
    }
}

impl<P: Prime<L>, V: Vector, const L: usize> Add for Sum<P, V, L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let mut limbs = self.limbs;
        each!(i in 0..L => {
            limbs[i] = limbs[i].add(other.limbs[i]);
        });
        Self {
            limbs,
            positive: self.positive.plus(other.positive),
            negative: self.negative.plus(other.negative),
            terms: self.terms.plus(other.terms),
            ..self
        }
    }
}

impl<P: Prime<L>, V: Vector, const L: usize> Sub for Sum<P, V, L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let mut limbs = self.limbs;
        each!(i in 0..L => {
            limbs[i] = limbs[i].sub(other.limbs[i]);
        });
        Self {
            limbs,
            positive: self.positive.plus(other.negative),
            negative: self.negative.plus(other.positive),
            terms: self.terms.plus(other.terms),
            ..self
        }
    }
}

/// With limbs below 2^52 a sum of so many stays below 2^61.
const MAX_TERMS: u64 = 512;
