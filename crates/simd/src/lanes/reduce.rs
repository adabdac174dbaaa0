//! Reduction below `2p` and below `p`, and what needs it: comparison.

use super::{Lanes, carry, splat};
use crate::bound::Bound;
use crate::modulus::{MASK_52, Modulus52, Prime};
use crate::vector::{Mask, Vector};

impl<P: Prime<L>, V: Vector, const L: usize> Lanes<P, V, L> {
    /// The same residues below `2p`, from any bound: an eighth of a product.
    ///
    /// Barrett's method with one limb of quotient. Let `B = 2^(52(L - 1))`, `s` the shift of the reciprocal
    /// `floor(R·2^s/p) < 2^52`, and `x` the number. With `x' = floor(x/B)`, the estimate
    /// `h = floor(x'·reciprocal/2^52)` is at most `x·2^s/p`, and above
    /// `(x/B - 1)(R·2^s/p - 1)/2^52 - 1 > x·2^s/p - x/R - 2^s·(R/p)/2^52 - 1 > x·2^s/p - 3`. So `q = floor(h/2^s)` is
    /// at most `x/p` and above `x/p - 1 - 3/2^s`, and `0 ≤ x - q·p < (1 + 3/2^s)·p < 2p`.
    #[inline(always)]
    pub fn reduce_weakly(self) -> Self {
        reduce_weakly(self)
    }

    /// The same residues below `K·p`, for values below `2K·p`: `K·p` is subtracted where the value has it.
    #[inline(always)]
    pub fn subtract_once<const K: u64>(self) -> Self {
        self.bound.check(2 * K, "a value to subtract from once");
        subtract_where_possible(self, K, const { &P::MODULUS.multiple(K) })
    }

    /// The residues themselves, below `p`, for values below `2p`; others go through [`Lanes::reduce_weakly`] first.
    #[inline(always)]
    pub fn reduce(self) -> Self {
        self.subtract_once::<1>()
    }

    /// The lanes whose element is zero, for values below `2p`: those that are 0 or `p`.
    #[inline(always)]
    pub fn is_zero(self) -> Mask {
        self.bound.check(2, "a value to compare");
        let p: [V; L] = splat(self.cpu(), &P::MODULUS.p);
        let mut zero = self.limbs[0];
        let mut modulus = self.limbs[0].xor(p[0]);
        each!(i in 1..L => {
            zero = zero.or(self.limbs[i]);
            modulus = modulus.or(self.limbs[i].xor(p[i]));
        });
        zero.is_zero() | modulus.is_zero()
    }

    /// The lanes whose elements are equal, for values below `2p`.
    #[inline(always)]
    pub fn equals(self, other: Self) -> Mask {
        let (a, b) = (self.reduce(), other.reduce());
        let mut different = a.limbs[0].xor(b.limbs[0]);
        each!(i in 1..L => {
            different = different.or(a.limbs[i].xor(b.limbs[i]));
        });
        different.is_zero()
    }
}

apart! {
fn reduce_weakly[P: Prime<L>, V: Vector, const L: usize](x: Lanes<P, V, L>) -> Lanes<P, V, L> {
    Lanes::new(subtract_quotient(x.limbs, x.limbs[L - 1], 0, P::MODULUS), Bound::below(2))
}
}

/// The number in these limbs less `q·p`. The quotient `q` comes from its top part: that times the reciprocal, plus
/// `more` modulo 2^64, without its lowest bits. The limbs may hold carries; those of the result do not.
#[inline(always)]
pub(super) fn subtract_quotient<V: Vector, const L: usize>(
    mut limbs: [V; L],
    top: V,
    more: u64,
    modulus: &Modulus52<L>,
) -> [V; L] {
    let cpu = top.cpu();
    let reciprocal = V::splat(cpu, modulus.reciprocal);
    let quotient = V::splat(cpu, more)
        .madd52hi(top, reciprocal)
        .shr(modulus.reciprocal_shift);
    // x + q·(R - p) = x - q·p + q·R: what is above R is dropped.
    let complement: [V; L] = splat(cpu, &modulus.p_complement);
    each!(i in 0..L => {
        limbs[i] = limbs[i].madd52lo(quotient, complement[i]);
    });
    each!(i in 1..L => {
        limbs[i] = limbs[i].madd52hi(quotient, complement[i - 1]);
    });
    let mut limbs = carry(limbs);
    limbs[L - 1] = limbs[L - 1].and(V::splat(cpu, MASK_52));
    limbs
}

apart! {
/// `x - multiple` where that is not negative, which is then below `bound·p`.
fn subtract_where_possible[P: Prime<L>, V: Vector, const L: usize](x: Lanes<P, V, L>, bound: u64, multiple: &[u64; L]) -> Lanes<P, V, L> {
    let multiple: [V; L] = splat(x.cpu(), multiple);
    let mut difference = x.limbs;
    each!(i in 0..L => {
        difference[i] = difference[i].sub(multiple[i]);
    });
    let difference = carry(difference);
    let too_much = difference[L - 1].is_negative();
    let mut limbs = difference;
    each!(i in 0..L => {
        limbs[i] = limbs[i].select(x.limbs[i], too_much);
    });
    Lanes::new(limbs, Bound::below(bound))
}
}
