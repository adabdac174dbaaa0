//! The pairing of BLS12-381.

frumious_testing::pairing_suite!(
    suite,
    frumious_curves::bls12_381,
    peer: ark_bls12_381::Bls12_381,
    factor: BigUint::from(3u8)
);
