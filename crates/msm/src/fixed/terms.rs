//! The scalars of a commitment, with the places of their points.

use super::group::FixedGroup;
use frumious_field::Field;

/// Scalars by place, or pairs of place and scalar; the places of pairs rise.
pub(super) enum Terms<'a, G: FixedGroup> {
    /// The scalar of each point, from the first.
    Dense(&'a [G::Scalar]),
    /// Places, strictly increasing, and scalars.
    Sparse(&'a [(usize, G::Scalar)]),
}

impl<G: FixedGroup> Clone for Terms<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: FixedGroup> Copy for Terms<'_, G> {}

impl<G: FixedGroup> Terms<'_, G> {
    /// Calls `visit(place, scalar)` for each scalar that is not zero, in the order of places.
    #[inline]
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize, &G::Scalar)) {
        match self {
            Self::Dense(scalars) => {
                for (index, scalar) in scalars.iter().enumerate() {
                    if !scalar.is_zero_vartime() {
                        visit(index, scalar);
                    }
                }
            }
            Self::Sparse(terms) => {
                for (index, scalar) in terms.iter() {
                    if !scalar.is_zero_vartime() {
                        visit(*index, scalar);
                    }
                }
            }
        }
    }
}
