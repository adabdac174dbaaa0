//! From buckets to the sum of a window: `Σ_j (j + 1)·bucket[j]`, two additions a bucket.
//!
//! The buckets of a window are cut into rows of `S` buckets side by side, `j = k·S + s`. From the last row up each row is added
//! to the one before it, which makes suffix sums down every column, and these are collected on the way:
//!
//! ```text
//! suffix[k][s] = Σ_{i ≥ k} bucket[i·S + s]              collected = Σ_s Σ_{k ≥ 1} suffix[k][s]
//! window = Σ_{k,s} (k·S + s + 1)·bucket[k·S + s] = S·collected + Σ_s (s + 1)·suffix[0][s]
//! ```
//!
//! The last sum is of the same kind over the first row alone. It is cut into shorter rows in turn, until few buckets are
//! left for projective coordinates. Each step is one batch for all windows of a task, of neighbours in memory: columns
//! that lie far apart at equal distances would compete for the same places in the caches.

use crate::MsmPoint;
use crate::sums::Sums;

/// The sums of the windows whose buckets lie one after another in `buckets`, `sizes[i]` (a power of two) in window `i`.
///
/// Nothing may be waiting in `buckets`, and the spare slots are empty: at least twice as many as `most_columns`, the length of the
/// rows of all windows together. What it holds is of no use afterwards.
pub(crate) fn window_sums_vartime<A: MsmPoint>(
    buckets: &mut impl Sums<A>,
    sizes: &[usize],
    most_columns: usize,
) -> Vec<A::Projective> {
    let mut windows: Vec<Window<A>> = Vec::with_capacity(sizes.len());
    let mut start = 0;
    for &len in sizes {
        windows.push(Window {
            start,
            len,
            sum: A::IDENTITY,
            weight: 0,
            columns: 1,
            collected: 0,
        });
        start += len;
    }
    let most_columns = (most_columns / sizes.len().max(1)).max(1);
    let mut spare = buckets.first_spare();
    while windows.iter().map(|window| window.len).sum::<usize>() > FEW
        && windows.iter().any(|window| window.len > 1)
    {
        for window in &mut windows {
            window.columns = (window.len / ROWS).clamp(1, 1 << most_columns.ilog2());
            window.collected = spare;
            spare += window.columns;
        }
        suffix_sums(buckets, &windows);
        add_up_collected(buckets, &windows);
        for window in &mut windows {
            window.descend_vartime(buckets);
        }
    }
    let finish = |window: Window<A>| window.finish_vartime(buckets);
    windows.into_iter().map(finish).collect()
}

/// A window: `2^weight·sum + Σ_{j < len} (j + 1)·bucket[start + j]`.
struct Window<A: MsmPoint> {
    start: usize,
    len: usize,
    sum: A::Projective,
    weight: u32,
    /// Length of the rows, which divides `len`.
    columns: usize,
    /// The first of as many slots for what is collected from the columns.
    collected: usize,
}

impl<A: MsmPoint> Window<A> {
    fn rows(&self) -> usize {
        self.len / self.columns
    }

    /// Takes what was collected, and goes on with the first row.
    fn descend_vartime(&mut self, buckets: &impl Sums<A>) {
        let weight = self.columns.ilog2();
        self.sum = A::double_times(&self.sum, self.weight.saturating_sub(weight));
        if let Some(point) = buckets.point(self.collected) {
            self.sum = point.add_to(&self.sum);
        }
        (self.len, self.weight) = (self.columns, weight);
    }

    /// The sum, with the buckets that are left.
    fn finish_vartime(self, buckets: &impl Sums<A>) -> A::Projective {
        let (mut suffix, mut rest) = (A::IDENTITY, A::IDENTITY);
        for bucket in (self.start..self.start + self.len).rev() {
            if let Some(point) = buckets.point(bucket) {
                suffix = point.add_to(&suffix);
            }
            rest += suffix;
        }
        rest + A::double_times(&self.sum, self.weight)
    }
}

/// Leaves in the first row of each window the sums of its columns, and in `collected` the sums of the other suffix sums of each.
fn suffix_sums<A: MsmPoint>(buckets: &mut impl Sums<A>, windows: &[Window<A>]) {
    let most_rows = windows.iter().map(Window::rows).max().unwrap_or(1);
    for step in 1..most_rows {
        for window in windows.iter().filter(|window| step < window.rows()) {
            let row = window.start + window.len - step * window.columns; // holds suffix sums since the step before
            for column in 0..window.columns {
                buckets.add_slot(window.collected + column, row + column);
            }
            for column in 0..window.columns {
                buckets.add_slot(row + column - window.columns, row + column);
            }
        }
        buckets.flush_slots();
    }
}

/// Leaves in the first slot of what is collected in each window the sum of all of it.
fn add_up_collected<A: MsmPoint>(buckets: &mut impl Sums<A>, windows: &[Window<A>]) {
    let most_columns = windows.iter().map(|window| window.columns).max();
    let mut half = most_columns.unwrap_or(1) / 2;
    while half > 0 {
        for window in windows.iter().filter(|window| half < window.columns) {
            for column in 0..half {
                buckets.add_slot(window.collected + column, window.collected + half + column);
            }
        }
        buckets.flush_slots();
        half /= 2;
    }
}

/// Rows at least: with fewer, more levels would have to be gone through.
const ROWS: usize = 8;

/// So many buckets, of all windows together, are left for projective coordinates: a batch costs as much as some of these additions.
const FEW: usize = 32;
