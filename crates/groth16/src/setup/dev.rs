//! # Keys without a ceremony: unsafe, for tests and demonstrations
//!
//! Whoever knows τ, α, β or δ can prove **false statements**. Here they are drawn from the operating system on this one
//! machine, used and zeroised. Nobody else can be sure of that. A copy may remain in a swap file, a core dump or a
//! register. A key that others shall trust comes from a ceremony: [`setup`](crate::setup()).
//!
//! Knowing the secrets makes it fast: every point of the key is a field element times the generator. The elements are
//! computed first ([`columns`]: a pass over the rows), then the multiples from one table for each group, written as
//! they are made. Time depends on the secrets.
//!
//! Three elements a wire may not fit the memory that is allowed ([`plan`]). Then parts are made in passes of their own,
//! for ranges of wires. The secrets are never written anywhere. An interrupted setup must be begun anew, unless they
//! come from a [`seed`] that its user keeps.

mod columns;
mod key;
mod multiples;
mod plan;
mod products;
mod secrets;
mod seed;

#[cfg(test)]
mod tests;

pub use plan::{SetupPlan, plan_dev};
pub use seed::{SEED_BYTES, seed_digest};

use super::{Progress, SetupOptions, SetupPhase, check_unchanged, coefficients};
use crate::domain::{domain, log_domain_size};
use crate::{Error, KeySink, ProvingEngine};
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_field::PrimeField;
use frumious_r1cs::ConstraintSource;
use key::Key;
use plan::Plan;
use products::Products;
use secrets::{Secrets, header};
use zeroize::Zeroizing;

/// **Unsafe: for tests and demonstrations only.** Writes a proving key for `circuit` to `sink`, from secrets drawn
/// here. The circuit's field tells the curve.
///
/// Whoever ran this could have kept them, and with them could prove anything (see the head of this chapter). Memory: 96
/// bytes a wire and some hundred megabytes, or less with a [limit](SetupOptions::max_memory); see [`plan_dev`].
///
/// # Errors
/// [`Error::CircuitTooLarge`], [`Error::TooManyCoefficients`], [`Error::Randomness`], [`Error::MemoryLimit`],
/// [`Error::Source`] if writing fails or the circuit changes.
pub fn setup_dev<E, F>(
    circuit: &impl ConstraintSource<F>,
    sink: &mut dyn KeySink<E>,
    options: &SetupOptions<'_>,
) -> Result<(), Error>
where
    F: ScalarField<Engine = E>,
    E: ProvingEngine<Fr = F>,
{
    make_anew(circuit, sink, options)
}

#[inline(never)]
pub(crate) fn make_anew<E: ProvingEngine>(
    circuit: &dyn ConstraintSource<E::Fr>,
    sink: &mut dyn KeySink<E>,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    let log_n = log_domain_size::<E>(circuit, E::Fr::TWO_ADICITY)?;
    let domain = domain(log_n)?;
    let secrets = Secrets::random_for(&domain)?;
    make(circuit, &domain, &secrets, sink, options)
}

/// [`setup_dev`] with secrets from a seed: the same circuit and seed give the same key. Unsafe in the same way: whoever
/// has the seed can prove anything.
///
/// The key depends neither on the threads nor on the limit of memory, so a setup may be interrupted and go on: see
/// [`KeySink`]. [`seed_digest`] tells whether it is the same seed. The seed, of a [length within bounds](SEED_BYTES),
/// is stretched by nothing: it should have 128 bits of randomness or more.
///
/// # Errors
/// As [`setup_dev`], and [`Error::SeedLength`].
pub fn setup_dev_from_seed<E, F>(
    circuit: &impl ConstraintSource<F>,
    seed: &[u8],
    sink: &mut dyn KeySink<E>,
    options: &SetupOptions<'_>,
) -> Result<(), Error>
where
    F: ScalarField<Engine = E>,
    E: ProvingEngine<Fr = F>,
{
    make_from_seed(circuit, seed, sink, options)
}

#[inline(never)]
pub(crate) fn make_from_seed<E: ProvingEngine>(
    circuit: &dyn ConstraintSource<E::Fr>,
    seed: &[u8],
    sink: &mut dyn KeySink<E>,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    let log_n = log_domain_size::<E>(circuit, E::Fr::TWO_ADICITY)?;
    let domain = domain(log_n)?;
    let secrets = Secrets::from_seed(seed, circuit, &*circuit.blocks(), &domain)?;
    make(circuit, &domain, &secrets, sink, options)
}

/// Makes the key of some secrets, from where `sink` goes on.
fn make<E: ProvingEngine>(
    circuit: &dyn ConstraintSource<E::Fr>,
    domain: &Domain<E::Fr>,
    secrets: &Secrets<E::Fr>,
    sink: &mut dyn KeySink<E>,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    let plan = Plan::new::<E>(circuit, options.max_memory)?;
    let n_coefficients = coefficients::count(circuit)?;
    let progress = Progress::new(options.observer);
    progress.begin(SetupPhase::Columns);
    let blocks = circuit.blocks();
    let header = header::<E>(circuit, domain, secrets);
    let start = sink.begin(&header, n_coefficients).map_err(Error::Source)?;
    let products = || Products::new(plan.work.products);
    let key = Key {
        circuit,
        blocks: &*blocks,
        basis: secrets.domain_basis(domain),
        secrets,
        progress,
        work: (0..plan.work.blocks).map(|_| products()).collect(),
        plan,
        together: None,
        column: Zeroizing::default(),
        start,
        out: sink,
    };
    let written = key.write(domain);
    // Of two reasons the one that explains the other.
    check_unchanged(circuit)?;
    written
}
