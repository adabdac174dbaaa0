//! The result does not depend on the number of threads, nor on what else uses the domain.

use super::backends::{TestField, all_transforms};
use super::exhaustive::sample;
use super::small_field::BabyBear;
use crate::Domain;
use frumious_curves::bn254::Fr;
use frumious_parallel::with_threads;

/// Results of every transform of one vector.
fn all_results<F: TestField>(domain: &Domain<F>, input: &[F]) -> [Vec<F>; 5] {
    all_transforms(|| F::from_u64(5)).map(|transform| {
        let mut values = input.to_vec();
        F::run(domain, transform, &mut values).unwrap();
        values
    })
}

fn check_threads<F: TestField>(log_size: u32) {
    let domain = Domain::<F>::new(log_size).unwrap();
    let input = sample::<F>(domain.size());
    let serial = with_threads(1, || all_results(&domain, &input)).unwrap();
    for threads in [2, 7, 64] {
        let parallel = with_threads(threads, || all_results(&domain, &input)).unwrap();
        assert!(parallel == serial, "{threads} threads, 2^{log_size}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    for log_size in [0, 3, 12, 13, 14, 15, 16, 17] {
        check_threads::<BabyBear>(log_size);
    }
    check_threads::<Fr>(13);
    check_threads::<Fr>(17);
}

#[test]
fn one_domain_serves_concurrent_callers() {
    let domain = Domain::<Fr>::new(13).unwrap();
    let input = sample::<Fr>(domain.size());
    let expected = all_results(&domain, &input);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(all_results(&domain, &input) == expected));
        }
    });
}
