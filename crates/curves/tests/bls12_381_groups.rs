//! G1 and G2 of BLS12-381 against double-and-add.

use frumious_curves::EncodingError;
use frumious_curves::bls12_381::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective};

/// Scalars at the edges: small ones, those near the order, windows full of ones, and a few of no pattern.
fn scalars() -> Vec<Fr> {
    let mut scalars: Vec<Fr> = (0..40).map(Fr::from_u64).collect();
    scalars.extend((1..40).map(|k| -Fr::from_u64(k)));
    let two = Fr::from_u64(2);
    for k in 1..254 {
        let power = two.pow_vartime(&[k]);
        scalars.extend([power, power - Fr::ONE, power + Fr::ONE]);
    }
    // the endomorphisms multiply by x² - 1 and by x
    let x = -Fr::from_u64(0xd201_0000_0001_0000);
    for power in [x, x.square() * x, x.square().square()] {
        scalars.extend([power, -power, power - Fr::ONE, power + Fr::ONE]);
    }
    let lambda = x.square() - Fr::ONE;
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
                        $affine::from_uncompressed(&point.to_uncompressed()),
                        Ok(point)
                    );
                    assert_eq!($affine::from_compressed(&point.to_compressed()), Ok(point));
                }
            }
        }
    };
}

group_suite!(g1, G1Affine, G1Projective);
group_suite!(g2, G2Affine, G2Projective);

/// Points of the whole curve: nearly every x that has a y gives a point outside the group of order `r`.
macro_rules! subgroup_suite {
    ($name:ident, $affine:ident, $projective:ident, $x:expr) => {
        #[test]
        fn $name() {
            let x = $x;
            let mut outside = Vec::new();
            for k in 1..31 {
                let x = x(k);
                if let Some(y) = (x.square() * x + $affine::B).sqrt().into_option() {
                    outside.push($affine { x, y });
                }
            }
            assert!(outside.len() > 5);
            for point in &outside {
                assert!(bool::from(point.is_on_curve()));
                assert!(!bool::from(point.is_in_subgroup()));
                // the order does not annihilate it, by double-and-add
                let point = $projective::from(*point);
                let words = Fr::MODULUS;
                let multiple = (0..256).rev().fold($projective::IDENTITY, |sum, bit| {
                    let twice = sum.double();
                    if words[bit / 64] >> (bit % 64) & 1 == 1 {
                        twice + point
                    } else {
                        twice
                    }
                });
                assert_ne!(multiple, $projective::IDENTITY);
                let point = point.to_affine();
                assert_eq!(
                    $affine::from_compressed(&point.to_compressed()),
                    Err(EncodingError::NotInSubgroup)
                );
                assert_eq!(
                    $affine::from_uncompressed(&point.to_uncompressed()),
                    Err(EncodingError::NotInSubgroup)
                );
                let cleared = $projective::from(point).clear_cofactor();
                assert_ne!(cleared, $projective::IDENTITY);
                assert!(bool::from(cleared.to_affine().is_in_subgroup()));
                assert!(bool::from((cleared.to_affine()).is_on_curve()));
                // a point of the group plus one outside is outside
                let sum = $projective::GENERATOR + $projective::from(point);
                assert!(!bool::from(sum.to_affine().is_in_subgroup()));
            }
            // clearing is a homomorphism
            for pair in outside.windows(2) {
                let [a, b] = [pair[0], pair[1]].map($projective::from);
                assert_eq!(
                    (a + b).clear_cofactor(),
                    a.clear_cofactor() + b.clear_cofactor()
                );
            }
            assert!(bool::from($affine::IDENTITY.is_in_subgroup()));
            for scalar in scalars().into_iter().take(60) {
                let point = $projective::GENERATOR.mul(&scalar).to_affine();
                assert!(bool::from(point.is_in_subgroup()));
            }
        }
    };
}

subgroup_suite!(subgroup_g1, G1Affine, G1Projective, |k| Fq::from_u64(k));
subgroup_suite!(subgroup_g2, G2Affine, G2Projective, |k| Fq2 {
    c0: Fq::from_u64(k),
    c1: Fq::ONE,
});

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
    for scalar in scalars().into_iter().take(120) {
        let point = G2Projective::GENERATOR.mul_vartime(&scalar);
        let x = -Fr::from_u64(0xd201_0000_0001_0000);
        assert_eq!(point.psi(), point.mul(&x));
        assert_eq!(point.psi_squared(), point.psi().psi());
        assert_eq!(point.psi().psi(), point.mul_vartime(&x.square()));
    }
}
