//! Equal to arkworks' `VariableBaseMSM`, an implementation that shares nothing with ours.

use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{BigInteger, PrimeField};
use frumious_field::Integer;
use frumious_msm::msm_vartime;

macro_rules! is_arkworks {
    ($curve:ident, $ark:ident) => {
        mod $curve {
            use super::*;
            use frumious_curves::$curve::{
                Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective,
            };

            fn to_ark_fq(value: Fq) -> $ark::Fq {
                let limbs = ark_ff::BigInt(value.to_canonical_limbs());
                $ark::Fq::from_bigint(limbs).expect("canonical")
            }

            fn from_ark_fq(value: $ark::Fq) -> Fq {
                let limbs = value.into_bigint().0;
                Option::from(Fq::from_canonical_limbs(limbs)).expect("canonical")
            }

            /// `n` scalars from one seed by squaring and adding, full length.
            fn scalars(n: usize) -> Vec<Fr> {
                let mut value = Fr::from_u64(0xfeed_beef);
                (0..n)
                    .map(|i| {
                        value = value * value + Fr::from_u64(i as u64 + 1);
                        value
                    })
                    .collect()
            }

            fn to_ark_scalars(scalars: &[Fr]) -> Vec<$ark::Fr> {
                scalars
                    .iter()
                    .map(|scalar| {
                        $ark::Fr::from_le_bytes_mod_order(
                            &ark_ff::BigInt::<4>(scalar.to_canonical_limbs()).to_bytes_le(),
                        )
                    })
                    .collect()
            }

            #[test]
            fn g1_is_arkworks() {
                for log_n in [10, 12, 14] {
                    let n = 1 << log_n;
                    let scalars = scalars(n);
                    let mut point = G1Projective::GENERATOR;
                    let mut points = Vec::with_capacity(n);
                    for scalar in &scalars {
                        points.push(point);
                        let small = Fr::from_u64(scalar.to_canonical_limbs()[0] & 7);
                        point = point.double() + G1Projective::GENERATOR.mul_vartime(&small);
                    }
                    let points = G1Projective::batch_to_affine_vartime(&points);
                    let integers: Vec<Integer<Fr>> =
                        scalars.iter().copied().map(Integer::from).collect();
                    let ours: G1Affine = msm_vartime(&points, &integers)
                        .expect("equal lengths")
                        .to_affine();

                    let ark_points: Vec<$ark::G1Affine> = points
                        .iter()
                        .map(|point| {
                            $ark::G1Affine::new_unchecked(to_ark_fq(point.x), to_ark_fq(point.y))
                        })
                        .collect();
                    let theirs = $ark::G1Projective::msm(&ark_points, &to_ark_scalars(&scalars))
                        .expect("equal lengths")
                        .into_affine();
                    let (x, y) = theirs.xy().expect("not infinity");
                    assert_eq!(
                        (ours.x, ours.y),
                        (from_ark_fq(x), from_ark_fq(y)),
                        "2^{log_n}"
                    );
                }
            }

            #[test]
            fn g2_is_arkworks() {
                for log_n in [10, 12] {
                    let n = 1 << log_n;
                    let scalars = scalars(n);
                    let mut point = G2Projective::GENERATOR;
                    let mut points = Vec::with_capacity(n);
                    for _ in 0..n {
                        points.push(point);
                        point = point.double() + G2Projective::GENERATOR;
                    }
                    let points = G2Projective::batch_to_affine_vartime(&points);
                    let integers: Vec<Integer<Fr>> =
                        scalars.iter().copied().map(Integer::from).collect();
                    let ours: G2Affine = msm_vartime(&points, &integers)
                        .expect("equal lengths")
                        .to_affine();

                    let to_ark_fq2 =
                        |value: Fq2| $ark::Fq2::new(to_ark_fq(value.c0), to_ark_fq(value.c1));
                    let ark_points: Vec<$ark::G2Affine> = points
                        .iter()
                        .map(|point| {
                            $ark::G2Affine::new_unchecked(to_ark_fq2(point.x), to_ark_fq2(point.y))
                        })
                        .collect();
                    let theirs = $ark::G2Projective::msm(&ark_points, &to_ark_scalars(&scalars))
                        .expect("equal lengths")
                        .into_affine();
                    let (x, y) = theirs.xy().expect("not infinity");
                    let from_ark_fq2 =
                        |value: $ark::Fq2| Fq2::new(from_ark_fq(value.c0), from_ark_fq(value.c1));
                    assert_eq!(
                        (ours.x, ours.y),
                        (from_ark_fq2(x), from_ark_fq2(y)),
                        "2^{log_n}"
                    );
                }
            }
        }
    };
}

is_arkworks!(bn254, ark_bn254);
is_arkworks!(bls12_381, ark_bls12_381);
