//! Affine coordinates of many points in lanes, one inversion for all.

use super::{Fq, G1Affine, G1Projective};
use crate::rows::{words, words_mut};
use frumious_field::PackedWords;
use frumious_field::batch::{AT_ONCE, Eights, EightsMut, Fractions, InvertAll};
use frumious_field::lanes::{self, Lanes5};
use frumious_simd::{LANES, Lanes, Vector};

/// The affine forms, infinity as `(0, 0)`; none if there are no lanes, or too few points to be worth it.
pub(super) fn batch_to_affine_vartime(points: &[G1Projective]) -> Option<Vec<G1Affine>> {
    let cpu = lanes::active().filter(|_| points.len() >= LANES_FROM)?;
    let mut targets = vec![G1Affine::IDENTITY; points.len()];
    for (points, targets) in points.chunks(AT_ONCE).zip(targets.chunks_mut(AT_ONCE)) {
        let mut quotients = ToAffine::new(points, targets);
        cpu.run(InvertAll(&mut quotients));
        quotients.targets.finish();
    }
    Some(targets)
}

/// Fewer points are as fast one by one.
const LANES_FROM: usize = 16;

struct ToAffine<'a> {
    points: Eights<'a, G1Projective>,
    targets: EightsMut<'a, G1Affine>,
}

impl<'a> ToAffine<'a> {
    /// Two slices of one length.
    fn new(points: &'a [G1Projective], targets: &'a mut [G1Affine]) -> Self {
        Self {
            points: Eights::new(points, G1Projective::IDENTITY),
            targets: EightsMut::new(targets, G1Affine::IDENTITY),
        }
    }
}

impl Fractions for ToAffine<'_> {
    type Denominator = Fq;

    #[inline(always)]
    fn blocks(&self) -> usize {
        self.points.blocks()
    }

    /// Z, or one for the point at infinity.
    #[inline(always)]
    fn denominators<V: Vector>(&self, cpu: V::Cpu, i: usize) -> Lanes5<Fq, V> {
        let points = self.points.get(i);
        let z = Lanes::load_packed(cpu, words!(points.z));
        z.select(Lanes::one(cpu), z.is_number_zero())
    }

    #[inline(always)]
    fn room(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        let targets = self.targets.get_mut(i);
        words_mut!(targets.x)
    }

    #[inline(always)]
    fn kept(&self, i: usize) -> [&[u64; 4]; LANES] {
        let targets = self.targets.get(i);
        words!(targets.x)
    }

    #[inline(always)]
    fn finish<V: Vector>(&mut self, cpu: V::Cpu, i: usize, inverses: Lanes5<Fq, V>) {
        let points = self.points.get(i);
        let infinity = Lanes5::<Fq, V>::load_packed(cpu, words!(points.z)).is_number_zero();
        let inverses = inverses.select(Lanes::zero(cpu), infinity);
        let x = inverses * Lanes::load_packed(cpu, words!(points.x));
        let y = inverses * Lanes::load_packed(cpu, words!(points.y));
        let targets = self.targets.get_mut(i);
        x.reduce().store_words(words_mut!(targets.x));
        y.reduce().store_words(words_mut!(targets.y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
