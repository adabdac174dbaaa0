//! Scalars, points and arguments at the edge.

use super::*;

/// 0, 1, r − 1, powers of two and their neighbours and opposites, all ones, half of r.
fn edge_scalars<G: FixedGroup>() -> Vec<G::Scalar> {
    let one = G::Scalar::ONE;
    let mut scalars = vec![G::Scalar::ZERO, one, -one];
    for exponent in [
        1, 2, 7, 8, 15, 16, 17, 63, 64, 65, 127, 128, 191, 192, 250, 251, 252, 253,
    ] {
        let power = power::<G>(exponent);
        scalars.extend([power, -power, power - one, -(power - one), power + one]);
    }
    let half = G::Scalar::from_u64(2).invert_vartime().unwrap();
    scalars.extend([half, -half, half + one, half - one]);
    scalars
}

fn edge_scalars_are_right<G: TestGroup>() {
    let points = G::points(2);
    let scalars = edge_scalars::<G>();
    for strategy in strategies() {
        let table = FixedBase::<G>::with_strategies_vartime(&points, &[strategy]).unwrap();
        for (index, scalar) in scalars.iter().enumerate() {
            check(&table, &[*scalar], "alone");
            let other = scalars[(7 * index + 3) % scalars.len()];
            check(&table, &[*scalar, other], "with another");
        }
    }
}

#[test]
fn edge_scalars_are_right_in_banderwagon() {
    edge_scalars_are_right::<Banderwagon>();
}

#[test]
fn edge_scalars_are_right_in_bn254() {
    edge_scalars_are_right::<Bn254G1>();
}

/// Identities, equal and opposite points, multiples of each other: sums in the tables and of entries are then
/// exceptional.
fn related_points_are_right<G: TestGroup>() {
    let [p, q] = [0, 1].map(|index| G::points(2)[index]);
    let o = G::default();
    let lists = [
        vec![o],
        vec![o, o, o],
        vec![p, o, q, o],
        vec![p, p, p, p],
        vec![p, -p, p, -p],
        vec![p, q, -q, -p, o, p],
    ];
    let mut numbers = Numbers::new(9);
    for points in lists {
        for strategy in strategies() {
            let table = FixedBase::<G>::with_strategies_vartime(&points, &[strategy]).unwrap();
            let one = G::Scalar::ONE;
            check(&table, &vec![one; points.len()], "ones");
            check(&table, &vec![-one; points.len()], "minus ones");
            let random = numbers.scalar::<G>();
            check(&table, &vec![random; points.len()], "equal");
            check(&table, &numbers.scalars::<G>(points.len()), "random");
        }
    }
}

#[test]
fn related_points_are_right_in_banderwagon() {
    related_points_are_right::<Banderwagon>();
}

#[test]
fn related_points_are_right_in_bn254() {
    related_points_are_right::<Bn254G1>();
}

#[test]
fn sparse_terms_equal_dense_scalars() {
    let points = Banderwagon::points(40);
    let table = FixedBase::<Banderwagon>::new_vartime(&points, Budget::mib(4)).unwrap();
    let mut numbers = Numbers::new(10);
    for n in [0, 1, 2, 7, 40, 100] {
        let mut dense = vec![Field::ZERO; 40];
        let terms: Vec<_> = (0..n)
            .map(|_| {
                let (index, scalar) = (
                    numbers.next() as usize % 40,
                    numbers.scalar::<Banderwagon>(),
                );
                dense[index] += scalar;
                (index, scalar)
            })
            .collect();
        let sparse = table.commit_sparse_vartime(&terms).unwrap();
        assert_eq!(sparse, naive::<Banderwagon>(&points, &dense), "{n} terms");
        let mut sorted = terms.clone();
        sorted.sort_by_key(|term| term.0);
        assert_eq!(sparse, table.commit_sparse_vartime(&sorted).unwrap());
    }
}

#[test]
fn an_update_equals_a_new_commitment() {
    let points = Banderwagon::points(40);
    let table = FixedBase::<Banderwagon>::new_vartime(&points, Budget::mib(4)).unwrap();
    let mut numbers = Numbers::new(11);
    let mut scalars = numbers.scalars::<Banderwagon>(40);
    let mut commitment = table.commit_vartime(&scalars).unwrap();
    for n in [0, 1, 2, 5, 40] {
        let changes: Vec<_> = (0..n)
            .map(|place| {
                let index = (place * 7 + n) % 40;
                let new = match place % 3 {
                    0 => Field::ZERO,
                    1 => scalars[index] - frumious_curves::bandersnatch::Fr::ONE, // a difference of −1
                    _ => numbers.scalar::<Banderwagon>(),
                };
                (index, core::mem::replace(&mut scalars[index], new), new)
            })
            .collect();
        commitment = table.update_vartime(&commitment, &changes).unwrap();
        assert_eq!(
            commitment,
            table.commit_vartime(&scalars).unwrap(),
            "{n} changes"
        );
    }
    // The same index twice, one after the other.
    let (old, middle, new) = (scalars[3], Field::ONE, numbers.scalar::<Banderwagon>());
    scalars[3] = new;
    commitment = table
        .update_vartime(&commitment, &[(3, old, middle), (3, middle, new)])
        .unwrap();
    assert_eq!(commitment, table.commit_vartime(&scalars).unwrap());
}

#[test]
fn wrong_arguments_are_errors() {
    let points = Banderwagon::points(3);
    type Table = FixedBase<Banderwagon>;
    let table = Table::new_vartime(&points, Budget::mib(1)).unwrap();
    let one = Field::ONE;
    assert!(matches!(
        table.commit_vartime(&[one; 4]),
        Err(Error::TooManyScalars {
            scalars: 4,
            points: 3
        })
    ));
    assert!(matches!(
        table.operations_vartime(&[one; 4]),
        Err(Error::TooManyScalars { .. })
    ));
    assert!(matches!(
        table.commit_sparse_vartime(&[(0, one), (3, one)]),
        Err(Error::IndexOutOfRange {
            index: 3,
            points: 3
        })
    ));
    assert!(matches!(
        table.update_vartime(&Element::IDENTITY, &[(usize::MAX, one, one)]),
        Err(Error::IndexOutOfRange { .. })
    ));
    assert!(matches!(
        Table::new_vartime(&[], Budget::mib(1)),
        Err(Error::NoPoints)
    ));
    let build = |strategies: &[Strategy]| Table::with_strategies_vartime(&points, strategies);
    assert!(matches!(build(&[]), Err(Error::NotCovered { index: 0 })));
    let windows = |points, count| Strategy::Windows { points, count };
    assert!(matches!(
        build(&[windows(2, 32)]),
        Err(Error::NotCovered { index: 2 })
    ));
    for count in [0, 1, 10, 64, 100, usize::MAX] {
        assert!(
            matches!(build(&[windows(3, count)]), Err(Error::Parameters { .. })),
            "{count}"
        );
    }
    for (rounds, bits) in [
        (0, 4),
        (254, 4),
        (usize::MAX, 4),
        (10, 0),
        (10, 25),
        (10, usize::MAX),
    ] {
        for strategy in [comb(rounds, bits), signed(rounds, bits, Order::Strided)] {
            assert!(
                matches!(build(&[strategy]), Err(Error::Parameters { .. })),
                "{strategy:?}"
            );
        }
    }
    assert!(matches!(
        build(&vec![windows(3, 32); 65]),
        Err(Error::Parameters { .. })
    ));
    let many = comb(1, 24).entries::<Banderwagon>(1 << 20);
    assert!(matches!(many, Err(Error::TooLarge)));
    let many = windows(usize::MAX, 11).entries::<Banderwagon>(usize::MAX / 2);
    assert!(matches!(many, Err(Error::TooLarge)));
}
