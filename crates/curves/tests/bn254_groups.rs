//! G1 and G2 of BN254 against double-and-add.

use frumious_curves::EncodingError;
use frumious_curves::bn254::{Fq, Fr, G1Affine, G1Projective, G2Affine, G2Projective};

/// Scalars at the edges: small ones, those near the order, windows full of ones, and a few of no pattern.
fn scalars() -> Vec<Fr> {
    let mut scalars: Vec<Fr> = (0..40).map(Fr::from_u64).collect();
    scalars.extend((1..40).map(|k| -Fr::from_u64(k)));
    let two = Fr::from_u64(2);
    for k in 1..254 {
        let power = two.pow_vartime(&[k]);
        scalars.extend([power, power - Fr::ONE, power + Fr::ONE]);
    }
    let lambda = Fr::from_words_reduced([
        0x8b17_ea66_b99c_90dd,
        0x5bfc_4108_8d8d_aaa7,
        0xb3c4_d79d_41a9_1758,
        0,
    ]);
    scalars.extend([lambda, -lambda, lambda - Fr::ONE, lambda + Fr::ONE]);
    let mut x = Fr::from_u64(0x1234_5678_9abc_def1);
    for _ in 0..200 {
        x = x.square() + Fr::ONE;
        scalars.push(x);
    }
    scalars
}

macro_rules! group_suite {
    ($name:ident, $affine:ident, $projective:ident) => {
        mod $name {
            use super::*;

            fn naive_mul(point: &$projective, scalar: &Fr) -> $projective {
                let words = scalar.to_canonical_limbs();
                let mut sum = $projective::IDENTITY;
                for bit in (0..256).rev() {
                    sum = sum.double();
                    if words[bit / 64] >> (bit % 64) & 1 == 1 {
                        sum += *point;
                    }
                }
                sum
            }

            #[test]
            fn scalar_multiplication_equals_double_and_add() {
                let point = naive_mul(&$projective::GENERATOR, &Fr::from_u64(123_456_789));
                for scalar in scalars() {
                    let expected = naive_mul(&point, &scalar);
                    assert_eq!(point.mul(&scalar), expected, "{scalar:?}");
                    assert_eq!(point.mul_vartime(&scalar), expected, "{scalar:?}");
                }
                for scalar in scalars().into_iter().take(5) {
                    assert_eq!($projective::IDENTITY.mul(&scalar), $projective::IDENTITY);
                    assert_eq!(
                        $projective::IDENTITY.mul_vartime(&scalar),
                        $projective::IDENTITY
                    );
                }
            }

            #[test]
            fn group_law_in_every_case() {
                let generator = $projective::GENERATOR;
                let points: Vec<$projective> = (0..8)
                    .map(|k| naive_mul(&generator, &Fr::from_u64(k)))
                    .collect();
                for (i, p) in points.iter().enumerate() {
                    assert_eq!(p.double(), *p + *p);
                    assert_eq!(*p - *p, $projective::IDENTITY);
                    assert_eq!(*p + $projective::IDENTITY, *p);
                    assert!(bool::from(p.to_affine().is_on_curve()));
                    assert_eq!($projective::from(p.to_affine()), *p);
                    for (j, q) in points.iter().enumerate() {
                        assert_eq!(*p == *q, i == j);
                        assert_eq!(
                            *p + *q,
                            naive_mul(&generator, &Fr::from_u64((i + j) as u64))
                        );
                        assert_eq!(p.add_affine(&q.to_affine()), *p + *q);
                        assert_eq!(p.add_affine_vartime(&q.to_affine()), *p + *q);
                        assert_eq!(*p - *q, *p + -*q);
                        assert_eq!(p.add_affine(&-q.to_affine()), *p - *q);
                    }
                }
                let affine = $projective::batch_to_affine_vartime(&points);
                assert!(points.iter().zip(&affine).all(|(p, a)| p.to_affine() == *a));
                assert_eq!(
                    points.iter().copied().sum::<$projective>(),
                    naive_mul(&generator, &Fr::from_u64(28))
                );
            }

            #[test]
            fn the_order_annihilates_the_generator() {
                let minus_one = naive_mul(&$projective::GENERATOR, &-Fr::ONE);
                assert_eq!(minus_one, -$projective::GENERATOR);
                assert!(bool::from($affine::GENERATOR.is_on_curve()));
            }

            #[test]
            fn encodings_round_trip() {
                for scalar in scalars().into_iter().take(80) {
                    let point = naive_mul(&$projective::GENERATOR, &scalar).to_affine();
                    assert_eq!(
                        $affine::from_eip197_bytes(&point.to_eip197_bytes()),
                        Ok(point)
                    );
                    assert_eq!(
                        $affine::from_montgomery_bytes(&point.to_montgomery_bytes()),
                        Ok(point)
                    );
                    assert_eq!(
                        $affine::from_montgomery_bytes_unchecked(&point.to_montgomery_bytes()),
                        point
                    );
                    assert_eq!($affine::from_compressed(&point.to_compressed()), Ok(point));
                }
            }

            #[test]
            fn broken_encodings_are_named() {
                let good = $affine::GENERATOR;
                let mut bytes = good.to_eip197_bytes();
                let last = bytes.len() - 1;
                bytes[last] ^= 1;
                assert_eq!(
                    $affine::from_eip197_bytes(&bytes),
                    Err(EncodingError::NotOnCurve)
                );
                let mut bytes = good.to_eip197_bytes();
                bytes[..32].fill(0xff);
                assert_eq!(
                    $affine::from_eip197_bytes(&bytes),
                    Err(EncodingError::NonCanonical)
                );
                let mut bytes = good.to_montgomery_bytes();
                bytes[..32].fill(0xff);
                assert_eq!(
                    $affine::from_montgomery_bytes(&bytes),
                    Err(EncodingError::NonCanonical)
                );
                let mut bytes = good.to_montgomery_bytes();
                bytes[0] ^= 1;
                assert_eq!(
                    $affine::from_montgomery_bytes(&bytes),
                    Err(EncodingError::NotOnCurve)
                );
                let mut bytes = good.to_compressed();
                bytes[0] &= 0x3f;
                assert_eq!(
                    $affine::from_compressed(&bytes),
                    Err(EncodingError::InvalidFlags)
                );
                bytes[0] |= 0x40;
                assert_eq!(
                    $affine::from_compressed(&bytes),
                    Err(EncodingError::InvalidFlags)
                );
            }
        }
    };
}

group_suite!(g1, G1Affine, G1Projective);
group_suite!(g2, G2Affine, G2Projective);

#[test]
fn points_of_the_twist_outside_g2_are_refused() {
    // the twist's cofactor is 2p - r, so nearly every x with a y gives a point of another order
    let mut found = 0;
    for k in 0..20 {
        let x = frumious_curves::bn254::Fq2 {
            c0: Fq::from_u64(k),
            c1: Fq::ONE,
        };
        if let Some(y) = (x.square() * x + G2Affine::B).sqrt().into_option() {
            let point = G2Affine { x, y };
            assert!(bool::from(point.is_on_curve()));
            assert!(!bool::from(point.is_in_subgroup()));
            assert_eq!(
                G2Affine::from_eip197_bytes(&point.to_eip197_bytes()),
                Err(EncodingError::NotInSubgroup)
            );
            assert_eq!(
                G2Affine::from_montgomery_bytes(&point.to_montgomery_bytes()),
                Err(EncodingError::NotInSubgroup)
            );
            assert_eq!(
                G2Affine::from_compressed(&point.to_compressed()),
                Err(EncodingError::NotInSubgroup)
            );
            found += 1;
        }
    }
    assert!(found > 3);
    assert!(bool::from(G2Affine::IDENTITY.is_in_subgroup()));
    for scalar in scalars().into_iter().take(20) {
        assert!(bool::from(
            G2Projective::GENERATOR
                .mul(&scalar)
                .to_affine()
                .is_in_subgroup()
        ));
    }
}
