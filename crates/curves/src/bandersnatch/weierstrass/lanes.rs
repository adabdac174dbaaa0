//! Edwards points into Weierstrass points in lanes.

use super::{AffineElement, Fq, K, S, WeierstrassAffine};
use frumious_field::PackedWords;
use frumious_field::batch::{Eights, EightsMut, Fractions, InvertAll};
use frumious_field::lanes::Lanes5;
use frumious_simd::{LANES, Lanes, Prime, Unit, Vector};

/// As [`WeierstrassAffine::batch_from_affine_vartime`]; eight products a point.
pub(super) fn convert_vartime(unit: Unit, points: &[AffineElement], out: &mut [WeierstrassAffine]) {
    // No denominator is zero for a generator, so it completes the last block.
    let mut conversion = Conversion {
        points: Eights::new(points, AffineElement::GENERATOR),
        out: EightsMut::new(out, WeierstrassAffine::IDENTITY),
    };
    unit.run(InvertAll(&mut conversion));
    conversion.out.finish();
}

/// Points with the denominators `x·(1 - y)`, or one for the neutral element.
struct Conversion<'a> {
    points: Eights<'a, AffineElement>,
    out: EightsMut<'a, WeierstrassAffine>,
}

/// `x` and `y`, below `2p`.
#[inline(always)]
fn load<V: Vector>(cpu: V::Cpu, points: &[AffineElement; LANES]) -> (Lanes5<Fq, V>, Lanes5<Fq, V>) {
    let [p0, p1, p2, p3, p4, p5, p6, p7] = points;
    let x = each([&p0.x, &p1.x, &p2.x, &p3.x, &p4.x, &p5.x, &p6.x, &p7.x]);
    let y = each([&p0.y, &p1.y, &p2.y, &p3.y, &p4.y, &p5.y, &p6.y, &p7.y]);
    (
        Lanes::load_packed(cpu, x).reduce_weakly(),
        Lanes::load_packed(cpu, y).reduce_weakly(),
    )
}

#[inline(always)]
fn each([e0, e1, e2, e3, e4, e5, e6, e7]: [&Fq; LANES]) -> [&[u64; 4]; LANES] {
    [
        e0.as_words(),
        e1.as_words(),
        e2.as_words(),
        e3.as_words(),
        e4.as_words(),
        e5.as_words(),
        e6.as_words(),
        e7.as_words(),
    ]
}

impl Fractions for Conversion<'_> {
    type Denominator = Fq;

    #[inline(always)]
    fn blocks(&self) -> usize {
        self.points.blocks()
    }

    #[inline(always)]
    fn denominators<V: Vector>(&self, cpu: V::Cpu, i: usize) -> Lanes5<Fq, V> {
        let (x, y) = load::<V>(cpu, self.points.get(i));
        let one = Lanes::one(cpu);
        let denominators = x * one.minus::<2>(y);
        denominators.select(one, x.is_zero())
    }

    #[inline(always)]
    fn room(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        let [p0, p1, p2, p3, p4, p5, p6, p7] = self.out.get_mut(i);
        [
            p0.x.as_words_mut(),
            p1.x.as_words_mut(),
            p2.x.as_words_mut(),
            p3.x.as_words_mut(),
            p4.x.as_words_mut(),
            p5.x.as_words_mut(),
            p6.x.as_words_mut(),
            p7.x.as_words_mut(),
        ]
    }

    #[inline(always)]
    fn kept(&self, i: usize) -> [&[u64; 4]; LANES] {
        let [p0, p1, p2, p3, p4, p5, p6, p7] = self.out.get(i);
        each([&p0.x, &p1.x, &p2.x, &p3.x, &p4.x, &p5.x, &p6.x, &p7.x])
    }

    /// `v = k·(1 + y)/(x·(1 - y))` is `Y`, and `v·x + s` the abscissa; both are packed, as the inverses are.
    #[inline(always)]
    fn finish<V: Vector>(&mut self, cpu: V::Cpu, i: usize, inverses: Lanes5<Fq, V>) {
        let (x, y) = load::<V>(cpu, self.points.get(i));
        let k = Lanes::splat(cpu, &K_IN_LANES);
        let v = inverses * ((y + Lanes::one(cpu)) * k);
        let s = Lanes::load_words::<4, 1>(cpu, [S.as_words(); LANES]);
        let u = (v * x + s).subtract_once::<2>().reduce();
        let infinity = x.is_zero();
        let zero = Lanes::zero(cpu);
        store(
            self.out.get_mut(i),
            u.select(zero, infinity),
            v.reduce().select(zero, infinity),
        );
    }
}

/// Packed coordinates below `p` into memory.
#[inline(always)]
fn store<V: Vector>(points: &mut [WeierstrassAffine; LANES], x: Lanes5<Fq, V>, y: Lanes5<Fq, V>) {
    let [p0, p1, p2, p3, p4, p5, p6, p7] = points;
    x.store_words([
        p0.x.as_words_mut(),
        p1.x.as_words_mut(),
        p2.x.as_words_mut(),
        p3.x.as_words_mut(),
        p4.x.as_words_mut(),
        p5.x.as_words_mut(),
        p6.x.as_words_mut(),
        p7.x.as_words_mut(),
    ]);
    y.store_words([
        p0.y.as_words_mut(),
        p1.y.as_words_mut(),
        p2.y.as_words_mut(),
        p3.y.as_words_mut(),
        p4.y.as_words_mut(),
        p5.y.as_words_mut(),
        p6.y.as_words_mut(),
        p7.y.as_words_mut(),
    ]);
}

/// `k` in lane form.
const K_IN_LANES: [u64; 5] = <Fq as Prime<5>>::MODULUS.lane_form(&K.to_montgomery_limbs());

#[cfg(test)]
mod tests {
    use super::super::convert_vartime as scalar_twin;
    use super::*;
    use crate::bandersnatch::Element;
    use frumious_field::Reduced;
    use frumious_field::kernel::Portable;
    use frumious_simd::Model;

    /// Lengths around blocks; neutral elements by both representatives, alone and among others.
    #[test]
    fn the_scalar_twin_gives_the_same() {
        let mut points = Vec::new();
        let mut point = Element::GENERATOR;
        for i in 0..70 {
            let affine = point.to_affine();
            points.push(match i % 9 {
                3 => AffineElement::IDENTITY,
                5 => AffineElement::from_coordinates(Fq::ZERO, -Fq::ONE),
                7 => AffineElement::from_coordinates(-affine.x, -affine.y),
                _ => affine,
            });
            point = point.double() + Element::GENERATOR;
        }
        for (start, len) in [
            (0, 0),
            (0, 1),
            (3, 1),
            (5, 1),
            (0, 8),
            (1, 9),
            (2, 31),
            (0, 70),
        ] {
            let points = &points[start..start + len];
            let mut expected = vec![WeierstrassAffine::IDENTITY; len];
            scalar_twin::<Reduced<Fq, Portable>>(Portable, points, &mut expected);
            let mut converted = vec![WeierstrassAffine::IDENTITY; len];
            let mut conversion = Conversion {
                points: Eights::new(points, AffineElement::GENERATOR),
                out: EightsMut::new(&mut converted, WeierstrassAffine::IDENTITY),
            };
            Model::run(InvertAll(&mut conversion));
            conversion.out.finish();
            assert_eq!(converted, expected, "{len} in the model");
            for unit in Unit::all() {
                converted.fill(WeierstrassAffine::IDENTITY);
                convert_vartime(unit, points, &mut converted);
                assert_eq!(converted, expected, "{len}, {unit:?}");
            }
        }
    }
}
