//! Affine coordinates of many points in lanes, one inversion in Fq for all.
//!
//! `1/Z = conjugate(Z)/N` with the norm `N = Z0² + Z1²`, so the denominators are norms.

use super::{Fq, G2Affine, G2Projective};
use crate::rows::{words, words_mut};
use frumious_field::PackedWords;
use frumious_field::batch::{AT_ONCE, Eights, EightsMut, Fractions, InvertAll};
use frumious_field::lanes::{self, Lanes5};
use frumious_simd::{LANES, Lanes, Vector};

/// The affine forms, infinity as `(0, 0)`; none if there are no lanes, or too few points to be worth it.
pub(super) fn batch_to_affine_vartime(points: &[G2Projective]) -> Option<Vec<G2Affine>> {
    let cpu = lanes::active().filter(|_| points.len() >= LANES_FROM)?;
    let mut targets = vec![G2Affine::IDENTITY; points.len()];
    for (points, targets) in points.chunks(AT_ONCE).zip(targets.chunks_mut(AT_ONCE)) {
        let mut quotients = ToAffine::new(points, targets);
        cpu.run(InvertAll(&mut quotients));
        quotients.targets.finish();
    }
    Some(targets)
}

/// Fewer points are as fast one by one.
const LANES_FROM: usize = 8;

struct ToAffine<'a> {
    points: Eights<'a, G2Projective>,
    targets: EightsMut<'a, G2Affine>,
}

impl<'a> ToAffine<'a> {
    /// Two slices of one length.
    fn new(points: &'a [G2Projective], targets: &'a mut [G2Affine]) -> Self {
        Self {
            points: Eights::new(points, G2Projective::IDENTITY),
            targets: EightsMut::new(targets, G2Affine::IDENTITY),
        }
    }
}

impl Fractions for ToAffine<'_> {
    type Denominator = Fq;

    #[inline(always)]
    fn blocks(&self) -> usize {
        self.points.blocks()
    }

    /// The norm of Z, or one for the point at infinity.
    #[inline(always)]
    fn denominators<V: Vector>(&self, cpu: V::Cpu, i: usize) -> Lanes5<Fq, V> {
        let points = self.points.get(i);
        let z0 = Lanes::load_packed(cpu, words!(points.z.c0));
        let z1 = Lanes::load_packed(cpu, words!(points.z.c1));
        let infinity = z0.is_number_zero() & z1.is_number_zero();
        let z = [z0.reduce_weakly(), z1.reduce_weakly()];
        Lanes::sum_of_products(z, z).select(Lanes::one(cpu), infinity)
    }

    #[inline(always)]
    fn room(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        let targets = self.targets.get_mut(i);
        words_mut!(targets.x.c0)
    }

    #[inline(always)]
    fn kept(&self, i: usize) -> [&[u64; 4]; LANES] {
        let targets = self.targets.get(i);
        words!(targets.x.c0)
    }

    /// With `v = Z/N`, packed, `X/Z = (x0·v0 + x1·v1) + (x1·v0 - x0·v1)·u`, and so for Y. The point at infinity has
    /// `v = 0`.
    #[inline(always)]
    fn finish<V: Vector>(&mut self, cpu: V::Cpu, i: usize, inverses: Lanes5<Fq, V>) {
        let points = self.points.get(i);
        let v0 = inverses * Lanes::load_packed(cpu, words!(points.z.c0));
        let v1 = inverses * Lanes::load_packed(cpu, words!(points.z.c1));
        let x0 = Lanes::load_packed(cpu, words!(points.x.c0));
        let x1 = Lanes::load_packed(cpu, words!(points.x.c1));
        let y0 = Lanes::load_packed(cpu, words!(points.y.c0));
        let y1 = Lanes::load_packed(cpu, words!(points.y.c1));
        let [x0, x1] = times_conjugate([x0, x1], [v0, v1]);
        let [y0, y1] = times_conjugate([y0, y1], [v0, v1]);
        let targets = self.targets.get_mut(i);
        x0.store_words(words_mut!(targets.x.c0));
        x1.store_words(words_mut!(targets.x.c1));
        y0.store_words(words_mut!(targets.y.c0));
        y1.store_words(words_mut!(targets.y.c1));
    }
}

/// `a·conjugate(v)` for coordinates below `16p` and `2p`: bounds of 16·2 + 16·3 where 84 are allowed. Reduced.
#[inline(always)]
fn times_conjugate<V: Vector>(
    [a0, a1]: [Lanes5<Fq, V>; 2],
    [v0, v1]: [Lanes5<Fq, V>; 2],
) -> [Lanes5<Fq, V>; 2] {
    let real = Lanes::sum_of_products([a0, a1], [v0, v1]);
    let imaginary = Lanes::sum_of_products([a1, a0], [v0, v1.negate::<2>()]);
    [real.reduce(), imaginary.reduce()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use frumious_simd::Model;

    #[test]
    fn model_equals_single_points() {
        let mut point = G2Projective::from(G2Affine::GENERATOR);
        let points: Vec<_> = (0..25)
            .map(|i| {
                point = point.double();
                match i % 4 {
                    1 => G2Projective::IDENTITY,
                    2 => G2Projective::from(point.to_affine()),
                    _ => point,
                }
            })
            .collect();
        let expected: Vec<_> = points.iter().map(G2Projective::to_affine).collect();
        for length in [0, 1, 2, 7, 8, 9, 16, 17, 25] {
            let mut affine = vec![G2Affine::GENERATOR; length];
            let mut quotients = ToAffine::new(&points[..length], &mut affine);
            Model::run(InvertAll(&mut quotients));
            quotients.targets.finish();
            assert_eq!(affine, expected[..length]);
            assert_eq!(
                G2Projective::batch_to_affine_vartime(&points[..length]),
                expected[..length]
            );
        }
        let many: Vec<_> = points.iter().cycle().take(AT_ONCE + 30).copied().collect();
        for (affine, expected) in G2Projective::batch_to_affine_vartime(&many)
            .iter()
            .zip(expected.iter().cycle())
        {
            assert_eq!(affine, expected);
        }
    }
}
