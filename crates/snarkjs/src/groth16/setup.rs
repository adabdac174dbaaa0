//! Setups from and into snarkjs's files.

use std::io::Write;

use frumious_circom::Error;
use frumious_curves::engine::{PairingGroup, ScalarField};
use frumious_groth16::{
    Error as SetupError, Powers, ProvingEngine, SetupOptions, SetupPhase, log_domain_size,
};
use frumious_msm::{Encoded, EncodedPoint, PointList};
use frumious_r1cs::ConstraintSource;

use super::circuit_hash::CircuitHash;
use super::sink::{KeyOutput, ZkeySink};
use super::source::check_in_ranges;
use crate::generic::{Points, Ptau};

/// Writes the proving key of `circuit` under the ceremony of `ptau` to `out`, as a zkey without contributions.
///
/// Every section has the bytes that `snarkjs groth16 setup` gives it, the hash of the circuit included, so that
/// `snarkjs zkey contribute` and `zkey verify` go on from it. The points used are checked (on the curve, those of G2 in
/// the subgroup). That they are powers of one τ is verified by [`phase1`](crate::phase1).
///
/// Points are written as they are made, and read again at the end for the hash. A setup may be interrupted and go on:
/// see [`KeyOutput`].
///
/// # Errors
/// As [`frumious_groth16::setup()`]; [`SetupError::Source`] if the powers were not prepared for phase 2, or a point is
/// wrong, or writing fails, or a file changes.
pub fn setup<E: ProvingEngine>(
    circuit: &impl ConstraintSource<E::Fr>,
    ptau: &Ptau<E>,
    out: impl KeyOutput,
    options: &SetupOptions<'_>,
) -> Result<(), SetupError> {
    let log_n = log_domain_size::<E>(circuit, ptau.power())?;
    let unchanged = || Ok(ptau.bytes().check_unchanged()?);
    let made = make(circuit, ptau, log_n, out, &unchanged, options);
    // Of two reasons the one that explains the other.
    unchanged().map_err(source)?;
    made
}

/// [`setup`] for a domain that the powers reach.
fn make<E: ProvingEngine>(
    circuit: &impl ConstraintSource<E::Fr>,
    ptau: &Ptau<E>,
    log_n: u32,
    out: impl KeyOutput,
    unchanged: &dyn Fn() -> Result<(), Error>,
    options: &SetupOptions<'_>,
) -> Result<(), SetupError> {
    let tell = |phase, done| {
        if let Some(observer) = options.observer {
            observer(phase, done);
        }
    };
    let goes_on = out.start().is_some();
    tell(SetupPhase::Check, 0.0);
    if !goes_on {
        check(ptau, log_n).map_err(source)?; // of a setup that goes on, before anything was written
    }
    let powers = powers(ptau, log_n).map_err(source)?;
    let mut sink = ZkeySink::<E, _>::resumable(out).guarded_by(unchanged);
    frumious_groth16::setup(circuit, &powers, &mut sink, options)?;

    tell(SetupPhase::Hash, 0.0);
    let mut key = sink.into_writer().expect("the setup has begun its key");
    let mut hash = CircuitHash::<E>::new(key.header());
    let hashed = || -> Result<(), Error> {
        hash.section::<E::G1, _>(&mut key, 3)?;
        hash.quotient_points(ptau, log_n)?;
        tell(SetupPhase::Hash, 0.3);
        hash.section::<E::G1, _>(&mut key, 8)?;
        hash.section::<E::G1, _>(&mut key, 5)?;
        hash.section::<E::G1, _>(&mut key, 6)?;
        tell(SetupPhase::Hash, 0.7);
        hash.section::<E::G2, _>(&mut key, 7)?;
        key.finish(&hash.finish())?;
        Ok(())
    };
    hashed().map_err(source)
}

/// **Unsafe: for tests and demonstrations only.** [`frumious_groth16::setup_dev`] into a zkey, which goes to `out`.
///
/// The key works with snarkjs's `groth16 prove` and `zkey export`. Its section 10 holds a circuit hash of zeros and no
/// contribution, as there is no ceremony that `zkey verify` could check it against. `out` should be buffered.
///
/// # Errors
/// As [`frumious_groth16::setup_dev`].
pub fn setup_dev<E, F>(
    circuit: &impl ConstraintSource<F>,
    out: impl Write,
    options: &SetupOptions<'_>,
) -> Result<(), SetupError>
where
    F: ScalarField<Engine = E>,
    E: ProvingEngine<Fr = F>,
{
    let mut sink = ZkeySink::<E, _>::new(out);
    frumious_groth16::setup_dev(circuit, &mut sink, options)?;
    sink.finish().map_err(source)?;
    Ok(())
}

/// **Unsafe: for tests and demonstrations only.** [`frumious_groth16::setup_dev_from_seed`] into a zkey.
///
/// # Errors
/// As [`frumious_groth16::setup_dev_from_seed`].
pub fn setup_dev_from_seed<E, F>(
    circuit: &impl ConstraintSource<F>,
    seed: &[u8],
    out: impl KeyOutput,
    options: &SetupOptions<'_>,
) -> Result<(), SetupError>
where
    F: ScalarField<Engine = E>,
    E: ProvingEngine<Fr = F>,
{
    let mut sink = ZkeySink::<E, _>::resumable(out);
    frumious_groth16::setup_dev_from_seed(circuit, seed, &mut sink, options)?;
    sink.finish().map_err(source)?;
    Ok(())
}

/// The powers that a circuit with a domain of 2^`log_n` needs.
fn powers<E: ProvingEngine>(ptau: &Ptau<E>, log_n: u32) -> Result<Powers<'_, E>, Error> {
    Ok(Powers {
        alpha_g1: ptau.alpha_tau_g1().get(0)?,
        beta_g1: ptau.beta_tau_g1().get(0)?,
        beta_g2: ptau.beta_g2()?,
        tau_g1: list(ptau.lagrange_tau_g1(log_n)?),
        tau_g2: list(ptau.lagrange_tau_g2(log_n)?),
        alpha_tau_g1: list(ptau.lagrange_alpha_tau_g1(log_n)?),
        beta_tau_g1: list(ptau.lagrange_beta_tau_g1(log_n)?),
        doubled: list(ptau.lagrange_tau_g1(log_n + 1)?),
    })
}

/// Checks that all points that a key is made of are in their groups, in parallel.
fn check<E: ProvingEngine>(ptau: &Ptau<E>, log_n: u32) -> Result<(), Error> {
    let in_g1 = [
        ptau.lagrange_tau_g1(log_n)?,
        ptau.lagrange_alpha_tau_g1(log_n)?,
        ptau.lagrange_beta_tau_g1(log_n)?,
    ];
    for points in in_g1 {
        check_in_ranges(points.len(), |range| points.check(range))?;
    }
    let in_g2 = ptau.lagrange_tau_g2(log_n)?;
    check_in_ranges(in_g2.len(), |range| in_g2.check(range))?;
    // Of the doubled domain, those that the key has.
    let doubled = ptau.lagrange_tau_g1(log_n + 1)?;
    let place = |i| Powers::<E>::place_of_h(log_n, i);
    check_in_ranges(1 << log_n, |range| doubled.check_at(range, place))
}

fn list<P: PairingGroup + EncodedPoint>(points: Points<'_, P>) -> PointList<'_, P> {
    PointList::Encoded(Encoded::new(points.as_bytes()))
}

fn source(error: Error) -> SetupError {
    SetupError::Source(error.into())
}
