//! Tables are the same for any number of threads.

use super::*;

#[test]
fn tables_do_not_depend_on_threads() {
    let points = Banderwagon::points(70);
    let build = |threads| {
        frumious_parallel::with_threads(threads, || {
            FixedBase::<Banderwagon>::new_vartime(&points, Budget::mib(12)).unwrap()
        })
        .unwrap()
    };
    let one = build(1);
    for threads in [2, 3, 8] {
        let other = build(threads);
        assert_eq!(one.strategies(), other.strategies());
        assert!(one.entries() == other.entries(), "{threads} threads");
    }
}

/// Compile-time: tables are shared between threads.
#[test]
fn tables_are_send_and_sync() {
    fn require<T: Send + Sync + Clone + 'static>() {}
    require::<FixedBase<Banderwagon>>();
    require::<FixedBase<Bn254G1>>();
}
