//! Keys from a ceremony's powers of tau.
//!
//! Prepared powers have the Lagrange basis of every domain at the secret τ, plain and times α and β, as points. So a
//! column at τ is a short sum of such points. δ is 1 until the first contribution to the circuit's own phase; until
//! then the key is not to be used.

mod combine;
mod parts;
mod plan;
mod powers;

pub use plan::plan_ceremony;
pub use powers::Powers;

use super::columns::Census;
use super::{Progress, SetupOptions, SetupPhase, check_unchanged, coefficients};
use crate::domain::log_domain_size;
use crate::{Error, KeySink, ProvingEngine};
use frumious_r1cs::ConstraintSource;
use parts::Parts;

/// Writes the proving key of `circuit` under the powers of a ceremony to `sink`.
///
/// The powers are those of the circuit's [domain](log_domain_size). Whoever makes them has checked that the points are
/// in their groups; that they are powers of one τ is the ceremony's business.
///
/// Nothing of the key is held in memory. Memory: see [`plan_ceremony`]. The key depends on the circuit and the powers
/// alone, so a setup may be interrupted and go on: see [`KeySink`].
///
/// # Errors
/// [`Error::CircuitTooLarge`] if the powers are of another domain; [`Error::TooManyCoefficients`];
/// [`Error::MemoryLimit`]; [`Error::Source`] if writing fails or the circuit changes.
pub fn setup<E: ProvingEngine>(
    circuit: &impl ConstraintSource<E::Fr>,
    powers: &Powers<'_, E>,
    sink: &mut dyn KeySink<E>,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    make(circuit, powers, sink, options)
}

#[inline(never)]
pub(crate) fn make<E: ProvingEngine>(
    circuit: &dyn ConstraintSource<E::Fr>,
    powers: &Powers<'_, E>,
    sink: &mut dyn KeySink<E>,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    let progress = Progress::new(options.observer);
    let log_n = log_domain_size::<E>(circuit, powers.log_domain_size())?;
    if log_n != powers.log_domain_size() {
        return Err(Error::CircuitTooLarge {
            needed: log_n,
            available: powers.log_domain_size(),
        });
    }
    let n_coefficients = coefficients::count(circuit)?;
    progress.begin(SetupPhase::Columns);
    let blocks = circuit.blocks();
    let census = Census::take(circuit, &*blocks)?;
    let (_, for_columns) = plan::plan::<E>(circuit, &census, options.max_memory)?;
    let header = powers.header(circuit);
    let start = sink.begin(&header, n_coefficients).map_err(Error::Source)?;
    let parts = Parts {
        circuit,
        blocks: &*blocks,
        census: &census,
        powers,
        for_columns,
        kept: None,
        room: plan::room(circuit),
        progress,
        start,
        sink,
    };
    let written = parts.write();
    // Of two reasons the one that explains the other.
    check_unchanged(circuit)?;
    written
}
