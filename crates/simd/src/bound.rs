//! Upper bounds of lazily reduced values, tracked and checked in debug builds only, and of no size in others.

#[cfg(debug_assertions)]
use crate::{
    block::Block,
    modulus::{MASK_52, Modulus52},
    vector::LANES,
};

/// A value is below `multiple·p`. In release builds nothing is kept and every check is empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    #[cfg(debug_assertions)]
    multiple: u64,
}

impl Bound {
    /// The bound `multiple·p`.
    #[inline(always)]
    pub(crate) const fn below(multiple: u64) -> Self {
        #[cfg(not(debug_assertions))]
        let _ = multiple;
        Self {
            #[cfg(debug_assertions)]
            multiple,
        }
    }

    /// The bound of a sum.
    #[inline(always)]
    pub(crate) const fn plus(self, other: Self) -> Self {
        #[cfg(not(debug_assertions))]
        let _ = other;
        Self {
            #[cfg(debug_assertions)]
            multiple: self.multiple.saturating_add(other.multiple),
        }
    }

    /// The bound of a product of integers, in multiples of `p²`.
    #[inline(always)]
    pub(crate) const fn times(self, other: Self) -> Self {
        #[cfg(not(debug_assertions))]
        let _ = other;
        Self {
            #[cfg(debug_assertions)]
            multiple: self.multiple.saturating_mul(other.multiple),
        }
    }

    /// The bound divided by `divisor`, rounded up.
    #[inline(always)]
    pub(crate) const fn over(self, divisor: u64) -> Self {
        #[cfg(not(debug_assertions))]
        let _ = divisor;
        Self {
            #[cfg(debug_assertions)]
            multiple: self.multiple.div_ceil(divisor),
        }
    }

    /// The weaker of two bounds.
    #[inline(always)]
    pub(crate) const fn or(self, other: Self) -> Self {
        #[cfg(debug_assertions)]
        if other.multiple > self.multiple {
            return other;
        }
        #[cfg(not(debug_assertions))]
        let _ = other;
        self
    }

    /// Debug builds panic unless the multiple is at most `limit`.
    #[inline(always)]
    pub(crate) fn check(self, limit: u64, what: &str) {
        #[cfg(debug_assertions)]
        if self.multiple > limit {
            self.refuse(limit, what);
        }
        #[cfg(not(debug_assertions))]
        let _ = (limit, what);
    }

    #[cfg(debug_assertions)]
    #[cold]
    fn refuse(self, limit: u64, what: &str) -> ! {
        panic!(
            "{what}: below {} times the modulus, where {limit} times is allowed",
            self.multiple
        )
    }

    /// Panics unless all limbs are below 2^52 and all numbers below the bound.
    #[cfg(debug_assertions)]
    #[inline(never)]
    pub(crate) fn verify<const L: usize>(self, block: &Block<L>, modulus: &Modulus52<L>) {
        let limit = modulus.multiple(self.multiple);
        for k in 0..LANES {
            let mut borrow = 0;
            for i in 0..L {
                let limb = block.0[i][k];
                assert!(limb <= MASK_52, "limb {i} of lane {k} is above 52 bits");
                borrow = limb.wrapping_sub(limit[i]).wrapping_sub(borrow) >> 63;
            }
            assert!(
                borrow == 1,
                "lane {k} is not below {} times the modulus",
                self.multiple
            );
        }
    }
}
