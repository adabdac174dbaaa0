//! Sums in lanes, over the model too, so on every machine.

use super::*;
use frumious_limbs::backend::{self, Backend};
use frumious_simd::OnModel;

/// The sum in lanes of the model, even where it is too short for lanes, against double-and-add.
fn check_in_model<G: TestGroup>(table: &FixedBase<G>, scalars: &[G::Scalar], what: &str) {
    let Some(rows) = table.rows() else { return };
    let mut kernel = LaneKernel::<G, _>::new(OnModel, rows);
    table.run(Terms::Dense(scalars), Machine::Lanes, &mut kernel);
    let fast = kernel.finish();
    let slow = naive::<G>(table.points(), scalars);
    assert!(
        fast == slow,
        "{what}: {scalars:?} with {:?}",
        table.strategies()
    );
    let dispatched = table.sum_in_lanes(OnModel, rows, Terms::Dense(scalars));
    assert!(dispatched == slow, "{what}, short or not");
}

fn few_strategies() -> [Strategy; 4] {
    let windows = |count| Strategy::Windows {
        points: usize::MAX,
        count,
    };
    [
        windows(32),
        windows(63),
        comb(64, 5),
        signed(85, 7, Order::Strided),
    ]
}

fn edges_are_right_in_the_model<G: TestGroup>() {
    let mut numbers = Numbers::new(21);
    let one = G::Scalar::ONE;
    for n in [1, 2, 9] {
        let points = G::points(n);
        for strategy in few_strategies() {
            let table = FixedBase::<G>::with_strategies_vartime(&points, &[strategy]).unwrap();
            check_in_model(&table, &[], "none");
            for scalar in [G::Scalar::ZERO, one, -one, power::<G>(200)] {
                check_in_model(&table, &vec![scalar; n], "equal");
            }
            let mut scalars = numbers.scalars::<G>(n);
            check_in_model(&table, &scalars, "random");
            scalars[n / 2] = G::Scalar::ZERO;
            check_in_model(&table, &scalars, "a zero");
        }
    }
}

#[test]
fn edges_are_right_in_the_model_of_banderwagon() {
    edges_are_right_in_the_model::<Banderwagon>();
}

#[test]
fn edges_are_right_in_the_model_of_bn254() {
    edges_are_right_in_the_model::<Bn254G1>();
}

/// Neutral elements in the table, and lanes that hold equal and opposite sums when they are added.
fn related_points_are_right_in_the_model<G: TestGroup>() {
    let p = G::points(1)[0];
    let o = G::default();
    let one = G::Scalar::ONE;
    for points in [vec![o; 9], vec![p; 16], vec![p, -p, o, p, -p, p, o, p]] {
        for strategy in few_strategies() {
            let table = FixedBase::<G>::with_strategies_vartime(&points, &[strategy]).unwrap();
            check_in_model(&table, &vec![one; points.len()], "ones");
            let mut signs = vec![one; points.len()];
            signs.iter_mut().step_by(2).for_each(|sign| *sign = -one);
            check_in_model(&table, &signs, "alternating");
            let random = Numbers::new(22).scalar::<G>();
            check_in_model(&table, &vec![random; points.len()], "equal");
        }
    }
}

#[test]
fn related_points_are_right_in_the_model_of_banderwagon() {
    related_points_are_right_in_the_model::<Banderwagon>();
}

#[test]
fn related_points_are_right_in_the_model_of_bn254() {
    related_points_are_right_in_the_model::<Bn254G1>();
}

/// Sums of 0, 1, … operations: every way to fill eight lanes and several batches.
#[test]
fn any_number_of_operations_is_right() {
    let points = Banderwagon::points(40);
    let strategies = [
        Strategy::Windows {
            points: 40,
            count: 32,
        },
        signed(64, 8, Order::Consecutive),
    ];
    for strategy in strategies {
        let table =
            FixedBase::<Banderwagon>::with_strategies_vartime(&points, &[strategy]).unwrap();
        for n in (0..20).chain([31, 39, 40]) {
            let scalars: Vec<_> = (0..n).map(|i| power::<Banderwagon>(7 * i % 250)).collect();
            check_in_model(&table, &scalars, "powers");
        }
        let scalars = Numbers::new(23).scalars::<Banderwagon>(40);
        check_in_model(&table, &scalars, "several batches");
    }
}

#[test]
fn all_backends_agree() {
    let points = Banderwagon::points(60);
    let before = backend::active();
    let table = FixedBase::<Banderwagon>::new_vartime(&points, Budget::mib(8)).unwrap();
    let scalars = Numbers::new(24).scalars::<Banderwagon>(60);
    for n in [0, 1, 2, 3, 5, 8, 17, 60] {
        let sums: Vec<[u8; 32]> = Backend::ALL
            .into_iter()
            .filter(|backend| backend.is_supported())
            .map(|backend| {
                backend::set(backend).unwrap();
                table.commit_vartime(&scalars[..n]).unwrap().to_bytes()
            })
            .collect();
        assert!(
            sums.windows(2).all(|pair| pair[0] == pair[1]),
            "{n} scalars"
        );
    }
    backend::set(before).unwrap();
}
