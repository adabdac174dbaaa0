//! From elements to field elements: `x/y`, the "hash" of a commitment in Verkle trees.

use super::{AffineElement, Element, Fq, Fr};

impl Element {
    /// `x/y`, the same for both representatives; the neutral element gives zero. Cost: one inversion. Time: constant.
    pub fn map_to_base_field(&self) -> Fq {
        let [x, y, _] = self.coordinates();
        x * y.invert().unwrap_or(Fq::ZERO) // y is never zero; `expect` would branch
    }

    /// The integer of [`map_to_base_field`](Self::map_to_base_field) modulo `r`.
    ///
    /// Not one-to-one: about four field elements have the same residue. Finding two elements that collide is still as
    /// hard as a collision of `x/y` modulo `r` (spec: EIP-6800, `group_to_scalar_field`).
    pub fn map_to_scalar_field(&self) -> Fr {
        residue(self.map_to_base_field())
    }
}

impl AffineElement {
    /// As [`Element::map_to_base_field`].
    pub fn map_to_base_field(&self) -> Fq {
        self.x() * self.y().invert().unwrap_or(Fq::ZERO) // as above
    }

    /// As [`Element::map_to_scalar_field`].
    pub fn map_to_scalar_field(&self) -> Fr {
        residue(self.map_to_base_field())
    }
}

/// The integer modulo `r`.
pub(super) fn residue(value: Fq) -> Fr {
    Fr::from_limbs_reduced(value.to_canonical_limbs())
}
