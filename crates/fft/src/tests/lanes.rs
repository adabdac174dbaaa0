//! Lanes over a field with little headroom, where values are reduced between stages: BLS12-381 Fr has 35 times its
//! modulus, BN254 Fr 84 times.

use super::backends::run_in_lanes;
use super::exhaustive::sample;
use crate::transform::Transform;
use crate::{Domain, naive};
use frumious_curves::bls12_381::Fr;

/// Each transform in lanes takes these vectors to each other.
fn check(log_size: u32, coefficients: &[Fr], shift: Fr) {
    let domain = Domain::<Fr>::new(log_size).unwrap();
    let mut on_h = coefficients.to_vec();
    naive::fft_radix2(&mut on_h, domain.root());
    let mut power = Fr::ONE;
    let mut on_coset: Vec<_> = coefficients.to_vec();
    for value in &mut on_coset {
        *value *= power;
        power *= shift;
    }
    naive::fft_radix2(&mut on_coset, domain.root());
    let cases = [
        (Transform::Fft, coefficients, &*on_h),
        (Transform::Ifft, &*on_h, coefficients),
        (Transform::CosetFft(shift), coefficients, &*on_coset),
        (Transform::CosetIfft(shift), &*on_coset, coefficients),
        (Transform::ExtendToCoset(shift), &*on_h, &*on_coset),
    ];
    for (transform, from, to) in cases {
        run_in_lanes(&domain, transform, from, to, Ok(()));
    }
}

#[test]
fn values_are_reduced_where_headroom_is_small() {
    for log_size in [6, 7, 8, 11, 14, 17] {
        let n = 1 << log_size;
        check(log_size, &sample(n), Fr::from_u64(7));
        check(log_size, &vec![-Fr::ONE; n], -Fr::ONE);
    }
}

#[test]
fn spikes_at_the_edges_of_eights() {
    let n = 1 << 6;
    for index in [0, 1, 7, 8, 31, 32, 56, 63] {
        let mut coefficients = vec![Fr::ZERO; n];
        coefficients[index] = -Fr::ONE;
        check(6, &coefficients, Fr::from_u64(5));
    }
}
