//! The entry for Banderwagon against `Σ scalar·element`, and both representatives of every element.

use super::{Numbers, TestGroup, check, second};
use crate::LengthMismatch;
use crate::bandersnatch::{Multiples, convert_vartime, msm_converted_vartime, msm_vartime};
use frumious_curves::bandersnatch::{
    AffineElement, Element, Fr, WeierstrassAffine, batch_to_affine_vartime,
};

fn elements(n: u64) -> Vec<AffineElement> {
    let mut point = Element::GENERATOR.mul_vartime(&Fr::from_u64(0xbad_cafe));
    let mut points = Vec::new();
    for _ in 0..n {
        points.push(point);
        point = point.double() + Element::GENERATOR;
    }
    batch_to_affine_vartime(&points)
}

fn scalars(n: usize) -> Vec<Fr> {
    let mut numbers = Numbers(20);
    let scalar = || Fr::from_uniform_bytes(&core::array::from_fn(|_| numbers.next() as u8));
    core::iter::repeat_with(scalar).take(n).collect()
}

fn sum_vartime(points: &[AffineElement], scalars: &[Fr]) -> Element {
    let product =
        |(point, scalar): (&AffineElement, &Fr)| Element::from(*point).mul_vartime(scalar);
    points.iter().zip(scalars).map(product).sum()
}

#[test]
fn sums_of_elements() {
    let points = elements(700);
    let mut scalars = scalars(700);
    let edges = [
        Fr::ZERO,
        Fr::ONE,
        -Fr::ONE,
        Fr::from_u64(2),
        -Fr::from_u64(2),
    ];
    for (i, scalar) in scalars.iter_mut().enumerate().filter(|(i, _)| i % 4 == 3) {
        *scalar = edges[i % edges.len()];
    }
    let mut representatives = points.clone();
    for point in representatives.iter_mut().step_by(2) {
        *point = second(point);
    }
    for n in [0, 1, 2, 3, 17, 18, 64, 65, 256, 257, 700] {
        let expected = sum_vartime(&points[..n], &scalars[..n]);
        assert_eq!(msm_vartime(&points[..n], &scalars[..n]), Ok(expected));
        assert_eq!(
            msm_vartime(&representatives[..n], &scalars[..n]),
            Ok(expected),
            "{n}"
        );
        let converted = convert_vartime(&representatives[..n]);
        assert_eq!(
            msm_converted_vartime(&converted, &scalars[..n]),
            Ok(expected)
        );
    }
}

/// Neutral elements by both representatives among others, the same element twice, opposite ones; edge scalars.
#[test]
fn sums_with_multiples_prepared() {
    let mut points = elements(40);
    points[3] = AffineElement::IDENTITY;
    points[5] = second(&AffineElement::IDENTITY);
    points[9] = points[8];
    points[11] = second(&points[10]);
    points[13] = (-Element::from(points[12])).to_affine();
    let mut scalars = scalars(40);
    scalars[9] = scalars[8];
    scalars[11] = -scalars[10];
    scalars[13] = scalars[12];
    let edges = [
        Fr::ZERO,
        Fr::ONE,
        -Fr::ONE,
        Fr::from_u64(16),
        -Fr::from_u64(16),
    ];
    scalars[20..25].copy_from_slice(&edges);
    for n in [0, 1, 2, 4, 6, 16, 40] {
        let (points, scalars) = (&points[..n], &scalars[..n]);
        let multiples = Multiples::new_vartime(points);
        let expected = sum_vartime(points, scalars);
        assert_eq!(multiples.sum_vartime(scalars), Ok(expected), "{n}");
        assert_eq!(
            multiples.sum_vartime(&vec![Fr::ZERO; n]),
            Ok(Element::IDENTITY)
        );
        let again = -scalars
            .iter()
            .fold(Fr::ONE, |product, scalar| product * *scalar);
        let scalars = vec![again; n];
        let expected = sum_vartime(points, &scalars);
        assert_eq!(
            multiples.sum_vartime(&scalars),
            Ok(expected),
            "{n}, equal scalars"
        );
    }
    let multiples = Multiples::new_vartime(&points[..2]);
    let error = LengthMismatch {
        points: 2,
        scalars: 1,
    };
    assert_eq!(multiples.sum_vartime(&scalars[..1]), Err(error));
}

/// What `banderwagon.MultiExp` of go-ipa (53bbb0c) gives for the points `3G, 7G, 15G, …` and the scalars of
/// `v ← v² + i` for `i = 1, 2, …` from `v = 0xfeedbeef`.
#[test]
fn go_ipa_gives_the_same() {
    let (mut points, mut scalars) = (Vec::new(), Vec::new());
    let (mut point, mut scalar) = (Element::GENERATOR, Fr::from_u64(0xfeed_beef));
    for i in 1..=5000 {
        point = point.double() + Element::GENERATOR;
        points.push(point);
        scalar = scalar.square() + Fr::from_u64(i);
        scalars.push(scalar);
    }
    let points = batch_to_affine_vartime(&points);
    for (n, expected) in [
        (
            1,
            "0a5a8c20abf91631f1c3b11e34ca0e66305a25c5b5a7a8c7c71e84d48232ddb4",
        ),
        (
            17,
            "39f23c66c3c00516cc645011884f4d50e2e0b39fa5d054480c1b3d80709970e5",
        ),
        (
            256,
            "34c56ac7d1c80b0687dde307ca0a493dd76643d8679cd9db92adf7df2cddffb1",
        ),
        (
            5000,
            "01c0952fd4a4fd86739c62eff51a589a9c45a6e9d3f5f2f04660e8e4081c1b84",
        ),
    ] {
        let sum = msm_vartime(&points[..n], &scalars[..n]).expect("lengths are equal");
        let bytes = sum.to_bytes();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, expected, "{n}");
    }
}

#[test]
fn edge_scalars_one_by_one() {
    let point = elements(1)[0];
    for bit in 0..=252 {
        let power = (0..bit).fold(Fr::ONE, |power, _| power.double());
        for scalar in [power, power - Fr::ONE, -power, Fr::ONE - power] {
            let expected = Element::from(point).mul_vartime(&scalar);
            for point in [point, second(&point)] {
                assert_eq!(msm_vartime(&[point], &[scalar]), Ok(expected), "{scalar:?}");
            }
        }
    }
}

/// Neutral elements by both representatives, anywhere.
#[test]
fn neutral_elements() {
    let neutral = AffineElement::IDENTITY;
    for n in [1, 20, 100] {
        let scalars = scalars(n);
        let mut points = vec![neutral; n];
        assert_eq!(msm_vartime(&points, &scalars), Ok(Element::IDENTITY));
        points.fill(second(&neutral));
        assert_eq!(msm_vartime(&points, &scalars), Ok(Element::IDENTITY));
        for (i, point) in elements(n as u64).into_iter().enumerate() {
            points[i] = [point, neutral, second(&point), second(&neutral)][i % 4];
        }
        assert_eq!(
            msm_vartime(&points, &scalars),
            Ok(sum_vartime(&points, &scalars))
        );
    }
}

/// `P - (P + (0, -1))` is the point of order two: it lies in buckets, is doubled and added to others there.
#[test]
fn representatives_meet_in_buckets() {
    let pool = elements(3);
    let mut numbers = Numbers(21);
    for n in [2, 3, 8, 40, 70, 300, 3000] {
        let points: Vec<AffineElement> = (0..n)
            .map(|_| {
                let point = pool[numbers.next() as usize % 3];
                let point = if numbers.next() & 1 == 0 {
                    point
                } else {
                    -point
                };
                if numbers.next() & 1 == 0 {
                    point
                } else {
                    second(&point)
                }
            })
            .collect();
        let all = scalars(n);
        let equal = vec![all[0]; n];
        let few: Vec<Fr> = (0..n).map(|i| all[i % 2]).collect();
        for scalars in [all, equal, few, vec![Fr::ONE; n]] {
            assert_eq!(
                msm_vartime(&points, &scalars),
                Ok(sum_vartime(&points, &scalars)),
                "{n}"
            );
        }
    }
    // nothing but points of order two after the first additions
    let point = pool[0];
    let points: Vec<AffineElement> = (0..400)
        .map(|i| if i % 2 == 0 { point } else { -second(&point) })
        .collect();
    for n in [2, 4, 50, 62, 400] {
        let equal = vec![scalars(1)[0]; n];
        assert_eq!(msm_vartime(&points[..n], &equal), Ok(Element::IDENTITY));
    }
}

/// The point of order two itself, which no conversion gives, among converted points.
#[test]
fn the_point_of_order_two_is_neutral() {
    let point = elements(1)[0];
    let both = convert_vartime(&[point, second(&point)]);
    // P + (0, -1) - P by the affine law
    let [(x1, y1), (x2, y2)] = [(both[0].x(), -both[0].y()), (both[1].x(), both[1].y())];
    let slope = (y2 - y1) * (x2 - x1).invert().expect("they differ");
    let x3 = slope.square() - x1 - x2;
    let y3 = slope * (x1 - x3) - y1;
    let order_two = WeierstrassAffine::from_coordinates_unchecked(x3, y3);
    assert_eq!(y3, -y3, "it is its own opposite");
    for n in [2, 30, 500] {
        let mut points = WeierstrassAffine::scattered(n);
        for point in points.iter_mut().step_by(2) {
            *point = order_two;
        }
        check(&points, &Numbers(22).scalars(n));
        points.fill(order_two);
        check(&points, &Numbers(23).scalars(n));
        check(&points, &vec![[1, 0, 0, 0]; n]);
    }
}

#[test]
fn lengths_must_agree() {
    let points = elements(2);
    let mismatch = |points, scalars| Err(LengthMismatch { points, scalars });
    assert_eq!(msm_vartime(&points, &[Fr::ONE]), mismatch(2, 1));
    assert_eq!(msm_vartime(&[], &[Fr::ONE]), mismatch(0, 1));
    assert_eq!(
        msm_converted_vartime(&convert_vartime(&points), &[]),
        mismatch(2, 0)
    );
}
