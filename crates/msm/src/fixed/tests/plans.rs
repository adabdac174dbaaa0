//! The choice among tables.

use super::*;

/// The operations of a set of tables and of each of its tables alone.
fn compare(strategies: &[Strategy], terms: Terms<'_, Banderwagon>) -> (usize, Vec<usize>) {
    let total = |strategies: &[Strategy]| {
        let shapes = planner::<Banderwagon>(256, strategies).ok()?;
        let mut count = Operations::default();
        let mut queue = Queue::new(&mut count);
        emit(&shapes, terms, &mut queue);
        queue.flush();
        Some(count.total())
    };
    let together = total(strategies).unwrap();
    (
        together,
        strategies.iter().filter_map(|one| total(&[*one])).collect(),
    )
}

/// No worse than the best table alone by more than what prices of memory are worth, for all kinds of patterns.
#[test]
fn the_choice_is_no_worse_than_any_table() {
    let set = Budget::from(Preset::Full)
        .strategies::<Banderwagon>(256)
        .unwrap();
    let mut numbers = Numbers::new(13);
    let scalars = numbers.scalars::<Banderwagon>(256);
    for n in [
        1usize, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64, 100, 128, 200, 256,
    ] {
        for distance in [1, 2, 256 / n] {
            let terms: Vec<_> = (0..n)
                .filter(|i| i * distance < 256)
                .map(|i| (i * distance, scalars[i]))
                .collect();
            let (together, alone) = compare(&set, Terms::Sparse(&terms));
            let best = *alone.iter().min().unwrap();
            assert!(
                together as f64 <= best as f64 * 1.15,
                "{n} scalars, {distance} apart: {together} operations, {alone:?} alone"
            );
        }
    }
}

/// Some points have scalars in every block of a comb, the others lie alone: both ways are used at once.
#[test]
fn a_comb_and_windows_are_mixed() {
    let set = [
        Strategy::Windows {
            points: 256,
            count: 32,
        },
        signed(253, 16, Order::Consecutive),
    ];
    let mut numbers = Numbers::new(14);
    let scalars = numbers.scalars::<Banderwagon>(256);
    let terms: Vec<_> = (0..160)
        .chain([200])
        .map(|index| (index, scalars[index]))
        .collect();
    let (together, alone) = compare(&set, Terms::Sparse(&terms));
    assert!(together < 10 * 253 + 252 + 33, "{together}");
    assert!(alone.iter().all(|alone| together < *alone));
    let points = Banderwagon::points(256);
    let table = FixedBase::<Banderwagon>::with_strategies_vartime(&points, &set).unwrap();
    let dense: Vec<_> = (0..256)
        .map(|index| {
            if index < 160 || index == 200 {
                scalars[index]
            } else {
                Field::ZERO
            }
        })
        .collect();
    check(&table, &dense, "mixed");
}

/// A long scalar is cheaper by a comb than by windows, a short one is not.
#[test]
fn short_scalars_go_through_windows() {
    let set = [
        Strategy::Windows {
            points: 256,
            count: 63,
        },
        signed(23, 11, Order::Consecutive),
    ];
    let one = <Banderwagon as Group>::Scalar::ONE;
    let short = [(9, one), (77, -one)];
    assert_eq!(compare(&set, Terms::Sparse(&short)).0, 2);
    let scalar = Numbers::new(15).scalar::<Banderwagon>();
    let long = [(9, scalar)];
    assert_eq!(compare(&set, Terms::Sparse(&long)).0, 23 + 22);
}
