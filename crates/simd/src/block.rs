//! Eight numbers in lane form, in memory.

use crate::vector::LANES;

/// The limbs of eight numbers in memory: limb i of number k is `self.0[i][k]`. Aligned to cache lines, as loads across
/// lines cost twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Block<const L: usize>(pub [[u64; LANES]; L]);

impl<const L: usize> Block<L> {
    /// Eight zeros.
    pub const ZERO: Self = Self([[0; LANES]; L]);
}
