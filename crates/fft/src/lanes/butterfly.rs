//! The butterfly on eight columns at once, `(x, y) → (x + t·y, x - t·y)`, and how far values may grow.
//!
//! Numbers lie in [`Block`]s as sums, of either sign and not carried, at most `bound·p` in absolute value. A value is
//! carried just before it is multiplied, and only then. A product is at most [`PRODUCT`]`·p`, whatever was multiplied,
//! as the factor was prepared. So a stage adds 3 to the bound, and 13 stages pass before BN254 Fr is at its [`limit`]
//! of 42. For BLS12-381 Fr, whose limit is 17, and in longer transforms, a stage reduces `x` first where it has to.
//!
//! One butterfly is one turn of a loop, and the CPU overlaps turns, which do not depend on each other. It takes 1.0 ns,
//! and 0.98 is what 60 products of limbs take. Two side by side in the text take 1.12 ns. Two stages in one (radix 4)
//! would spare half of the loads. They take 1.27 ns, as the second stage waits for the first (Zen 5, minima; even from
//! the second cache).

use frumious_field::WordField;
use frumious_field::lanes::Lanes5;
use frumious_simd::{Block, Factor, Sum, Vector};

/// Bound of a product by a prepared factor, in multiples of the modulus.
pub(super) const PRODUCT: u64 = 3;

/// Bound of a value after [`reduced`].
pub(super) const REDUCED: u64 = 2;

/// The largest bound of what is still to be multiplied or reduced: half the headroom, as much again is added to make
/// sums positive.
pub(super) const fn limit<F: WordField>() -> u64 {
    F::MODULUS.headroom / 2
}

/// Sums of eight elements.
pub(super) type Sum5<F, V> = Sum<F, V, 5>;

/// The way a stage keeps within the limit, by the bound of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Growth {
    /// The bound before the stage.
    pub from: u64,
    /// Whether `x` is to be reduced first.
    pub reduce: bool,
    /// Whether `y` is, where its twiddle is one.
    pub reduce_first: bool,
    /// The bound after the stage.
    pub to: u64,
}

impl Growth {
    /// Of a stage that starts with `bound`, at most the limit.
    pub const fn of<F: WordField>(bound: u64) -> Self {
        let reduce = bound + PRODUCT > limit::<F>();
        // While values are small, sums that double are fine.
        let reduce_first = bound > 2 * PRODUCT || 2 * bound > limit::<F>();
        let x = if reduce { REDUCED } else { bound };
        let first = x + if reduce_first { REDUCED } else { bound };
        Self {
            from: bound,
            reduce,
            reduce_first,
            to: if first > x + PRODUCT {
                first
            } else {
                x + PRODUCT
            },
        }
    }
}

/// `(x + t·y, x - t·y)`.
#[inline(always)]
pub(super) fn butterfly<F: WordField, V: Vector, const REDUCE: bool>(
    cpu: V::Cpu,
    x: &mut Block<5>,
    y: &mut Block<5>,
    t: &Factor<5>,
    growth: Growth,
) {
    let product = load::<F, V>(cpu, y, growth.from).carry_centered().times(t);
    let mut sum = load::<F, V>(cpu, x, growth.from);
    if REDUCE {
        sum = reduced(sum);
    }
    (sum + product).store_block(x, growth.to);
    (sum - product).store_block(y, growth.to);
}

/// `(x + y, x - y)`.
#[inline(always)]
pub(super) fn butterfly_of_one<F: WordField, V: Vector>(
    cpu: V::Cpu,
    x: &mut Block<5>,
    y: &mut Block<5>,
    growth: Growth,
) {
    let mut sum = load::<F, V>(cpu, x, growth.from);
    let mut other = load::<F, V>(cpu, y, growth.from);
    if growth.reduce {
        sum = reduced(sum);
    }
    if growth.reduce_first {
        other = reduced(other);
    }
    (sum + other).store_block(x, growth.to);
    (sum - other).store_block(y, growth.to);
}

/// The same residues, from 0 to `REDUCED·p`.
#[inline(always)]
pub(super) fn reduced<F: WordField, V: Vector>(sum: Sum5<F, V>) -> Sum5<F, V> {
    sum.carry_centered().reduce_weakly().sum()
}

/// The same residues below the modulus, for storing as words.
#[inline(always)]
pub(super) fn finished<F: WordField, V: Vector>(sum: Sum5<F, V>) -> Lanes5<F, V> {
    sum.carry_centered().reduce_weakly().reduce()
}

/// Sums from a block that holds values up to `bound`.
#[inline(always)]
pub(super) fn load<F: WordField, V: Vector>(
    cpu: V::Cpu,
    block: &Block<5>,
    bound: u64,
) -> Sum5<F, V> {
    Sum::load_block(cpu, block, bound)
}
