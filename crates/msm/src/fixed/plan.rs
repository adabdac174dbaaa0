//! The cost model: which table for which scalars.
//!
//! A commitment costs its additions and doublings, in nanoseconds as measured on each kind of [`Machine`] ([`Prices`]);
//! only ratios matter. Additions from a table that does not fit the caches are dearer although entries are fetched
//! ahead. In lanes eight additions cost as much as one, and a doubling of all lanes as one of those. What a round of a
//! comb leaves of eight is lost.
//!
//! The candidates: all scalars through windows; and for each comb, the cheaper of comb and windows for each of its
//! clusters, plus the doublings once. Everything is counted exactly for the scalars at hand, but for the digits that
//! happen to be zero.

use super::comb::CombTable;
use super::group::{EntryForm, FixedGroup};
use super::machine::{Machine, Prices};
use super::operations::Queue;
use super::scratch::with_scratch;
use super::table::Table;
use super::terms::PointScalar;
use super::windows::WindowTable;

/// Which tables there are, and which windows are best for each point.
pub(super) struct Planner<G: FixedGroup> {
    tables: Vec<Table<G>>,
    /// For [`Machine::Scalar`] and [`Machine::Lanes`].
    costs: [Costs; 2],
}

struct Costs {
    /// For each table, the price of an addition.
    additions: Vec<f32>,
    /// For each point the index of the table of windows that is best for it.
    windows_of: Vec<Option<u8>>,
}

impl<G: FixedGroup> Planner<G> {
    /// For `points` points and tables that are used together.
    ///
    /// Errors: the first point that no table covers.
    pub(super) fn new(points: usize, tables: Vec<Table<G>>) -> Result<Self, usize> {
        let costs =
            [Machine::Scalar, Machine::Lanes].map(|machine| costs(points, &tables, machine));
        let has_comb = tables.iter().any(|table| matches!(table, Table::Comb(_)));
        match costs[0].windows_of.iter().position(Option::is_none) {
            Some(point) if !has_comb => Err(point),
            _ => Ok(Self { tables, costs }),
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

    /// The operations for the way that is cheapest on `machine`.
    pub(super) fn emit(&self, terms: &[PointScalar], machine: Machine, queue: &mut Queue<'_>) {
        let costs = &self.costs[machine as usize];
        let prices = machine.prices();
        let mut by_windows = 0.0;
        for term in terms {
            by_windows += self.windows_ns(costs, term);
        }
        let mut best = (by_windows, None);
        for (index, comb) in self.combs() {
            let block_ns = comb.rounds() as f32 * costs.additions[index];
            let doublings_ns = prices.doublings(comb.rounds());
            if by_windows > block_ns + doublings_ns {
                let most =
                    self.with_choice(costs, (comb, block_ns), terms, |choice| choice.cost(prices));
                if most + doublings_ns < best.0 {
                    best = (most + doublings_ns, Some((comb, block_ns)));
                }
            }
        }
        let Some(comb) = best.1 else {
            return terms
                .iter()
                .for_each(|term| self.emit_windows(costs, term, queue));
        };
        self.with_choice(costs, comb, terms, |choice| {
            with_scratch::<16, 257, _, _>(choice.by_windows.len(), false, |chosen| {
                for (chosen, index) in chosen.iter_mut().zip(0..) {
                    *chosen = choice.takes(index);
                }
                comb.0.emit(terms, chosen, queue);
                for term in terms {
                    if !chosen[comb.0.cluster_of(term.point)] {
                        self.emit_windows(costs, term, queue);
                    }
                }
            });
        });
    }

    /// Calls `f` with the choice for each cluster of a comb, of which an addition in all rounds costs `block_ns`.
    fn with_choice<R>(
        &self,
        costs: &Costs,
        (comb, block_ns): (&CombTable<G>, f32),
        terms: &[PointScalar],
        f: impl FnOnce(Choice<'_, G>) -> R,
    ) -> R {
        with_scratch::<16, 257, _, _>(comb.clusters().len(), 0.0, |by_windows| {
            for term in terms {
                by_windows[comb.cluster_of(term.point)] += self.windows_ns(costs, term);
            }
            f(Choice {
                comb,
                block_ns,
                blocks: comb.skips_blocks().then(|| comb.count_blocks(terms)),
                by_windows,
            })
        })
    }

    fn combs(&self) -> impl Iterator<Item = (usize, &CombTable<G>)> {
        let tables = self.tables.iter().enumerate();
        tables.filter_map(|(index, table)| match table {
            Table::Comb(comb) => Some((index, comb)),
            Table::Windows(_) => None,
        })
    }

    #[inline]
    fn windows(&self, costs: &Costs, point: usize) -> Option<(f32, &WindowTable)> {
        let index = usize::from(costs.windows_of[point]?);
        match &self.tables[index] {
            Table::Windows(table) => Some((costs.additions[index], table)),
            Table::Comb(_) => None,
        }
    }

    /// The price of a scalar through windows, [`NEVER`] if its point has none.
    #[inline]
    fn windows_ns(&self, costs: &Costs, term: &PointScalar) -> f32 {
        match self.windows(costs, term.point) {
            Some((price, table)) => price * table.additions(&term.value).max(1) as f32,
            None => NEVER,
        }
    }

    #[inline]
    fn emit_windows(&self, costs: &Costs, term: &PointScalar, queue: &mut Queue<'_>) {
        let (_, table) = self
            .windows(costs, term.point)
            .expect("windows are chosen only where there are some, as they cost NEVER elsewhere");
        table.emit(term.point, &term.value, queue);
    }
}

/// Comb or windows, for each cluster of a comb.
struct Choice<'a, G: FixedGroup> {
    comb: &'a CombTable<G>,
    block_ns: f32,
    /// Number of blocks that have a bit of a scalar, if others are skipped: there is one cluster only then.
    blocks: Option<usize>,
    /// For each cluster the price of its scalars through windows.
    by_windows: &'a [f32],
}

impl<G: FixedGroup> Choice<'_, G> {
    fn blocks(&self, cluster: usize) -> usize {
        self.blocks
            .unwrap_or_else(|| self.comb.clusters()[cluster].blocks())
    }

    /// True if the comb is cheaper for this cluster.
    fn takes(&self, cluster: usize) -> bool {
        self.by_windows[cluster] > self.block_ns * self.blocks(cluster) as f32
    }

    /// The price of all clusters, without the doublings.
    fn cost(&self, prices: &Prices) -> f32 {
        let mut blocks = 0;
        let mut by_windows = 0.0;
        for (cluster, cost) in self.by_windows.iter().enumerate() {
            if self.takes(cluster) {
                blocks += self.blocks(cluster);
            } else {
                by_windows += cost;
            }
        }
        by_windows + self.block_ns * prices.padded(blocks) as f32
    }
}

fn costs<G: FixedGroup>(points: usize, tables: &[Table<G>], machine: Machine) -> Costs {
    let additions: Vec<f32> = tables
        .iter()
        .map(|table| machine.prices().addition(table.entries() * G::Entry::BYTES))
        .collect();
    let best_windows = |point: usize| {
        let price = |index: usize| match &tables[index] {
            Table::Windows(table) if point < table.points() => {
                Some(additions[index] * table.windows() as f32)
            }
            _ => None,
        };
        (0..tables.len())
            .filter_map(|index| price(index).map(|price| (index, price)))
            .min_by(|left, right| left.1.total_cmp(&right.1))
            .map(|(index, _)| index as u8)
    };
    let windows_of = (0..points).map(best_windows).collect();
    Costs {
        additions,
        windows_of,
    }
}

/// A price that nothing else reaches: a commitment to a million scalars takes some 10^9 ns.
const NEVER: f32 = 1e20;
