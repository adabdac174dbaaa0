//! The one inversion of a batch: of eight products in lanes, by the scalar field.

use super::coordinate::{Coordinate, LaneField};
use frumious_field::Field;
use frumious_simd::{LANES, Vector};

/// The inverses of settled values, settled; none if one of them is zero.
#[inline(always)]
pub(super) fn invert<C: Coordinate, V: Vector>(
    cpu: V::Cpu,
    values: C::Lanes<V>,
) -> Option<C::Lanes<V>> {
    let mut elements = [C::ZERO; LANES];
    values.to_elements(&mut elements);
    invert_elements_vartime(&mut elements).then(|| C::Lanes::<V>::from_elements(cpu, &elements))
}

/// Inverts all with one inversion (Montgomery 1987, section 10.3.1); false if there is a zero among them.
///
/// Not inlined: scalar products among vectors would move these out of their registers.
#[inline(never)]
pub(super) fn invert_elements_vartime<C: Field>(elements: &mut [C; LANES]) -> bool {
    let mut before = [C::ONE; LANES];
    for k in 1..LANES {
        before[k] = before[k - 1] * elements[k - 1];
    }
    let Some(mut inverse) = (before[LANES - 1] * elements[LANES - 1]).invert_vartime() else {
        return false;
    };
    for k in (0..LANES).rev() {
        let element = elements[k];
        elements[k] = inverse * before[k];
        inverse *= element;
    }
    true
}
