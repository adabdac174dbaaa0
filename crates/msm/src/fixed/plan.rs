//! The cost model: which table for which scalars.
//!
//! A commitment costs its additions and doublings, in nanoseconds as [`MEASURED`]; only ratios matter. Additions
//! from a table that does not fit the caches are dearer although entries are fetched ahead, see [`addition_ns`].
//!
//! What is compared: all scalars through windows; and for each comb, the cheaper of comb and windows for each of its
//! clusters, plus the doublings once. Everything is counted exactly for the scalars at hand, but for the digits that happen to
//! be zero.

use super::comb::CombTable;
use super::group::FixedGroup;
use super::operations::Queue;
use super::scratch::with_scratch;
use super::strategy::Table;
use super::terms::Terms;
use super::windows::WindowTable;

/// Which tables there are, and which windows are best for each point.
pub(super) struct Planner<G: FixedGroup> {
    tables: Vec<Table<G>>,
    /// For each table, the price of an addition.
    prices: Vec<f32>,
    /// For each point the index of the table of windows that is best for it.
    windows_of: Vec<Option<u8>>,
}

impl<G: FixedGroup> Planner<G> {
    /// For `points` points and tables that are used together.
    ///
    /// Errors: the first point that no table covers.
    pub(super) fn new(points: usize, tables: Vec<Table<G>>) -> Result<Self, usize> {
        let prices: Vec<f32> = tables
            .iter()
            .map(|table| addition_ns(table.entries() * G::ENTRY_BYTES))
            .collect();
        let best_windows = |point: usize| {
            let price = |index: usize| match &tables[index] {
                Table::Windows(table) if point < table.points() => {
                    Some(prices[index] * table.windows() as f32)
                }
                _ => None,
            };
            (0..tables.len())
                .filter_map(|index| price(index).map(|price| (index, price)))
                .min_by(|left, right| left.1.total_cmp(&right.1))
                .map(|(index, _)| index as u8)
        };
        let windows_of: Vec<Option<u8>> = (0..points).map(best_windows).collect();
        let has_comb = tables.iter().any(|table| matches!(table, Table::Comb(_)));
        match windows_of.iter().position(Option::is_none) {
            Some(point) if !has_comb => Err(point),
            _ => Ok(Self {
                tables,
                prices,
                windows_of,
            }),
        }
    }

    /// The tables.
    pub(super) fn tables(&self) -> &[Table<G>] {
        &self.tables
    }

    /// Entries of all tables.
    pub(super) fn entries(&self) -> usize {
        self.tables.iter().map(Table::entries).sum()
    }

    /// The operations for the cheapest way.
    pub(super) fn emit(&self, terms: Terms<'_, G>, queue: &mut Queue<'_>) {
        let mut by_windows = 0.0;
        terms.for_each(|index, scalar| by_windows += self.windows_ns(index, scalar));
        let least = |(index, comb): (usize, &CombTable<G>)| {
            comb.rounds() as f32 * self.prices[index] + doublings_ns(comb)
        };
        if self.combs().map(least).all(|least| by_windows <= least) {
            terms.for_each(|index, scalar| self.emit_windows(index, scalar, queue));
        } else {
            self.emit_compared(terms, by_windows, queue);
        }
    }

    /// As [`emit`](Self::emit), when it is not clear from afar.
    fn emit_compared(&self, terms: Terms<'_, G>, by_windows: f32, queue: &mut Queue<'_>) {
        with_scratch::<16, 257, _, _>(self.windows_of.len(), 0.0, |windows_ns| {
            terms.for_each(|index, scalar| windows_ns[index] = self.windows_ns(index, scalar));
            let best = self
                .combs()
                .map(|(index, comb)| (self.compare(index, comb, windows_ns, |_| ()), comb, index))
                .min_by(|left, right| left.0.total_cmp(&right.0));
            match best {
                Some((price, comb, index)) if price < by_windows => {
                    self.compare(index, comb, windows_ns, |chosen| {
                        comb.emit(terms, chosen, queue);
                        terms.for_each(|index, scalar| {
                            if !chosen[comb.cluster_of(index)] {
                                self.emit_windows(index, scalar, queue);
                            }
                        });
                    })
                }
                _ => {
                    terms.for_each(|index, scalar| self.emit_windows(index, scalar, queue));
                    0.0
                }
            }
        });
    }

    /// The price with a comb where it is cheaper than windows; `chosen` is told for which clusters.
    fn compare(
        &self,
        index: usize,
        comb: &CombTable<G>,
        windows_ns: &[f32],
        chosen: impl FnOnce(&[bool]),
    ) -> f32 {
        let round_ns = comb.rounds() as f32 * self.prices[index];
        let clusters = comb.clusters();
        with_scratch::<16, 257, _, _>(clusters.len(), (0.0f32, false), |costs| {
            let mut blocks = 0; // with bits of a scalar, where blocks are skipped one by one
            let mut end = 0;
            for (point, cost) in windows_ns
                .iter()
                .enumerate()
                .filter(|(_, cost)| **cost > 0.0)
            {
                costs[comb.cluster_of(point)].0 += cost;
                if comb.skips_blocks() {
                    let own = comb.blocks_of(point);
                    blocks += own.end - end.clamp(own.start, own.end);
                    end = own.end;
                }
            }
            let mut total = 0.0;
            for (cost, cluster) in costs.iter_mut().zip(clusters) {
                let blocks = if comb.skips_blocks() {
                    blocks
                } else {
                    cluster.blocks()
                };
                let by_comb = round_ns * blocks as f32;
                cost.1 = cost.0 > by_comb;
                total += cost.0.min(by_comb);
            }
            if costs.iter().any(|cost| cost.1) {
                total += doublings_ns(comb);
            }
            with_scratch::<16, 257, _, _>(clusters.len(), false, |flags| {
                for (flag, cost) in flags.iter_mut().zip(costs.iter()) {
                    *flag = cost.1;
                }
                chosen(flags);
            });
            total
        })
    }

    fn combs(&self) -> impl Iterator<Item = (usize, &CombTable<G>)> {
        let tables = self.tables.iter().enumerate();
        tables.filter_map(|(index, table)| match table {
            Table::Comb(comb) => Some((index, comb)),
            Table::Windows(_) => None,
        })
    }

    fn windows(&self, point: usize) -> Option<(f32, &WindowTable)> {
        let index = usize::from(self.windows_of[point]?);
        match &self.tables[index] {
            Table::Windows(table) => Some((self.prices[index], table)),
            Table::Comb(_) => None,
        }
    }

    /// The price of a scalar through windows, [`NEVER`] if its point has none.
    #[inline]
    fn windows_ns(&self, point: usize, scalar: &G::Scalar) -> f32 {
        match self.windows(point) {
            Some((price, table)) => price * table.additions(&G::scalar_words(scalar)).max(1) as f32,
            None => NEVER,
        }
    }

    #[inline]
    fn emit_windows(&self, point: usize, scalar: &G::Scalar, queue: &mut Queue<'_>) {
        let (_, table) = self
            .windows(point)
            .expect("windows are chosen only where there are some, as they cost NEVER elsewhere");
        table.emit(point, &G::scalar_words(scalar), queue);
    }
}

/// Price of all doublings.
pub(super) fn doublings_ns<G: FixedGroup>(comb: &CombTable<G>) -> f32 {
    (comb.rounds() - 1) as f32 * MEASURED.doubling
}

/// A price that nothing else reaches: a commitment to a million scalars takes some 10^9 ns.
const NEVER: f32 = 1e20;

/// Price of an addition from a table of that many bytes; see [`MEASURED`].
pub(super) fn addition_ns(bytes: usize) -> f32 {
    let beyond = (bytes as f32 / CACHED_BYTES).max(1.0).log2();
    MEASURED.addition + MEASURED.addition_for_each_doubling * beyond
}

struct Prices {
    /// An addition from a table in the caches.
    addition: f32,
    /// More for an addition each time that the table gets twice as large.
    addition_for_each_doubling: f32,
    /// A doubling after an addition (which is a product cheaper then).
    doubling: f32,
}

/// Nanoseconds for Banderwagon on a Zen 5 core under a hypervisor, tables in huge pages, entries fetched ahead, fresh scalars
/// each time: 107 ns an addition at 3.4 MiB, 110 at 7, 113 at 96, 118 at 216, 123 at 384.
const MEASURED: Prices = Prices {
    addition: 106.0,
    addition_for_each_doubling: 2.0,
    doubling: 110.0,
};

/// Up to that size a table is in the caches, after some use.
const CACHED_BYTES: f32 = 2.0 * 1024.0 * 1024.0;
