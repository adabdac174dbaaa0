//! The numbers behind the elements: out of lane form, into it, and questions about them.
//!
//! Encodings are about the number `x` below `p`, not about its Montgomery form `x·R`. It comes out by one reduction,
//! half a product ([`Lanes::to_numbers`]), and goes in by a product with `R²` ([`Lanes::from_numbers`]).

use super::{Lanes, carry, splat};
use crate::bound::Bound;
use crate::modulus::{MASK_52, Prime};
use crate::vector::{LANES, Mask, Vector};

impl<P: Prime<L>, V: Vector, const L: usize> Lanes<P, V, L> {
    /// The numbers whose lane form this is, below `p`, for values of any bound. They are not elements in lane form: for
    /// [`Lanes::store_words`], [`Lanes::store_block`] and [`Lanes::is_odd`].
    #[inline(always)]
    pub fn to_numbers(self) -> Self {
        self.divide_by_r().reduce()
    }

    /// The lane form of numbers that were loaded as they are, for values up to half the headroom. Below `2p`.
    #[inline(always)]
    pub fn from_numbers(self) -> Self {
        self * Self::splat(self.cpu(), const { &P::MODULUS.r_squared() })
    }

    /// The lanes whose limbs are all zero. Of a value below `p`, those whose element is zero; multiples of `p` are not
    /// seen.
    #[inline(always)]
    pub fn is_number_zero(self) -> Mask {
        let mut any = self.limbs[0];
        each!(i in 1..L => {
            any = any.or(self.limbs[i]);
        });
        any.is_zero()
    }

    /// The lanes whose number, as it stands, is odd.
    #[inline(always)]
    pub fn is_odd(self) -> Mask {
        self.limbs[0].shl(63).is_negative()
    }

    /// The lowest 52 bits of each number, as it stands.
    #[inline(always)]
    pub fn lowest_limbs(self) -> [u64; LANES] {
        let mut limbs = [0; LANES];
        self.limbs[0].store(&mut limbs);
        limbs
    }

    /// `self/R`, below `p + 1` and so at most `p`: for a value below `R`, as all are, `(x + M·p)/R < 1 + p` with
    /// `M < R`.
    ///
    /// `L` times the lowest limb is cleared and dropped, as in the reduction of a product (see `montgomery`).
    #[inline(always)]
    fn divide_by_r(self) -> Self {
        let cpu = self.cpu();
        let zero = V::splat(cpu, 0);
        let p: [V; L] = splat(cpu, &P::MODULUS.p);
        let (mut low, mut high) = (self.limbs, [zero; L]);
        each!(_step in 0..L => {
            let lowest = low[0].add(high[0]);
            let m = zero.madd52lo(lowest, V::splat(cpu, P::MODULUS.p_neg_inv));
            let carried = lowest.add(V::splat(cpu, MASK_52)).shr(52);
            each!(i in 1..L => {
                low[i - 1] = low[i].madd52lo(m, p[i]);
                high[i - 1] = high[i].madd52hi(m, p[i - 1]);
            });
            low[0] = low[0].add(carried);
            low[L - 1] = zero;
            high[L - 1] = zero.madd52hi(m, p[L - 1]);
        });
        each!(i in 0..L => {
            low[i] = low[i].add(high[i]);
        });
        Self::new(carry(low), Bound::below(2))
    }
}
