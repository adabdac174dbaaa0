//! Bytes of coordinates, points and scalars.

use super::{Error, G1_BYTES, G2_BYTES};
use frumious_curves::bls12_381::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective};

/// Bytes of an element of Fq.
pub const FQ_BYTES: usize = 64;
/// Bytes of an element of Fq2.
pub const FQ2_BYTES: usize = 128;
/// Bytes of a scalar.
pub const SCALAR_BYTES: usize = 32;
/// Zero bytes before an element of Fq.
const PADDING: usize = 16;

/// Of 64 bytes.
pub fn read_fq(bytes: &[u8]) -> Result<Fq, Error> {
    let (padding, bytes) = bytes.split_at(PADDING);
    if padding != [0; PADDING] {
        return Err(Error::TopBytes);
    }
    let bytes = bytes.try_into().expect("48 bytes");
    Fq::from_be_bytes(bytes)
        .into_option()
        .ok_or(Error::NonCanonical)
}

/// Of 128 bytes.
pub fn read_fq2(bytes: &[u8]) -> Result<Fq2, Error> {
    let (c0, c1) = bytes.split_at(FQ_BYTES);
    Ok(Fq2::new(read_fq(c0)?, read_fq(c1)?))
}

fn write_fq(element: &Fq, bytes: &mut [u8]) {
    bytes[PADDING..].copy_from_slice(&element.to_be_bytes());
}

/// A point of the curve, of 128 bytes.
pub fn read_g1(bytes: &[u8]) -> Result<G1Affine, Error> {
    let (x, y) = bytes.split_at(FQ_BYTES);
    let (x, y) = (read_fq(x)?, read_fq(y)?);
    let point = G1Affine { x, y };
    on_curve(point, point.is_on_curve().into())
}

/// A point of the twist, of 256 bytes.
pub fn read_g2(bytes: &[u8]) -> Result<G2Affine, Error> {
    let (x, y) = bytes.split_at(FQ2_BYTES);
    let (x, y) = (read_fq2(x)?, read_fq2(y)?);
    let point = G2Affine { x, y };
    on_curve(point, point.is_on_curve().into())
}

/// Zeros are infinity, here and in the points' own form.
fn on_curve<P>(point: P, is_on_curve: bool) -> Result<P, Error> {
    is_on_curve.then_some(point).ok_or(Error::NotOnCurve)
}

/// A point of the curve that must be one of the group.
pub fn in_g1(point: G1Affine) -> Result<G1Affine, Error> {
    let is_in_group = bool::from(point.is_in_subgroup());
    is_in_group.then_some(point).ok_or(Error::NotInG1)
}

/// A point of the twist that must be one of the group.
pub fn in_g2(point: G2Affine) -> Result<G2Affine, Error> {
    let is_in_group = bool::from(point.is_in_subgroup());
    is_in_group.then_some(point).ok_or(Error::NotInG2)
}

/// 128 bytes of a point.
pub fn write_g1(point: G1Projective) -> [u8; G1_BYTES] {
    let point = point.to_affine();
    let mut bytes = [0; G1_BYTES];
    for (element, bytes) in [point.x, point.y].iter().zip(bytes.chunks_mut(FQ_BYTES)) {
        write_fq(element, bytes);
    }
    bytes
}

/// 256 bytes of a point.
pub fn write_g2(point: G2Projective) -> [u8; G2_BYTES] {
    let G2Affine { x, y } = point.to_affine();
    let mut bytes = [0; G2_BYTES];
    let elements = [x.c0, x.c1, y.c0, y.c1];
    for (element, bytes) in elements.iter().zip(bytes.chunks_mut(FQ_BYTES)) {
        write_fq(element, bytes);
    }
    bytes
}

/// The integer of 32 bytes, most significant first, modulo the groups' order.
pub fn read_scalar(bytes: &[u8]) -> Fr {
    let mut reversed = [0; 64];
    for (reversed, byte) in reversed.iter_mut().zip(bytes.iter().rev()) {
        *reversed = *byte;
    }
    Fr::from_uniform_bytes(&reversed)
}
