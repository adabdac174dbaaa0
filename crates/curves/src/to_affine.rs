//! Affine coordinates of many points in lanes: `X/Z` and `Y/Z` with one inversion for all.
//!
//! Points have coordinates in a prime field. BN254's G2 has a kernel of its own (`bn254::g2::lanes`), as the
//! denominators over a quadratic extension are norms.

use frumious_field::batch::{AT_ONCE, Eights, EightsMut, Fractions, InvertAll};
use frumious_field::lanes::Lanes5;
use frumious_field::{PackedWords, WordField};
use frumious_simd::{LANES, Lanes, Unit, Vector};

/// A point `(X : Y : Z)` whose affine coordinates are `X/Z` and `Y/Z`.
pub(crate) trait Homogeneous: Copy {
    /// The field of the coordinates.
    type Base: WordField;
    /// The affine form.
    type Affine: Copy;

    /// A point with a finite affine form, or with infinity: it completes the last block.
    const FILLER: Self;
    /// Its affine form, or any.
    const AFFINE_FILLER: Self::Affine;
    /// True if `Z` may be zero. The affine form of that point is `(0, 0)`.
    const HAS_INFINITY: bool;

    /// X, Y and Z.
    fn xyz(&self) -> [&Self::Base; 3];
    /// The affine x.
    fn x(affine: &Self::Affine) -> &Self::Base;
    /// The affine x and y.
    fn xy_mut(affine: &mut Self::Affine) -> [&mut Self::Base; 2];
}

/// The affine forms of `points` into `targets`, of the same length.
pub(crate) fn batch_to_affine_into_vartime<P: Homogeneous>(
    unit: Unit,
    points: &[P],
    targets: &mut [P::Affine],
) {
    for (points, targets) in points.chunks(AT_ONCE).zip(targets.chunks_mut(AT_ONCE)) {
        let mut quotients = ToAffine::new(points, targets);
        unit.run(InvertAll(&mut quotients));
        quotients.targets.finish();
    }
}

/// `X/Z` and `Y/Z`.
pub(crate) struct ToAffine<'a, P: Homogeneous> {
    points: Eights<'a, P>,
    pub(crate) targets: EightsMut<'a, P::Affine>,
}

impl<'a, P: Homogeneous> ToAffine<'a, P> {
    /// Two slices of one length.
    pub(crate) fn new(points: &'a [P], targets: &'a mut [P::Affine]) -> Self {
        Self {
            points: Eights::new(points, P::FILLER),
            targets: EightsMut::new(targets, P::AFFINE_FILLER),
        }
    }

    #[inline(always)]
    fn load<V: Vector, const K: usize>(&self, cpu: V::Cpu, i: usize) -> Lanes5<P::Base, V> {
        let [p0, p1, p2, p3, p4, p5, p6, p7] = self.points.get(i);
        let coordinate = [
            p0.xyz()[K].as_words(),
            p1.xyz()[K].as_words(),
            p2.xyz()[K].as_words(),
            p3.xyz()[K].as_words(),
            p4.xyz()[K].as_words(),
            p5.xyz()[K].as_words(),
            p6.xyz()[K].as_words(),
            p7.xyz()[K].as_words(),
        ];
        Lanes::load_packed(cpu, coordinate)
    }

    /// The words of a coordinate of each target.
    #[inline(always)]
    fn target<const K: usize>(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        let [t0, t1, t2, t3, t4, t5, t6, t7] = self.targets.get_mut(i);
        [
            word_mut::<P, K>(t0),
            word_mut::<P, K>(t1),
            word_mut::<P, K>(t2),
            word_mut::<P, K>(t3),
            word_mut::<P, K>(t4),
            word_mut::<P, K>(t5),
            word_mut::<P, K>(t6),
            word_mut::<P, K>(t7),
        ]
    }
}

#[inline(always)]
fn word_mut<P: Homogeneous, const K: usize>(affine: &mut P::Affine) -> &mut [u64; 4] {
    let [x, y] = P::xy_mut(affine);
    match K {
        0 => x.as_words_mut(),
        _ => y.as_words_mut(),
    }
}

impl<P: Homogeneous> Fractions for ToAffine<'_, P> {
    type Denominator = P::Base;

    #[inline(always)]
    fn blocks(&self) -> usize {
        self.points.blocks()
    }

    /// Z, or one for the point at infinity.
    #[inline(always)]
    fn denominators<V: Vector>(&self, cpu: V::Cpu, i: usize) -> Lanes5<P::Base, V> {
        let z = self.load::<V, 2>(cpu, i);
        match P::HAS_INFINITY {
            true => z.select(Lanes::one(cpu), z.is_number_zero()),
            false => z,
        }
    }

    #[inline(always)]
    fn room(&mut self, i: usize) -> [&mut [u64; 4]; LANES] {
        self.target::<0>(i)
    }

    #[inline(always)]
    fn kept(&self, i: usize) -> [&[u64; 4]; LANES] {
        let [t0, t1, t2, t3, t4, t5, t6, t7] = self.targets.get(i);
        [
            P::x(t0).as_words(),
            P::x(t1).as_words(),
            P::x(t2).as_words(),
            P::x(t3).as_words(),
            P::x(t4).as_words(),
            P::x(t5).as_words(),
            P::x(t6).as_words(),
            P::x(t7).as_words(),
        ]
    }

    #[inline(always)]
    fn finish<V: Vector>(&mut self, cpu: V::Cpu, i: usize, mut inverses: Lanes5<P::Base, V>) {
        if P::HAS_INFINITY {
            let infinity = self.load::<V, 2>(cpu, i).is_number_zero();
            inverses = inverses.select(Lanes::zero(cpu), infinity);
        }
        let x = inverses * self.load::<V, 0>(cpu, i);
        let y = inverses * self.load::<V, 1>(cpu, i);
        x.reduce().store_words(self.target::<0>(i));
        y.reduce().store_words(self.target::<1>(i));
    }
}
