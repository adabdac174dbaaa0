//! The reduction by itself: bucket `j` of a window that starts at bit `s` counts `(j + 1)·2^s` times.

use super::TestGroup;
use crate::buckets::Scalar;
use crate::kernel::{Portable, Signed};
use crate::lanes::InLanes;
use crate::naive;
use crate::recode::Window;
use crate::reduce::terms_vartime;
use crate::sums::{Backend, Sums};
use frumious_curves::bls12_381;
use frumious_curves::bn254::{G1Affine, G2Affine};
use frumious_simd::Unit;

/// Which point is in a bucket, and whether its opposite is meant; none if the bucket is empty.
type Fill = fn(usize) -> Option<(usize, bool)>;

fn check<A: TestGroup, B: Backend<A>>(backend: B, what: &str, widths: &[u32], fill: Fill) {
    let points = A::scattered(POINTS);
    let mut windows = Vec::new();
    let mut start = 1;
    for &width in widths {
        windows.push(Window { start, width });
        start += width;
    }
    let count = windows.iter().map(Window::buckets).sum();
    let mut buckets = backend.buckets((&points).into(), count, B::SIZES.spare);
    let mut factors = [[0i128; POINTS]; 2]; // of the points, and of their opposites
    let mut first = 0;
    for window in &windows {
        for j in 0..window.buckets() {
            if let Some((point, negative)) = fill(first + j) {
                buckets.add_point(first + j, Signed::new(point, negative));
                factors[usize::from(negative)][point] += (j as i128 + 1) << window.start;
            }
        }
        first += window.buckets();
    }
    buckets.settle();
    let mut sum = A::NEUTRAL;
    for (bit, point) in terms_vartime(&mut buckets, &windows, B::SIZES.columns) {
        sum += A::double_times(&point.into(), bit);
    }
    buckets.release();
    let both: Vec<A> = points
        .iter()
        .copied()
        .chain(points.iter().map(A::opposite))
        .collect();
    let scalars: Vec<[u64; 4]> = factors
        .as_flattened()
        .iter()
        .map(|factor| [*factor as u64, (*factor >> 64) as u64, 0, 0])
        .collect();
    assert_eq!(
        sum,
        naive::msm_vartime(&both, &scalars),
        "{what}, {widths:?}"
    );
}

fn fills_in<A: TestGroup, B: Backend<A>>(backend: B, widths: &[u32]) {
    check::<A, B>(backend, "all full", widths, |j| {
        Some((j * j % POINTS, j & 4 == 0))
    });
    check::<A, B>(backend, "one point", widths, |_| Some((0, false)));
    check::<A, B>(backend, "a point and its opposite", widths, |j| {
        Some((0, j & 1 == 0))
    });
    check::<A, B>(backend, "every third empty", widths, |j| {
        (j % 3 != 0).then_some((j % POINTS, false))
    });
    check::<A, B>(backend, "few", widths, |j| {
        (j % 61 == 7).then_some((j % POINTS, true))
    });
    check::<A, B>(backend, "none", widths, |_| None);
}

fn widths_in<A: TestGroup>(all: &[&[u32]]) {
    for widths in all {
        fills_in::<A, _>(Scalar::<Portable<A>>::NEW, widths);
        for unit in Unit::all() {
            fills_in::<A, _>(InLanes(unit), widths);
        }
    }
}

#[test]
fn by_halves() {
    widths_in::<G1Affine>(&[&[1], &[2], &[5], &[1, 2, 3, 4], &[4, 7, 6, 6], &[9; 3]]);
    widths_in::<G2Affine>(&[&[3, 2], &[6; 5]]);
    widths_in::<bls12_381::G1Affine>(&[&[1], &[5], &[4, 7, 6, 6]]);
}

/// More buckets than go by halves from the start.
#[test]
fn in_rows() {
    widths_in::<G1Affine>(&[&[15], &[13, 13, 12], &[14, 3]]);
    widths_in::<G2Affine>(&[&[14, 13]]);
    widths_in::<bls12_381::G1Affine>(&[&[13, 13, 12]]);
}

const POINTS: usize = 5;
