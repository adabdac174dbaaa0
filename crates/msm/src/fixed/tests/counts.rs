//! Operations of commitments, counted.

use super::*;

fn average(strategies: &[Strategy], n: usize) -> Operations {
    let points = Banderwagon::points(1); // operations depend on shapes alone
    let shapes = planner::<Banderwagon>(256, strategies).unwrap();
    let mut numbers = Numbers::new(12);
    let mut sum = Operations::default();
    for _ in 0..RUNS {
        let scalars = numbers.scalars::<Banderwagon>(n);
        let mut queue = Queue::new(&mut sum);
        emit(&shapes, Terms::Dense(&scalars), &mut queue);
        queue.flush();
    }
    drop(points);
    Operations {
        additions: (sum.additions + RUNS / 2) / RUNS,
        doublings: sum.doublings / RUNS,
    }
}

const RUNS: usize = 20;

/// Herold 2023: (128, 12) takes about 5,629 operations and 16 MiB, (64, 12) 5,564 and 32 MiB.
#[test]
fn the_published_counts_are_met() {
    for (rounds, published, mib) in [(128, 5_629, 16), (64, 5_564, 32)] {
        let strategy = comb(rounds, 12);
        let operations = average(&[strategy], 256);
        let distance = operations.total().abs_diff(published);
        assert!(distance <= 10, "{operations:?} against {published}");
        assert_eq!(operations.doublings, rounds - 1);
        let bytes =
            strategy.entries::<Banderwagon>(256).unwrap() * FixedBase::<Banderwagon>::ENTRY_BYTES;
        let size = bytes as f64 / f64::from(1 << 20);
        assert!(
            (size - f64::from(mib)).abs() < 0.5,
            "{size} MiB against {mib}"
        );
    }
}

/// By formula: `blocks·t` additions, less those of digits zero, and `t − 1` doublings.
#[test]
fn unsigned_combs_take_what_the_formula_says() {
    for (rounds, bits) in [(11, 11), (23, 11), (23, 7), (253, 13), (64, 8)] {
        let operations = average(&[comb(rounds, bits)], 256);
        let s = 253_usize.div_ceil(rounds);
        let most = (256 * s).div_ceil(bits) * rounds;
        // Of the bits of a round, those beyond 253 are zero, which empties few blocks unless there are many.
        let empty = most / (1 << bits) + (s * rounds - 253) * 256 / bits;
        assert!(operations.additions <= most);
        assert!(
            operations.additions + 2 * empty + rounds >= most,
            "{operations:?} of {most}"
        );
        assert_eq!(operations.doublings, rounds - 1);
    }
}

/// Signed digits are never zero: counts are exact.
#[test]
fn signed_combs_take_blocks_times_rounds() {
    for order in [Order::Consecutive, Order::Strided] {
        for (rounds, bits, blocks) in [
            (253, 16, 16),
            (253, 12, 22),
            (127, 16, 32),
            (23, 11, 256),
            (17, 8, 512),
        ] {
            let operations = average(&[signed(rounds, bits, order)], 256);
            let expected = Operations {
                additions: blocks * rounds,
                doublings: rounds - 1,
            };
            assert_eq!(operations, expected, "({rounds}, {bits})");
        }
    }
    let memory = |rounds, bits| {
        let strategy = signed(rounds, bits, Order::Consecutive);
        strategy.entries::<Banderwagon>(256).unwrap()
    };
    assert_eq!(memory(253, 16), 16 << 15);
    assert_eq!(memory(253, 12), (14 << 11) + (8 << 10));
    assert_eq!(memory(23, 11), 256 << 10);
}

/// Windows: 32 additions for each scalar of full length, less digits zero; half as many for 128 bits; one for small
/// ones.
#[test]
fn windows_take_what_scalars_have() {
    let strategy = Strategy::Windows {
        points: 256,
        count: 32,
    };
    let operations = average(&[strategy], 256);
    assert_eq!(operations.doublings, 0);
    assert!(
        (256 * 32 - 100..=256 * 32).contains(&operations.additions),
        "{operations:?}"
    );
    let shapes = planner::<Banderwagon>(256, &[strategy]).unwrap();
    let count = |scalar| {
        let mut count = Operations::default();
        let mut queue = Queue::new(&mut count);
        emit(&shapes, Terms::Sparse(&[(9, scalar)]), &mut queue);
        queue.flush();
        count.total()
    };
    let one = <Banderwagon as Group>::Scalar::ONE;
    assert_eq!([count(one), count(-one), count(one - one)], [1, 1, 0]);
    assert!(count(power::<Banderwagon>(128) - one.double() - one) <= 17);
}

/// Halves by a bit of the index touch half of the blocks of one order or the other, with Q behind the 256 points too.
#[test]
fn halves_take_half() {
    for points in [256, 257] {
        for (order, bits) in [(Order::Consecutive, 4..8), (Order::Strided, 0..4)] {
            let shapes = planner::<Banderwagon>(points, &[signed(253, 16, order)]).unwrap();
            for bit in bits {
                for value in 0..2 {
                    let terms: Vec<_> = (0..256)
                        .filter(|index| index >> bit & 1 == value)
                        .map(|index| (index, power::<Banderwagon>(200)))
                        .collect();
                    let mut count = Operations::default();
                    let mut queue = Queue::new(&mut count);
                    emit(&shapes, Terms::Sparse(&terms), &mut queue);
                    queue.flush();
                    assert_eq!(count.additions, 8 * 253, "bit {bit} of {points}");
                }
            }
        }
    }
}
