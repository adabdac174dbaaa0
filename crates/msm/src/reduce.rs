//! From buckets to the sum of a window: `Σ_j (j + 1)·bucket[j]`, two additions a bucket.
//!
//! The buckets of each window are cut into `S` segments of length `L`, and all segments of all windows
//! advance together, so that each step is one batch. From the top of a segment down, each bucket is replaced by
//! the sum of itself and those above (a suffix sum), and the suffix sums are collected on the way:
//!
//! ```text
//! suffix[k] = Σ_{j ≥ k} bucket[j]  within the segment        Σ_k suffix[k] = Σ_j (j + 1)·bucket[j]
//! window    = Σ_s ( Σ_k suffix_s[k]  +  s·L·suffix_s[0] )    for segments s = 0 … S - 1
//! ```
//!
//! The last sum has `S` terms a window and is done in projective coordinates.

use crate::MsmPoint;
use crate::sums::Sums;

/// The sums of the windows whose buckets lie one after another in `buckets`, `sizes[i]` (a power of two) in window `i`.
///
/// Nothing may be waiting in `buckets`; what it holds is of no use afterwards.
///
/// `most_segments` are at most as many as there are spare slots.
pub(crate) fn window_sums_vartime<A: MsmPoint>(
    buckets: &mut impl Sums<A>,
    sizes: &[usize],
    most_segments: usize,
) -> Vec<A::Projective> {
    let segments = segments_per_window(sizes, most_segments);
    let lanes = lanes(sizes, segments, buckets.first_spare());
    suffix_sums(buckets, &lanes);
    lanes
        .chunks_exact(segments)
        .map(|window| fold_segments_vartime(buckets, window))
        .collect()
}

/// A segment of a window and the spare slot that collects its suffix sums.
struct Lane {
    start: usize,
    len: usize,
    sum: usize,
}

fn segments_per_window(sizes: &[usize], most: usize) -> usize {
    let smallest = sizes.iter().copied().min().unwrap_or(1);
    let wanted = (most / sizes.len().max(1)).max(1);
    let wanted = 1 << wanted.ilog2();
    // At least four buckets a segment, as each segment costs three projective additions at the end.
    wanted.min(smallest / 4).max(1)
}

fn lanes(sizes: &[usize], segments: usize, first_spare: usize) -> Vec<Lane> {
    let mut lanes = Vec::with_capacity(sizes.len() * segments);
    let mut start = 0;
    for size in sizes {
        let len = size / segments;
        for _ in 0..segments {
            lanes.push(Lane {
                start,
                len,
                sum: first_spare + lanes.len(),
            });
            start += len;
        }
    }
    lanes
}

/// Leaves in each `lane.sum` the sum of all suffix sums, and in the first slot of the lane the sum of its buckets.
fn suffix_sums<A: MsmPoint>(buckets: &mut impl Sums<A>, lanes: &[Lane]) {
    let longest = lanes.iter().map(|lane| lane.len).max().unwrap_or(0);
    for step in 1..=longest {
        for lane in lanes.iter().filter(|lane| step <= lane.len) {
            let done = lane.start + lane.len - step; // holds its suffix sum since the step before
            buckets.add_slot(lane.sum, done);
            if step < lane.len {
                buckets.add_slot(done - 1, done);
            }
        }
        buckets.flush_slots();
    }
}

/// `Σ_s ( lane_s.sum + s·len·lane_s.total )` for the lanes of one window.
fn fold_segments_vartime<A: MsmPoint>(buckets: &impl Sums<A>, window: &[Lane]) -> A::Projective {
    let mut total = A::IDENTITY; // of the segments seen so far, from the top
    let mut weighted = A::IDENTITY; // Σ_s s·total_s
    for lane in window[1..].iter().rev() {
        if let Some(point) = buckets.point(lane.start) {
            total = point.add_to(&total);
        }
        weighted += total;
    }
    weighted = A::double_times(&weighted, window[0].len.ilog2());
    for lane in window {
        if let Some(point) = buckets.point(lane.sum) {
            weighted = point.add_to(&weighted);
        }
    }
    weighted
}
