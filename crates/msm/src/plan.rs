//! The cost model: how many windows, which tasks.
//!
//! Unit of cost: one batched affine addition. Let `N_w` pairs have a digit in window `w` of width `c_w`. A task over
//! the windows `G` and a share `f` of the pairs costs
//!
//! ```text
//! task + Σ_{w in G} ( window + f·N_w·entry + 2^(c_w - 1)·bucket )        (far_bucket for many)
//! ```
//!
//! and on several threads the tasks take as long as [`time_on_threads`] says. Plans have, for every width, the least
//! number of windows of at most that width. They have some numbers of groups, and every number of parts into which the
//! pairs are cut. The cheapest is taken. All are few, so all are tried. Numbers of windows in between would give some
//! windows twice the buckets of the others for little in return. The reduction takes as many steps as the largest
//! needs.

use crate::census::Census;
use crate::recode::{MIN_WIDTH, Window, Windows, covered_bits, split};
use crate::settings::{BUCKET_COST, CACHE_BYTES, TASKS, WIDEST_WINDOW, WINDOW_BYTES};
use core::cmp::Reverse;
use core::ops::Range;
use std::rc::Rc;

/// The work, in pieces that need nothing of each other.
pub(crate) struct Plan {
    /// The digits.
    pub(crate) windows: Windows,
    /// Together they cover every window of every chunk once.
    pub(crate) tasks: Vec<Task>,
}

/// Some windows of some pairs.
pub(crate) struct Task {
    /// Which windows; at least one.
    pub(crate) windows: Range<usize>,
    /// Which chunks of the census.
    pub(crate) chunks: Range<usize>,
}

impl Task {
    /// Number of additions of points, where `windows` are its own.
    pub(crate) fn entries(&self, windows: &[Window], census: &Census) -> usize {
        let chunks = self.chunks.clone();
        chunks
            .map(|chunk| Self::entries_of(chunk, windows, census))
            .sum()
    }

    /// As [`entries`](Self::entries), of one chunk.
    pub(crate) fn entries_of(chunk: usize, windows: &[Window], census: &Census) -> usize {
        let in_window = |window: &Window| census.at_least_in(chunk, window.least_bits());
        windows.iter().map(in_window).sum()
    }
}

impl Plan {
    /// The cheapest plan by the model for pairs as in `census` and buckets of `slot_bytes`. If tasks share a list with
    /// those of `others`, `threads` is this sum's share.
    pub(crate) fn choose(
        order: &[u64; 4],
        census: &Census,
        slot_bytes: usize,
        costs: &Costs,
        threads: usize,
        others: Others,
    ) -> Self {
        let bits = covered_bits(order, census.longest());
        let narrowest = MIN_WIDTH.min(bits);
        let most = widest_window(slot_bytes).max(narrowest);
        let scaled = costs.with_buckets_at(BUCKET_COST.get());
        let best = (narrowest..=most)
            .flat_map(|widest| {
                let count = bits.div_ceil(widest).min((bits / MIN_WIDTH).max(1));
                let windows = split(bits, count).collect();
                Layout::candidates(windows, census, slot_bytes, &scaled, threads, others)
            })
            .min_by(|left, right| left.cost.total_cmp(&right.cost))
            .expect("there is at least one candidate for each width");
        best.into_plan(order, bits, census)
    }

    /// The cheapest plan with `count` windows of `bits` bits together, whatever the scalars are. None of them has more
    /// bits than these, less two.
    pub(crate) fn of_windows(
        order: &[u64; 4],
        (bits, count): (u32, u32),
        census: &Census,
        slot_bytes: usize,
        costs: &Costs,
        threads: usize,
    ) -> Self {
        assert!(
            covered_bits(order, census.longest()) <= bits,
            "long scalars"
        );
        let windows = split(bits, count).collect();
        let layouts = Layout::candidates(windows, census, slot_bytes, costs, threads, Others::None);
        layouts
            .min_by(|left, right| left.cost.total_cmp(&right.cost))
            .expect("there is a candidate with one part")
            .into_plan(order, bits, census)
    }

    /// Units of work of all tasks, as `Pairs::chunks` counts them.
    pub(crate) fn units(&self, census: &Census) -> u64 {
        let entries = self.tasks.iter().map(|task| {
            let windows = &self.windows.all()[task.windows.clone()];
            task.entries(windows, census) as u64
        });
        entries.sum()
    }

    /// The cost of a task of this plan.
    pub(crate) fn cost_of(
        &self,
        task: &Task,
        census: &Census,
        slot_bytes: usize,
        costs: &Costs,
    ) -> f64 {
        let windows = &self.windows.all()[task.windows.clone()];
        costs.of_task(task.entries(windows, census) as f64, windows, slot_bytes)
    }

    /// The plan with `count` windows on one thread, for measuring the model.
    #[cfg(test)]
    pub(crate) fn with_windows(
        order: &[u64; 4],
        count: usize,
        census: &Census,
        slot_bytes: usize,
        costs: &Costs,
    ) -> Self {
        let bits = covered_bits(order, census.longest());
        let windows = split(bits, count as u32).collect();
        Layout::candidates(windows, census, slot_bytes, costs, 1, Others::None)
            .next()
            .expect("there is a candidate with one part")
            .into_plan(order, bits, census)
    }
}

/// Bits of the widest window whose buckets fit [`WINDOW_BYTES`], within [`WIDEST_WINDOW`].
fn widest_window(slot_bytes: usize) -> u32 {
    let fitting = (WINDOW_BYTES.get() / slot_bytes).max(1).ilog2() + 1; // 2^(c - 1) buckets
    fitting.min(WIDEST_WINDOW.get() as u32)
}

/// Whose tasks a thread takes when those of this sum are begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Nobody's.
    None,
    /// Those of the sums beside it.
    Beside,
}

impl Others {
    /// Tasks for each thread at most. Beside other sums a finer cut costs buckets, and no rounds.
    const fn parts(self) -> usize {
        match self {
            Self::None => 3,
            Self::Beside => 6,
        }
    }
}

/// A candidate.
struct Layout {
    windows: Rc<[Window]>,
    /// Groups of windows, about equally many in each.
    groups: usize,
    /// About how many parts the pairs of a group are cut into.
    parts: usize,
    cost: f64,
}

impl Layout {
    /// With these windows: as few groups as the cache allows; for several threads, a few multiples of their number.
    /// Each in one part, two, …
    fn candidates(
        windows: Rc<[Window]>,
        census: &Census,
        slot_bytes: usize,
        costs: &Costs,
        threads: usize,
        others: Others,
    ) -> impl Iterator<Item = Self> {
        let largest = windows.iter().map(Window::buckets).max().unwrap_or(1);
        let fitting = (CACHE_BYTES.get() / (largest * slot_bytes)).max(1);
        let least = windows.len().div_ceil(fitting).div_ceil(threads);
        let is_cut = threads > 1 || others == Others::Beside;
        let multiples = if is_cut { TASKS.get() } else { 1 };
        (least..least + multiples).flat_map(move |multiple| {
            let groups = (multiple * threads).min(windows.len());
            let most_parts = match is_cut {
                true => (others.parts() * threads)
                    .div_ceil(groups)
                    .min(census.chunks()),
                false => 1,
            };
            let most_parts = most_parts.max(1);
            let windows = windows.clone();
            (1..=most_parts).map(move |parts| {
                let mut layout = Self {
                    windows: windows.clone(),
                    groups,
                    parts,
                    cost: 0.0,
                };
                layout.cost = layout.cost(census, slot_bytes, costs, threads, others);
                layout
            })
        })
    }

    /// The time on `threads` threads.
    fn cost(
        &self,
        census: &Census,
        slot_bytes: usize,
        costs: &Costs,
        threads: usize,
        others: Others,
    ) -> f64 {
        let tasks = self.groups(census).map(|(group, parts)| {
            let windows = &self.windows[group];
            let entries = entries(windows, census) as f64 / parts as f64;
            (costs.of_task(entries, windows, slot_bytes), parts)
        });
        match others {
            Others::None => time_on_threads(tasks.collect(), threads),
            Others::Beside => {
                let (total, largest) = tasks.fold((0.0, 0.0_f64), |(total, largest), task| {
                    (total + task.0 * task.1 as f64, largest.max(task.0))
                });
                total / threads as f64 + TAIL * largest
            }
        }
    }

    /// Groups of windows, and for each the number of parts, in proportion to its entries. So the window with a million
    /// ones is cut into more parts than those above it.
    fn groups(&self, census: &Census) -> impl Iterator<Item = (Range<usize>, usize)> {
        let total = entries(&self.windows, census).max(1);
        let start = move |group| group * self.windows.len() / self.groups;
        (0..self.groups).map(move |group| {
            let (start, end) = (start(group), start(group + 1));
            let own = entries(&self.windows[start..end], census);
            let share = (own * self.groups * self.parts + total / 2) / total;
            let parts = if self.parts == 1 { 1 } else { share };
            (start..end, parts.clamp(1, census.chunks().max(1)))
        })
    }

    fn into_plan(self, order: &[u64; 4], bits: u32, census: &Census) -> Plan {
        let count = self.windows.len();
        let mut tasks = Vec::new();
        for (windows, parts) in self.groups(census) {
            let least_bits = self.windows[windows.start].least_bits();
            tasks.extend(cut(census, least_bits, parts).map(|chunks| Task {
                windows: windows.clone(),
                chunks,
            }));
        }
        // The longest first, so that the last to finish are short.
        tasks.sort_by_cached_key(|task| {
            let windows = &self.windows[task.windows.clone()];
            Reverse(task.entries(windows, census))
        });
        Plan {
            windows: Windows::new(order, bits, count),
            tasks,
        }
    }
}

/// The time of tasks on so many threads, each of which takes the longest that is left. A task is given by its cost, and
/// by how many there are of that cost.
///
/// An estimate, as many plans are compared. It is exact for tasks of one cost. For groups of windows it is off by less
/// than 3% on average, and by less than half (tests). The first thread takes every `threads`-th task in the order of
/// their costs. It takes fewer where a long one keeps it busy: most threads end within the shortest task of each other.
fn time_on_threads(mut tasks: Vec<(f64, usize)>, threads: usize) -> f64 {
    tasks.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let longest = tasks.first().map_or(0.0, |(cost, _)| *cost);
    let shortest = tasks.last().map_or(0.0, |(cost, _)| *cost);
    let (mut number, mut total, mut first) = (0_usize, 0.0, 0.0);
    for (cost, count) in tasks {
        let turns = (number + count).div_ceil(threads) - number.div_ceil(threads); // of the first thread
        first += cost * turns as f64;
        total += cost * count as f64;
        number += count;
    }
    let level = (total + (threads - 1) as f64 * shortest) / threads as f64;
    longest.max(first.min(level))
}

/// Number of additions in these windows.
fn entries(windows: &[Window], census: &Census) -> usize {
    windows
        .iter()
        .map(|window| census.at_least(window.least_bits()))
        .sum()
}

/// Cuts the chunks into `parts` ranges with about equally many pairs of at least `bits` bits.
fn cut(census: &Census, bits: u32, parts: usize) -> impl Iterator<Item = Range<usize>> {
    let total = census.at_least(bits);
    let (mut chunk, mut seen) = (0, 0);
    (1..=parts).map(move |part| {
        let start = chunk;
        let wanted = total as u128 * part as u128 / parts as u128;
        while chunk < census.chunks() && (part == parts || (seen as u128) < wanted) {
            seen += census.at_least_in(chunk, bits);
            chunk += 1;
        }
        start..chunk
    })
}

/// The part of a task for which a thread has nothing to do in the end, where several sums share a list. The longest
/// begin first; but what a task takes differs from its cost by a tenth and more, and the last come late.
const TAIL: f64 = 1.0;

/// The costs of the parts of a plan, in additions of one backend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// An addition of a point to a bucket: digit, schedule and its share of the inversion counted.
    pub(crate) entry: f64,
    /// A bucket: two additions in the reduction, less the first point of a bucket, which is copied.
    pub(crate) bucket: f64,
    /// A bucket of a window whose buckets fill more than half of [`CACHE_BYTES`]; also to prefer half the memory where
    /// times are equal.
    pub(crate) far_bucket: f64,
    /// A window: what it adds to the batches and to the terms.
    pub(crate) window: f64,
    /// A task: the inversions of its last, small batches.
    pub(crate) task: f64,
}

impl Costs {
    /// The cost of a task with so many additions in these windows.
    fn of_task(&self, entries: f64, windows: &[Window], slot_bytes: usize) -> f64 {
        let buckets = |window: &Window| match window.buckets() {
            near if 2 * near * slot_bytes <= CACHE_BYTES.get() => self.bucket * near as f64,
            far => self.far_bucket * far as f64,
        };
        let reduction: f64 = windows
            .iter()
            .map(|window| self.window + buckets(window))
            .sum();
        self.task + self.entry * entries + reduction
    }

    /// With buckets at so many hundredths of their cost.
    fn with_buckets_at(self, hundredths: usize) -> Self {
        let factor = hundredths as f64 / 100.0;
        Self {
            bucket: factor * self.bucket,
            far_bucket: factor * self.far_bucket,
            ..self
        }
    }
}

#[cfg(test)]
mod tests;
