//! From buckets to terms: the sum of a window, `Σ_j (j + 1)·bucket[j]`, as a few points with powers of two, by two
//! additions a bucket.
//!
//! Everything is by halves, for `2^b` buckets:
//!
//! ```text
//! Σ_j (j + 1)·bucket[j] = Σ_j bucket[j] + Σ_{k < b} 2^k·T_k        T_k = Σ of the buckets whose j has bit k
//! ```
//!
//! Step t adds the upper half of the first `2^(b-t)` places to the lower half, so that place 0 holds the total in the
//! end. The upper half, `2^k` places of which `k` is the highest bit, is left as it is. Its sum is `T_k`, and is made
//! in place by a tree, one level in each later step. So step t has `(t + 1)·2^(b-t-1)` additions, for all windows of a
//! task at once, and all of them in one batch. These are `b + 1` batches, and batches count when buckets are few.
//!
//! Many buckets do not stay in the cache from step to step. They are cut into rows of `S` buckets side by side first,
//! `j = k·S + s`. From the last row up each row is added to the one before it, which makes suffix sums down every
//! column. These are collected on the way:
//!
//! ```text
//! suffix[k][s] = Σ_{i ≥ k} bucket[i·S + s]              collected = Σ_s Σ_{k ≥ 1} suffix[k][s]
//! window = Σ_{k,s} (k·S + s + 1)·bucket[k·S + s] = S·collected + Σ_s (s + 1)·suffix[0][s]
//! ```
//!
//! The last sum is of the same kind over the first row alone, and goes by halves.

use crate::BucketPoint;
use crate::recode::Window;
use crate::sums::Sums;

/// A point and a number of doublings: `2^bit·point`.
pub(crate) type ShiftedPoint<A> = (u32, A);

/// The sums of `windows`, whose buckets lie one after another in `buckets`: `Σ 2^bit·point` over the terms, `start` of
/// each window counted.
///
/// Nothing may be waiting in `buckets`. The spare slots are empty: as many at least as `most_columns`, the length of
/// the rows of all windows together. What it holds is of no use afterwards.
pub(crate) fn terms_vartime<A: BucketPoint>(
    buckets: &mut impl Sums<A>,
    windows: &[Window],
    most_columns: usize,
) -> Vec<ShiftedPoint<A>> {
    let mut spans = Vec::with_capacity(windows.len());
    let mut first = 0;
    for window in windows {
        let (bit, width) = (window.start, window.width - 1);
        spans.push(Span { first, width, bit });
        first += window.buckets();
    }
    let mut places: Vec<(u32, usize)> = Vec::new(); // (bit, slot)
    if first > IN_HALVES {
        let most_columns = 1 << (most_columns / windows.len()).max(1).ilog2();
        let mut collected = buckets.first_spare();
        let mut rows = Vec::with_capacity(spans.len());
        for span in spans {
            let columns = (span.len() / ROWS).clamp(1, most_columns);
            rows.push(SpanRows {
                span,
                columns,
                collected,
            });
            collected += columns;
        }
        suffix_sums(buckets, &rows);
        add_up_collected(buckets, &rows);
        places.extend(
            rows.iter()
                .map(|rows| (rows.span.bit + rows.columns.ilog2(), rows.collected)),
        );
        spans = rows.iter().map(SpanRows::first_row).collect();
    }
    halve(buckets, &spans);
    for span in &spans {
        places.push((span.bit, span.first));
        places.extend((1..span.width).map(|k| (span.bit + k, span.first + (1 << k))));
    }
    let slots: Vec<usize> = places.iter().map(|(_, slot)| *slot).collect();
    let points = buckets.points(&slots);
    let terms = places.iter().zip(points);
    terms
        .filter_map(|((bit, _), point)| Some((*bit, point?)))
        .collect()
}

/// `2^width` buckets from `first` on, for the factors `2^bit·1, 2^bit·2, …`.
#[derive(Clone, Copy)]
struct Span {
    first: usize,
    width: u32,
    bit: u32,
}

impl Span {
    fn len(&self) -> usize {
        1 << self.width
    }
}

/// Leaves in the first place of each span the total and `T_0`, in the places `2^k` the sums `T_k` for `k ≥ 1`.
fn halve<A: BucketPoint>(buckets: &mut impl Sums<A>, spans: &[Span]) {
    let most = spans.iter().map(|span| span.width).max().unwrap_or(0);
    for step in 0..=most {
        for span in spans {
            halve_once(buckets, span, step);
        }
        buckets.flush_slots();
    }
}

fn halve_once<A: BucketPoint>(buckets: &mut impl Sums<A>, span: &Span, step: u32) {
    let Span { first, width, .. } = *span;
    if step < width {
        let half = 1 << (width - 1 - step);
        for place in first..first + half {
            buckets.add_slot(place, place + half);
        }
    } else if step == width && width > 0 {
        buckets.add_slot(first, first + 1); // T_0 has the factor of the total
    }
    for bit in width.saturating_sub(step)..width {
        let level = step + bit - width; // the upper half for this bit is free since step `width - 1 - bit`
        let size = (1 << bit) >> (level + 1);
        let start = first + (1 << bit);
        for place in start..start + size {
            buckets.add_slot(place, place + size);
        }
    }
}

/// A span in rows.
struct SpanRows {
    span: Span,
    /// Length of the rows, which divides that of the span.
    columns: usize,
    /// The first of as many slots for what is collected from the columns.
    collected: usize,
}

impl SpanRows {
    fn count(&self) -> usize {
        self.span.len() / self.columns
    }

    fn first_row(&self) -> Span {
        Span {
            width: self.columns.ilog2(),
            ..self.span
        }
    }
}

/// Leaves in the first row of each span the sums of its columns, and in `collected` the sums of the other suffix sums
/// of each.
fn suffix_sums<A: BucketPoint>(buckets: &mut impl Sums<A>, spans: &[SpanRows]) {
    let most_rows = spans.iter().map(SpanRows::count).max().unwrap_or(1);
    for step in 1..most_rows {
        for rows in spans.iter().filter(|rows| step < rows.count()) {
            let row = rows.span.first + rows.span.len() - step * rows.columns; // holds suffix sums since the step before
            for column in 0..rows.columns {
                buckets.add_slot(rows.collected + column, row + column);
            }
            for column in 0..rows.columns {
                buckets.add_slot(row + column - rows.columns, row + column);
            }
        }
        buckets.flush_slots();
    }
}

/// Leaves in the first slot of what is collected in each span the sum of all of it.
fn add_up_collected<A: BucketPoint>(buckets: &mut impl Sums<A>, spans: &[SpanRows]) {
    let most_columns = spans.iter().map(|rows| rows.columns).max();
    let mut half = most_columns.unwrap_or(1) / 2;
    while half > 0 {
        for rows in spans.iter().filter(|rows| half < rows.columns) {
            for column in 0..half {
                buckets.add_slot(rows.collected + column, rows.collected + half + column);
            }
        }
        buckets.flush_slots();
        half /= 2;
    }
}

/// Rows at least.
const ROWS: usize = 8;

/// The most buckets of a task that go by halves from the start: what a level-two cache holds. With rows for fewer times
/// are up to 3% longer.
const IN_HALVES: usize = 8192;
