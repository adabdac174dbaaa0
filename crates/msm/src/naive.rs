//! The twin: double and add, one point after another, with nothing of the fast method in it.

use crate::MsmPoint;

/// `Σ scalars[i]·points[i]` from the bits of the scalars as they are, with no reduction modulo the order.
pub(crate) fn msm_vartime<A: MsmPoint>(points: &[A], scalars: &[[u64; 4]]) -> A::Projective {
    assert_eq!(points.len(), scalars.len());
    let mut result = A::IDENTITY;
    for (point, scalar) in points.iter().zip(scalars) {
        result += multiply_vartime(point, scalar);
    }
    result
}

fn multiply_vartime<A: MsmPoint>(point: &A, scalar: &[u64; 4]) -> A::Projective {
    let mut result = A::IDENTITY;
    for bit in (0..256).rev() {
        result = A::double(&result);
        if scalar[bit / 64] >> (bit % 64) & 1 == 1 {
            result += A::Projective::from(*point);
        }
    }
    result
}
