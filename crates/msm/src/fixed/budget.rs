//! From an amount of memory to tables.
//!
//! All combinations of a few dozen tables that fit are compared. They are windows for the first five points (which
//! carry the metadata of a Verkle node), windows for all, and up to two combs. The best is the one with the least sum
//! of `weight·ln(cost)` over the commitments of a [`Workload`]. The model (`plan`) also chooses among the tables later.

use super::comb::CombTable;
use super::group::{EntryForm, FixedGroup};
use super::machine::{Machine, Prices};
use super::strategy::order_bits;
use super::table::Table;
use super::{Digits, Error, Order, Strategy};

/// An amount of memory for tables, and what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    mib: usize,
    workload: Workload,
}

/// The use of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Workload {
    /// Commitments to one or five of the first five points, to one other, to eight: each has weight 1. Commitments to
    /// half of the points as an inner product argument takes them, by any bit of the index. A proof takes two for each
    /// bit. Their weight is 3 together. Commitments to all: weight 2.
    General,
    /// Commitments to all points, a few to one: a verifier's.
    Dense,
}

/// Budgets with names; sizes are those for the 256 points of Verkle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// 4 MiB, for commitments to all points.
    Verifier,
    /// 24 MiB.
    Small,
    /// 128 MiB.
    Default,
    /// 334 MiB, what go-ipa takes.
    Full,
}

impl Budget {
    /// That many MiB, for the general workload.
    pub const fn mib(mib: usize) -> Self {
        Self {
            mib,
            workload: Workload::General,
        }
    }

    /// The same amount for another workload.
    pub const fn workload(self, workload: Workload) -> Self {
        Self { workload, ..self }
    }

    /// The best tables for that many points.
    ///
    /// # Errors
    /// [`Error::NoPoints`]; [`Error::Budget`] if no table is small enough.
    pub fn strategies<G: FixedGroup>(&self, points: usize) -> Result<Vec<Strategy>, Error> {
        // For scalar code, so that tables are the same on all backends; lanes gain little by others.
        let prices = Machine::Scalar.prices();
        if points == 0 {
            return Err(Error::NoPoints);
        }
        let limit = self.mib.saturating_mul(1 << 20);
        let commitments = self.workload.commitments(points);
        let combs = combs::<G>(points, &commitments, limit, prices);
        let mut best: Option<(f32, Vec<Strategy>)> = None;
        for windows in windows::<G>(points, &commitments, limit, prices) {
            for (index, first) in combs.iter().enumerate() {
                // The second may be the first again, which stands for none.
                for second in &combs[index..] {
                    let both: &[&Choice] = if second.is_same(first) {
                        &[&windows, first]
                    } else {
                        &[&windows, first, second]
                    };
                    consider(both, &commitments, limit, &mut best);
                }
            }
        }
        best.map(|(_, strategies)| strategies).ok_or(Error::Budget {
            points,
            mib: self.mib,
        })
    }
}

/// Keeps the tables if they fit and are the best so far; of equally good ones the first.
fn consider(
    options: &[&Choice],
    commitments: &[Commitment],
    limit: usize,
    best: &mut Option<(f32, Vec<Strategy>)>,
) {
    if options.iter().map(|option| option.bytes).sum::<usize>() > limit {
        return;
    }
    let mut score = 0.0;
    for (place, commitment) in commitments.iter().enumerate() {
        let costs = options.iter().map(|option| option.costs[place]);
        let least = costs.fold(f32::INFINITY, f32::min);
        score += commitment.weight * least.ln();
    }
    if score.is_finite() && best.as_ref().is_none_or(|best| score < best.0) {
        let all = options.iter().flat_map(|option| &option.strategies);
        *best = Some((score, all.copied().collect()));
    }
}

impl From<Preset> for Budget {
    fn from(preset: Preset) -> Self {
        match preset {
            Preset::Verifier => Self::mib(4).workload(Workload::Dense),
            Preset::Small => Self::mib(24),
            Preset::Default => Self::mib(128),
            Preset::Full => Self::mib(334),
        }
    }
}

/// Points with scalars of full length, and how much they matter.
struct Commitment {
    points: Vec<usize>,
    weight: f32,
}

impl Workload {
    fn commitments(self, points: usize) -> Vec<Commitment> {
        let some = |weight: f32, filter: &dyn Fn(usize) -> bool| Commitment {
            points: (0..points).filter(|index| filter(*index)).collect(),
            weight,
        };
        let mut all = match self {
            Self::General => vec![
                some(1.0, &|index| index < 1),
                some(1.0, &|index| index < HEAD),
                some(1.0, &|index| index + 1 == points),
                some(1.0, &|index| {
                    index % points.div_ceil(8) == points.div_ceil(8) / 2
                }),
                some(2.0, &|_| true),
            ],
            Self::Dense => vec![
                some(0.1, &|index| index + 1 == points),
                some(1.0, &|_| true),
            ],
        };
        if self == Self::General {
            let bits = points.ilog2();
            let half = |bit: u32| some(3.0 / bits as f32, &|index| index >> bit & 1 == 0);
            all.extend((0..bits).map(half));
        }
        all.retain(|commitment| !commitment.points.is_empty());
        all
    }
}

/// Tables to choose or not, with their price for each commitment.
struct Choice {
    strategies: Vec<Strategy>,
    bytes: usize,
    costs: Vec<f32>,
}

impl Choice {
    fn is_same(&self, other: &Self) -> bool {
        self.strategies == other.strategies
    }
}

/// No windows, or windows for all, with or without more for the first points.
fn windows<G: FixedGroup>(
    points: usize,
    commitments: &[Commitment],
    limit: usize,
    prices: &Prices,
) -> Vec<Choice> {
    let mut options = vec![none(commitments)];
    let counts = || (WIDTHS).map(|width| order_bits::<G>().div_ceil(width));
    let bytes = |strategy: &Strategy| {
        strategy.entries::<G>(points).map_or(usize::MAX, |entries| {
            entries.saturating_mul(G::Entry::BYTES)
        })
    };
    for (points, count) in counts().map(|count| (points, count)) {
        let all = Strategy::Windows { points, count };
        let all_bytes = bytes(&all);
        let all_ns = prices.addition(all_bytes);
        for head_count in counts().filter(|head_count| *head_count <= count) {
            let head = Strategy::Windows {
                points: HEAD.min(points),
                count: head_count,
            };
            let same = head_count == count;
            let head_bytes = if same { 0 } else { bytes(&head) };
            let total = all_bytes.saturating_add(head_bytes);
            if total > limit {
                continue;
            }
            let head_ns = prices.addition(if same { all_bytes } else { head_bytes });
            let cost = |commitment: &Commitment| {
                let heads = commitment.points.iter().filter(|index| **index < HEAD);
                let heads = heads.count() * head_count;
                let others = commitment.points.len() * count - heads / head_count * count;
                let padding = prices.padded(heads + others) - heads - others;
                prices.sum + (heads + padding) as f32 * head_ns + others as f32 * all_ns
            };
            options.push(Choice {
                strategies: if same { vec![all] } else { vec![head, all] },
                bytes: total,
                costs: commitments.iter().map(cost).collect(),
            });
        }
    }
    options
}

/// No comb, or one.
fn combs<G: FixedGroup>(
    points: usize,
    commitments: &[Commitment],
    limit: usize,
    prices: &Prices,
) -> Vec<Choice> {
    let mut options = vec![none(commitments)];
    for bits_per_point in 1..=16 {
        let rounds = order_bits::<G>().div_ceil(bits_per_point);
        if order_bits::<G>().div_ceil(rounds) != bits_per_point {
            continue;
        }
        for bits in (bits_per_point..=MAX_COMB_BITS).step_by(bits_per_point) {
            for order in [Order::Consecutive, Order::Strided] {
                if order == Order::Strided && bits == bits_per_point {
                    continue;
                }
                let strategy = Strategy::Comb {
                    rounds,
                    bits,
                    digits: Digits::Signed { order },
                };
                let Ok(Table::Comb(comb)) = strategy.table::<G>(points, 0) else {
                    continue;
                };
                let bytes = comb.entries().saturating_mul(G::Entry::BYTES);
                if bytes <= limit {
                    options.push(Choice {
                        strategies: vec![strategy],
                        bytes,
                        costs: commitments
                            .iter()
                            .map(|commitment| comb_cost(&comb, bytes, commitment, prices))
                            .collect(),
                    });
                }
            }
        }
    }
    options
}

fn comb_cost<G: FixedGroup>(
    comb: &CombTable<G>,
    bytes: usize,
    commitment: &Commitment,
    prices: &Prices,
) -> f32 {
    let mut clusters: Vec<usize> = commitment
        .points
        .iter()
        .map(|point| comb.cluster_of(*point))
        .collect();
    clusters.sort_unstable();
    clusters.dedup();
    let blocks: usize = clusters
        .iter()
        .map(|cluster| comb.clusters()[*cluster].blocks())
        .sum();
    let additions = prices.padded(blocks) * comb.rounds();
    prices.sum + additions as f32 * prices.addition(bytes) + prices.doublings(comb.rounds())
}

fn none(commitments: &[Commitment]) -> Choice {
    Choice {
        strategies: Vec::new(),
        bytes: 0,
        costs: vec![f32::INFINITY; commitments.len()],
    }
}

/// The first points of a Verkle node: version, stem, and two commitments; go-ipa has tables of their own for as many.
const HEAD: usize = 5;

/// Widths of windows that are tried.
const WIDTHS: core::ops::RangeInclusive<usize> = 4..=18;

/// The widest block of a comb that is tried; its table takes 48 MiB.
const MAX_COMB_BITS: usize = 20;
