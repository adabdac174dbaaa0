//! BLS12-381 Fr, whose one spare bit allows no lazy reduction in scalar kernels. In lanes it has little headroom, so
//! that values are reduced between stages: 35 times its modulus, BN254 Fr 84 times. Over the roots of snarkjs, which
//! are not those of the field.

use super::exhaustive::{check_against, sample};
use crate::{Domain, Error, naive};
use frumious_curves::bls12_381::Fr;

/// Each transform takes these vectors to each other.
fn check(log_size: u32, coefficients: &[Fr], shift: Fr) {
    let domain = Domain::with_root_of_unity(Fr::NONRESIDUE_ROOT, log_size).unwrap();
    let mut on_h = coefficients.to_vec();
    naive::fft_radix2(&mut on_h, domain.root());
    let mut power = Fr::ONE;
    let mut on_coset: Vec<_> = coefficients.to_vec();
    for value in &mut on_coset {
        *value *= power;
        power *= shift;
    }
    naive::fft_radix2(&mut on_coset, domain.root());
    check_against(&domain, coefficients, &on_h, &on_coset, shift);
}

#[test]
fn values_are_reduced_where_headroom_is_small() {
    for log_size in [0, 1, 5, 6, 7, 8, 11, 14, 17] {
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

#[test]
fn the_root_is_the_one_asked_for() {
    let own = Domain::<Fr>::new(5).unwrap();
    let other = Domain::with_root_of_unity(Fr::NONRESIDUE_ROOT, 5).unwrap();
    assert_ne!(own.root(), other.root());
    assert_eq!(other.root(), Fr::NONRESIDUE_ROOT.pow_vartime(&[1 << 27]));
    assert_eq!(own.root().pow_vartime(&[16]), -Fr::ONE);
    assert_eq!(other.root().pow_vartime(&[16]), -Fr::ONE);
    for wrong in [
        Fr::ZERO,
        Fr::ONE,
        -Fr::ONE,
        Fr::from_u64(5),
        own.root(),
        Fr::NONRESIDUE_ROOT.square(),
    ] {
        let refused = Domain::with_root_of_unity(wrong, 5).unwrap_err();
        assert_eq!(refused, Error::NotARootOfUnity);
    }
    assert!(Domain::with_root_of_unity(Fr::NONRESIDUE_ROOT, 33).is_err());
}
