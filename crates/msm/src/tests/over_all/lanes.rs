//! The lane backend by itself: over the model of the instructions on every machine, and with the instructions where
//! there are any.

use super::{Numbers, TestGroup, infinity, integers, order_minus};
use crate::group::order;
use crate::lanes::InLanes;
use crate::points::Weighed;
use crate::{backend_vartime, naive};
use core::ops::Range;
use frumious_curves::bandersnatch::WeierstrassAffine;
use frumious_curves::bls12_381;
use frumious_curves::bn254::{G1Affine, G2Affine};
use frumious_parallel::with_threads;
use frumious_simd::{OnModel, Unit};

/// Checks one input, on one thread, against the twin.
fn check<A: TestGroup>(what: &str, points: &[A], scalars: &[[u64; 4]]) {
    let expected = naive::msm_vartime(points, scalars);
    let scalars = &integers::<A>(scalars);
    // As one list, and cut into two anywhere.
    let list = |range: Range<usize>| Weighed {
        points: (&points[range.clone()]).into(),
        scalars: &scalars[range],
    };
    let n = points.len();
    with_threads(1, || {
        for lists in [&[list(0..n)][..], &[list(0..n / 3), list(n / 3..n)]] {
            let sum = backend_vartime(InLanes(OnModel), lists);
            assert_eq!(sum, expected, "{what}, {n} points, model");
            for unit in Unit::all() {
                let sum = backend_vartime(InLanes(unit), lists);
                assert_eq!(sum, expected, "{what}, {n} points, {unit:?}");
            }
        }
    })
    .expect("a thread starts");
}

fn inputs_in<A: TestGroup>(sizes: &[usize]) {
    let mut numbers = Numbers(21);
    let most = sizes.iter().copied().max().unwrap_or(0);
    let scattered = A::scattered(most);
    let progression = A::progression(most);
    for &n in sizes {
        let scalars = numbers.scalars(n);
        let points = &scattered[..n];
        check("random", points, &scalars);
        check("equal scalars", points, &vec![scalars[0]; n]);
        check("equal points", &vec![points[0]; n], &scalars);
        check("all equal", &vec![points[0]; n], &vec![scalars[0]; n]);
        let both: Vec<A> = (0..n)
            .map(|i| [points[0], points[0].opposite()][i % 2])
            .collect();
        check("opposite points", &both, &scalars);
        check("nothing but opposite points", &both, &vec![scalars[0]; n]);
        check("progression", &progression[..n], &scalars);
        let rising: Vec<[u64; 4]> = (0..n as u64).map(|i| [i, i << 40, i, i << 40]).collect();
        check("rising", &progression[..n], &rising);
        // Long scalars follow one another, but for gaps at each place among eight.
        let gaps: Vec<[u64; 4]> = (0..n)
            .map(|i| match i % 11 {
                0 => [0, 0, 0, 1 << (44 + i % 7)], // 2^236 to 2^242
                _ => scalars[i],
            })
            .collect();
        check("gaps", points, &gaps);
        let edges: Vec<[u64; 4]> = (0..n)
            .map(|i| match i % 9 {
                0 => [0; 4],
                1 => [1, 0, 0, 0],
                2 => order_minus::<A>(1),
                3 => *order::<A>(),
                4 => [u64::MAX; 4],
                5 => [0, 0, 0, 1 << 63],
                6 => [numbers.next(), 0, 0, 0],
                7 => order_minus::<A>(numbers.next() >> 3),
                _ => numbers.scalar(),
            })
            .collect();
        let mut some: Vec<A> = points.to_vec();
        some.iter_mut()
            .skip(3)
            .step_by(5)
            .for_each(|point| *point = infinity());
        check("edge values", &some, &edges);
    }
}

#[test]
fn lanes_g1() {
    inputs_in::<G1Affine>(&[1, 2, 7, 8, 17, 65, 150]);
}

#[test]
fn lanes_g2() {
    inputs_in::<G2Affine>(&[5, 80]);
}

#[test]
fn lanes_bandersnatch() {
    inputs_in::<WeierstrassAffine>(&[1, 9, 70, 130]);
}

#[test]
fn lanes_bls12_381_g1() {
    inputs_in::<bls12_381::G1Affine>(&[1, 2, 7, 8, 17, 65, 150]);
}

#[test]
fn lanes_bls12_381_g2() {
    inputs_in::<bls12_381::G2Affine>(&[5, 80]);
}

/// Buckets that cancel while an addition to them is waiting, batches that are full, queues that are long.
fn full_batches_and_queues_in<A: TestGroup>() {
    let n = 3000;
    let mut numbers = Numbers(22);
    let pool = A::progression(5);
    let points: Vec<A> = (0..n)
        .map(|_| {
            let point = pool[numbers.next() as usize % pool.len()];
            if numbers.next() & 1 == 0 {
                point
            } else {
                point.opposite()
            }
        })
        .collect();
    let small: Vec<[u64; 4]> = (0..n).map(|_| [numbers.next() % 4096, 0, 0, 0]).collect();
    check("small scalars of few points", &points, &small);
    let ones = vec![[1, 0, 0, 0]; n];
    check("ones of few points", &points, &ones);
    check("ones", &A::scattered(n), &ones);
}

#[test]
fn full_batches_and_queues() {
    full_batches_and_queues_in::<G1Affine>();
    full_batches_and_queues_in::<bls12_381::G1Affine>();
}
