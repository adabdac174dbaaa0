//! Points as challenges and responses have them: all coordinates, or x and one bit of y.
//!
//! Coordinates are most significant byte first, in G2 the imaginary part before the real one. In the short form the
//! first bit says that y is the larger of the two. Infinity, which no valid powers have, is not encoded here.

use frumious_curves::engine::{PairingGroup, ResidueField};
use frumious_parallel::map_indices;

/// All coordinates of points that are given in Montgomery form.
pub(super) fn uncompressed<P: PairingGroup>(points: &[u8]) -> Vec<u8> {
    converted::<P>(points, |point, bytes| {
        bytes.extend(point.to_big_endian_bytes());
    })
}

/// The short form of points that are given in Montgomery form.
pub(super) fn compressed<P: PairingGroup<Base: ResidueField>>(points: &[u8]) -> Vec<u8> {
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

/// True if y is larger than -y, coefficient by coefficient from the last.
fn is_larger<F: ResidueField>(y: &[F]) -> bool {
    let last = y.iter().rev().find(|coefficient| **coefficient != F::ZERO);
    last.is_some_and(|coefficient| coefficient.to_be_bytes() > (-*coefficient).to_be_bytes())
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
