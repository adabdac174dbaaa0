//! Against arkworks over BN254 Fr, whose generator is 5 as ours: the same roots, element for element.

use super::exhaustive::{check_against, sample};
use crate::Domain;
use ark_ff::{BigInt, PrimeField as _};
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use frumious_curves::bn254::Fr;

type ArkFr = ark_bn254::Fr;

fn to_ark(value: &Fr) -> ArkFr {
    ArkFr::from_bigint(BigInt(value.to_canonical_limbs())).expect("canonical")
}

fn from_ark(value: &ArkFr) -> Fr {
    Option::from(Fr::from_canonical_limbs(value.into_bigint().0)).expect("canonical")
}

#[test]
fn the_same_as_arkworks() {
    for log_size in [0, 1, 2, 3, 7, 12, 13, 16] {
        let domain = Domain::<Fr>::new(log_size).unwrap();
        let ark = Radix2EvaluationDomain::<ArkFr>::new(1 << log_size).unwrap();
        assert_eq!(from_ark(&ark.group_gen), domain.root());
        let shift = Fr::from_u64(5);
        let ark_coset = ark.get_coset(to_ark(&shift)).unwrap();

        let coefficients = sample::<Fr>(domain.size());
        let ark_coefficients: Vec<ArkFr> = coefficients.iter().map(to_ark).collect();
        let ours = |values: Vec<ArkFr>| values.iter().map(from_ark).collect::<Vec<_>>();
        let on_h = ours(ark.fft(&ark_coefficients));
        let on_coset = ours(ark_coset.fft(&ark_coefficients));
        check_against(&domain, &coefficients, &on_h, &on_coset, shift);
    }
}
