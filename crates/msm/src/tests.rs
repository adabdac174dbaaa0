//! The fast method against the naive twin, for both groups, and counts of the work it does.

mod adversarial;
mod counting;
mod edges;
mod exceptional;
mod threads;

use crate::{MsmPoint, naive};
use core::fmt::Debug;
use frumious_curves::bn254::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};

/// A group with points to test on.
trait TestGroup: MsmPoint<Projective: PartialEq + Debug> + Debug + PartialEq {
    /// The generator.
    const GENERATOR: Self;

    /// `-self`.
    fn opposite(&self) -> Self;

    /// Affine forms.
    fn normalise(points: &[Self::Projective]) -> Vec<Self>;

    /// `n` points of which nobody knows a simple relation: `P[i + 1] = 2·P[i] + G` from a far start.
    fn scattered(n: usize) -> Vec<Self> {
        let mut point = naive::msm_vartime(&[Self::GENERATOR], &[[0x1234_5678_9abc_def0, 1, 2, 3]]);
        let mut points = Vec::with_capacity(n);
        for _ in 0..n {
            points.push(point);
            point = Self::GENERATOR.add_to(&Self::double(&point));
        }
        Self::normalise(&points)
    }

    /// `G, 2G, …, nG`.
    fn progression(n: usize) -> Vec<Self> {
        let mut point = Self::IDENTITY;
        let mut points = Vec::with_capacity(n);
        for _ in 0..n {
            point = Self::GENERATOR.add_to(&point);
            points.push(point);
        }
        Self::normalise(&points)
    }
}

impl TestGroup for G1Affine {
    const GENERATOR: Self = G1Affine::GENERATOR;

    fn opposite(&self) -> Self {
        -*self
    }

    fn normalise(points: &[G1Projective]) -> Vec<Self> {
        G1Projective::batch_to_affine_vartime(points)
    }
}

impl TestGroup for G2Affine {
    const GENERATOR: Self = G2Affine::GENERATOR;

    fn opposite(&self) -> Self {
        -*self
    }

    fn normalise(points: &[G2Projective]) -> Vec<Self> {
        G2Projective::batch_to_affine_vartime(points)
    }
}

fn infinity<A: MsmPoint>() -> A {
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

    /// A scalar below the order, of the distribution that hashes have.
    fn scalar(&mut self) -> [u64; 4] {
        let bytes: [u8; 64] = core::array::from_fn(|_| self.next() as u8);
        Fr::from_uniform_bytes(&bytes).to_canonical_limbs()
    }

    fn scalars(&mut self, n: usize) -> Vec<[u64; 4]> {
        (0..n).map(|_| self.scalar()).collect()
    }
}

/// `r - value`.
fn order_minus(value: u64) -> [u64; 4] {
    (-Fr::from_u64(value)).to_canonical_limbs()
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
    let fast = crate::msm_vartime(points, scalars).expect("lengths are equal");
    assert_eq!(
        fast,
        naive::msm_vartime(points, scalars),
        "{} points, first scalars {:x?}",
        points.len(),
        &scalars[..scalars.len().min(4)]
    );
}
