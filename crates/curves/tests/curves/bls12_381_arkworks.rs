//! Fields and groups of BLS12-381 against arkworks, which shares no code with ours.

use frumious_curves::bls12_381::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_testing::{arkworks_field_suite, arkworks_group_suite};

arkworks_field_suite!(fq, Fq, ark_bls12_381::Fq, to_montgomery_limbs);
arkworks_field_suite!(fr, Fr, ark_bls12_381::Fr, to_montgomery_limbs);

arkworks_group_suite!(
    g1_equals_arkworks, scalars: fr, points: G1Projective, ark_bls12_381::G1Projective,
    |point: ark_bls12_381::G1Affine| G1Affine {
        x: fq::from_ark(&point.x),
        y: fq::from_ark(&point.y),
    }
);
arkworks_group_suite!(
    g2_equals_arkworks, scalars: fr, points: G2Projective, ark_bls12_381::G2Projective,
    |point: ark_bls12_381::G2Affine| G2Affine {
        x: fq2(&point.x),
        y: fq2(&point.y),
    }
);

fn fq2(a: &ark_bls12_381::Fq2) -> Fq2 {
    Fq2::new(fq::from_ark(&a.c0), fq::from_ark(&a.c1))
}
