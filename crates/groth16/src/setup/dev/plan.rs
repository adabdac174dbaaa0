//! The memory of a setup, and ways to take less.
//!
//! Three things can give way to a limit, each for time:
//!
//! - columns are made in ranges of wires, each in passes of its own
//! - tables of multiples get narrower windows, of half the memory for each bit, with more additions for each point
//! - less is done at a time
//!
//! Of the plans that fit, the one that takes the least time by a rough count is chosen.

use super::super::coefficients::{self, Room};
use super::columns;
use super::multiples::{self, BLOCK};
use super::products::Products;
use crate::domain::log_domain_size;
use crate::{Error, ProvingEngine};
use frumious_field::PrimeField;
use frumious_msm::Multiples;
use frumious_parallel::current_num_threads;
use frumious_r1cs::ConstraintSource;

/// The memory and the passes of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetupPlan {
    /// Private memory in bytes, at most, of the setup alone: without the program, the circuit, and mapped files.
    pub memory: u64,
    /// Passes over the rows.
    pub passes: u64,
}

/// The memory and the passes of [`setup_dev`](super::setup_dev) with at most `max_memory` bytes, for the threads there
/// are.
///
/// With room for three columns, 96 bytes a wire, there is one pass over the rows. With less there are passes for each
/// of the parts A, B1, B2, C, over as many wires as fit at 32 bytes each. In both cases there are the tables of
/// multiples and some megabytes a thread. Without a limit the tables take at most 32 MB for G1 of BN254, and 64 for G2.
/// Not counted: rows of more than some hundred thousand terms, 40 bytes a term and thread.
///
/// # Errors
/// [`Error::MemoryLimit`] if more than sixteen passes a section were needed; otherwise as
/// [`setup_dev`](super::setup_dev).
pub fn plan_dev<E: ProvingEngine>(
    circuit: &impl ConstraintSource<E::Fr>,
    max_memory: Option<u64>,
) -> Result<SetupPlan, Error> {
    Ok(Plan::new::<E>(circuit, max_memory)?.summary)
}

/// A plan of a setup.
pub(super) struct Plan {
    pub(super) summary: SetupPlan,
    /// Wires of a pass over one matrix; none if all columns are made in one pass.
    pub(super) wires_per_pass: Option<usize>,
    /// Windows of the tables for G1 and G2.
    pub(super) widths: [u32; 2],
    pub(super) work: Work,
}

/// The work done at a time.
#[derive(Clone, Copy)]
pub(super) struct Work {
    /// Blocks of rows whose products are made at once, and the products of each that there is room for.
    pub(super) blocks: usize,
    pub(super) products: usize,
    pub(super) coefficients: Room,
    /// Points of a group.
    pub(super) group: usize,
}

impl Work {
    /// As is fastest, or in little memory.
    fn new<F>(circuit: &dyn ConstraintSource<F>, little: bool) -> Self {
        let threads = current_num_threads();
        let (per_thread, most) = if little { (1, 1 << 14) } else { (2, 1 << 18) };
        let all = circuit
            .n_terms()
            .iter()
            .fold(0, |sum: u64, n| sum.saturating_add(*n));
        Self {
            blocks: per_thread * threads,
            products: coefficients::average(circuit, all, most),
            coefficients: Room::new(circuit, per_thread * threads, most),
            group: per_thread * per_thread * threads * BLOCK,
        }
    }
}

impl Plan {
    pub(super) fn new<E: ProvingEngine>(
        circuit: &dyn ConstraintSource<E::Fr>,
        max_memory: Option<u64>,
    ) -> Result<Self, Error> {
        let log_n = log_domain_size::<E>(circuit, E::Fr::TWO_ADICITY)?;
        coefficients::count(circuit)?;
        let (n_wires, n_points) = (circuit.n_wires() as usize, 1_usize << log_n);
        let best = [
            Multiples::<E::G1>::best_width(3 * n_wires + n_points),
            Multiples::<E::G2>::best_width(n_wires),
        ];
        let Some(limit) = max_memory else {
            let work = Work::new(circuit, false);
            return Ok(Self::with::<E>(circuit, n_points, None, best, work));
        };
        let mut plans = Vec::new();
        let mut least = u64::MAX;
        for little in [false, true] {
            let work = Work::new(circuit, little);
            for g1 in NARROWEST..=best[0].max(NARROWEST) {
                for g2 in NARROWEST..=best[1].max(NARROWEST) {
                    let with = |wires| Self::with::<E>(circuit, n_points, wires, [g1, g2], work);
                    let together = with(None);
                    let in_most_passes = with(Some(n_wires.div_ceil(MOST_RANGES)));
                    least = least.min(together.memory()).min(in_most_passes.memory());
                    if together.memory() <= limit {
                        plans.push(together);
                    } else if in_most_passes.memory() <= limit {
                        // Fewer ranges are faster.
                        let by_ranges = |ranges| with(Some(n_wires.div_ceil(ranges)));
                        let mut fitting = (1..MOST_RANGES).map(by_ranges);
                        let fitting = fitting.find(|plan| plan.memory() <= limit);
                        plans.push(fitting.unwrap_or(in_most_passes));
                    }
                }
            }
        }
        let time = |plan: &Self| {
            let [g1, g2] = plan.widths;
            let g1 = (3 * n_wires + n_points) * Multiples::<E::G1>::additions(g1);
            let g2 = n_wires * Multiples::<E::G2>::additions(g2);
            let passes = plan.summary.passes as usize * n_points;
            let little = plan.work.blocks == current_num_threads();
            // Less in work is taken to cost as much as windows that are narrower by a bit.
            g1 + 3 * g2 + PASS * passes + usize::from(little) * (n_points + n_wires)
        };
        let plan = plans.into_iter().min_by_key(time);
        plan.ok_or(Error::MemoryLimit {
            needed: least,
            limit,
        })
    }

    /// `n_points`: size of the domain.
    fn with<E: ProvingEngine>(
        circuit: &dyn ConstraintSource<E::Fr>,
        n_points: usize,
        wires_per_pass: Option<usize>,
        widths: [u32; 2],
        work: Work,
    ) -> Self {
        let n_wires = circuit.n_wires() as usize;
        let threads = current_num_threads();
        let (wires, n_columns, ranges) = match wires_per_pass {
            None => (n_wires, 3, 0),
            Some(wires) => (wires, 1, n_wires.div_ceil(wires)),
        };
        let bins = columns::n_bins(wires, n_columns);
        let products = work.blocks as u64 * Products::<E::Fr>::bytes(work.products, bins)
            + threads as u64 * columns::basis_bytes();
        let making = |bytes: usize, width: u32| (threads * bytes) as u64 >> (16 - width);
        let making = [
            making(Multiples::<E::G1>::bytes_in_work(1 << 15), widths[0]),
            making(Multiples::<E::G2>::bytes_in_work(1 << 15), widths[1]),
        ];
        let tables =
            (Multiples::<E::G1>::bytes(widths[0]) + Multiples::<E::G2>::bytes(widths[1])) as u64;
        let (group, n_longest) = (work.group, n_wires.max(n_points));
        let points = multiples::bytes_of_groups::<E::G1>(group, n_longest)
            + multiples::bytes_of_groups::<E::G2>(group, n_wires)
            + multiples::bytes_in_work::<E::G2>(threads);
        // Some of it is in use at other times than the rest, but the allocator keeps for a thread what it has freed.
        let in_work = points + work.coefficients.bytes() + making.into_iter().max().unwrap_or(0);
        let in_work = match wires_per_pass {
            None => in_work.max(products), // before there is any other
            Some(_) => in_work + products,
        };
        let columns = (n_columns * wires) as u64 * COLUMN_BYTES;
        Self {
            summary: SetupPlan {
                memory: tables + columns + in_work + threads as u64 * KEPT_BYTES,
                passes: 1 + 4 * ranges as u64,
            },
            wires_per_pass,
            widths,
            work,
        }
    }

    fn memory(&self) -> u64 {
        self.summary.memory
    }
}

/// Of a wire in a column.
const COLUMN_BYTES: u64 = 32;
/// Memory that the allocator keeps for a thread, measured.
const KEPT_BYTES: u64 = 1 << 20;
/// The narrowest windows that a limit leads to: the tables are then smaller than what is in work.
const NARROWEST: u32 = 8;
/// Additions that a row costs in a pass over one matrix, guessed from a share of a tenth of the time for all three.
const PASS: usize = 4;
/// With so many ranges of wires passes over the rows take about as long as everything else.
const MOST_RANGES: usize = 16;
