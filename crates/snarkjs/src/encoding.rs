//! Points as challenges, responses and bellman's files have them: all coordinates, or x and one bit of y.
//!
//! Coordinates are most significant byte first, in G2 the imaginary part before the real one. In the short form the
//! first bit says that y is the larger of the two. Infinity has zeros for coordinates, and no short form.

use crate::big_endian::{Decoder, is_larger};
use frumious_curves::EncodingError;
use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_parallel::map_indices;

/// All coordinates of points that are given in Montgomery form.
pub(crate) fn uncompressed<P: PairingGroup>(points: &[u8]) -> Vec<u8> {
    converted::<P>(points, |point, bytes| {
        bytes.extend(point.to_big_endian_bytes());
    })
}

/// The short form of points that are given in Montgomery form.
pub(crate) fn compressed<P: PairingGroup<Base: ResidueField>>(points: &[u8]) -> Vec<u8> {
    converted::<P>(points, compress)
}

fn compress<P: PairingGroup<Base: ResidueField>>(point: &P, bytes: &mut Vec<u8>) {
    let coefficients = point.coefficients();
    let (x, y) = coefficients.split_at(P::DEGREE);
    let start = bytes.len();
    for coefficient in x.iter().rev() {
        bytes.extend(coefficient.to_be_bytes());
    }
    if is_larger(y) {
        bytes[start] |= LARGER;
    }
}

/// Points in Montgomery form, of their short form; none if one of them is no point of the group. In parallel.
pub(crate) fn decompressed<P: PairingGroup<Base: ResidueField>>(bytes: &[u8]) -> Option<Vec<u8>> {
    let size = P::BYTES / 2;
    let points: Vec<&[u8]> = bytes.chunks_exact(size).collect();
    let decoder = Decoder::<P::Base>::new();
    let parts = map_indices(points.len().div_ceil(POINTS_PER_TASK), |task| {
        let start = task * POINTS_PER_TASK;
        let end = points.len().min(start + POINTS_PER_TASK);
        let mut bytes = Vec::with_capacity((end - start) * P::BYTES);
        for point in &points[start..end] {
            bytes.extend(
                decompress::<P>(&decoder, point)?
                    .to_montgomery_bytes()
                    .as_ref(),
            );
        }
        Some(bytes)
    });
    let parts: Option<Vec<Vec<u8>>> = parts.into_iter().collect();
    Some(parts?.concat())
}

fn decompress<P: PairingGroup<Base: ResidueField>>(
    decoder: &Decoder<P::Base>,
    bytes: &[u8],
) -> Option<P> {
    let mut bytes = bytes.to_vec();
    let is_larger = bytes[0] & LARGER != 0;
    bytes[0] &= !LARGER;
    let x = decoder.coefficients(&bytes, P::DEGREE)?;
    let point = P::lift_x_vartime(&x, is_larger)?;
    // Again from bytes, which checks the group.
    P::from_montgomery_bytes(point.to_montgomery_bytes().as_ref()).ok()
}

/// A point of its coordinates, none if it is no point of the group.
pub(crate) fn from_uncompressed<P: PairingGroup<Base: ResidueField>>(bytes: &[u8]) -> Option<P> {
    from_uncompressed_by(&Decoder::new(), bytes)
}

/// The same of one of many points.
pub(crate) fn from_uncompressed_by<P: PairingGroup<Base: ResidueField>>(
    decoder: &Decoder<P::Base>,
    bytes: &[u8],
) -> Option<P> {
    checked_uncompressed(decoder, bytes).ok()
}

/// The same, with the fault of what is no point of the group.
pub(crate) fn checked_uncompressed<P: PairingGroup<Base: ResidueField>>(
    decoder: &Decoder<P::Base>,
    bytes: &[u8],
) -> Result<P, EncodingError> {
    let (x, y) = bytes.split_at(bytes.len() / 2);
    let mut coefficients = Vec::with_capacity(2 * P::DEGREE);
    for coordinate in [x, y] {
        let elements = decoder.coefficients(coordinate, P::DEGREE);
        coefficients.extend(elements.ok_or(EncodingError::NonCanonical)?);
    }
    P::from_coefficients(&coefficients)
}

/// In parallel.
fn converted<P: PairingGroup>(
    points: &[u8],
    convert: impl Fn(&P, &mut Vec<u8>) + Send + Sync,
) -> Vec<u8> {
    let points: Vec<&[u8]> = points.chunks_exact(P::BYTES).collect();
    let parts = map_indices(points.len().div_ceil(POINTS_PER_TASK), |task| {
        let start = task * POINTS_PER_TASK;
        let end = points.len().min(start + POINTS_PER_TASK);
        let mut bytes = Vec::with_capacity((end - start) * P::BYTES);
        for point in &points[start..end] {
            convert(&P::from_montgomery_bytes_unchecked(point), &mut bytes);
        }
        bytes
    });
    parts.concat()
}

/// The bit of the first byte for the larger y.
const LARGER: u8 = 0x80;

const POINTS_PER_TASK: usize = 1 << 9;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use frumious_curves::{Bls12_381, Bn254, PairingEngine};

    fn check<P: PairingGroup<Base: ResidueField>>() {
        let mut point = P::GENERATOR.into();
        let mut points = Vec::new();
        for _ in 0..POINTS_PER_TASK + 3 {
            points.extend(P::from(point).to_montgomery_bytes().as_ref());
            point = P::double(&point);
        }
        let short = compressed::<P>(&points);
        assert_eq!(2 * short.len(), points.len());
        assert!(decompressed::<P>(&short).unwrap() == points);
        let long = uncompressed::<P>(&points);
        assert_eq!(long.len(), points.len());
        for (long, point) in long.chunks(P::BYTES).zip(points.chunks(P::BYTES)) {
            let decoded: P = from_uncompressed(long).unwrap();
            assert_eq!(decoded.to_montgomery_bytes().as_ref(), point);
            let mut bad = long.to_vec();
            bad[P::BYTES - 1] ^= 1;
            assert!(from_uncompressed::<P>(&bad).is_none());
        }
        // The other y is the opposite point; x of all ones is above the modulus.
        let mut other = short[..P::BYTES / 2].to_vec();
        other[0] ^= LARGER;
        let opposite = (-P::GENERATOR).to_montgomery_bytes();
        assert_eq!(decompressed::<P>(&other).unwrap(), opposite.as_ref());
        other.fill(0xff);
        assert!(decompressed::<P>(&other).is_none());
        // Of a hundred x half have no point; of the others most are outside the group, but on BN254's G1.
        let lifted = (0..100).filter(|k| {
            let mut x = vec![0; P::BYTES / 2];
            x[P::BYTES / 2 - 1] = *k;
            decompressed::<P>(&x).is_some()
        });
        let expected = if P::BYTES == 64 { 30..=70 } else { 0..=1 };
        assert!(expected.contains(&lifted.count()));
    }

    #[test]
    fn points_are_read_as_they_are_written() {
        check::<<Bn254 as PairingEngine>::G1>();
        check::<<Bn254 as PairingEngine>::G2>();
        check::<<Bls12_381 as PairingEngine>::G1>();
        check::<<Bls12_381 as PairingEngine>::G2>();
    }
}
