//! Both forms of elements as one group, and from the entries of tables to elements.

use super::{AffineElement, Element, Fr, TableEntry, batch_to_affine_vartime};
use crate::group::impl_group;

impl_group!(AffineElement, Element, Fr, batch_to_affine_vartime);

impl core::hash::Hash for AffineElement {
    /// As [`Element`]'s, of which equal ones are.
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        Element::from_affine(self).hash(state);
    }
}

impl TableEntry {
    /// The element, if the entry is consistent and its point is one: for entries read from files.
    pub fn to_element(&self) -> Option<Element> {
        let point = AffineElement::checked(self.x, self.y).ok()?;
        (self.dxy == AffineElement::D * self.x * self.y).then(|| Element::from(point))
    }
}
