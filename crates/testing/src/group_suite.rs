//! The suites that every group passes, against double-and-add.

use frumious_field::PrimeField;

/// Scalars at the edges: small ones, those near the order, windows full of ones, those near each of `special`, and a
/// few of no pattern.
///
/// Special are the factors by which the group's endomorphisms multiply.
pub fn edge_scalars<F: PrimeField>(special: &[F]) -> Vec<F> {
    let mut scalars: Vec<F> = (0..40).map(F::from_u64).collect();
    scalars.extend((1..40).map(|k| -F::from_u64(k)));
    let mut power = F::ONE;
    for _ in 1..=F::MODULUS_BITS {
        power = power.double();
        scalars.extend([power, power - F::ONE, power + F::ONE]);
    }
    for factor in special {
        for small in (0..4).map(F::from_u64) {
            scalars.extend([*factor + small, *factor - small, small - *factor]);
        }
    }
    let half = F::from_u64(2).invert().expect("an odd order");
    scalars.extend([half, half - F::ONE]);
    let mut mixed = F::from_u64(0x1234_5678_9abc_def1);
    for _ in 0..200 {
        mixed = mixed.square() + F::ONE;
        scalars.push(mixed);
    }
    scalars
}

/// Tests of one group: multiples against double-and-add, its laws in every exceptional case, its order.
///
/// `group_suite!(name, scalars: Fr, points: Projective, affine: Affine, special: [factor, …])`
///
/// The points have `IDENTITY`, `GENERATOR`, `mul`, `mul_vartime`, `double` and `to_affine`. Affine points are named for
/// a group that has the methods of `impl_weierstrass_group!` of `frumious_curves`. The special scalars are as for
/// [`edge_scalars`](crate::group_suite::edge_scalars). The module has `naive_mul` and `scalars` for further tests.
#[macro_export]
macro_rules! group_suite {
    (
        $name:ident, scalars: $scalar:ident, points: $point:ident
        $(, affine: $affine:ident)?, special: [$($special:expr),*]
    ) => {
        mod $name {
            #[allow(unused_imports)] // the special factors may need them
            use super::*;

            type Scalar = super::$scalar;
            type Point = super::$point;

            pub fn scalars() -> Vec<Scalar> {
                $crate::group_suite::edge_scalars::<Scalar>(&[$($special),*])
            }

            pub fn naive_mul(point: &Point, scalar: &Scalar) -> Point {
                let words = scalar.to_canonical_limbs();
                let mut sum = Point::IDENTITY;
                for bit in (0..64 * words.len()).rev() {
                    sum = sum.double();
                    if words[bit / 64] >> (bit % 64) & 1 == 1 {
                        sum += *point;
                    }
                }
                sum
            }

            fn multiple(k: u64) -> Point {
                naive_mul(&Point::GENERATOR, &Scalar::from_u64(k))
            }

            #[test]
            fn scalar_multiplication_equals_double_and_add() {
                let point = multiple(123_456_789);
                for scalar in scalars() {
                    let expected = naive_mul(&point, &scalar);
                    assert_eq!(point.mul(&scalar), expected, "{scalar:?}");
                    assert_eq!(point.mul_vartime(&scalar), expected, "{scalar:?}");
                    assert_eq!(Point::IDENTITY.mul(&scalar), Point::IDENTITY);
                    assert_eq!(Point::IDENTITY.mul_vartime(&scalar), Point::IDENTITY);
                }
            }

            #[test]
            fn group_law_in_every_case() {
                let points: Vec<Point> = (0..8).map(multiple).collect();
                for (i, p) in points.iter().enumerate() {
                    assert_eq!(p.double(), *p + *p);
                    assert_eq!(*p - *p, Point::IDENTITY);
                    assert_eq!(bool::from(p.is_identity()), i == 0);
                    assert_eq!(*p + Point::IDENTITY, *p);
                    for (j, q) in points.iter().enumerate() {
                        assert_eq!(*p == *q, i == j);
                        assert_eq!(*p + *q, multiple((i + j) as u64));
                        assert_eq!(p.add_affine(&q.to_affine()), *p + *q);
                        assert_eq!(p.add_affine(&-q.to_affine()), *p - *q);
                        assert_eq!(*p - *q, *p + -*q);
                        assert_eq!([p + q, *p + q, p + *q], [*p + *q; 3]);
                        assert_eq!([p - q, *p - q, p - *q], [*p - *q; 3]);
                        assert_eq!([p + q.to_affine(), p + &q.to_affine()], [*p + *q; 2]);
                        let mut assigned = *p;
                        assigned += *q;
                        assigned -= *p;
                        assert_eq!(assigned, *q);
                    }
                }
                assert_eq!(points.iter().copied().sum::<Point>(), multiple(28));
                assert_eq!(points.iter().sum::<Point>(), multiple(28));
                let mut product = points[3];
                product *= Scalar::from(-2);
                let products = [points[3] * Scalar::from(-2), &points[3] * &Scalar::from(-2)];
                assert_eq!([product, -multiple(6)], products);
            }

            #[test]
            fn equal_points_have_one_hash_and_one_text() {
                let points: Vec<Point> = (0..8).map(multiple).collect();
                let distinct: std::collections::HashSet<Point> = points.iter().copied().collect();
                assert_eq!(distinct.len(), points.len());
                for (i, point) in points.iter().enumerate() {
                    let other = multiple(i as u64 + 9) - multiple(9); // in other coordinates
                    assert!(distinct.contains(&other));
                    assert_eq!(other.to_string(), point.to_string());
                    assert_eq!(other.to_affine().to_string(), point.to_string());
                    assert_ne!((other + points[1]).to_string(), point.to_string());
                }
                let affine = points.iter().map(Point::to_affine);
                let affine: std::collections::HashSet<_> = affine.collect();
                assert!(points.iter().all(|point| affine.contains(&(point + points[0]).to_affine())));
            }

            #[test]
            fn the_order_annihilates_the_generator() {
                let minus_one = naive_mul(&Point::GENERATOR, &-Scalar::ONE);
                assert_eq!(minus_one, -Point::GENERATOR);
            }

            $($crate::weierstrass_suite!($affine);)?
        }
    };
}

/// The part of [`group_suite!`](crate::group_suite!) about affine points in Weierstrass form, inside its module.
#[doc(hidden)]
#[macro_export]
macro_rules! weierstrass_suite {
    ($affine:ident) => {
        type Affine = super::$affine;

        #[test]
        fn affine_points_are_the_group() {
            let points: Vec<Point> = (0..8).map(multiple).collect();
            assert!(bool::from(Affine::GENERATOR.is_on_curve()));
            assert_eq!(points[0].to_affine(), Affine::IDENTITY);
            assert_eq!(points[1].to_affine(), Affine::GENERATOR);
            for p in &points {
                assert!(bool::from(p.to_affine().is_on_curve()));
                assert_eq!(Point::from(p.to_affine()), *p);
                for q in &points {
                    assert_eq!(p.add_affine_vartime(&q.to_affine()), *p + *q);
                    assert_eq!(p.add_affine_vartime(&-q.to_affine()), *p - *q);
                }
            }
            let affine = Point::batch_to_affine_vartime(&points);
            assert!(points.iter().zip(&affine).all(|(p, a)| p.to_affine() == *a));
        }

        #[test]
        fn affine_points_are_equal_if_both_coordinates_are() {
            let generator = Affine::GENERATOR;
            let (mut other_x, mut other_y) = (generator, generator);
            other_x.x = generator.y;
            other_y.y = generator.x;
            let points = [generator, -generator, Affine::IDENTITY, other_x, other_y];
            for (i, a) in points.iter().enumerate() {
                for (j, b) in points.iter().enumerate() {
                    assert_eq!(a == b, i == j, "{i} {j}");
                }
            }
        }
    };
}

/// Test of encodings of affine points: what is written is read again, for multiples of the generator.
///
/// `encoding_suite!(name, group, Affine, [to_bytes => from_bytes, …])`, where `group` is the module of
/// [`group_suite!`](crate::group_suite!).
#[macro_export]
macro_rules! encoding_suite {
    ($name:ident, $group:ident, $affine:ident, [$($write:ident => $read:ident),+ $(,)?]) => {
        #[test]
        fn $name() {
            for scalar in $group::scalars().into_iter().take(80) {
                let generator = $affine::GENERATOR.into();
                let point = $group::naive_mul(&generator, &scalar).to_affine();
                $(assert_eq!($affine::$read(&point.$write()), Ok(point));)+
            }
        }
    };
}

/// Tests of membership in a subgroup of order `r` of a curve with other points.
///
/// `x` gives an x coordinate for a small number. Nearly every x that has a y gives a point outside the group. Each
/// encoding refuses it. A group with `clear_cofactor` says `cofactor`.
#[macro_export]
macro_rules! subgroup_suite {
    (
        $name:ident, $group:ident, scalars: $scalar:ident, points: $point:ident, affine: $affine:ident, x: $x:expr,
        encodings: [$($write:ident => $read:ident),+ $(,)?] $(, $cofactor:ident)?
    ) => {
        mod $name {
            use super::*;
            use frumious_curves::EncodingError;

            /// Points of the curve outside the group.
            fn outside() -> Vec<$affine> {
                let x = $x;
                let points = (1..31).map(x).filter_map(|x| {
                    let y = (x.square() * x + $affine::B).sqrt().into_option()?;
                    Some($affine { x, y })
                });
                let points: Vec<_> = points.collect();
                assert!(points.len() > 5);
                points
            }

            #[test]
            fn points_outside_are_seen() {
                for point in outside() {
                    assert!(bool::from(point.is_on_curve()));
                    assert!(!bool::from(point.is_in_subgroup()));
                    // the order does not annihilate it, by double-and-add
                    let projective = $point::from(point);
                    let minus_one = $group::naive_mul(&projective, &-$scalar::ONE);
                    assert_ne!(minus_one + projective, $point::IDENTITY);
                    $(assert_eq!($affine::$read(&point.$write()), Err(EncodingError::NotInSubgroup));)+
                    // a point of the group plus one outside is outside
                    let sum = $point::GENERATOR + projective;
                    assert!(!bool::from(sum.to_affine().is_in_subgroup()));
                }
            }

            #[test]
            fn points_of_the_group_are_in_it() {
                assert!(bool::from($affine::IDENTITY.is_in_subgroup()));
                for scalar in $group::scalars().into_iter().take(60) {
                    let point = $point::GENERATOR.mul(&scalar).to_affine();
                    assert!(bool::from(point.is_in_subgroup()));
                }
            }

            $($crate::cofactor_suite!($cofactor, $point);)?
        }
    };
}

/// The part of [`subgroup_suite!`](crate::subgroup_suite!) about clearing the cofactor, inside its module.
#[doc(hidden)]
#[macro_export]
macro_rules! cofactor_suite {
    (cofactor, $point:ident) => {
        #[test]
        fn clearing_the_cofactor_is_a_homomorphism_to_the_group() {
            let outside: Vec<$point> = outside().into_iter().map($point::from).collect();
            for point in &outside {
                let cleared = point.clear_cofactor();
                assert_ne!(cleared, $point::IDENTITY);
                assert!(bool::from(cleared.to_affine().is_in_subgroup()));
                assert!(bool::from(cleared.to_affine().is_on_curve()));
            }
            for pair in outside.windows(2) {
                let [a, b] = [pair[0], pair[1]];
                assert_eq!(
                    (a + b).clear_cofactor(),
                    a.clear_cofactor() + b.clear_cofactor()
                );
            }
        }
    };
}
