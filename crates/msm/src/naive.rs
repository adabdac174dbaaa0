//! The twin: double and add, bit by bit, with nothing of the fast method in it.

use crate::BucketPoint;

/// `Σ scalars[i]·points[i]` from the bits of the scalars as they are, with no reduction modulo the order.
pub(crate) fn msm_vartime<A: BucketPoint>(points: &[A], scalars: &[[u64; 4]]) -> A::Sum {
    assert_eq!(points.len(), scalars.len());
    let mut result = A::NEUTRAL;
    for bit in (0..256).rev() {
        result = A::double_times(&result, 1);
        for (point, scalar) in points.iter().zip(scalars) {
            if scalar[bit / 64] >> (bit % 64) & 1 == 1 {
                result += A::Sum::from(*point);
            }
        }
    }
    result
}
