//! Banderwagon, the group over Bandersnatch.

use frumious_curves::bandersnatch::{AffineElement, Element, Fr, TableEntry};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::valgrind::secret;
use crate::{Case, case_list};

fn element() -> Element {
    secret(Element::GENERATOR.double())
}

fn affine() -> AffineElement {
    secret(AffineElement::GENERATOR)
}

fn scalar() -> Fr {
    secret(Fr::from_u64(0x1234_5678_9abc_def1).square().square())
}

fn choice() -> Choice {
    Choice::from(secret(1u8) & 1)
}

/// All of them.
pub fn all() -> Vec<Case> {
    case_list! {
        "bandersnatch::AffineElement::is_identity" => affine().is_identity(),
        "bandersnatch::AffineElement::neg" => -affine(),
        "bandersnatch::AffineElement::ct_eq" => affine().ct_eq(&affine()),
        "bandersnatch::AffineElement::eq" => affine() == affine(),
        "bandersnatch::AffineElement::conditional_select" => AffineElement::conditional_select(&affine(), &affine(), choice()),
        "bandersnatch::AffineElement::to_bytes" => affine().to_bytes(),
        "bandersnatch::AffineElement::to_uncompressed" => affine().to_uncompressed(),
        "bandersnatch::AffineElement::to_uncompressed_le" => affine().to_uncompressed_le(),
        "bandersnatch::AffineElement::map_to_base_field" => affine().map_to_base_field(),
        "bandersnatch::AffineElement::map_to_scalar_field" => affine().map_to_scalar_field(),
        "bandersnatch::TableEntry::from affine" => TableEntry::from(affine()),
        "bandersnatch::TableEntry::neg" => TableEntry::from(affine()).neg(),
        "bandersnatch::Element::is_identity" => element().is_identity(),
        "bandersnatch::Element::add" => element() + element(),
        "bandersnatch::Element::add_affine" => element().add_affine(&affine()),
        "bandersnatch::Element::sub" => element() - element(),
        "bandersnatch::Element::neg" => -element(),
        "bandersnatch::Element::double" => element().double(),
        "bandersnatch::Element::to_affine" => element().to_affine(),
        "bandersnatch::Element::from affine" => Element::from(affine()),
        "bandersnatch::Element::ct_eq" => element().ct_eq(&element()),
        "bandersnatch::Element::eq" => element() == element(),
        "bandersnatch::Element::conditional_select" => Element::conditional_select(&element(), &element(), choice()),
        "bandersnatch::Element::mul" => element().mul(&scalar()),
        "bandersnatch::Element::mul of a public element" => Element::GENERATOR.mul(&scalar()),
        "bandersnatch::Element::to_bytes" => element().to_bytes(),
        "bandersnatch::Element::to_uncompressed" => element().to_uncompressed(),
        "bandersnatch::Element::to_uncompressed_le" => element().to_uncompressed_le(),
        "bandersnatch::Element::map_to_base_field" => element().map_to_base_field(),
        "bandersnatch::Element::map_to_scalar_field" => element().map_to_scalar_field(),
    }
}
