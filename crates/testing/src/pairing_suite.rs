//! The suite that every pairing passes: arkworks' values, its laws, its edge cases.

/// Tests of one pairing.
///
/// `pairing_suite!(name, curve, peer: ark_bn254::Bn254, factor: …)`
///
/// The module with the fields, groups and `pairing` is `curve`. The final exponentiation raises to `(p¹² - 1)/r` times
/// `factor`, an integer. The peer is arkworks' pairing; its crate has `Fq12`, `Fr`, `G1Affine` and `G2Affine`. The
/// module of the suite has `coefficients`, `g1` and `g2` for further tests.
#[macro_export]
macro_rules! pairing_suite {
    ($name:ident, $($curve:ident)::+, peer: $ark:ident::$Ark:ident, factor: $factor:expr) => {
        mod $name {
            use $($curve)::+::pairing::{
                G2Prepared, Gt, final_exponentiation, miller_loop, multi_pairing, pairing,
            };
            use $($curve)::+::{
                Fq, Fq2, Fq12, Fr, G1Affine, G1Projective, G2Affine, G2Projective,
            };
            use $crate::num_bigint::BigUint;
            use $crate::tower_suite::integer;

            /// Coefficients of an element of Fq12 in the order of nesting.
            pub fn coefficients(value: &Fq12) -> Vec<Fq> {
                let [a, b] = [&value.c0, &value.c1];
                [a.c0, a.c1, a.c2, b.c0, b.c1, b.c2]
                    .iter()
                    .flat_map(|pair| [pair.c0, pair.c1])
                    .collect()
            }

            pub fn g1(scalar: &Fr) -> G1Affine {
                G1Projective::GENERATOR.mul(scalar).to_affine()
            }

            pub fn g2(scalar: &Fr) -> G2Affine {
                G2Projective::GENERATOR.mul(scalar).to_affine()
            }

            /// Pairs of scalars: zero, small ones, the largest ones, and some without a pattern.
            fn scalars() -> Vec<(Fr, Fr)> {
                let mut mixed = Fr::from_u64(3);
                let mut next = || {
                    mixed = mixed.square() + Fr::from_u64(0x9e37_79b9_7f4a_7c15);
                    mixed
                };
                let one = Fr::ONE;
                let mut scalars = vec![
                    (one, one),
                    (one, Fr::from_u64(2)),
                    (-one, one),
                    (-one, -one),
                    (Fr::from_u64(7), -one),
                ];
                scalars.extend([(Fr::ZERO, one), (one, Fr::ZERO), (Fr::ZERO, Fr::ZERO)]);
                scalars.extend((0..4).map(|_| (next(), next())));
                scalars
            }

            /// The same values as arkworks, so the same power of the reduced pairing.
            #[test]
            fn values_equal_those_of_arkworks() {
                use ark_ec::{AffineRepr, CurveGroup, pairing::Pairing};
                use ark_ff::PrimeField;

                let canonical_of_ark = |value: &$ark::Fq12| -> Vec<_> {
                    let [a, b] = [&value.c0, &value.c1];
                    let pairs = [a.c0, a.c1, a.c2, b.c0, b.c1, b.c2];
                    pairs
                        .iter()
                        .flat_map(|pair| [pair.c0.into_bigint().0, pair.c1.into_bigint().0])
                        .collect()
                };
                for (a, b) in scalars() {
                    let ark_scalar = |k: &Fr| $ark::Fr::from_le_bytes_mod_order(&k.to_le_bytes());
                    let p = ($ark::G1Affine::generator() * ark_scalar(&a)).into_affine();
                    let q = ($ark::G2Affine::generator() * ark_scalar(&b)).into_affine();
                    let theirs = canonical_of_ark(&$ark::$Ark::pairing(p, q).0);
                    let ours = coefficients(pairing(&g1(&a), &g2(&b)).as_fq12());
                    let ours: Vec<_> = ours.iter().map(Fq::to_canonical_limbs).collect();
                    assert_eq!(ours, theirs);
                }
            }

            #[test]
            fn is_bilinear() {
                let generator = pairing(&G1Affine::GENERATOR, &G2Affine::GENERATOR);
                for (a, b) in scalars() {
                    let expected = generator.pow(&(a * b));
                    assert_eq!(pairing(&g1(&a), &g2(&b)), expected);
                    assert_eq!(pairing(&g1(&(a * b)), &G2Affine::GENERATOR), expected);
                    assert_eq!(pairing(&g1(&b), &g2(&a)), expected);
                }
            }

            #[test]
            fn is_not_degenerate() {
                let generator = pairing(&G1Affine::GENERATOR, &G2Affine::GENERATOR);
                assert_ne!(generator, Gt::IDENTITY);
                // of order r: the power r - 1 is the inverse, and the order is prime
                assert_eq!(generator.pow(&-Fr::ONE), generator.invert());
                assert_eq!(generator.pow(&-Fr::ONE) * generator, Gt::IDENTITY);
            }

            #[test]
            fn a_point_at_infinity_gives_one() {
                let (p, q) = (g1(&Fr::from_u64(5)), g2(&Fr::from_u64(6)));
                let (none_1, none_2) = (G1Affine::IDENTITY, G2Affine::IDENTITY);
                let prepared = G2Prepared::from(&q);
                let prepared_infinity = G2Prepared::from(&none_2);
                assert_eq!(pairing(&none_1, &q), Gt::IDENTITY);
                assert_eq!(pairing(&p, &none_2), Gt::IDENTITY);
                assert_eq!(pairing(&none_1, &none_2), Gt::IDENTITY);
                // and does not disturb the others
                let with = [(none_1, &prepared), (p, &prepared), (p, &prepared_infinity)];
                assert_eq!(multi_pairing(&with), pairing(&p, &q));
                assert_eq!(miller_loop(&[(none_1, &prepared)]), Fq12::ONE);
                assert_eq!(miller_loop(&[(p, &prepared_infinity)]), Fq12::ONE);
            }

            #[test]
            fn product_of_pairings_is_the_pairing_of_many() {
                assert_eq!(multi_pairing(&[]), Gt::IDENTITY);
                let scalars = scalars();
                let prepared = scalars.iter().map(|(_, b)| G2Prepared::from(&g2(b)));
                let prepared: Vec<G2Prepared> = prepared.collect();
                let pairs = scalars.iter().zip(&prepared);
                let pairs: Vec<_> = pairs.map(|((a, _), prepared)| (g1(a), prepared)).collect();
                for n in [1, 2, 3, pairs.len()] {
                    let factors = scalars[..n].iter().map(|(a, b)| pairing(&g1(a), &g2(b)));
                    let product: Gt = factors.product();
                    assert_eq!(multi_pairing(&pairs[..n]), product);
                    assert_eq!(final_exponentiation(&miller_loop(&pairs[..n])), product);
                }
                // e(aG, bH)·e(-abG, H) = 1, in which each factor differs from one
                let (a, b) = (Fr::from_u64(123_456_789), -Fr::from_u64(987));
                let left = G2Prepared::from(&g2(&b));
                let right = G2Prepared::from(&G2Affine::GENERATOR);
                let with = |last: Fr| multi_pairing(&[(g1(&a), &left), (g1(&last), &right)]);
                assert_eq!(with(-(a * b)), Gt::IDENTITY);
                assert_ne!(with(a * b), Gt::IDENTITY);
            }

            #[test]
            fn target_group_powers() {
                let g = pairing(&G1Affine::GENERATOR, &G2Affine::GENERATOR);
                let mut power = Gt::IDENTITY;
                for k in 0..40 {
                    assert_eq!(g.pow(&Fr::from_u64(k)), power);
                    assert_eq!(g.pow(&-Fr::from_u64(k)), power.invert());
                    assert_eq!(power.square(), power * power);
                    power *= g;
                }
                assert!(bool::from(Gt::IDENTITY.is_identity()) && !bool::from(g.is_identity()));
                for (a, b) in scalars() {
                    assert_eq!(g.pow(&a) * g.pow(&b), g.pow(&(a + b)));
                    assert_eq!(g.pow(&a).pow(&b), g.pow(&(a * b)));
                }
            }

            /// The final exponentiation against its definition: the plain power, computed bit by bit.
            #[test]
            fn final_exponentiation_is_the_power_it_says() {
                use frumious_field::Field;

                let (p, r) = (integer(&Fq::MODULUS), integer(&Fr::MODULUS));
                let factor: BigUint = $factor;
                let exponent = (p.pow(12) - 1u8) / &r * factor;
                let prepared = G2Prepared::from(&G2Affine::GENERATOR);
                let f = miller_loop(&[(G1Affine::GENERATOR, &prepared)]);
                assert_eq!(
                    *final_exponentiation(&f).as_fq12(),
                    f.pow_vartime(&exponent.to_u64_digits())
                );
                assert_eq!(*final_exponentiation(&Fq12::ZERO).as_fq12(), Fq12::ZERO);
                assert_eq!(final_exponentiation(&Fq12::ONE), Gt::IDENTITY);
            }

            /// Batches of points: the lines of each are its own, and points outside of G2 are seen, alone and among
            /// others.
            #[test]
            fn batches_are_checked_while_they_are_prepared() {
                use frumious_curves::EncodingError;

                let mut points = vec![(G2Affine::IDENTITY, None)];
                points.extend(scalars().into_iter().map(|(a, _)| {
                    (G2Projective::GENERATOR.mul(&a).to_affine(), None)
                }));
                let mut x = Fq2::ZERO;
                for _ in 0..60 {
                    x += Fq2::ONE;
                    let Some(y) = (x.square() * x + G2Affine::B).sqrt().into_option() else {
                        continue;
                    };
                    let outside = G2Affine { x, y };
                    assert!(!bool::from(outside.is_in_subgroup()));
                    let sum = G2Projective::from(outside) + G2Projective::GENERATOR;
                    let off = G2Affine { x, y: y + Fq2::ONE };
                    points.push((outside, Some(EncodingError::NotInSubgroup)));
                    points.push((sum.to_affine(), Some(EncodingError::NotInSubgroup)));
                    points.push((off, Some(EncodingError::NotOnCurve)));
                    points.push((G2Affine { x: Fq2::ZERO, y }, Some(EncodingError::NotOnCurve)));
                }
                assert!(points.len() > 100);
                assert!(G2Prepared::batch_checked_vartime(&[]).is_empty());
                let all: Vec<G2Affine> = points.iter().map(|(q, _)| *q).collect();
                let all = G2Prepared::batch_checked_vartime(&all);
                for ((q, fault), among) in points.iter().zip(all) {
                    let alone = G2Prepared::batch_checked_vartime(&[*q]).remove(0);
                    for prepared in [among, alone] {
                        match (prepared, fault) {
                            (Ok(prepared), None) => {
                                let plain = G2Prepared::from(q);
                                assert_eq!(format!("{prepared:?}"), format!("{plain:?}"));
                            }
                            (Err(error), Some(fault)) => assert_eq!(error, *fault),
                            (_, fault) => panic!("{fault:?} was expected of {q:?}"),
                        }
                    }
                }
            }

            /// Points on the twist outside of G2 are the caller's mistake, but must not panic.
            #[test]
            fn a_point_outside_of_g2_does_not_panic() {
                let mut x = Fq2::ONE;
                let outside = loop {
                    let y = (x.square() * x + G2Affine::B).sqrt();
                    if let Some(y) = y.into_option() {
                        break G2Affine { x, y };
                    }
                    x += Fq2::ONE;
                };
                assert!(!bool::from(outside.is_in_subgroup()));
                let value = pairing(&G1Affine::GENERATOR, &outside);
                assert_ne!(value, Gt::IDENTITY);
            }
        }
    };
}
