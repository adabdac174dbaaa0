//! `Membership`: which points of a curve are in its group of order `r`, told by one multiple of each.

/// A group of order `r` among the points of a curve, with an endomorphism that tells them from the others.
///
/// One point is checked by `is_in_subgroup`, in constant time. Who checks many takes multiples of all side by side.
/// Both rest on the same relation.
pub trait Membership: Sized {
    /// The factor of the multiple; zero if every point of the curve is in the group.
    const FACTOR: u128;

    /// Integers below 2^`DIGIT_BITS` differ modulo each prime that divides the cofactor. With digits of as many bits, a
    /// sum `Σ dᵢ·Pᵢ` is in the group for at most one digit of a point outside.
    const DIGIT_BITS: u32;

    /// Points whose sum is infinity just if `self` is in the group. `self` is on the curve, and `multiple` is
    /// `FACTOR·self`. Infinity fills them up to six.
    fn relation(&self, multiple: &Self) -> [Self; 6];
}
