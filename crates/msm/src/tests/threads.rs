//! The result is the same group element for any number of threads, and tasks exist for all of them.

use super::{Numbers, TestGroup, infinity, integers};
use crate::{
    MsmPoint, Pending, PointList, naive, of_pairs_vartime as msm_vartime, together_vartime,
};
use core::ops::Range;
use frumious_curves::bandersnatch::WeierstrassAffine;
use frumious_curves::bn254::{G1Affine, G2Affine};
use frumious_parallel::{Meter, with_threads};

fn threads_in<A: TestGroup>(n: usize) {
    let mut numbers = Numbers(12);
    let mut points = A::scattered(n);
    let mut scalars = numbers.scalars(n);
    for i in 0..n {
        match numbers.next() % 8 {
            0 => points[i] = infinity(),
            1..4 => scalars[i] = [1, 0, 0, 0],
            _ => {}
        }
    }
    let expected = naive::msm_vartime(&points, &scalars);
    let scalars = integers::<A>(&scalars);
    for threads in [1, 2, 3, 7, 16] {
        let sum = with_threads(threads, || msm_vartime(&points, &scalars)).expect("threads start");
        assert_eq!(sum, Ok(expected), "{n} points, {threads} threads");
    }
}

#[test]
fn any_number_of_threads_g1() {
    for n in [10, 100, 2000, 20_000] {
        threads_in::<G1Affine>(n);
    }
}

#[test]
fn any_number_of_threads_g2() {
    threads_in::<G2Affine>(6000);
}

#[test]
fn any_number_of_threads_bandersnatch() {
    for n in [10, 30, 100, 2000, 20_000] {
        threads_in::<WeierstrassAffine>(n);
    }
}

#[test]
fn sums_side_by_side_are_the_same_and_tell_their_progress() {
    let scalars = Numbers(13).scalars(6000);
    let (g1, g2) = (G1Affine::scattered(6000), G2Affine::scattered(3000));
    let expected_g1 = naive::msm_vartime(&g1, &scalars);
    let expected_g2 = naive::msm_vartime(&g2, &scalars[..3000]);
    let scalars = integers::<G1Affine>(&scalars);
    for threads in [1, 2, 7] {
        let meter = Meter::new();
        let sums = with_threads(threads, || {
            let mut a = Pending::new(&g1, &scalars).expect("equal lengths");
            let mut b = Pending::new(&g2, &scalars[..3000]).expect("equal lengths");
            meter.measure(|| together_vartime(&mut [&mut a, &mut b]));
            (a.total(), b.total())
        });
        let sums = sums.expect("threads start");
        let expected = (Some(expected_g1), Some(expected_g2));
        assert_eq!(sums, expected, "{threads} threads");
        assert_eq!(meter.done(), 1.0, "{threads} threads");
    }
}

/// Lists of any lengths, so that tasks end anywhere in them: in the first list, in the last, in both.
fn lists_in<A: TestGroup + MsmPoint>(lengths: &[[usize; 3]]) {
    let longest = lengths.iter().map(|lengths| lengths.iter().sum()).max();
    let longest = longest.unwrap_or(0);
    let points = A::scattered(longest);
    let mut numbers = Numbers(14);
    let mut scalars = numbers.scalars(longest);
    for scalar in &mut scalars {
        if numbers.next().is_multiple_of(3) {
            *scalar = [1, 0, 0, 0];
        }
    }
    for lengths in lengths {
        let n = lengths.iter().sum();
        let expected = naive::msm_vartime(&points[..n], &scalars[..n]);
        let scalars = integers::<A>(&scalars[..n]);
        let (first, second) = (lengths[0], lengths[0] + lengths[1]);
        let [p, q, r] = [0..first, first..second, second..n];
        let points_of = |range: &Range<usize>| PointList::from(&points[range.clone()]);
        let scalars_of = |range: &Range<usize>| &scalars[range.clone()];
        for threads in [1, 2, 7] {
            let sums = with_threads(threads, || {
                let lists = [&p, &q, &r];
                let mut alone = Pending::of_lists(lists.map(points_of), lists.map(scalars_of))
                    .expect("equal lengths");
                together_vartime(&mut [&mut alone]);
                let lists = [&p, &(first..n)];
                let mut beside = Pending::of_lists(lists.map(points_of), lists.map(scalars_of))
                    .expect("equal lengths");
                let all = PointList::from(&points[..n]);
                let mut other = Pending::new(all, &scalars).expect("equal lengths");
                together_vartime(&mut [&mut beside, &mut other]);
                [alone.total(), beside.total(), other.total()]
            });
            let sums = sums.expect("threads start");
            assert_eq!(sums, [Some(expected); 3], "{lengths:?}, {threads} threads");
        }
    }
}

#[test]
fn lists_are_one_sum() {
    lists_in::<G1Affine>(&[
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 1],
        [20, 20, 3],
        [5000, 4096, 0],
        [0, 100, 9000],
        [4096, 1, 6000],
        [3, 8000, 4096],
    ]);
    lists_in::<G2Affine>(&[[2, 0, 0], [0, 700, 5000], [4100, 1, 0]]);
}

#[test]
fn a_list_with_more_points_than_scalars_is_refused() {
    let points = G1Affine::scattered(3);
    let scalars = integers::<G1Affine>(&Numbers(15).scalars(3));
    let lists = [(&points).into(), (&points).into()];
    assert!(Pending::of_lists(lists, [&scalars[..], &scalars[1..]]).is_err());
}
