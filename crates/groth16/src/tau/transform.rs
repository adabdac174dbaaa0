//! Transforms of points: layer by layer, with digits of the roots' powers and affine batches.

use frumious_curves::{Group, ScalarDigits};
use frumious_field::Field;
use frumious_msm::{
    Factors, PointList, ScaledPoint, butterflies_vartime, scalar_digits_vartime, scale_vartime,
};
use frumious_parallel::{check_cancelled, for_each_chunk_mut};

/// `factor·point` for each point, in parallel.
pub(crate) fn multiply_all<A: ScaledPoint>(
    points: PointList<'_, A>,
    factor: &<A as Group>::Scalar,
    products: &mut [A],
) {
    let digits = scalar_digits_vartime::<A>(factor);
    for_each_chunk_mut(products, POINTS_PER_TASK, |index, products| {
        check_cancelled();
        let start = index * POINTS_PER_TASK;
        scale_vartime(
            points.slice(start..start + products.len()),
            &digits,
            products,
        );
    });
}

/// `values[i] = Σ root^(ij)·points[j]` in the place of the points. `root` has the order of their number, a power of
/// two.
pub(crate) fn transform<A: ScaledPoint>(
    points: &mut [A],
    root: &<A as Group>::Scalar,
    layer_done: &mut dyn FnMut(f64),
) {
    let n = points.len();
    if n < 2 {
        return;
    }
    let log_n = n.ilog2();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - log_n);
        if i < j {
            points.swap(i, j);
        }
    }
    for layer in 1..=log_n {
        let root = (layer..log_n).fold(*root, |root, _| root.square());
        let size = 1 << layer;
        if size <= POINTS_PER_TASK {
            small_layer(points, size, &root);
        } else {
            large_layer(points, size, &root);
        }
        layer_done((n / 2) as f64);
    }
}

/// A layer of blocks of `size` points, of which a task has at least one.
fn small_layer<A: ScaledPoint>(points: &mut [A], size: usize, root: &<A as Group>::Scalar) {
    let half = size / 2;
    let digits = digits_of_powers::<A>(A::Scalar::ONE, root, half);
    let repeated = points.len().min(POINTS_PER_TASK) / 2;
    let digits: Vec<ScalarDigits> = digits.into_iter().cycle().take(repeated).collect();
    for_each_chunk_mut(points, POINTS_PER_TASK, |_, points| {
        check_cancelled();
        let halves = |from: usize| -> Vec<A> {
            let blocks = points.chunks(size);
            blocks
                .flat_map(|block| block[from..from + half].iter().copied())
                .collect()
        };
        let (mut low, mut high) = (halves(0), halves(half));
        butterflies_vartime(&mut low, &mut high, Factors::Each(&digits));
        let blocks = points.chunks_mut(size);
        for ((block, low), high) in blocks.zip(low.chunks(half)).zip(high.chunks(half)) {
            block[..half].copy_from_slice(low);
            block[half..].copy_from_slice(high);
        }
    });
}

/// A layer of blocks of `size` points, each of which is shared by tasks.
fn large_layer<A: ScaledPoint>(points: &mut [A], size: usize, root: &<A as Group>::Scalar) {
    let pairs = POINTS_PER_TASK / 2;
    let mut tasks: Vec<(usize, &mut [A], &mut [A])> = Vec::new();
    for block in points.chunks_mut(size) {
        let (low, high) = block.split_at_mut(size / 2);
        let halves = low.chunks_mut(pairs).zip(high.chunks_mut(pairs));
        tasks.extend(halves.enumerate().map(|(k, (low, high))| (k, low, high)));
    }
    for_each_chunk_mut(&mut tasks, 1, |_, task| {
        check_cancelled();
        for (k, low, high) in task {
            let first = root.pow_vartime(&[(*k * pairs) as u64]);
            let digits = digits_of_powers::<A>(first, root, low.len());
            butterflies_vartime(low, high, Factors::Each(&digits));
        }
    });
}

/// The digits of `first·rootᵏ` for each `k < n`.
pub(crate) fn digits_of_powers<A: ScaledPoint>(
    first: <A as Group>::Scalar,
    root: &<A as Group>::Scalar,
    n: usize,
) -> Vec<ScalarDigits> {
    let mut power = first;
    let mut digits = Vec::with_capacity(n);
    for _ in 0..n {
        digits.push(scalar_digits_vartime::<A>(&power));
        power *= *root;
    }
    digits
}

/// Points of a task: a batch of pairs, or two.
pub(crate) const POINTS_PER_TASK: usize = 1 << 11;
