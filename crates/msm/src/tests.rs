//! The fast method against the naive twin, for all groups, and counts of the work it does.

mod adversarial;
mod bandersnatch;
mod counting;
mod edges;
mod exceptional;
mod multiples;
mod over_all;
mod reduction;
mod threads;

use crate::group::order;
use crate::{BucketPoint, SumDoor, naive};
use core::fmt::Debug;
use frumious_curves::bandersnatch::{
    AffineElement, Element, WeierstrassAffine, batch_to_affine_vartime,
};
use frumious_curves::bls12_381;
use frumious_curves::bn254::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_field::Integer;

/// A group with points to test on.
trait TestGroup: SumDoor<Sum: PartialEq + Debug> + Debug + PartialEq {
    /// The generator.
    fn generator() -> Self;

    /// `-self`.
    fn opposite(&self) -> Self;

    /// Affine forms.
    fn normalise(points: &[Self::Sum]) -> Vec<Self>;

    /// `n` points of which nobody knows a simple relation: `P[i + 1] = 2·P[i] + G` from a far start.
    fn scattered(n: usize) -> Vec<Self> {
        let mut point =
            naive::msm_vartime(&[Self::generator()], &[[0x1234_5678_9abc_def0, 1, 2, 3]]);
        let mut points = Vec::with_capacity(n);
        for _ in 0..n {
            points.push(point);
            point = Self::generator().add_to(&Self::double_times(&point, 1));
        }
        Self::normalise(&points)
    }

    /// `G, 2G, …, nG`.
    fn progression(n: usize) -> Vec<Self> {
        let mut point = Self::NEUTRAL;
        let mut points = Vec::with_capacity(n);
        for _ in 0..n {
            point = Self::generator().add_to(&point);
            points.push(point);
        }
        Self::normalise(&points)
    }
}

macro_rules! impl_test_group {
    ($($affine:ty, $projective:ty;)*) => {$(
        impl TestGroup for $affine {
            fn generator() -> Self {
                <$affine>::GENERATOR
            }

            fn opposite(&self) -> Self {
                -*self
            }

            fn normalise(points: &[$projective]) -> Vec<Self> {
                <$projective>::batch_to_affine_vartime(points)
            }
        }
    )*};
}

impl_test_group!(
    G1Affine, G1Projective;
    G2Affine, G2Projective;
    bls12_381::G1Affine, bls12_381::G1Projective;
    bls12_381::G2Affine, bls12_381::G2Projective;
);

/// Every third point by its second representative, `P + (0, -1)`.
impl TestGroup for WeierstrassAffine {
    fn generator() -> Self {
        crate::bandersnatch::convert_vartime(&[AffineElement::GENERATOR])[0]
    }

    fn opposite(&self) -> Self {
        Self::from_coordinates(self.x(), -self.y())
    }

    fn normalise(points: &[Element]) -> Vec<Self> {
        let mut points = batch_to_affine_vartime(points);
        for point in points.iter_mut().step_by(3) {
            *point = second(point);
        }
        crate::bandersnatch::convert_vartime(&points)
    }
}

/// The other representative, `(-x, -y)`.
fn second(point: &AffineElement) -> AffineElement {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&(-point.x()).to_be_bytes());
    bytes[32..].copy_from_slice(&(-point.y()).to_be_bytes());
    AffineElement::from_uncompressed(&bytes).expect("a representative of an element")
}

fn infinity<A: BucketPoint>() -> A {
    A::from_coordinates(Default::default(), Default::default())
}

/// The same 64-bit numbers on every run (xorshift64*; Vigna 2016).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A scalar below the order of BN254, four to five times that of Bandersnatch, of the distribution that hashes
    /// have.
    fn scalar(&mut self) -> [u64; 4] {
        let bytes: [u8; 64] = core::array::from_fn(|_| self.next() as u8);
        Fr::from_uniform_bytes(&bytes).to_canonical_limbs()
    }

    fn scalars(&mut self, n: usize) -> Vec<[u64; 4]> {
        (0..n).map(|_| self.scalar()).collect()
    }
}

/// Words as scalars. Those of the order and above are taken modulo the order too, though no caller may rely on it.
fn integers<A: BucketPoint>(words: &[[u64; 4]]) -> Vec<Integer<A::ScalarField>> {
    words
        .iter()
        .copied()
        .map(Integer::from_words_unchecked)
        .collect()
}

/// `r - value`, `value < 2^62`.
fn order_minus<A: BucketPoint>(value: u64) -> [u64; 4] {
    let mut words = *order::<A>();
    let mut borrow = value;
    for word in &mut words {
        let (difference, below) = word.overflowing_sub(borrow);
        (*word, borrow) = (difference, u64::from(below));
    }
    words
}

/// `2^bit`, `bit < 256`.
fn power(bit: usize) -> [u64; 4] {
    let mut words = [0; 4];
    words[bit / 64] = 1 << (bit % 64);
    words
}

/// `2^bit - 1`, `bit ≤ 256`.
fn ones(bit: usize) -> [u64; 4] {
    core::array::from_fn(|word| match bit.saturating_sub(64 * word) {
        0 => 0,
        above if above >= 64 => u64::MAX,
        above => (1 << above) - 1,
    })
}

/// Checks one input against the twin.
fn check<A: TestGroup>(points: &[A], scalars: &[[u64; 4]]) {
    let fast = crate::of_pairs_vartime(points, &integers::<A>(scalars)).expect("lengths are equal");
    assert_eq!(
        fast,
        naive::msm_vartime(points, scalars),
        "{} points, first scalars {:x?}",
        points.len(),
        &scalars[..scalars.len().min(4)]
    );
}
