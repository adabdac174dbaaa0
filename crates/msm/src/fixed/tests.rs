//! Every strategy against double-and-add, in both groups.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

mod budgets;
mod counts;
mod edges;
mod lanes;
mod plans;
mod threads;

use super::*;
use frumious_curves::Group;
use frumious_curves::bandersnatch::Element;
use frumious_field::{Field, PrimeField};

/// A group to test on.
pub(super) trait TestGroup: FixedGroup {
    /// The modulus of coordinates, in words.
    const COORDINATE_MODULUS: [u64; 4];

    /// `n` points without simple relations: `P[i + 1] = 2·P[i] + G`.
    fn points(n: usize) -> Vec<Self> {
        let generator = Self::Projective::from(Self::GENERATOR);
        let mut point = generator;
        let next = |_| {
            point = Self::double(&point) + generator;
            point
        };
        Self::normalise_vartime(&(0..n).map(next).collect::<Vec<_>>())
    }
}

impl TestGroup for Banderwagon {
    const COORDINATE_MODULUS: [u64; 4] = frumious_curves::bandersnatch::Fq::MODULUS;
}

impl TestGroup for Bn254G1 {
    const COORDINATE_MODULUS: [u64; 4] = frumious_curves::bn254::Fq::MODULUS;
}

/// `Σ scalars[i]·points[i]`.
fn naive<G: TestGroup>(points: &[G], scalars: &[G::Scalar]) -> G::Projective {
    points
        .iter()
        .zip(scalars)
        .fold(G::Projective::default(), |sum, (point, scalar)| {
            sum + G::multiply_vartime(&(*point).into(), scalar)
        })
}

/// The same numbers on every run (xorshift64*; Vigna 2016).
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A scalar of the distribution that hashes have.
    pub(super) fn scalar<G: FixedGroup>(&mut self) -> G::Scalar {
        let two_to_63 = G::Scalar::from_u64(1 << 63);
        (0..5).fold(G::Scalar::ZERO, |sum, _| {
            sum * two_to_63 + G::Scalar::from_u64(self.next() >> 1)
        })
    }

    pub(super) fn scalars<G: FixedGroup>(&mut self, n: usize) -> Vec<G::Scalar> {
        (0..n).map(|_| self.scalar::<G>()).collect()
    }
}

/// The operations of the scalar kernel.
fn emit<G: FixedGroup>(shapes: &Planner<G>, terms: Terms<'_, G>, queue: &mut Queue<'_>) {
    terms.with_values(|terms| shapes.emit(terms, Machine::Scalar, queue));
}

/// `2^exponent`.
fn power<G: FixedGroup>(exponent: usize) -> G::Scalar {
    (0..exponent).fold(G::Scalar::ONE, |power, _| power.double())
}

fn comb(rounds: usize, bits: usize) -> Strategy {
    Strategy::Comb {
        rounds,
        bits,
        digits: Digits::Unsigned,
    }
}

fn signed(rounds: usize, bits: usize, order: Order) -> Strategy {
    Strategy::Comb {
        rounds,
        bits,
        digits: Digits::Signed { order },
    }
}

/// All kinds of shapes: windows of even and uneven widths; combs whose blocks are within points, are points, or wrap.
/// Rounds of one bit a point up to all bits; one word of rounds or more.
fn strategies() -> Vec<Strategy> {
    let windows = |count| Strategy::Windows {
        points: usize::MAX,
        count,
    };
    let mut strategies: Vec<Strategy> = [25, 32, 37, 50, 63].into_iter().map(windows).collect();
    for (rounds, bits) in [
        (1, 6),
        (11, 7),
        (23, 11),
        (64, 5),
        (65, 9),
        (128, 8),
        (253, 1),
        (253, 7),
    ] {
        strategies.push(comb(rounds, bits));
    }
    for order in [Order::Consecutive, Order::Strided] {
        for (rounds, bits) in [
            (1, 8),
            (11, 5),
            (17, 9),
            (23, 11),
            (64, 8),
            (85, 7),
            (127, 8),
            (128, 1),
            (200, 6),
            (253, 9),
            (253, 1),
        ] {
            strategies.push(signed(rounds, bits, order));
        }
    }
    strategies
}

fn check<G: TestGroup>(table: &FixedBase<G>, scalars: &[G::Scalar], what: &str) {
    let fast = table.commit_vartime(scalars).unwrap();
    let slow = naive::<G>(table.points(), scalars);
    assert!(
        fast == slow,
        "{what}: {scalars:?} with {:?}",
        table.strategies()
    );
}

fn each_strategy_equals_double_and_add<G: TestGroup>() {
    let mut numbers = Numbers::new(7);
    for strategy in strategies() {
        for n in [1, 2, 16, 19] {
            let table =
                FixedBase::<G>::with_strategies_vartime(&G::points(n), &[strategy]).unwrap();
            assert_eq!(
                table.memory_bytes(),
                strategy.entries::<G>(n).unwrap() * G::Entry::BYTES
            );
            for length in [0, 1, n / 2, n] {
                check(&table, &numbers.scalars::<G>(length), "random");
            }
            let mut scalars = numbers.scalars::<G>(n);
            scalars
                .iter_mut()
                .step_by(2)
                .for_each(|s| *s = G::Scalar::ZERO);
            check(&table, &scalars, "every second");
            scalars.fill(G::Scalar::ZERO);
            check(&table, &scalars, "zeros");
        }
    }
}

#[test]
fn each_strategy_equals_double_and_add_in_banderwagon() {
    each_strategy_equals_double_and_add::<Banderwagon>();
}

#[test]
fn each_strategy_equals_double_and_add_in_bn254() {
    each_strategy_equals_double_and_add::<Bn254G1>();
}

/// All strategies together, for 256 points: the plan mixes them.
#[test]
fn a_set_of_tables_equals_double_and_add() {
    let points = Banderwagon::points(256);
    let table = FixedBase::<Banderwagon>::new_vartime(&points, Budget::mib(48)).unwrap();
    let mut numbers = Numbers::new(8);
    let scalars = numbers.scalars::<Banderwagon>(256);
    for n in [1, 2, 3, 5, 6, 16, 17, 31, 100, 255, 256] {
        check(&table, &scalars[..n], "first");
    }
    for bit in 0..8 {
        for value in 0..2 {
            let mut half = scalars.clone();
            for (index, scalar) in half.iter_mut().enumerate() {
                if index >> bit & 1 == value {
                    *scalar = Field::ZERO;
                }
            }
            check(&table, &half, "half");
        }
    }
}
