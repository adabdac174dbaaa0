//! The result does not depend on the number of threads, nor on what else uses the domain.

use super::exhaustive::sample;
use super::small_field::BabyBear;
use crate::Domain;
use frumious_curves::bn254::Fr;
use frumious_field::PrimeField;
use frumious_parallel::with_threads;

/// What every transform makes of one vector.
fn all_results<F: PrimeField>(domain: &Domain<F>, input: &[F]) -> [Vec<F>; 5] {
    let shift = F::from_u64(5);
    let mut results: [Vec<F>; 5] = core::array::from_fn(|_| input.to_vec());
    let [a, b, c, d, e] = &mut results;
    domain.fft(a).unwrap();
    domain.ifft(b).unwrap();
    domain.coset_fft(c, shift).unwrap();
    domain.coset_ifft(d, shift).unwrap();
    domain.extend_to_coset(e, shift).unwrap();
    results
}

fn check_threads<F: PrimeField>(log_size: u32) {
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
    for log_size in [0, 3, 12, 13, 14, 15, 16] {
        check_threads::<BabyBear>(log_size);
    }
    check_threads::<Fr>(13);
    check_threads::<Fr>(16);
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
