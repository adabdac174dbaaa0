//! Inputs made to crowd buckets cost about what random ones do, and small scalars cost less.

use super::counting::{COSTS, counted_vartime, planned_vartime};
use super::{Numbers, TestGroup, order_minus};
use crate::group::order;
use crate::naive;
use crate::plan::Plan;
use frumious_curves::bandersnatch::WeierstrassAffine;
use frumious_curves::bn254::G1Affine;

const N: usize = 1600;

/// Cost of these scalars with scattered points, the sum checked.
fn cost<A: TestGroup>(points: &[A], scalars: &[[u64; 4]]) -> usize {
    let (sum, work) = planned_vartime(points, scalars);
    assert_eq!(sum, naive::msm_vartime(points, scalars));
    work.cost()
}

fn crowded_buckets_in<A: TestGroup>() {
    let mut numbers = Numbers(13);
    let points = A::scattered(N);
    let random = numbers.scalars(N);
    let usual = cost(&points, &random);
    let few: Vec<[u64; 4]> = (0..N).map(|i| random[i % 3]).collect();
    let blocks: Vec<[u64; 4]> = (0..N).map(|i| random[i / 200]).collect();
    let rising: Vec<[u64; 4]> = (0..N as u64).map(|i| [i, i, i, i << 44]).collect();
    let cases = [
        ("equal", vec![random[0]; N]),
        ("three values", few),
        ("blocks", blocks),
        ("rising", rising),
    ];
    for (name, scalars) in cases {
        let crowded = cost(&points, &scalars);
        assert!(
            4 * crowded <= 5 * usual,
            "{name}: {crowded}, random {usual}"
        );
    }
    // equal points, and a point with its opposite
    let crowded = cost(&points[..1].repeat(N), &random);
    assert!(
        4 * crowded <= 5 * usual,
        "equal points: {crowded}, random {usual}"
    );
    let pairs: Vec<A> = (0..N)
        .map(|i| {
            if i % 2 == 0 {
                points[0]
            } else {
                points[0].opposite()
            }
        })
        .collect();
    let crowded = cost(&pairs, &vec![random[0]; N]);
    assert!(
        4 * crowded <= 5 * usual,
        "opposite points: {crowded}, random {usual}"
    );
}

#[test]
fn crowded_buckets_cost_no_more_than_a_quarter_extra() {
    crowded_buckets_in::<G1Affine>();
    crowded_buckets_in::<WeierstrassAffine>();
}

fn small_scalars_in<A: TestGroup>() {
    let mut numbers = Numbers(14);
    let points = A::scattered(N);
    let usual = cost(&points, &numbers.scalars(N));
    let ones = cost(&points, &vec![[1, 0, 0, 0]; N]);
    assert!(ones <= N + N / 8, "one addition a one, not {ones} for {N}");
    let minus_ones = cost(&points, &vec![order_minus::<A>(1); N]);
    assert!(minus_ones <= N + N / 8, "{minus_ones}");
    assert_eq!(cost(&points, &vec![[0; 4]; N]), 0);
    let words: Vec<[u64; 4]> = (0..N).map(|_| [numbers.next() >> 1, 0, 0, 0]).collect();
    assert!(cost(&points, &words) * 3 < usual);
    // 60% zeros, 36% ones, 4% of full length
    let mixed: Vec<[u64; 4]> = (0..N)
        .map(|i| match i % 25 {
            0 => numbers.scalar(),
            1..10 => [1, 0, 0, 0],
            _ => [0; 4],
        })
        .collect();
    let full_alone = cost(&points[..N / 25], &numbers.scalars(N / 25));
    let mixed = cost(&points, &mixed);
    assert!(
        mixed < full_alone * 5 / 4 + N / 2,
        "{mixed}, full ones alone {full_alone}"
    );
}

#[test]
fn small_scalars_cost_what_their_bits_cost() {
    small_scalars_in::<G1Affine>();
    small_scalars_in::<WeierstrassAffine>();
}

/// No other number of windows would need much less work than the one that the cost model picks.
#[test]
fn the_cost_model_is_near_the_best() {
    for log_n in [6, 8, 10] {
        let n = 1 << log_n;
        let points = G1Affine::scattered(n);
        let scalars = Numbers(15).scalars(n);
        let (_, chosen) = planned_vartime(&points, &scalars);
        let best = (13..=60)
            .step_by(3)
            .map(|count| {
                let choose =
                    |census: &_| Plan::with_windows(order::<G1Affine>(), count, census, 64, &COSTS);
                counted_vartime(&points, &scalars, choose).1.cost()
            })
            .min()
            .expect("some number was tried");
        assert!(
            20 * chosen.cost() <= 23 * best,
            "2^{log_n}: {} against {best}",
            chosen.cost()
        );
    }
}
