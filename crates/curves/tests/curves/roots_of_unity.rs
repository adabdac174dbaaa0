//! The roots of unity are written as numbers, because to compute them costs the compiler seconds in each crate. Here
//! they are computed.

use frumious_curves::{bandersnatch, bls12_381, bn254, secp256k1};
use frumious_field::PrimeField;
use num_bigint::BigUint;

/// `generator^((p - 1)/2^s)` is the root, for a generator that is not a square.
fn check<F: PrimeField>(root: F, generator: u64, modulus: &[u64]) {
    let p = modulus
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, word| (sum << 64u8) + *word);
    let odd_part = (p - 1u8) >> F::TWO_ADICITY;
    assert!(odd_part.bit(0));
    let power = F::from_u64(generator).pow_vartime(&odd_part.to_u64_digits());
    assert_eq!(root, power);
    let top = (1..F::TWO_ADICITY).fold(root, |power, _| power.square());
    assert_eq!(top, -F::ONE);
}

#[test]
fn they_are_the_powers_that_their_documentation_says() {
    check(
        <bn254::Fr as PrimeField>::ROOT_OF_UNITY,
        5,
        &bn254::Fr::MODULUS,
    );
    check(bn254::Fr::NONRESIDUE_ROOT, 5, &bn254::Fr::MODULUS);
    check(
        <bls12_381::Fr as PrimeField>::ROOT_OF_UNITY,
        7,
        &bls12_381::Fr::MODULUS,
    );
    check(bls12_381::Fr::NONRESIDUE_ROOT, 5, &bls12_381::Fr::MODULUS);
    check(
        <bandersnatch::Fr as PrimeField>::ROOT_OF_UNITY,
        7,
        &bandersnatch::Fr::MODULUS,
    );
    check(
        <secp256k1::Fr as PrimeField>::ROOT_OF_UNITY,
        5,
        &secp256k1::Fr::MODULUS,
    );
}
