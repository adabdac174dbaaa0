use super::*;
use crate::bandersnatch::Fr;

/// `i·G` for `i = 1, 2, …`, every other one by its second representative.
fn points(n: u64) -> Vec<AffineElement> {
    (1..=n)
        .map(|i| {
            let point = Element::GENERATOR.mul_vartime(&Fr::from_u64(i)).to_affine();
            if i % 2 == 0 { second(&point) } else { point }
        })
        .collect()
}

/// `point + (0, -1)`: the other representative.
fn second(point: &AffineElement) -> AffineElement {
    AffineElement::from_coordinates(-point.x(), -point.y())
}

fn convert(points: &[AffineElement]) -> Vec<WeierstrassAffine> {
    let mut out = vec![WeierstrassAffine::IDENTITY; points.len()];
    WeierstrassAffine::batch_from_affine_vartime(points, &mut out);
    out
}

/// The published maps, one step and one inversion after the other: Edwards to Montgomery to short Weierstrass.
fn naive(point: &AffineElement) -> WeierstrassAffine {
    let invert = |value: Fq| value.invert().expect("no exceptional point");
    let [a, d] = [-Fq::from_u64(5), AffineElement::D];
    let (x, y) = (point.x(), point.y());
    let u = (Fq::ONE + y) * invert(Fq::ONE - y);
    let v = u * invert(x);
    let montgomery_a = (a + d).double() * invert(a - d);
    let montgomery_b = Fq::from_u64(4) * invert(a - d);
    assert_eq!(
        montgomery_b * v.square(),
        u * u.square() + montgomery_a * u.square() + u
    );
    let scale = invert(montgomery_b);
    WeierstrassAffine {
        x: scale * (u + montgomery_a * invert(Fq::from_u64(3))),
        y: scale * v,
    }
}

/// The affine group law of the text books, `(0, 0)` for infinity.
fn add(left: &WeierstrassAffine, right: &WeierstrassAffine) -> WeierstrassAffine {
    if *left == WeierstrassAffine::IDENTITY {
        return *right;
    }
    if *right == WeierstrassAffine::IDENTITY {
        return *left;
    }
    let (numerator, denominator) = if left.x != right.x {
        (right.y - left.y, right.x - left.x)
    } else if left.y == right.y {
        let square = left.x.square();
        (
            square.double() + square + WeierstrassAffine::A,
            left.y.double(),
        )
    } else {
        (Fq::ONE, Fq::ZERO)
    };
    let Some(inverse) = denominator.invert().into_option() else {
        return WeierstrassAffine::IDENTITY;
    };
    let slope = numerator * inverse;
    let x = slope.square() - left.x - right.x;
    let y = slope * (left.x - x) - left.y;
    WeierstrassAffine { x, y }
}

fn on_curve(point: &WeierstrassAffine) -> bool {
    let (x, y) = (point.x, point.y);
    y.square() == (x.square() + WeierstrassAffine::A) * x + WeierstrassAffine::B
}

/// `(s, 0)`, the image of `(0, -1)`, which no conversion gives.
const ORDER_TWO: WeierstrassAffine = WeierstrassAffine { x: S, y: Fq::ZERO };

#[test]
fn constants_are_what_they_say() {
    let [a, d] = [-Fq::from_u64(5), AffineElement::D];
    assert_eq!(K * Fq::from_u64(4), a - d);
    assert_eq!(S * Fq::from_u64(6), a + d);
    // the coefficients by the general formula for v² = u³ + a₂·u² + a₄·u with a₂ = (a + d)/2, a₄ = ((a - d)/4)²
    let third = Fq::from_u64(3).invert().expect("not zero");
    let a2 = (a + d) * Fq::from_u64(2).invert().expect("not zero");
    let a4 = K.square();
    assert_eq!(WeierstrassAffine::A, a4 - a2.square() * third);
    let twentyseventh = third * third * third;
    assert_eq!(
        WeierstrassAffine::B,
        (a2 * a2.square()).double() * twentyseventh - a2 * a4 * third
    );
    assert_ne!(WeierstrassAffine::B, Fq::ZERO, "(0, 0) is not on the curve");
    assert!(on_curve(&ORDER_TWO));
}

#[test]
fn batches_are_the_published_maps() {
    let points = points(40);
    for n in [0, 1, 2, 3, 40] {
        let converted = convert(&points[..n]);
        for (point, converted) in points.iter().zip(&converted) {
            assert_eq!(*converted, naive(point));
            assert!(on_curve(converted));
        }
    }
}

#[test]
fn back_is_the_same_representative() {
    for point in points(40) {
        let back = convert(&[point])[0].to_element().to_affine();
        assert_eq!((back.x(), back.y()), (point.x(), point.y()));
        let element = convert(&[point])[0].to_element();
        let [x, y, z] = element.coordinates();
        assert_eq!(element, Element::from(point));
        assert_eq!(
            element + element,
            Element::from(point).double(),
            "T is right"
        );
        assert!(!bool::from(x.is_zero() | y.is_zero() | z.is_zero()));
    }
}

#[test]
fn both_identities_are_infinity_and_disturb_no_neighbour() {
    let identity = AffineElement::IDENTITY;
    let points = points(3);
    let mixed = [
        identity,
        points[0],
        second(&identity),
        points[1],
        points[2],
        identity,
    ];
    let converted = convert(&mixed);
    for index in [0, 2, 5] {
        assert_eq!(converted[index], WeierstrassAffine::IDENTITY);
        assert_eq!(converted[index].to_element(), Element::IDENTITY);
    }
    for index in [1, 3, 4] {
        assert_eq!(converted[index], naive(&mixed[index]));
    }
    assert_eq!(convert(&[identity]), [WeierstrassAffine::IDENTITY]);
    assert_eq!(ORDER_TWO.to_element(), Element::IDENTITY);
}

#[test]
fn representatives_differ_by_the_point_of_order_two() {
    for point in points(10) {
        let both = convert(&[point, second(&point)]);
        assert_eq!(add(&both[0], &ORDER_TWO), both[1]);
        assert_eq!(add(&both[1], &ORDER_TWO), both[0]);
        let opposite = convert(&[-point])[0];
        assert_eq!((opposite.x, opposite.y), (both[0].x, -both[0].y));
        assert_eq!(add(&both[1], &opposite), ORDER_TWO);
    }
    assert_eq!(add(&ORDER_TWO, &ORDER_TWO), WeierstrassAffine::IDENTITY);
}

/// Sums on this form are sums of the group.
#[test]
fn the_map_is_a_homomorphism() {
    let points = points(12);
    let converted = convert(&points);
    for (left, w_left) in points.iter().zip(&converted) {
        for (right, w_right) in points.iter().zip(&converted) {
            let sum = Element::from(*left) + Element::from(*right);
            assert_eq!(add(w_left, w_right).to_element(), sum);
            let difference = Element::from(*left) - Element::from(*right);
            let negated = WeierstrassAffine {
                x: w_right.x,
                y: -w_right.y,
            };
            assert_eq!(add(w_left, &negated).to_element(), difference);
        }
    }
}

#[test]
#[should_panic(expected = "points but `out` has")]
fn lengths_must_agree() {
    WeierstrassAffine::batch_from_affine_vartime(&[AffineElement::GENERATOR], &mut []);
}
