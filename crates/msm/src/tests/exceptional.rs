//! Every exceptional case of the affine formulas: equal points, opposite points, sums that vanish; and no panic on
//! what is no point at all.

use super::{Numbers, TestGroup, check, integers};
use crate::buckets::Scalar;
use crate::kernel::{Portable, Signed};
use crate::lanes::InLanes;
use crate::naive;
use crate::of_pairs_vartime as msm_vartime;
use crate::points::Encoded;
use crate::scale::scalar_digits_vartime;
use crate::sums::{Backend, Sums};
use crate::{BucketPoint, ScaledPoint, scale_each_vartime, scale_vartime};
use frumious_curves::bandersnatch::{self, AffineElement, WeierstrassAffine};
use frumious_curves::bls12_381;
use frumious_curves::bn254::{Fq, G1Affine, G2Affine};
use frumious_curves::engine::PairingGroup;
use frumious_curves::{Group, ScalarDigits};
use frumious_simd::{OnModel, Unit};

fn equal_points_in<A: TestGroup>() {
    let scalars = Numbers(5).scalars(1500);
    let points = vec![A::scattered(1)[0]; 1500];
    check(&points, &scalars);
    check(&points, &vec![scalars[0]; 1500]);
    check(&points[..100], &vec![[3, 0, 0, 0]; 100]);
}

#[test]
fn equal_points() {
    equal_points_in::<G1Affine>();
    equal_points_in::<G2Affine>();
    equal_points_in::<bls12_381::G1Affine>();
    equal_points_in::<WeierstrassAffine>();
}

fn opposite_points_in<A: TestGroup>() {
    let n = 1500;
    let point = A::scattered(1)[0];
    let mut points: Vec<A> = (0..n)
        .map(|i| if i % 2 == 0 { point } else { point.opposite() })
        .collect();
    let scalars = Numbers(6).scalars(n);
    check(&points, &scalars);
    // buckets that vanish and fill again, many times
    check(&points, &vec![scalars[0]; n]);
    check(&points, &vec![[1, 0, 0, 0]; n]);
    // first all of one sign, then all of the other: whole trees of the overflow cancel
    points.sort_by_key(|other| *other == point);
    check(&points, &vec![scalars[0]; n]);
    check(&points, &scalars);
}

#[test]
fn opposite_points() {
    opposite_points_in::<G1Affine>();
    opposite_points_in::<G2Affine>();
    opposite_points_in::<bls12_381::G1Affine>();
    opposite_points_in::<WeierstrassAffine>();
}

/// Few points, each often, with both signs of few scalars: every pair of cases meets in some bucket.
fn few_points_few_scalars_in<A: TestGroup>() {
    let mut numbers = Numbers(7);
    let points = A::progression(6);
    for distinct_scalars in [1, 2, 5] {
        let pool = numbers.scalars(distinct_scalars);
        for n in [30, 200, 2500] {
            let chosen: Vec<A> = (0..n)
                .map(|_| {
                    let point = points[numbers.next() as usize % points.len()];
                    if numbers.next() & 1 == 0 {
                        point
                    } else {
                        point.opposite()
                    }
                })
                .collect();
            let scalars: Vec<[u64; 4]> = (0..n)
                .map(|_| pool[numbers.next() as usize % pool.len()])
                .collect();
            check(&chosen, &scalars);
        }
    }
}

#[test]
fn few_points_few_scalars() {
    few_points_few_scalars_in::<G1Affine>();
    few_points_few_scalars_in::<WeierstrassAffine>();
}

fn progressions_in<A: TestGroup>() {
    let n = 1200;
    let points = A::progression(n);
    let rising: Vec<[u64; 4]> = (0..n as u64).map(|i| [i, 0, 0, 0]).collect();
    let high: Vec<[u64; 4]> = (0..n as u64)
        .map(|i| [i, i << 40, i << 20, i << 50])
        .collect();
    check(&points, &rising);
    check(&points, &high);
    check(&points, &Numbers(8).scalars(n));
}

/// In `G, 2G, 3G, …` sums of early points equal later points, so doublings meet inside buckets and reductions.
#[test]
fn progressions() {
    progressions_in::<G1Affine>();
    progressions_in::<G2Affine>();
    progressions_in::<bls12_381::G1Affine>();
    progressions_in::<WeierstrassAffine>();
}

/// Coordinates on no curve, of order two, or with equal x and unrelated y give no meaningful sum, but an answer.
#[test]
fn no_panic_off_the_curve() {
    let mut numbers = Numbers(9);
    let points: Vec<G1Affine> = (0..2000)
        .map(|_| G1Affine {
            x: Fq::from_u64(numbers.next() % 4),
            y: Fq::from_u64(numbers.next() % 3),
        })
        .collect();
    for words in [numbers.scalars(2000), vec![[1, 0, 0, 0]; 2000]] {
        let scalars = integers::<G1Affine>(&words);
        assert!(msm_vartime(&points, &scalars).is_ok());
        assert!(msm_vartime(&points[..20], &scalars[..20]).is_ok());
        let scalars = integers::<WeierstrassAffine>(&words);
        let points: Vec<WeierstrassAffine> = points.iter().map(with_same_bits).collect();
        assert!(msm_vartime(&points, &scalars).is_ok());
        assert!(msm_vartime(&points[..20], &scalars[..20]).is_ok());
    }
}

/// A mapped key may change after its points were checked.
#[test]
fn no_panic_on_any_bytes() {
    fn check<A>()
    where
        A: TestGroup + ScaledPoint + PairingGroup + BucketPoint<ScalarField = <A as Group>::Scalar>,
    {
        let mut numbers = Numbers(10);
        let mut bytes = Vec::new();
        for point in A::scattered(1000) {
            let from = bytes.len();
            bytes.extend_from_slice(point.to_montgomery_bytes().as_ref());
            let at = from + numbers.next() as usize % (A::BYTES - 8);
            bytes[at..at + 8].fill(0xff);
        }
        for words in [numbers.scalars(1000), vec![[1, 0, 0, 0]; 1000]] {
            let scalars = integers::<A>(&words);
            for n in [1, 3, 20, 1000] {
                let points = Encoded::<A>::new(&bytes[..n * A::BYTES]);
                assert!(msm_vartime(points, &scalars[..n]).is_ok());
                let digits: Vec<ScalarDigits> = scalars[..n]
                    .iter()
                    .map(|scalar| scalar_digits_vartime::<A>(&scalar.to_element()))
                    .collect();
                let mut products = vec![A::GENERATOR; n];
                scale_vartime(points.into(), &digits[0], &mut products);
                scale_each_vartime(points.into(), &digits, &mut products);
            }
        }
    }
    check::<G1Affine>();
    check::<G2Affine>();
    check::<bls12_381::G1Affine>();
    check::<bls12_381::G2Affine>();
}

fn with_same_bits(point: &G1Affine) -> WeierstrassAffine {
    let [x, y] = [point.x, point.y].map(|value| value.to_canonical_limbs()[0]);
    WeierstrassAffine::from_coordinates_unchecked(
        bandersnatch::Fq::from_u64(x),
        bandersnatch::Fq::from_u64(y),
    )
}

/// A batch that doubles expects no vertical tangent. A point of order two, among others or alone, comes to infinity.
#[test]
fn points_of_order_two_doubled() {
    // s = (a + d)/6 is a root of the curve: crates/curves/src/bandersnatch/weierstrass.rs.
    let six = bandersnatch::Fq::from_u64(6);
    let s =
        (AffineElement::D - bandersnatch::Fq::from_u64(5)) * six.invert().expect("it is not zero");
    let two = WeierstrassAffine::from_coordinates_unchecked(s, bandersnatch::Fq::ZERO);
    let a_third = s.square() + WeierstrassAffine::A;
    assert_eq!(s * a_third + WeierstrassAffine::B, bandersnatch::Fq::ZERO);
    for places in [&[0][..], &[39], &[3, 7, 8, 20], &[]] {
        let mut points = WeierstrassAffine::scattered(40);
        places.iter().for_each(|place| points[*place] = two);
        doubled_on(Scalar::<Portable<_>>::NEW, &points, places);
        doubled_on(InLanes(OnModel), &points, places);
        for unit in Unit::all() {
            doubled_on(InLanes(unit), &points, places);
        }
    }
    doubled_on(InLanes(OnModel), &[two], &[0]);
}

fn doubled_on<B: Backend<WeierstrassAffine>>(
    backend: B,
    points: &[WeierstrassAffine],
    vanish: &[usize],
) {
    let mut sums = backend.buckets(points.into(), points.len(), B::SIZES.spare);
    for k in 0..points.len() {
        sums.add_point(k, Signed::new(k, false));
    }
    sums.settle();
    sums.double_slots(points.len());
    let slots: Vec<usize> = (0..points.len()).collect();
    let found = sums.points(&slots);
    sums.release();
    for (k, (point, found)) in points.iter().zip(found).enumerate() {
        let twice = naive::msm_vartime(&[*point], &[[2, 0, 0, 0]]);
        assert_eq!(found.is_none(), vanish.contains(&k), "slot {k}");
        let found = found.map(|found| found.to_element());
        assert!(found.is_none_or(|found| found == twice), "slot {k}");
    }
}
