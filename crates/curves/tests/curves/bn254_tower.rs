//! The tower Fq2, Fq6, Fq12 of BN254.

use frumious_curves::bn254::{Fq, Fq2};

frumious_testing::tower_suite!(tower, frumious_curves::bn254, xi: 9, line: |b1, b3| Fq6::new(b1, b3, Fq2::ZERO));

#[test]
fn products_with_xi_and_sums() {
    let xi = Fq2::new(Fq::from_u64(9), Fq::ONE);
    for a in tower::samples::<Fq2>() {
        for b in tower::samples::<Fq2>() {
            assert_eq!(a.mul_by_nonresidue_add(&b), a * xi + b);
        }
    }
}
