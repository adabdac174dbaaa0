//! # Keys without a ceremony: unsafe, for tests and demonstrations
//!
//! **Whoever knows τ, α, β or δ can prove false statements.** Here they are drawn from the operating system on this one
//! machine, used and zeroised; nobody else can be sure of that, and a copy may remain in a swap file, a core dump or a
//! register. A key that others shall trust comes from a ceremony: [`setup`](crate::setup()).
//!
//! Knowing the secrets makes it fast: every point of the key is a field element times the generator. The elements are
//! computed first ([`columns`]: a pass over the rows), then the multiples from one table for each group, written as they are made. Time depends
//! on the secrets.
//!
//! If three elements a wire do not fit the memory that is allowed ([`plan`]), sections are made in passes of their own, for ranges of wires.
//! The secrets are never written anywhere, so a setup that was interrupted can only be begun anew, unless they come from a [`seed`] that its user keeps.

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

use super::circuit::Circuit;
use super::output::{KeyOutput, Position};
use super::{Progress, SetupOptions, SetupPhase, coefficients, log_domain_size};
use crate::key::snarkjs_domain;
use crate::{Error, ProvingEngine};
use frumious_circom::generic::ZkeyWriter;
use frumious_fft::Domain;
use frumious_field::PrimeField;
use key::Key;
use plan::Plan;
use products::Products;
use secrets::{Secrets, header};
use std::io::Write;
use zeroize::Zeroizing;

/// **Unsafe: for tests and demonstrations only.** Writes a proving key for `circuit` to `out`, as a zkey, with secrets drawn
/// here; whoever ran this could have kept them, and with them could prove anything (see the head of this chapter).
///
/// The key works with snarkjs's `groth16 prove` and `zkey export`; its section 10 holds a circuit hash of zeros and no
/// contribution, as there is no ceremony that `zkey verify` could check it against.
///
/// Memory: 96 bytes a wire and some hundred megabytes, or less with a [limit](SetupOptions::max_memory); see [`plan_dev`]. `out` should be buffered.
/// Errors: [`Error::CircuitTooLarge`], [`Error::TooManyCoefficients`], [`Error::Randomness`], [`Error::Format`] if writing fails.
pub fn setup_dev<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    out: impl Write,
) -> Result<(), Error> {
    setup_dev_with_options(circuit, out, &SetupOptions::default())
}

/// [`setup_dev`], observed, or in little memory. Unsafe in the same way.
///
/// Errors: as [`setup_dev`], and [`Error::MemoryLimit`].
pub fn setup_dev_with_options<E: ProvingEngine>(
    circuit: &impl Circuit<E>,
    out: impl Write,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    let log_n = log_domain_size(circuit, E::Fr::TWO_ADICITY)?;
    let domain = snarkjs_domain(log_n).expect("log_n was checked against the field's bound");
    let secrets = Secrets::random_for(&domain)?;
    make(
        circuit,
        &domain,
        &secrets,
        out,
        None,
        |_, _| Ok(()),
        options,
    )
}

/// [`setup_dev`] with secrets from a seed: the same circuit and seed give the same key to the byte, whatever the threads and the limit of memory. Unsafe in the
/// same way: whoever has the seed can prove anything.
///
/// The seed, of a [length within bounds](SEED_BYTES), is stretched by nothing: it should have 128 bits of randomness or more. As the key depends on the circuit and the
/// seed alone, a setup may be interrupted and go on: see [`KeyOutput`]; [`seed_digest`] tells whether it is the same seed.
///
/// Errors: as [`setup_dev_with_options`], and [`Error::SeedLength`].
pub fn setup_dev_from_seed<E: ProvingEngine, W: KeyOutput>(
    circuit: &impl Circuit<E>,
    seed: &[u8],
    out: W,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    let log_n = log_domain_size(circuit, E::Fr::TWO_ADICITY)?;
    let domain = snarkjs_domain(log_n).expect("log_n was checked against the field's bound");
    let secrets = Secrets::from_seed(seed, circuit, &*circuit.blocks(), &domain)?;
    let start = out.start();
    let tell = |out: &mut W, position| out.checkpoint(position);
    make(circuit, &domain, &secrets, out, start, tell, options)
}

/// Makes the key of some secrets. `tell` tells the output how far it is; `start` is where to go on.
fn make<E: ProvingEngine, W: Write>(
    circuit: &impl Circuit<E>,
    domain: &Domain<E::Fr>,
    secrets: &Secrets<E::Fr>,
    out: W,
    start: Option<Position>,
    tell: fn(&mut W, Position) -> std::io::Result<()>,
    options: &SetupOptions<'_>,
) -> Result<(), Error> {
    let plan = Plan::new(circuit, options.max_memory)?;
    let n_coefficients = coefficients::count(circuit)?;
    let progress = Progress::new(options.observer);
    progress.begin(SetupPhase::Columns);
    let blocks = circuit.blocks();
    let header = header::<E>(circuit, domain, secrets);
    let out = match start {
        None => ZkeyWriter::new(out, &header, n_coefficients)?,
        Some(at) => ZkeyWriter::resume(out, &header, n_coefficients, at.section, at.entries)?,
    };
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
        start: start.unwrap_or(Position::FIRST),
        out,
        tell,
    };
    let written = key.write(domain);
    // Of two reasons the one that explains the other.
    circuit.check_unchanged()?;
    written?.finish(&[0; 64])?;
    Ok(())
}
