//! BN254's G1: affine entries, sums in projective coordinates, 11 products an addition.

mod lanes;

use super::FixedBase;
use super::group::{Accumulator, EntryForm, FixedGroup, LaneTables, read_words, write_words};
use super::terms::Terms;
use frumious_curves::bn254::{Fq, G1Affine, G1Projective};
use frumious_curves::weierstrass;
use frumious_field::kernel::Multiplier;
use frumious_field::{Choice, ConditionallySelectable, KernelField, Lazy};
use frumious_simd::{Block, Vector};

/// The group G1 of BN254; see [`frumious_curves::bn254`].
pub type Bn254G1 = G1Affine;

impl FixedGroup for G1Affine {
    type Entry = G1Affine;
    type Accumulator<T: Multiplier> = Sum<T>;

    const NAME: &'static str = "bn254-g1";

    fn encode(point: &G1Affine) -> Vec<u8> {
        [point.x.to_le_bytes(), point.y.to_le_bytes()].concat()
    }

    fn first_wrong_sum_vartime(pairs: &[(G1Affine, G1Affine)], sums: &[G1Affine]) -> Option<usize> {
        let mut sums = pairs.iter().zip(sums);
        sums.position(|((left, right), sum)| !is_sum(left, right, sum))
    }

    fn powers_vartime(point: &G1Affine, count: usize) -> Vec<G1Affine> {
        let powers: Vec<G1Projective> =
            core::iter::successors(Some(G1Projective::from(*point)), |last| Some(last.double()))
                .take(count)
                .collect();
        G1Projective::batch_to_affine_vartime(&powers)
    }

    fn sums_vartime(pairs: &[(G1Affine, G1Affine)], sums: &mut Vec<G1Affine>) {
        let projective: Vec<G1Projective> = pairs
            .iter()
            .map(|(left, right)| G1Projective::from(*left).add_affine_vartime(right))
            .collect();
        sums.extend(G1Projective::batch_to_affine_vartime(&projective));
    }

    #[inline(never)]
    fn sum_vartime(table: &FixedBase<Self>, terms: Terms<'_, Self>) -> G1Projective {
        table.sum(terms)
    }
}

impl EntryForm for G1Affine {
    const BYTES: usize = 64;
    const IDENTITY: Self = Self::IDENTITY;

    fn opposite(&self) -> Self {
        self.neg()
    }

    fn write(&self, bytes: &mut [u8]) {
        for (value, bytes) in [self.x, self.y].iter().zip(bytes.chunks_exact_mut(32)) {
            write_words(&value.to_montgomery_limbs(), bytes);
        }
    }

    #[inline(always)]
    fn read(bytes: &[u8]) -> Self {
        let bytes: &[u8; 64] = bytes.first_chunk().expect("an entry has 64 bytes");
        let value = |start| Fq::from_montgomery_limbs_unchecked(read_words(&bytes[start..]));
        Self {
            x: value(0),
            y: value(32),
        }
    }

    fn read_checked(bytes: &[u8]) -> Option<Self> {
        let entry = Self::read(bytes);
        let is_reduced = |value: &Fq| {
            let words = value.to_montgomery_limbs();
            bool::from(Fq::from_montgomery_limbs(words).is_some())
        };
        (is_reduced(&entry.x) && is_reduced(&entry.y)).then_some(entry)
    }
}

impl LaneTables for G1Affine {
    type LaneSum<V: Vector> = lanes::Sums<V>;
    type LaneBlocks = [Block<5>; 3];
    type EntryWords = [[u64; 4]; 2];

    const IDENTITY_WORDS: &'static [[u64; 4]; 2] = &[[0; 4]; 2];
    const ZERO_BLOCKS: [Block<5>; 3] = [Block::ZERO; 3];

    #[inline]
    fn rows(words: &[u64]) -> &[[[u64; 4]; 2]] {
        words.as_chunks().0.as_chunks().0
    }
}

/// Whether `sum` is `left + right`, by the chord through both, without an inversion: with `λ = dy/dx`,
/// `x₃ = λ² − x₁ − x₂` and `y₃ = λ·(x₁ − x₃) − y₁`. Five products, but where there is no chord.
fn is_sum(left: &G1Affine, right: &G1Affine, sum: &G1Affine) -> bool {
    let (dx, dy) = (right.x - left.x, right.y - left.y);
    if dx == Fq::ZERO || left.is_identity_vartime() || right.is_identity_vartime() {
        let expected = G1Projective::from(*left).add_affine_vartime(right);
        return expected.to_affine() == *sum;
    }
    dy.square() == (left.x + right.x + sum.x) * dx.square()
        && (sum.y + left.y) * dx == dy * (left.x - sum.x)
}

/// A sum in homogeneous projective coordinates, `(0 : 1 : 0)` for infinity.
#[derive(Clone, Copy, Debug)]
pub struct Sum<T: Multiplier> {
    x: Lazy<Fq, T>,
    y: Lazy<Fq, T>,
    z: Lazy<Fq, T>,
}

impl<T: Multiplier> Accumulator for Sum<T> {
    type Group = Bn254G1;
    type Cpu = T;

    #[inline(always)]
    fn start(cpu: T, entry: &G1Affine, negative: bool) -> Self {
        let point = G1Projective::from(signed(entry, negative));
        Self {
            x: Lazy::load(cpu, point.x),
            y: Lazy::load(cpu, point.y),
            z: Lazy::load(cpu, point.z),
        }
    }

    /// Complete but for an entry at infinity.
    #[inline(always)]
    fn add(self, cpu: T, entry: &G1Affine, negative: bool) -> Self {
        if entry.is_identity_vartime() {
            return self;
        }
        let entry = signed(entry, negative);
        let entry = [entry.x, entry.y].map(|value| Lazy::load(cpu, value));
        Self::of(weierstrass::add_affine(
            self.coordinates(),
            entry,
            nine_times,
        ))
    }

    #[inline(always)]
    fn add_and_double(self, cpu: T, entry: &G1Affine, negative: bool) -> Self {
        self.add(cpu, entry, negative).double()
    }

    #[inline(always)]
    fn double(self) -> Self {
        Self::of(weierstrass::double(self.coordinates(), nine_times))
    }

    #[inline(always)]
    fn join(self, _: T, other: Self) -> Self {
        Self::of(weierstrass::add(
            self.coordinates(),
            other.coordinates(),
            nine_times,
        ))
    }

    fn finish(self) -> G1Projective {
        G1Projective {
            x: self.x.store(),
            y: self.y.store(),
            z: self.z.store(),
        }
    }
}

impl<T: Multiplier> Sum<T> {
    #[inline(always)]
    fn coordinates(self) -> [Lazy<Fq, T>; 3] {
        [self.x, self.y, self.z]
    }

    #[inline(always)]
    fn of([x, y, z]: [Lazy<Fq, T>; 3]) -> Self {
        Self { x, y, z }
    }
}

/// `3b·value`, where `b = 3`.
#[inline(always)]
fn nine_times<V: KernelField>(value: V) -> V {
    value.double().double().double() + value
}

/// `±entry`, by selection: signs are as good as random.
#[inline(always)]
fn signed(entry: &G1Affine, negative: bool) -> G1Affine {
    let sign = [Choice::from(0), Choice::from(1)][usize::from(negative)];
    G1Affine {
        x: entry.x,
        y: Fq::conditional_select(&entry.y, &-entry.y, sign),
    }
}
