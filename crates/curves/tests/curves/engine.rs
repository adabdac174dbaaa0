//! The engines: the two curves behind one trait, as the files of snarkjs need them.

#![allow(clippy::unwrap_used)] // in a test, a failed unwrap is the failure

use frumious_curves::engine::{PairingGroup, PointFromX, ResidueField, ScalarField};
use frumious_curves::{Bls12_381, Bn254, EncodingError, Endomorphism, Group, PairingEngine};
use frumious_field::{Field, PrimeField};

#[test]
fn the_root_is_that_of_the_smallest_nonresidue() {
    fn check<F: ScalarField>(decimal: &str) {
        let half: Vec<u64> = F::MODULUS_WORDS.to_vec();
        let half = [
            half[0] >> 1 | half[1] << 63,
            half[1] >> 1 | half[2] << 63,
            half[2] >> 1 | half[3] << 63,
            half[3] >> 1,
        ];
        for g in 2..5 {
            assert_eq!(F::from_u64(g).pow_vartime(&half), F::ONE, "{g}");
        }
        assert_eq!(F::from_u64(5).pow_vartime(&half), -F::ONE);
        let mut top = F::NONRESIDUE_ROOT;
        for _ in 1..F::TWO_ADICITY {
            top = top.square();
        }
        assert_eq!(top, -F::ONE);
        assert_eq!(F::NONRESIDUE_ROOT.to_decimal_vartime(), decimal);
    }
    // ffjavascript 0.3.1: `curve.Fr.toString(curve.Fr.w[curve.Fr.s])`
    check::<<Bn254 as PairingEngine>::Fr>(
        "19103219067921713944291392827692070036145651957329286315305642004821462161904",
    );
    check::<<Bls12_381 as PairingEngine>::Fr>(
        "937917089079007706106976984802249742464848817460758522850752807661925904159",
    );
}

#[test]
fn the_prime_is_one_more_than_the_largest_element() {
    fn check<E: PairingEngine>() {
        let prime = E::CURVE.scalar_modulus();
        assert_eq!(E::Fr::from_decimal_vartime(prime), None);
        let largest = (-E::Fr::ONE).to_decimal_vartime();
        // Both largest elements are even, so nothing is carried.
        let (before, last) = prime.split_at(prime.len() - 1);
        let last: u8 = last.parse().unwrap();
        assert_eq!(largest, format!("{before}{}", last - 1));
    }
    check::<Bn254>();
    check::<Bls12_381>();
}

/// A mapped file may change after its points were checked: whatever then stands there is added up without a panic.
#[test]
fn arithmetic_on_any_bytes_does_not_panic() {
    fn check<G: PairingGroup<Scalar: PrimeField>>() {
        let mut bytes = G::GENERATOR.to_montgomery_bytes().as_ref().to_vec();
        for at in (0..G::BYTES - 8).step_by(4) {
            let before = bytes.clone();
            bytes[at..at + 8].fill(0xff);
            let point = G::from_montgomery_bytes_unchecked(&bytes);
            bytes = before;
            let sum = (-point).plus(&G::GENERATOR.into());
            let sum = point.plus(&G::double(&sum));
            let product = G::multiply_vartime(&sum, &-G::Scalar::from_u64(3));
            let _ = (G::from(product), G::from(sum));
        }
    }
    check::<<Bn254 as PairingEngine>::G1>();
    check::<<Bn254 as PairingEngine>::G2>();
    check::<<Bls12_381 as PairingEngine>::G1>();
    check::<<Bls12_381 as PairingEngine>::G2>();
}

/// Points of every kind keep their bytes and their coefficients.
fn round_trips<G: PairingGroup<Scalar: PrimeField, Base: ResidueField>>() {
    let double = G::multiply(&G::GENERATOR.into(), &G::Scalar::from_u64(2));
    assert!(
        G::from(double)
            == G::from(G::multiply_vartime(
                &G::GENERATOR.into(),
                &G::Scalar::from_u64(2)
            ))
    );
    let points = [G::default(), G::GENERATOR, -G::GENERATOR, G::from(double)];
    for point in points {
        let bytes = point.to_montgomery_bytes();
        assert_eq!(bytes.as_ref().len(), G::BYTES);
        assert_eq!(
            point == G::default(),
            bytes.as_ref().iter().all(|byte| *byte == 0)
        );
        assert_eq!(G::from_montgomery_bytes(bytes.as_ref()), Ok(point));
        assert_eq!(G::from_montgomery_bytes_unchecked(bytes.as_ref()), point);
        let coefficients = point.coefficients();
        assert_eq!(coefficients.len(), 2 * G::DEGREE);
        assert_eq!(G::from_coefficients(&coefficients), Ok(point));

        // Montgomery form: the coefficient times 2^(64·words), and the big-endian bytes the coefficient itself.
        let words = G::Base::MODULUS_WORDS.len();
        let radix = (0..64 * words).fold(G::Base::ONE, |power, _| power.double());
        let little_endian = |bytes: &[u8]| {
            bytes.iter().rev().fold(G::Base::ZERO, |sum, byte| {
                let shifted = (0..8).fold(sum, |sum, _| sum.double());
                (0..*byte).fold(shifted, |sum, _| sum + G::Base::ONE)
            })
        };
        for (part, coefficient) in bytes.as_ref().chunks(8 * words).zip(&coefficients) {
            assert_eq!(little_endian(part), *coefficient * radix);
        }
        let mut plain = point.to_big_endian_bytes();
        plain.reverse(); // y before x, real parts before imaginary ones
        let (y, x) = plain.split_at(G::BYTES / 2);
        for (part, coefficient) in [x, y].concat().chunks(8 * words).zip(&coefficients) {
            assert_eq!(little_endian(part), *coefficient);
        }
    }

    let mut modulus: Vec<u8> = G::Base::MODULUS_WORDS
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    modulus.resize(G::BYTES, 0);
    assert_eq!(
        G::from_montgomery_bytes(&modulus),
        Err(EncodingError::NonCanonical)
    );
    let mut off_curve = G::GENERATOR.coefficients();
    off_curve[0] += G::Base::ONE;
    assert_eq!(
        G::from_coefficients(&off_curve),
        Err(EncodingError::NotOnCurve)
    );
}

#[test]
fn bytes_and_coefficients_round_trip() {
    round_trips::<<Bn254 as PairingEngine>::G1>();
    round_trips::<<Bn254 as PairingEngine>::G2>();
    round_trips::<<Bls12_381 as PairingEngine>::G1>();
    round_trips::<<Bls12_381 as PairingEngine>::G2>();
}

#[test]
fn the_pairing_is_bilinear() {
    fn check<E: PairingEngine>() {
        let (p, q) = (E::G1::GENERATOR, E::G2::GENERATOR);
        let (a, b) = (E::Fr::from_u64(6), E::Fr::from_u64(7));
        let (p6, p42) = (
            E::G1::from(E::G1::multiply(&p.into(), &a)),
            E::G1::multiply(&p.into(), &(a * b)),
        );
        let q7 = E::prepare(&E::G2::from(E::G2::multiply(&q.into(), &b)));
        let q = E::prepare(&q);
        let product = E::multi_pairing(&[(p6, &q7), (E::G1::from(-p42), &q)]);
        assert_eq!(product, E::GT_IDENTITY);
        assert_eq!(E::multi_pairing(&[]), E::GT_IDENTITY);
        assert_ne!(E::multi_pairing(&[(p, &q)]), E::GT_IDENTITY);
        let one = E::gt_coefficients(&E::GT_IDENTITY);
        assert_eq!(one[0], E::Fq::ONE);
        assert!(
            one[1..]
                .iter()
                .all(|coefficient| *coefficient == E::Fq::ZERO)
        );
    }
    check::<Bn254>();
    check::<Bls12_381>();
}

/// Of any x: a point of the group, or none; both signs are opposite, and some x of each kind occur.
#[test]
fn points_from_x_are_in_the_group() {
    fn check<G: PairingGroup<Base: Field>>() {
        let mut found = 0;
        for k in 0..12 {
            let mut x = vec![G::Base::ZERO; G::DEGREE];
            x[G::DEGREE - 1] = (0..k).fold(G::Base::ONE, |x, _| x.double() + G::Base::ONE);
            let points = [false, true].map(|larger| G::from_x_vartime(&x, larger));
            let [Some(smaller), Some(larger)] = points else {
                assert!(points[0].is_none() && points[1].is_none());
                continue;
            };
            assert!(smaller == -larger && smaller != larger);
            let bytes = larger.to_montgomery_bytes();
            assert_eq!(G::from_montgomery_bytes(bytes.as_ref()), Ok(larger));
            found += 1;
        }
        assert!((1..12).contains(&found), "{found}");
    }
    check::<<Bn254 as PairingEngine>::G1>();
    check::<<Bn254 as PairingEngine>::G2>();
    check::<<Bls12_381 as PairingEngine>::G1>();
    check::<<Bls12_381 as PairingEngine>::G2>();
    // Without a cofactor the point itself: the generator's y is 2.
    type G1 = <Bn254 as PairingEngine>::G1;
    assert_eq!(
        G1::from_x_vartime(&[G1::GENERATOR.x], false),
        Some(G1::GENERATOR)
    );
}

/// Of a + b·λ the halves are a and b, at the corners of the square of words. They are linear in a and b but for
/// rounding, which so never comes in, and no two pairs of words give one scalar.
#[test]
fn pairs_of_words_are_halves_of_scalars() {
    fn check<G: Endomorphism>() {
        let value = |digits: &[i8]| {
            let digits = digits.iter().enumerate();
            digits.fold(0_i128, |sum, (i, digit)| {
                sum + (i128::from(*digit) << i.min(80))
            })
        };
        for a in [0, 1, u64::MAX] {
            for b in [0, 1, u64::MAX] {
                let scalar = G::Scalar::from_u64(a) + G::Scalar::from_u64(b) * G::lambda();
                let digits = G::digits_vartime(&scalar, 5);
                let halves = [0, 1].map(|half| value(G::part(&digits, half)));
                assert_eq!(halves, [a, b].map(i128::from));
            }
        }
    }
    check::<<Bn254 as PairingEngine>::G1>();
    check::<<Bls12_381 as PairingEngine>::G1>();
}

/// The digits of all parts, by the naive way, give the multiple.
#[test]
fn digits_and_the_endomorphism_make_multiples() {
    fn check<G: Endomorphism>() {
        let image = G::GENERATOR.endomorphism();
        let lambda = G::multiply(&G::GENERATOR.into(), &G::lambda());
        assert_eq!(G::from(lambda), image);
        assert_eq!(
            image.endomorphism_twice(),
            image.endomorphism().endomorphism()
        );
        assert_eq!(G::default().endomorphism(), G::default());
        assert_eq!(G::default().endomorphism_twice(), G::default());
        let big = G::Scalar::from_u64(3).pow_vartime(&[500]);
        let mut scalars = vec![G::Scalar::ZERO, G::Scalar::ONE, -G::Scalar::ONE, big, -big];
        let powers = (1..4).map(|power| G::lambda().pow_vartime(&[power]));
        scalars.extend(powers.flat_map(|power| [power, -power, power - G::Scalar::ONE]));
        let mut images = vec![G::GENERATOR];
        while images.len() < G::PARTS {
            images.push(images[images.len() - 1].endomorphism());
        }
        for scalar in scalars {
            for width in [2, 4, 5, 8] {
                let digits = G::digits_vartime(&scalar, width);
                let times = |point: G, digit: i8| {
                    let point = if digit < 0 { -point } else { point };
                    let sum = |sum, _| point.plus(&sum);
                    (0..digit.unsigned_abs()).fold(G::Projective::default(), sum)
                };
                let mut product = G::Projective::default();
                for i in (0..digits.len() / G::PARTS).rev() {
                    product = G::double(&product);
                    for (part, image) in images.iter().enumerate() {
                        let digit = G::part(&digits, part)[i];
                        let bound = 1_i16 << (width - 1);
                        assert!(digit == 0 || digit % 2 != 0 && i16::from(digit).abs() < bound);
                        product += times(*image, digit);
                    }
                }
                let expected = G::multiply(&G::GENERATOR.into(), &scalar);
                assert_eq!(product, expected, "width {width}");
            }
        }
    }
    check::<<Bn254 as PairingEngine>::G1>();
    check::<<Bn254 as PairingEngine>::G2>();
    check::<<Bls12_381 as PairingEngine>::G1>();
    check::<<Bls12_381 as PairingEngine>::G2>();
}
