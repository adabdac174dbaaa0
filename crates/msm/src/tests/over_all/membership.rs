//! Membership of many points against `is_in_subgroup` of each, on each backend by itself.

use super::TestGroup;
use crate::buckets::Scalar;
use crate::kernel::Portable;
use crate::lanes::InLanes;
use crate::membership::{are_in_group_by_sums_with_vartime, are_in_group_with_vartime};
use crate::weighed::by_windows_with_vartime;
use crate::{
    Choices, ScaledPoint, are_in_group_by_sums_vartime, are_in_group_vartime, naive,
    sum_in_group_vartime,
};
use frumious_curves::bls12_381;
use frumious_curves::bn254::{G1Affine, G2Affine};
use frumious_curves::engine::PointFromX;
use frumious_curves::{Bls12_381, Bn254, PairingEngine};
use frumious_field::{Field, Integer, PrimeField};
use frumious_simd::{OnModel, Unit};

/// `n` points of the group, the first at infinity.
fn members<A: TestGroup + ScaledPoint>(n: usize) -> Vec<A> {
    let mut points = A::scattered(n);
    if let Some(first) = points.first_mut() {
        *first = A::from_coordinates(Default::default(), Default::default());
    }
    points
}

/// Points of the curve, most of them outside the group.
fn of_the_curve<A: PointFromX<Base: PrimeField>>(n: u64) -> Vec<A> {
    let x = |k: u64| {
        let mut x = vec![A::Base::ZERO; A::DEGREE];
        x[0] = A::Base::from_u64(k);
        x
    };
    (1..)
        .filter_map(|k| A::lift_x_vartime(&x(k), k % 2 == 0))
        .take(n as usize)
        .collect()
}

fn on_each_backend<A: TestGroup + ScaledPoint>(points: &[A], expected: bool) {
    assert_eq!(are_in_group_vartime(points), expected);
    assert_eq!(
        are_in_group_with_vartime(Scalar::<Portable<A>>::NEW, points),
        expected
    );
    for unit in Unit::all() {
        assert_eq!(are_in_group_with_vartime(InLanes(unit), points), expected);
    }
    let choices = choices(points.len());
    assert_eq!(are_in_group_by_sums_vartime(points, &choices), expected);
    let portable = Scalar::<Portable<A>>::NEW;
    let found = are_in_group_by_sums_with_vartime(portable, points, &choices);
    assert_eq!(found, expected);
    for unit in Unit::all() {
        let found = are_in_group_by_sums_with_vartime(InLanes(unit), points, &choices);
        assert_eq!(found, expected);
    }
    weighed_on_each_backend(points, &choices, expected);
    let few = &points[..points.len().min(3)];
    if expected {
        assert!(are_in_group_with_vartime(InLanes(OnModel), few));
    }
}

/// The weighed sum is that of the naive twin; none if a point is outside.
fn weighed_on_each_backend<A: TestGroup + ScaledPoint>(
    points: &[A],
    weights: &[Choices],
    expected: bool,
) {
    let weights: Vec<[u64; 4]> = weights.iter().copied().map(words).collect();
    let integers = weights.iter().copied().map(Integer::from_words_unchecked);
    let integers: Vec<_> = integers.collect();
    let found = sum_in_group_vartime(points, &integers).expect("as many weights");
    assert_eq!(found.is_some(), expected);
    if points.len() > 60 {
        return; // the twin is slow
    }
    let naive = expected.then(|| naive::msm_vartime(points, &weights));
    assert_eq!(found, naive);
    if !has_windows::<A>() {
        return;
    }
    let weights = integers;
    let to_affine = |sum| A::normalise(&[sum])[0];
    let portable = Scalar::<Portable<A>>::NEW;
    let found = by_windows_with_vartime(portable, points.into(), &weights, to_affine);
    assert_eq!(found, naive);
    for unit in Unit::all() {
        let lanes = InLanes(unit);
        let found = by_windows_with_vartime(lanes, points.into(), &weights, to_affine);
        assert_eq!(found, naive);
    }
}

/// True for the groups whose windows tell of membership.
fn has_windows<A: ScaledPoint>() -> bool {
    A::FACTOR != 0 && A::DIGIT_BITS >= 8
}

fn words(choices: Choices) -> [u64; 4] {
    let integer = u128::from_le_bytes(choices);
    [integer as u64, (integer >> 64) as u64, 0, 0]
}

/// Each digit of one weight decides about one window, the least and the greatest, too.
fn each_window_decides<A: TestGroup + ScaledPoint>(outside: &A) {
    let members = members::<A>(50);
    let points = [members, vec![*outside]].concat();
    let mut choices = choices(51);
    choices[50] = [0; 16];
    weighed_on_each_backend(&points, &choices, true);
    for window in 0..10 {
        for digit in [1_u128, 2, 4095, 4096] {
            if let Some(weight) = digit.checked_mul(1 << (13 * window)) {
                choices[50] = weight.to_le_bytes();
                weighed_on_each_backend(&points, &choices, false);
            }
        }
    }
}

/// Bits that look random, the same in each run: those of a test that passes once.
fn choices(points: usize) -> Vec<Choices> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u128 << 64 | 1;
    let row = || {
        state = state.wrapping_mul(0xda94_2042_e4dd_58b5);
        (state ^ state >> 64).to_le_bytes()
    };
    std::iter::repeat_with(row).take(points).collect()
}

/// Alone, and each in a crowd of members at every place of a group of lanes.
fn check<A: TestGroup + ScaledPoint>(points: &[A], is_in_subgroup: impl Fn(&A) -> bool) {
    let members = members::<A>(1100); // more than a block
    for len in [0, 1, 2, 17, 1100] {
        on_each_backend(&members[..len], true);
    }
    let mut crowd = members[..40].to_vec();
    for (k, point) in points.iter().enumerate() {
        let expected = is_in_subgroup(point);
        on_each_backend(&[*point], expected);
        on_each_backend(&[*point, point.opposite(), *point], expected);
        let place = k % crowd.len();
        let member = std::mem::replace(&mut crowd[place], *point);
        assert_eq!(are_in_group_vartime(&crowd), expected);
        crowd[place] = member;
    }
    let mut last = members;
    last[1099] = points[0];
    on_each_backend(&last, is_in_subgroup(&points[0]));
}

/// The product of a point of the curve and a number of any length.
fn multiply<A: TestGroup>(point: &A, words: &[u64]) -> A {
    let mut sum = A::NEUTRAL;
    for chunk in words.chunks(4).rev() {
        let mut number = [0; 4];
        number[..chunk.len()].copy_from_slice(chunk);
        let part = A::normalise(&[naive::msm_vartime(&[*point], &[number])])[0];
        sum = part.add_to(&A::double_times(&sum, 256));
    }
    A::normalise(&[sum])[0]
}

/// Points of small order: their multiples meet equal and opposite summands, and infinity. Each also with a point of the
/// group added.
fn of_small_order<A: TestGroup>(points: &[A], rest_of_order: &[u64]) -> Vec<A> {
    let small: Vec<A> = (points.iter())
        .map(|point| multiply(point, rest_of_order))
        .collect();
    assert!(small.iter().any(|point| !point.is_infinity_vartime()));
    let moved: Vec<_> = (small.iter())
        .map(|point| point.add_to(&A::generator().add_to(&A::NEUTRAL)))
        .collect();
    [small, A::normalise(&moved)].concat()
}

/// Each bit of one point outside decides about one sum. Crowds of equal and opposite points, and of points of order 3,
/// meet in the same buckets.
#[test]
fn sums_of_any_choices() {
    let outside = of_the_curve::<bls12_381::G1Affine>(12);
    let of_three = of_small_order(&outside, BLS12_381_G1_BY_3);
    let all_in = |points: &[_], choices: &[Choices]| {
        let portable = Scalar::<Portable<bls12_381::G1Affine>>::NEW;
        let found = are_in_group_by_sums_with_vartime(portable, points, choices);
        assert_eq!(are_in_group_by_sums_vartime(points, choices), found);
        for unit in Unit::all() {
            let in_lanes = are_in_group_by_sums_with_vartime(InLanes(unit), points, choices);
            assert_eq!(in_lanes, found);
        }
        found
    };
    let is_finite = |point: &&bls12_381::G1Affine| **point != members::<bls12_381::G1Affine>(1)[0];
    let point = *of_three.iter().find(is_finite).expect("a point of order 3");
    let members = members::<bls12_381::G1Affine>(300);
    let points = [members.clone(), vec![point; 3]].concat();
    let mut choices = choices(303);
    choices[300..].fill([0; 16]);
    assert!(all_in(&points, &choices), "thrice the point is infinity");
    for bit in (0..128).step_by(7) {
        choices[302] = (1_u128 << bit).to_le_bytes();
        assert!(!all_in(&points, &choices), "{bit}");
    }
    for count in [3, 257, 600] {
        // The coefficients of each sum are those of one bit, and add up to a multiple of three or not.
        let crowd = vec![point; count];
        let expected = |ones: usize| (count + ones).is_multiple_of(3) && ones.is_multiple_of(3);
        assert_eq!(all_in(&crowd, &vec![[0; 16]; count]), expected(0));
        assert_eq!(all_in(&crowd, &vec![[255; 16]; count]), expected(count));
        let signs = |k| match k % 2 {
            0 => members[1],
            _ => members[1].opposite(),
        };
        let opposite: Vec<_> = (0..count).map(signs).collect();
        for choice in [0, 1, 170, 255] {
            assert!(all_in(&opposite, &vec![[choice; 16]; count]));
        }
    }
}

#[test]
fn g1_of_bn254() {
    check(&of_the_curve::<G1Affine>(5), |_| true);
}

#[test]
fn g2_of_bn254() {
    let is_in = |point: &G2Affine| bool::from(point.is_in_subgroup());
    let points = of_the_curve::<G2Affine>(6);
    check(&points, is_in);
    let small = of_small_order(&points, BN254_G2_BY_10069);
    check(&small, is_in);
    let outside = small.iter().find(|point| !is_in(point));
    each_window_decides(outside.expect("a point of small order"));
    prepared_alone::<Bn254>(&[points, small].concat(), is_in);
}

#[test]
fn g1_of_bls12_381() {
    let is_in = |point: &bls12_381::G1Affine| bool::from(point.is_in_subgroup());
    let points = of_the_curve::<bls12_381::G1Affine>(6);
    check(&points, is_in);
    for rest in [BLS12_381_G1_BY_3, BLS12_381_G1_BY_121] {
        check(&of_small_order(&points, rest), is_in);
    }
}

#[test]
fn g2_of_bls12_381() {
    let is_in = |point: &bls12_381::G2Affine| bool::from(point.is_in_subgroup());
    let points = of_the_curve::<bls12_381::G2Affine>(6);
    check(&points, is_in);
    for rest in [BLS12_381_G2_BY_169, BLS12_381_G2_BY_529] {
        let small = of_small_order(&points, rest);
        check(&small, is_in);
        prepared_alone::<Bls12_381>(&small, is_in);
    }
    prepared_alone::<Bls12_381>(&points, is_in);
}

/// A point is checked on the way to its lines, too: those of small order meet the exceptions of the formulas.
fn prepared_alone<E: PairingEngine>(points: &[E::G2], is_in: impl Fn(&E::G2) -> bool) {
    for point in points {
        let prepared = E::prepare_checked_vartime(&[*point]).remove(0);
        assert_eq!(prepared.is_ok(), is_in(point), "{point:?}");
    }
}

// Numbers of points of the curves (the cofactor times r) by a prime that divides them once, or
// by the square of one that divides them twice: its points of that order are two copies of a cyclic group. Words from the
// lowest.
const BN254_G2_BY_10069: &[u64] = &[
    0x1dbb_fa43_015f_1659,
    0x88a0_ba93_34d5_d06e,
    0xc616_fa58_e5b7_2d72,
    0x8ec1_2d22_f654_1370,
    0x85dd_3e29_9a8f_ab26,
    0xf2ec_8020_adba_71a1,
    0xb0cf_b56a_567e_a5a2,
    0x0000_3b89_d84c_6eaa,
];
const BLS12_381_G1_BY_3: &[u64] = &[
    0xd955_5555_5555_8e39,
    0x0a39_5554_e5c6_aaaa,
    0xcd10_4635_a790_520c,
    0xcc27_c3d6_fbd7_063f,
    0x1909_37e7_6bc3_e447,
    0x08ab_05f8_bdd5_4cde,
];
const BLS12_381_G1_BY_121: &[u64] = &[
    0xff0a_9419_6370_2343,
    0x4612_58dc_05b2_69c8,
    0xe11e_05f8_de12_635b,
    0xe98e_bceb_f116_41bd,
    0x85e8_f4b1_1c0f_6f71,
    0x0037_0461_2471_3073,
];
const BLS12_381_G2_BY_169: &[u64] = &[
    0x29f4_e338_0941_cfdd,
    0xa706_2988_8281_9145,
    0xb3ca_5c33_c3fd_8ff8,
    0x9656_8f2d_18c7_50b4,
    0xd646_1e90_7737_d78e,
    0xcfda_c10f_f1fc_5b48,
    0x3677_f5d4_5f7c_edb8,
    0xb339_07d7_1557_a7d3,
    0x56f3_b9bd_c843_96ca,
    0x28ba_1c1f_a6b6_7083,
    0xa713_6c44_0a0c_65b7,
    0x0004_0054_49cd_a731,
];
const BLS12_381_G2_BY_529: &[u64] = &[
    0xb554_0aa5_804b_b595,
    0x55c8_6179_0a3c_c012,
    0x04b0_6fb9_6e09_de25,
    0x21fe_9e03_46d3_c231,
    0xb990_d5fb_d2d9_b42b,
    0xb518_655c_33a8_b236,
    0xf5d1_26da_598b_99db,
    0x23f6_a2af_a96b_5e43,
    0x52f2_6668_aaed_6d26,
    0x7682_1c57_8a6e_8c79,
    0x889c_b538_1880_d0a5,
    0x0001_473e_4132_36dd,
];
