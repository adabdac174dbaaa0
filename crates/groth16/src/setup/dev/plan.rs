//! How much memory a setup takes, and how it does with less.

use super::super::circuit::Circuit;
use super::super::{coefficients, log_domain_size};
use super::{BLOCK, BLOCKS_PER_THREAD, columns};
use crate::{Error, ProvingEngine};
use frumious_curves::engine::PairingGroup;
use frumious_field::PrimeField;
use frumious_msm::Multiples;
use frumious_parallel::current_num_threads;

/// What a setup will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetupPlan {
    /// Private memory in bytes, at most, of the setup alone: without the program, the circuit, and mapped files.
    pub memory: u64,
    /// Passes over the rows.
    pub passes: u64,
    /// Wires of a pass over one matrix; none if all columns are made in one pass.
    pub(in crate::setup) wires_per_pass: Option<usize>,
}

/// The memory and the passes of [`setup_dev`](super::setup_dev) with at most `max_memory` bytes, for the threads there are.
///
/// With room for three columns, 96 bytes a wire, there is one pass over the rows. With less there are passes for each of the sections A, B1, B2, C, over as many
/// wires as there is room for at 32 bytes each. The tables (32 MB for G1 of BN254, 64 for G2) and the buffers (some ten megabytes a thread) are there in both cases.
///
/// Errors: [`Error::MemoryLimit`] if more than sixteen passes a section were needed; as [`setup_dev`](super::setup_dev).
pub fn plan_dev<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    max_memory: Option<u64>,
) -> Result<SetupPlan, Error> {
    let log_n = log_domain_size(circuit, E::Fr::TWO_ADICITY)?;
    coefficients::count(circuit)?;
    let n_wires = u64::from(circuit.n_wires());
    // While the tables for G2 are in use, those for G1 stay; what either takes while it is made is less than points in flight.
    let tables = Multiples::<E::G1>::bytes(g1_multiples(circuit, log_n))
        + Multiples::<E::G2>::bytes(circuit.n_wires() as usize);
    let threads = current_num_threads();
    let in_flight = threads * BLOCK * (2 * BLOCKS_PER_THREAD + 4) * <E::G2 as PairingGroup>::BYTES;
    let buffers = columns::buffer_bytes(circuit).max(in_flight as u64);
    let fixed = tables as u64 + buffers;
    let together = SetupPlan {
        memory: fixed + 3 * 32 * n_wires,
        passes: 1,
        wires_per_pass: None,
    };
    let Some(limit) = max_memory.filter(|limit| *limit < together.memory) else {
        return Ok(together);
    };
    let least = fixed + 32 * n_wires.div_ceil(MOST_RANGES);
    if limit < least {
        return Err(Error::MemoryLimit {
            needed: least,
            limit,
        });
    }
    let wires = n_wires.min((limit - fixed) / 32).max(1);
    let ranges = n_wires.div_ceil(wires);
    let wires = n_wires.div_ceil(ranges);
    Ok(SetupPlan {
        memory: fixed + 32 * wires,
        passes: 1 + 4 * ranges,
        wires_per_pass: Some(wires as usize),
    })
}

/// Multiples of the generator of G1 in a key.
pub(super) fn g1_multiples<E: ProvingEngine>(circuit: &impl Circuit<E>, log_n: u32) -> usize {
    3 * circuit.n_wires() as usize + (1 << log_n)
}

/// With so many ranges of wires passes over the rows take about as long as everything else.
const MOST_RANGES: u64 = 16;
