//! G1 and G2 of BLS12-381.

use frumious_curves::bls12_381::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_testing::{encoding_suite, group_suite, subgroup_suite};

/// The curve's parameter: the endomorphism of G2 multiplies by it, that of G1 by x² - 1.
fn x() -> Fr {
    -Fr::from_u64(0xd201_0000_0001_0000)
}

group_suite!(
    g1, scalars: Fr, points: G1Projective, affine: G1Affine,
    special: [x().square() - Fr::ONE, x().square(), x().square().square()]
);
group_suite!(
    g2, scalars: Fr, points: G2Projective, affine: G2Affine,
    special: [x(), x().square(), x().square() * x(), x().square().square()]
);

encoding_suite!(
    g1_encodings_round_trip, g1, G1Affine,
    [
        to_compressed => from_compressed,
        to_uncompressed => from_uncompressed,
        to_montgomery_bytes => from_montgomery_bytes,
    ]
);
encoding_suite!(
    g2_encodings_round_trip, g2, G2Affine,
    [
        to_compressed => from_compressed,
        to_uncompressed => from_uncompressed,
        to_montgomery_bytes => from_montgomery_bytes,
    ]
);

subgroup_suite!(
    subgroup_g1, g1, scalars: Fr, points: G1Projective, affine: G1Affine, x: Fq::from_u64,
    encodings: [
        to_compressed => from_compressed,
        to_uncompressed => from_uncompressed,
        to_montgomery_bytes => from_montgomery_bytes,
    ],
    cofactor
);
subgroup_suite!(
    subgroup_g2, g2, scalars: Fr, points: G2Projective, affine: G2Affine,
    x: |k| Fq2::new(Fq::from_u64(k), Fq::ONE),
    encodings: [
        to_compressed => from_compressed,
        to_uncompressed => from_uncompressed,
        to_montgomery_bytes => from_montgomery_bytes,
    ],
    cofactor
);

#[test]
fn the_smallest_order_of_the_cofactor_of_g1_is_seen() {
    // (0, 2) has order 3, which divides the cofactor
    let point = G1Affine {
        x: Fq::ZERO,
        y: Fq::from_u64(2),
    };
    assert!(bool::from(point.is_on_curve()));
    assert!(!bool::from(point.is_in_subgroup()));
    let point = G1Projective::from(point);
    assert_eq!(point.double(), -point);
    assert_eq!(point.double() + point, G1Projective::IDENTITY);
    assert_eq!(point.clear_cofactor(), G1Projective::IDENTITY);
}

#[test]
fn endomorphism_of_the_twist() {
    for scalar in g2::scalars().into_iter().take(120) {
        let point = G2Projective::GENERATOR.mul_vartime(&scalar);
        let x = -Fr::from_u64(0xd201_0000_0001_0000);
        assert_eq!(point.psi(), point.mul(&x));
        assert_eq!(point.psi_squared(), point.psi().psi());
        assert_eq!(point.psi().psi(), point.mul_vartime(&x.square()));
    }
}
