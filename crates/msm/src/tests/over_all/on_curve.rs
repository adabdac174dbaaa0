//! Points on their curve against the equation of each, on each backend by itself.

use super::TestGroup;
use crate::on_curve::{in_lanes_vartime, one_by_one_vartime};
use crate::{ScaledPoint, are_on_curve_vartime};
use frumious_curves::bls12_381;
use frumious_curves::bn254::{G1Affine, G2Affine};
use frumious_field::Field;
use frumious_simd::{OnModel, Unit};

fn on_each_backend<A: TestGroup + ScaledPoint>(points: &[A], expected: bool) {
    let generator = A::generator();
    assert_eq!(are_on_curve_vartime(points), expected);
    assert_eq!(one_by_one_vartime(points, &generator), expected);
    assert_eq!(in_lanes_vartime(OnModel, points, &generator), expected);
    for unit in Unit::all() {
        assert_eq!(in_lanes_vartime(unit, points, &generator), expected);
    }
}

/// Every other point is checked at each place of a group of lanes, full or not, beside points and infinity.
fn check<A: TestGroup + ScaledPoint>() {
    let mut good = A::scattered(19);
    good[3] = A::from_coordinates(A::Base::ZERO, A::Base::ZERO);
    good[18] = good[3];
    for length in [0, 1, 7, 8, 9, 16, 19] {
        on_each_backend(&good[..length], true);
    }
    on_each_backend(&[good[3]; 9], true);
    let (x, y) = good[0].coordinates();
    let (other, _) = good[1].coordinates();
    let (zero, one) = (A::Base::ZERO, A::Base::ONE);
    let bad = [
        (x, y + one),
        (x + one, y),
        (y, x),
        (other, y),
        (x, zero),
        (zero, y),
        (one, one),
        (-one, -one),
    ];
    for (x, y) in bad {
        let bad = A::from_coordinates(x, y);
        on_each_backend(&[bad], false);
        on_each_backend(&[bad; 8], false);
        for place in 0..good.len() {
            let mut points = good.clone();
            points[place] = bad;
            assert!(!are_on_curve_vartime(&points), "{place}");
        }
    }
}

#[test]
fn points_of_bn254_are_told_from_others() {
    check::<G1Affine>();
    check::<G2Affine>();
}

#[test]
fn points_of_bls12_381_are_told_from_others() {
    check::<bls12_381::G1Affine>();
    check::<bls12_381::G2Affine>();
}
