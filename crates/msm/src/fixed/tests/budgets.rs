//! From memory to tables.

use super::*;

fn mib(strategies: &[Strategy], points: usize) -> f64 {
    let entries: usize = strategies
        .iter()
        .map(|strategy| strategy.entries::<Banderwagon>(points).unwrap())
        .sum();
    (entries * FixedBase::<Banderwagon>::ENTRY_BYTES) as f64 / f64::from(1 << 20)
}

#[test]
fn presets_fit_and_are_ordered() {
    let presets = [
        Preset::Verifier,
        Preset::Small,
        Preset::Default,
        Preset::Full,
    ];
    let sizes = [4.0, 24.0, 128.0, 334.0];
    let mut dense = Vec::new();
    for (preset, size) in presets.into_iter().zip(sizes) {
        let strategies = Budget::from(preset).strategies::<Banderwagon>(256).unwrap();
        let actual = mib(&strategies, 256);
        assert!(
            actual <= size && actual > size * 0.8,
            "{preset:?}: {actual} of {size} MiB"
        );
        let shapes = planner::<Banderwagon>(256, &strategies).unwrap();
        let mut count = Operations::default();
        let scalars = Numbers::new(16).scalars::<Banderwagon>(256);
        let mut queue = Queue::new(&mut count);
        emit(&shapes, Terms::Dense(&scalars), &mut queue);
        queue.flush();
        dense.push(count.total());
    }
    assert!(
        dense[0] < 5_900 && dense[2] < 4_400 && dense[3] < 4_300,
        "{dense:?}"
    );
}

#[test]
fn any_budget_is_kept_for_any_number_of_points() {
    for points in [1, 2, 3, 5, 6, 16, 100, 256, 1_000] {
        for budget in [1, 2, 5, 9, 17, 40, 100] {
            for workload in [Workload::General, Workload::Dense] {
                match Budget::mib(budget)
                    .workload(workload)
                    .strategies::<Banderwagon>(points)
                {
                    Ok(strategies) => {
                        assert!(mib(&strategies, points) <= budget as f64);
                        assert!(planner::<Banderwagon>(points, &strategies).is_ok());
                    }
                    Err(error) => panic!("{points} points, {budget} MiB: {error}"),
                }
            }
        }
    }
}

#[test]
fn more_memory_is_never_slower() {
    let mut last = usize::MAX;
    for budget in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] {
        let budget = Budget::mib(budget).workload(Workload::Dense);
        let strategies = budget.strategies::<Banderwagon>(256).unwrap();
        let shapes = planner::<Banderwagon>(256, &strategies).unwrap();
        let scalars = Numbers::new(17).scalars::<Banderwagon>(256);
        let mut count = Operations::default();
        let mut queue = Queue::new(&mut count);
        emit(&shapes, Terms::Dense(&scalars), &mut queue);
        queue.flush();
        assert!(count.total() <= last, "{budget:?}: {count:?} after {last}");
        last = count.total();
    }
}

#[test]
fn too_small_budgets_and_no_points_are_errors() {
    assert!(matches!(
        Budget::mib(0).strategies::<Banderwagon>(256),
        Err(Error::Budget {
            points: 256,
            mib: 0
        })
    ));
    assert!(matches!(
        Budget::mib(1).strategies::<Banderwagon>(1_000_000),
        Err(Error::Budget { .. })
    ));
    assert!(matches!(
        Budget::mib(1).strategies::<Banderwagon>(0),
        Err(Error::NoPoints)
    ));
    let table = FixedBase::<Banderwagon>::new_vartime(&Banderwagon::points(256), Budget::mib(0));
    assert!(matches!(table, Err(Error::Budget { .. })));
}
