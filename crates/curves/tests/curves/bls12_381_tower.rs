//! The tower Fq2, Fq6, Fq12 of BLS12-381.

frumious_testing::tower_suite!(tower, frumious_curves::bls12_381, xi: 1, line: |b3, b5| Fq6::new(Fq2::ZERO, b3, b5));
