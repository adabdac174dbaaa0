//! Multi-scalar multiplication over points that are known in advance, through tables: `Σ sᵢ·Pᵢ` for fixed `Pᵢ`.
//!
//! Everything here is **variable time** in scalars, by decision: they are the contents of trees, which are public.
//!
//! ```
//! # mod frumious { pub use ::frumious_curves as curves; pub use ::frumious_msm as msm; }
//! use frumious::curves::bandersnatch::{AffineElement, Element, Fr};
//! use frumious::msm::fixed::{Banderwagon, Budget, FixedBase};
//!
//! let points = [AffineElement::GENERATOR, Element::GENERATOR.double().to_affine()]; // G, 2G
//! let table = FixedBase::<Banderwagon>::new_vartime(&points, Budget::mib(1))?;
//! let commitment = table.commit_vartime(&[Fr::from_u64(3), Fr::from_u64(4)])?; // 3·G + 4·2G
//! assert_eq!(commitment, Element::GENERATOR.mul_vartime(&Fr::from_u64(11)));
//! # Ok::<(), frumious::msm::fixed::Error>(())
//! ```
//!
//! A set of tables has one or more [`Strategy`]s: windows of single points, good for few scalars, and combs over all
//! points, good for many. Each commitment takes the way through them that is cheapest for its scalars, by a cost model.
//! Which tables there are follows from a memory [`Budget`] by the same model.
//!
//! | module | idea |
//! |---|---|
//! | [`group`](FixedGroup) | what is asked of a group; `banderwagon`, `bn254` answer |
//! | [`strategy`](Strategy) | the kinds of table by their parameters |
//! | `windows`, `comb` | each kind: its shape, and from scalars to operations; `transpose` sorts bits for combs |
//! | [`operations`](Operations) | a commitment as a list of additions and doublings |
//! | `kernel`, `lanes` | carry them out: one sum at a time, or eight in vector lanes |
//! | `table` | the table of a strategy: its shape |
//! | `machine`, `plan` | the cost model, which way for which scalars |
//! | [`budget`](Budget) | which tables for how much memory |
//! | `build` | tables from points, in parallel |
//! | `file` | tables on disk, mapped |
//!
//! A commitment to at most 256 points allocates nothing. It runs on the caller's thread; run many at once instead.
//!
//! Roads not taken, as measured on Zen 5. Two sums in turn, to overlap their products: no gain, the eight products of
//! one addition already fill the multiplier. Affine sums with shared inversions, six products an addition where these
//! take eight. An addition and the passes over memory that it needs are measured at 22 ns in lanes (prototype), an
//! addition here at 18 to 22.

mod banderwagon;
mod bn254;
mod budget;
mod build;
mod comb;
mod error;
mod file;
mod group;
mod kernel;
mod lanes;
mod machine;
mod operations;
mod plan;
mod scratch;
mod signed;
mod strategy;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod transpose;
mod windows;

pub use banderwagon::Banderwagon;
pub use bn254::Bn254G1;
pub use budget::{Budget, Preset, Workload};
pub use error::{Error, Problem};
pub use group::FixedGroup;
pub use operations::Operations;
pub use strategy::{Digits, Order, Strategy};

use build::Powers;
use frumious_field::dispatch_kernel;
use frumious_mapping::{FileBytes, Memory, words};
use frumious_simd::Runner;
use group::EntryForm;
use kernel::Kernel;
use lanes::LaneKernel;
use machine::Machine;
use operations::{Queue, Sink};
use plan::Planner;
use std::sync::Arc;
use strategy::{MAX_TABLES, order_bits};
use table::Table;
use terms::Terms;

/// Tables for some points. Cloning shares them.
pub struct FixedBase<G: FixedGroup>(Arc<Inner<G>>);

struct Inner<G: FixedGroup> {
    points: Vec<G>,
    strategies: Vec<Strategy>,
    planner: Planner<G>,
    bytes: FileBytes,
    /// Where entries start in `bytes`.
    first_byte: usize,
}

impl<G: FixedGroup> FixedBase<G> {
    /// Length of a table's entry, in bytes.
    pub const ENTRY_BYTES: usize = G::Entry::BYTES;

    /// Builds the tables that the budget allows for `points`, in parallel.
    ///
    /// Which tables these are depends on the number of points and on the budget alone, see [`Budget::strategies`].
    ///
    /// # Errors
    /// No points; a budget that is too small; too little memory.
    pub fn new_vartime(points: &[G], budget: impl Into<Budget>) -> Result<Self, Error> {
        let strategies = budget.into().strategies::<G>(points.len())?;
        Self::with_strategies_vartime(points, &strategies)
    }

    /// Builds the given tables for `points`, in parallel. Each commitment uses the one or two that are cheapest for it.
    ///
    /// # Errors
    /// No points; parameters out of bounds; a point that no table covers; too little memory.
    pub fn with_strategies_vartime(points: &[G], strategies: &[Strategy]) -> Result<Self, Error> {
        let planner = planner(points.len(), strategies)?;
        let bytes = planner.entries() * G::Entry::BYTES;
        let memory = |source| Error::Memory { bytes, source };
        let mut table = Memory::zeroed(bytes).map_err(memory)?;
        let powers = Powers::<G>::new_vartime(points, order_bits::<G>() + 1);
        let mut rest = &mut table[..bytes];
        for shape in planner.tables() {
            let (own, later) = rest.split_at_mut(shape.entries() * G::Entry::BYTES);
            build::build_vartime(&powers, &shape.runs(), own);
            rest = later;
        }
        Ok(Self(Arc::new(Inner {
            points: points.to_vec(),
            strategies: strategies.to_vec(),
            planner,
            bytes: table.freeze().map_err(memory)?,
            first_byte: 0,
        })))
    }

    /// `Σ scalars[i]·P[i]` over the scalars given, at most as many as points. Zeros cost nothing.
    ///
    /// # Errors
    /// Too many scalars.
    pub fn commit_vartime(&self, scalars: &[G::Scalar]) -> Result<G::Projective, Error> {
        self.check_length(scalars.len())?;
        Ok(G::sum_vartime(self, Terms::Dense(scalars)))
    }

    /// `Σ scalar·P[index]` over pairs `(index, scalar)` in any order; an index may occur again, which adds up.
    ///
    /// # Errors
    /// An index that is no point's.
    pub fn commit_sparse_vartime(
        &self,
        terms: &[(usize, G::Scalar)],
    ) -> Result<G::Projective, Error> {
        for (index, _) in terms {
            self.check_index(*index)?;
        }
        if terms.is_sorted_by(|left, right| left.0 < right.0) {
            return Ok(G::sum_vartime(self, Terms::Sparse(terms)));
        }
        let mut sorted = terms.to_vec();
        sorted.sort_by_key(|(index, _)| *index);
        sorted.dedup_by(|again, first| {
            let same = again.0 == first.0;
            if same {
                first.1 += again.1;
            }
            same
        });
        Ok(G::sum_vartime(self, Terms::Sparse(&sorted)))
    }

    /// The commitment `old` after changes `(index, old scalar, new scalar)`: one commitment to the differences.
    ///
    /// An index may occur again, which adds up. That `old` really is a commitment to the old scalars is the caller's
    /// affair.
    ///
    /// # Errors
    /// An index that is no point's.
    pub fn update_vartime(
        &self,
        old: &G::Projective,
        changes: &[(usize, G::Scalar, G::Scalar)],
    ) -> Result<G::Projective, Error> {
        let difference = |(index, old, new): &(usize, G::Scalar, G::Scalar)| (*index, *new - *old);
        let sum = match changes {
            [] => return Ok(*old),
            [change] => self.commit_sparse_vartime(&[difference(change)])?,
            _ => {
                let terms: Vec<_> = changes.iter().map(difference).collect();
                self.commit_sparse_vartime(&terms)?
            }
        };
        Ok(*old + sum)
    }

    /// The operations that [`commit_vartime`](Self::commit_vartime) takes for these scalars, counted.
    ///
    /// # Errors
    /// Too many scalars.
    pub fn operations_vartime(&self, scalars: &[G::Scalar]) -> Result<Operations, Error> {
        self.check_length(scalars.len())?;
        let mut operations = Operations::default();
        self.run(Terms::Dense(scalars), Machine::active(), &mut operations);
        Ok(operations)
    }

    /// The points.
    pub fn points(&self) -> &[G] {
        &self.0.points
    }

    /// The tables there are.
    pub fn strategies(&self) -> &[Strategy] {
        &self.0.strategies
    }

    /// Size of the tables in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.0.planner.entries() * G::Entry::BYTES
    }

    /// Called by [`FixedGroup::sum_vartime`] alone.
    fn sum(&self, terms: Terms<'_, G>) -> G::Projective {
        match frumious_field::lanes::active().zip(self.rows()) {
            Some((cpu, rows)) => self.sum_in_lanes(cpu, rows, terms),
            None => self.sum_of(|kernel| self.run(terms, Machine::Scalar, kernel)),
        }
    }

    /// What `run` makes of the scalar kernel.
    #[inline(always)]
    fn sum_of(&self, run: impl FnOnce(&mut dyn Sink)) -> G::Projective {
        let entries = self.entries();
        dispatch_kernel!(cpu => {
            let mut kernel = Kernel::<G, _>::new(cpu, entries);
            run(&mut kernel);
            kernel.finish()
        })
    }

    fn sum_in_lanes(
        &self,
        runner: impl Runner,
        rows: &[G::EntryWords],
        terms: Terms<'_, G>,
    ) -> G::Projective {
        let mut kernel = LaneKernel::<G, _>::new(runner, rows);
        self.run(terms, Machine::Lanes, &mut kernel);
        match kernel.too_few() {
            Some(operations) => self.sum_of(|scalar| scalar.run(operations)),
            None => kernel.finish(),
        }
    }

    fn run(&self, terms: Terms<'_, G>, machine: Machine, sink: &mut dyn Sink) {
        let mut queue = Queue::new(sink);
        terms.with_values(|terms| self.0.planner.emit(terms, machine, &mut queue));
        queue.flush();
    }

    fn entries(&self) -> &[u8] {
        &self.0.bytes[self.0.first_byte..]
    }

    /// The entries in words, where memory has them as files do.
    fn rows(&self) -> Option<&[G::EntryWords]> {
        words(self.entries()).map(G::rows)
    }

    fn check_length(&self, scalars: usize) -> Result<(), Error> {
        let points = self.0.points.len();
        if scalars <= points {
            Ok(())
        } else {
            Err(Error::TooManyScalars { scalars, points })
        }
    }

    fn check_index(&self, index: usize) -> Result<(), Error> {
        let points = self.0.points.len();
        if index < points {
            Ok(())
        } else {
            Err(Error::IndexOutOfRange { index, points })
        }
    }
}

impl<G: FixedGroup> Clone for FixedBase<G> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<G: FixedGroup> core::fmt::Debug for FixedBase<G> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("FixedBase")
            .field("group", &G::NAME)
            .field("points", &self.points().len())
            .field("strategies", &self.strategies())
            .finish()
    }
}

/// The shapes of all tables, one after another, and how to choose among them.
fn planner<G: FixedGroup>(points: usize, strategies: &[Strategy]) -> Result<Planner<G>, Error> {
    if points == 0 {
        return Err(Error::NoPoints);
    }
    if strategies.len() > MAX_TABLES {
        return Err(Error::Parameters {
            what: "number of tables",
            value: strategies.len(),
        });
    }
    let mut end = 0;
    let mut tables: Vec<Table<G>> = Vec::with_capacity(strategies.len());
    for strategy in strategies {
        let table = strategy.table(points, end)?;
        end += table.entries();
        tables.push(table);
    }
    Planner::new(points, tables).map_err(|index| Error::NotCovered { index })
}
