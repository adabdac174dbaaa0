//! The memory and the passes of a setup from a ceremony.

use super::parts::{BATCHES_PER_THREAD, WIRES_PER_TASK};
use crate::setup::SetupPlan;
use crate::setup::coefficients::Room;
use crate::setup::columns::{Census, ColumnMatrix, Columns};
use crate::{Error, ProvingEngine};
use frumious_curves::engine::MontgomeryEncoding;
use frumious_parallel::current_num_threads;
use frumious_r1cs::ConstraintSource;

/// The memory and the passes of [`setup`](crate::setup()) with at most `max_memory` bytes, for the threads there are.
///
/// Reads the circuit once. Without a limit it takes 8 bytes for each term of A, B and C, and 24 a wire. Each distinct
/// coefficient takes some 200, a thread some megabytes. With less, parts are made for ranges of wires, as long as their
/// terms fit.
///
/// # Errors
/// [`Error::MemoryLimit`] if the terms of a thousand wires do not fit, or if there were more than 64 passes a part; as
/// [`setup`](crate::setup()).
pub fn plan_ceremony<E: ProvingEngine>(
    circuit: &impl ConstraintSource<E::Fr>,
    max_memory: Option<u64>,
) -> Result<SetupPlan, Error> {
    let census = Census::take(circuit, &*circuit.blocks())?;
    Ok(plan::<E>(circuit, &census, max_memory)?.0)
}

/// Room for the coefficients that are made at a time.
pub(super) fn room<F>(circuit: &dyn ConstraintSource<F>) -> Room {
    Room::new(circuit, current_num_threads(), 1 << 14)
}

/// The plan, and the memory that columns may take.
pub(super) fn plan<E: ProvingEngine>(
    circuit: &dyn ConstraintSource<E::Fr>,
    census: &Census,
    max_memory: Option<u64>,
) -> Result<(SetupPlan, u64), Error> {
    let in_flight = current_num_threads() * BATCHES_PER_THREAD * WIRES_PER_TASK;
    // Projective points, affine ones, and the buffers of a sum over many terms.
    let buffers = (in_flight * 5 * <E::G2 as MontgomeryEncoding>::BYTES) as u64 + (8 << 20);
    let fixed = census.bytes() + buffers + room(circuit).bytes();
    let all = ColumnMatrix::ALL;
    let n_wires = circuit.n_wires() as usize;
    let needed_for = |limit| {
        let ranges = census.ranges(&all, n_wires, limit);
        (census.largest(&all, &ranges), ranges.len() as u64)
    };
    let available = max_memory.map_or(u64::MAX, |limit| limit.saturating_sub(fixed));
    let (columns, ranges) = needed_for(available);
    if columns > available || ranges > MOST_RANGES {
        let limit = max_memory.expect("without a limit there is one range");
        let (everything, _) = needed_for(u64::MAX);
        let needed = fixed + columns.max(2 * everything.div_ceil(MOST_RANGES));
        return Err(Error::MemoryLimit { needed, limit });
    }
    // One set for each of IC, A, B1, B2 and C, and for each range; if one range has all wires, one for all of them.
    let sets = if ranges == 1 { 1 } else { 5 * ranges };
    let plan = SetupPlan {
        memory: fixed + columns,
        passes: 2 + Columns::PASSES * sets, // the census and the coefficients
    };
    Ok((plan, available))
}

/// With more ranges of wires most of the time would go into passes over the rows.
const MOST_RANGES: u64 = 64;
