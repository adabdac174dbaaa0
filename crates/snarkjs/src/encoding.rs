//! Points as challenges, responses and bellman's files have them: all coordinates, or x and one bit of y.
//!
//! Coordinates are most significant byte first, in G2 the imaginary part before the real one. In the short form the
//! first bit says that y is the larger of the two. Infinity has zeros for coordinates, and no short form.

use crate::big_endian::Decoder;
use crate::points::are_all_in_group;
use frumious_curves::EncodingError;
use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_msm::ScaledPoint;
use frumious_parallel::map_indices;

/// All coordinates of points that are given in Montgomery form.
pub(crate) fn uncompressed<P: PairingGroup>(points: &[u8]) -> Vec<u8> {
    converted::<P>(points, |point, bytes| {
        bytes.extend(point.to_big_endian_bytes());
    })
}

/// The short form of points that are given in Montgomery form.
pub(crate) fn compressed<P: PairingGroup<Base: ResidueField>>(points: &[u8]) -> Vec<u8> {
    shortened::<P>(&uncompressed::<P>(points))
}

/// The short form of points that are given with all coordinates, as [`uncompressed`] gives them.
pub(crate) fn shortened<P: PairingGroup<Base: ResidueField>>(points: &[u8]) -> Vec<u8> {
    let half = half_of_modulus::<P::Base>();
    let mut short = Vec::with_capacity(points.len() / 2);
    for point in points.chunks_exact(P::BYTES) {
        let (x, y) = point.split_at(P::BYTES / 2);
        let start = short.len();
        short.extend_from_slice(x);
        // Larger than its opposite, by the last coefficient that is not zero: here the first.
        let mut coefficients = y.chunks_exact(half.len());
        let last = coefficients.find(|bytes| bytes.iter().any(|byte| *byte != 0));
        if last.is_some_and(|bytes| *bytes > half[..]) {
            short[start] |= LARGER;
        }
    }
    short
}

/// The largest number that is smaller than its opposite, most significant byte first.
fn half_of_modulus<F: ResidueField>() -> Vec<u8> {
    let words = F::MODULUS_WORDS;
    let halved = (0..words.len()).rev().map(|k| {
        let above = words.get(k + 1).copied().unwrap_or(0);
        words[k] >> 1 | above << 63
    });
    halved.flat_map(u64::to_be_bytes).collect()
}

/// Points in Montgomery form, of their short form; none if one of them is no point of the group, as
/// [`Points::check`](crate::Points::check) finds it. In parallel.
pub(crate) fn decompressed<P: PairingGroup<Base: ResidueField> + ScaledPoint>(
    bytes: &[u8],
) -> Option<Vec<u8>> {
    let size = P::BYTES / 2;
    let points: Vec<&[u8]> = bytes.chunks_exact(size).collect();
    let decoder = Decoder::new();
    let parts = map_indices(points.len().div_ceil(POINTS_PER_TASK), |task| {
        let start = task * POINTS_PER_TASK;
        let end = points.len().min(start + POINTS_PER_TASK);
        let points = points[start..end].iter();
        points
            .map(|bytes| decompress(&decoder, bytes))
            .collect::<Option<Vec<P>>>()
    });
    let parts: Option<Vec<Vec<P>>> = parts.into_iter().collect();
    let points = parts?.concat();
    if !are_all_in_group(&points) {
        return None;
    }
    let parts = map_indices(points.len().div_ceil(POINTS_PER_TASK), |task| {
        let start = task * POINTS_PER_TASK;
        let end = points.len().min(start + POINTS_PER_TASK);
        let mut bytes = Vec::with_capacity((end - start) * P::BYTES);
        for point in &points[start..end] {
            bytes.extend_from_slice(point.to_montgomery_bytes().as_ref());
        }
        bytes
    });
    Some(parts.concat())
}

/// A point of the curve.
fn decompress<P: PairingGroup<Base: ResidueField>>(
    decoder: &Decoder<P::Base>,
    bytes: &[u8],
) -> Option<P> {
    let mut bytes = bytes.to_vec();
    let is_larger = bytes[0] & LARGER != 0;
    bytes[0] &= !LARGER;
    let x = decoder.coefficients(&bytes, P::DEGREE)?;
    P::lift_x_vartime(&x, is_larger)
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
    P::from_coefficients(&coefficients::<P>(decoder, bytes)?)
}

/// The same of a point that need not be in the group.
pub(crate) fn uncompressed_on_curve<P: PairingGroup<Base: ResidueField>>(
    decoder: &Decoder<P::Base>,
    bytes: &[u8],
) -> Result<P, EncodingError> {
    P::from_coefficients_on_curve(&coefficients::<P>(decoder, bytes)?)
}

fn coefficients<P: PairingGroup<Base: ResidueField>>(
    decoder: &Decoder<P::Base>,
    bytes: &[u8],
) -> Result<Vec<P::Base>, EncodingError> {
    let (x, y) = bytes.split_at(bytes.len() / 2);
    let mut coefficients = Vec::with_capacity(2 * P::DEGREE);
    for coordinate in [x, y] {
        let elements = decoder.coefficients(coordinate, P::DEGREE);
        coefficients.extend(elements.ok_or(EncodingError::NonCanonical)?);
    }
    Ok(coefficients)
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
    use frumious_curves::engine::Coordinates;
    use frumious_curves::{Bls12_381, Bn254, PairingEngine};
    use frumious_field::Field;

    fn check<P: PairingGroup<Base: ResidueField> + ScaledPoint>() {
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
        one_outside_is_seen::<P>(&short);
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

    /// Among many points of the group, at the borders of tasks, too.
    fn one_outside_is_seen<P: PairingGroup<Base: ResidueField> + ScaledPoint>(short: &[u8]) {
        let size = P::BYTES / 2;
        let zero = <P as Coordinates>::Base::ZERO;
        let one = <P as Coordinates>::Base::ONE;
        let mut x = vec![zero; P::DEGREE];
        let outside = (1..)
            .find_map(|k| {
                x[0] = (0..k).fold(zero, |sum, _| sum + one);
                P::lift_x_vartime(&x, false)
            })
            .unwrap();
        let is_in = P::from_coefficients(&outside.coefficients()).is_ok();
        assert_eq!(is_in, P::BYTES == 64, "but for BN254's G1");
        let outside = compressed::<P>(outside.to_montgomery_bytes().as_ref());
        for place in [0, 1, 127, 128, POINTS_PER_TASK, POINTS_PER_TASK + 2] {
            let mut bytes = short.to_vec();
            bytes[place * size..(place + 1) * size].copy_from_slice(&outside);
            assert_eq!(decompressed::<P>(&bytes).is_some(), is_in, "{place}");
        }
    }

    #[test]
    fn points_are_read_as_they_are_written() {
        check::<<Bn254 as PairingEngine>::G1>();
        check::<<Bn254 as PairingEngine>::G2>();
        check::<<Bls12_381 as PairingEngine>::G1>();
        check::<<Bls12_381 as PairingEngine>::G2>();
    }
}
