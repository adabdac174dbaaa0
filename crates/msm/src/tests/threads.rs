//! The result is the same group element for any number of threads, and tasks exist for all of them.

use super::{Numbers, TestGroup, infinity, integers};
use crate::{Pending, naive, of_pairs_vartime as msm_vartime, together_vartime};
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
