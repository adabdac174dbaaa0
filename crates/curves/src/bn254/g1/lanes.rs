//! Affine coordinates of many points in lanes.

use super::{Fq, G1Affine, G1Projective};
use crate::to_affine::{Homogeneous, batch_to_affine_into_vartime};
use frumious_field::lanes;

/// The affine forms, infinity as `(0, 0)`; none if there are no lanes, or too few points to be worth it.
pub(super) fn batch_to_affine_vartime(points: &[G1Projective]) -> Option<Vec<G1Affine>> {
    let unit = lanes::active().filter(|_| points.len() >= LANES_FROM)?;
    let mut targets = vec![G1Affine::IDENTITY; points.len()];
    batch_to_affine_into_vartime(unit, points, &mut targets);
    Some(targets)
}

/// Fewer points are as fast one by one.
const LANES_FROM: usize = 16;

impl Homogeneous for G1Projective {
    type Base = Fq;
    type Affine = G1Affine;

    const FILLER: Self = Self::IDENTITY;
    const AFFINE_FILLER: G1Affine = G1Affine::IDENTITY;
    const HAS_INFINITY: bool = true;

    #[inline(always)]
    fn xyz(&self) -> [&Fq; 3] {
        [&self.x, &self.y, &self.z]
    }

    #[inline(always)]
    fn x(affine: &G1Affine) -> &Fq {
        &affine.x
    }

    #[inline(always)]
    fn xy_mut(affine: &mut G1Affine) -> [&mut Fq; 2] {
        [&mut affine.x, &mut affine.y]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_affine::ToAffine;
    use frumious_field::batch::{AT_ONCE, InvertAll};
    use frumious_simd::Model;

    #[test]
    fn model_equals_single_points() {
        let mut point = G1Projective::from(G1Affine::GENERATOR);
        let points: Vec<_> = (0..25)
            .map(|i| {
                point = point.double();
                match i % 4 {
                    1 => G1Projective::IDENTITY,
                    2 => G1Projective::from(point.to_affine()),
                    _ => point,
                }
            })
            .collect();
        let expected: Vec<_> = points.iter().map(G1Projective::to_affine).collect();
        for length in [0, 1, 2, 7, 8, 9, 16, 17, 25] {
            let mut affine = vec![G1Affine::GENERATOR; length];
            let mut quotients = ToAffine::new(&points[..length], &mut affine);
            Model::run(InvertAll(&mut quotients));
            quotients.targets.finish();
            assert_eq!(affine, expected[..length]);
            assert_eq!(
                G1Projective::batch_to_affine_vartime(&points[..length]),
                expected[..length]
            );
        }
        let many: Vec<_> = points.iter().cycle().take(AT_ONCE + 30).copied().collect();
        for (affine, expected) in G1Projective::batch_to_affine_vartime(&many)
            .iter()
            .zip(expected.iter().cycle())
        {
            assert_eq!(affine, expected);
        }
    }
}
