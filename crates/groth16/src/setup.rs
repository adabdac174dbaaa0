//! Making proving keys.
//!
//! A key is the circuit's columns evaluated at a secret τ, in the exponent. L_i is the Lagrange basis of the domain of
//! n-th roots of unity, and A_{i,s} the coefficient of wire s in row i. Then `A_s(τ) = Σ_i A_{i,s}·L_i(τ)`, likewise
//! B_s and C_s, and the key has
//! * part IC, s ≤ public: `(β·A_s + α·B_s + C_s)(τ)/γ`, γ = 1;  part C, the other wires: the same over δ;
//! * part A: `A_s(τ)`. Parts B1, B2: `B_s(τ)` in both groups;
//! * part H: the Lagrange basis of the odd roots, times Z(τ)/(δ·constant).
//!
//! n is the smallest power of two above constraints and public signals together, at least 2. The constant and each
//! public signal get a row of their own at the end, `1·w_s` in A alone, which keeps their A_s independent. Source:
//! Groth 2016, section 3.2. Source of the split into powers of tau and the circuit's phase: Bowe, Gabizon and Miers
//! 2017. Its title is "Scalable multi-party computation for zk-SNARK parameters in the random beacon model".
//!
//! | chapter | key |
//! |---|---|
//! | [`ceremony`] | points of the powers of tau, combined |
//! | [`dev`] | from secrets drawn here: field elements first, then one product with the generator each |

mod ceremony;
mod coefficients;
mod columns;
mod dev;
mod lagrange;
mod progress;

pub(crate) use ceremony::make;
pub use ceremony::{Powers, plan_ceremony, setup};
pub use dev::{SEED_BYTES, SetupPlan, plan_dev, seed_digest, setup_dev, setup_dev_from_seed};
pub(crate) use dev::{make_anew, make_from_seed};
pub use progress::SetupPhase;

use crate::{Error, KeySink, Part, Position, ProvingEngine};
use frumious_r1cs::ConstraintSource;
use progress::Progress;

/// Options of a setup; the default is without limits and unobserved.
#[derive(Clone, Copy, Default)]
pub struct SetupOptions<'a> {
    /// Private memory that the setup may take, in bytes.
    pub max_memory: Option<u64>,
    /// Called as each phase begins, with 0, and now and then with how much of it is done, up to 1.
    pub observer: Option<&'a dyn Fn(SetupPhase, f64)>,
}

/// Tells the sink that it has all entries of a part up to `entries`, made from a circuit that is as it was.
fn checkpoint<E: ProvingEngine>(
    circuit: &dyn ConstraintSource<E::Fr>,
    sink: &mut dyn KeySink<E>,
    part: Part,
    entries: u64,
) -> Result<(), Error> {
    check_unchanged(circuit)?;
    sink.checkpoint(Position { part, entries })
        .map_err(Error::Source)
}

fn check_unchanged<F>(circuit: &dyn ConstraintSource<F>) -> Result<(), Error> {
    circuit.check_unchanged().map_err(Error::Source)
}
