//! Many elements at once, with one inversion for all.
//!
//! All of it is variable time, for public elements: it branches on zeros and, in decoding, on the bytes. Where the CPU
//! has lanes, eight elements go side by side.

mod decode;
mod divide;
mod encode;
#[cfg(test)]
mod tests;

use super::scalar_map::residue;
use super::{AffineElement, Element, Fq, Fr};
use crate::EncodingError;
use decode::Decode;
use divide::{Encode, ToScalars};
use encode::EncodeAffine;
use frumious_field::batch::{AT_ONCE, InvertAll};
use frumious_field::{batch_invert_vartime, lanes};
use frumious_simd::LANES;

/// Which of several encodings is none, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchError {
    /// Place in the batch, from 0.
    pub index: usize,
    /// The fault.
    pub error: EncodingError,
}

impl core::fmt::Display for BatchError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "element {}: {}", self.index, self.error)
    }
}

impl core::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// [`AffineElement::from_bytes_vartime`] of each.
///
/// # Errors
/// The first encoding that is none.
pub fn batch_from_bytes_vartime(encodings: &[[u8; 32]]) -> Result<Vec<AffineElement>, BatchError> {
    match lanes::active() {
        Some(cpu) if encodings.len() >= DECODE_IN_LANES_FROM => {
            let mut points = vec![AffineElement::IDENTITY; encodings.len()];
            match cpu.run(Decode::new(encodings, &mut points)) {
                Ok(()) => Ok(points),
                Err(index) => {
                    let alone = AffineElement::from_bytes_vartime(&encodings[index]);
                    let error = alone.expect_err("what is no element in lanes is none");
                    Err(BatchError { index, error })
                }
            }
        }
        _ => each(encodings, AffineElement::from_bytes_vartime),
    }
}

/// Fewer encodings are faster alone.
const DECODE_IN_LANES_FROM: usize = 3;

/// [`AffineElement::from_uncompressed`] of each.
///
/// # Errors
/// The first encoding that is none.
pub fn batch_from_uncompressed_vartime(
    encodings: &[[u8; 64]],
) -> Result<Vec<AffineElement>, BatchError> {
    each(encodings, AffineElement::from_uncompressed)
}

fn each<const N: usize>(
    encodings: &[[u8; N]],
    decode: impl Fn(&[u8; N]) -> Result<AffineElement, EncodingError>,
) -> Result<Vec<AffineElement>, BatchError> {
    encodings
        .iter()
        .enumerate()
        .map(|(index, bytes)| decode(bytes).map_err(|error| BatchError { index, error }))
        .collect()
}

/// [`Element::to_affine`] of each, with one inversion; see [`batch_to_affine_into_vartime`].
pub fn batch_to_affine_vartime(elements: &[Element]) -> Vec<AffineElement> {
    let mut targets = vec![AffineElement::IDENTITY; elements.len()];
    batch_to_affine_into_vartime(elements, &mut targets);
    targets
}

/// [`Element::to_affine`] of each into `targets`, without allocation: one inversion for all, five products for each
/// that is not affine already (`Z = 1`).
///
/// # Panics
/// If the lengths differ.
#[track_caller]
pub fn batch_to_affine_into_vartime(elements: &[Element], targets: &mut [AffineElement]) {
    assert!(
        elements.len() == targets.len(),
        "{} elements but {} targets",
        elements.len(),
        targets.len()
    );
    if elements.iter().all(|element| element.z == Fq::ONE) {
        for (element, target) in elements.iter().zip(targets) {
            *target = AffineElement::from_coordinates(element.x, element.y);
        }
        return;
    }
    match lanes::active() {
        Some(cpu) if elements.len() >= 2 * DIVIDE_IN_LANES_FROM => {
            crate::to_affine::batch_to_affine_into_vartime(cpu, elements, targets);
        }
        _ => to_affine_into_vartime(elements, targets),
    }
}

/// Fewer elements are encoded or mapped as fast one by one; of affine coordinates alone it takes twice as many.
const DIVIDE_IN_LANES_FROM: usize = 8;

fn to_affine_into_vartime(elements: &[Element], targets: &mut [AffineElement]) {
    let mut product = Fq::ONE;
    for (element, target) in elements.iter().zip(targets.iter_mut()) {
        let [.., z] = element.coordinates();
        target.x = product; // of all Z before
        if z != Fq::ONE {
            product *= z;
        }
    }
    let inverse = product.invert_vartime();
    let mut inverse = inverse.expect("Z of an element is never zero");
    for (element, target) in elements.iter().zip(targets).rev() {
        let [x, y, z] = element.coordinates();
        *target = if z == Fq::ONE {
            AffineElement::from_coordinates(x, y)
        } else {
            let own = inverse * target.x;
            inverse *= z;
            AffineElement::from_coordinates(x * own, y * own)
        };
    }
}

/// [`Element::to_bytes`] of each, with one inversion.
pub fn batch_to_bytes_vartime(elements: &[Element]) -> Vec<[u8; 32]> {
    match lanes::active() {
        Some(cpu) if elements.len() >= DIVIDE_IN_LANES_FROM => {
            let mut encodings = vec![[0; 32]; elements.len()];
            let mut room = vec![[0; 4]; elements.len().min(AT_ONCE).next_multiple_of(LANES)];
            for (elements, encodings) in elements.chunks(AT_ONCE).zip(encodings.chunks_mut(AT_ONCE))
            {
                let mut quotients = Encode::new(elements, encodings, &mut room);
                cpu.run(InvertAll(&mut quotients));
                quotients.encodings.finish();
            }
            encodings
        }
        _ => batch_to_affine_vartime(elements)
            .iter()
            .map(AffineElement::to_bytes)
            .collect(),
    }
}

/// [`AffineElement::to_bytes`] of each into `encodings`, without allocation.
///
/// # Panics
/// If the lengths differ.
#[track_caller]
pub fn batch_encode_affine_into_vartime(points: &[AffineElement], encodings: &mut [[u8; 32]]) {
    assert!(
        points.len() == encodings.len(),
        "{} points but {} encodings",
        points.len(),
        encodings.len()
    );
    match lanes::active() {
        Some(cpu) => cpu.run(EncodeAffine::new(points, encodings)),
        None => {
            for (point, encoding) in points.iter().zip(encodings) {
                *encoding = point.to_bytes();
            }
        }
    }
}

/// [`Element::map_to_scalar_field`] of each, with one inversion.
pub fn batch_map_to_scalar_field_vartime(elements: &[Element]) -> Vec<Fr> {
    match lanes::active() {
        Some(cpu) if elements.len() >= DIVIDE_IN_LANES_FROM => {
            let mut scalars = vec![Fr::ZERO; elements.len()];
            for (elements, scalars) in elements.chunks(AT_ONCE).zip(scalars.chunks_mut(AT_ONCE)) {
                let mut quotients = ToScalars::new(elements, scalars);
                cpu.run(InvertAll(&mut quotients));
                quotients.scalars.finish();
            }
            scalars
        }
        _ => map_to_scalar_field_vartime(elements),
    }
}

fn map_to_scalar_field_vartime(elements: &[Element]) -> Vec<Fr> {
    let mut inverses: Vec<Fq> = elements.iter().map(|e| e.coordinates()[1]).collect();
    batch_invert_vartime(&mut inverses, &mut Vec::new());
    elements
        .iter()
        .zip(&inverses)
        .map(|(element, inverse)| residue(element.coordinates()[0] * *inverse))
        .collect()
}
