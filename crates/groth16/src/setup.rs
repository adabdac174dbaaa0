//! Making proving keys.
//!
//! A key is the circuit's columns evaluated at a secret τ, in the exponent. With L_i the Lagrange basis of the domain of
//! n-th roots of unity, and A_{i,s} the coefficient of wire s in row i:
//! `A_s(τ) = Σ_i A_{i,s}·L_i(τ)`, likewise B_s and C_s, and the key has
//! * section 3 (IC), s ≤ public: `(β·A_s + α·B_s + C_s)(τ)/γ`, γ = 1;  section 8 (C), the other wires: the same over δ;
//! * section 5 (A): `A_s(τ)`; sections 6, 7 (B1, B2): `B_s(τ)` in both groups;
//! * section 9 (H): the Lagrange basis of the odd roots, times Z(τ)/(δ·constant).
//!
//! n is the smallest power of two above constraints + public signals, at least 2; the constant and each public signal get a
//! row of their own at the end, `1·w_s` in A alone, which keeps their A_s independent.
//! Source: Groth 2016, section 3.2; Bowe, Gabizon and Miers 2017, "Scalable multi-party computation for zk-SNARK parameters
//! in the random beacon model", section 6, for the split into powers of tau and the circuit's phase; the layout is snarkjs's.
//!
//! | chapter | what |
//! |---|---|
//! | [`ceremony`] | from a `.ptau`: points of the ceremony combined |
//! | [`dev`] | from secrets drawn here: field elements first, then one product with the generator each |

mod batch_add;
mod ceremony;
pub mod circuit;
mod circuit_hash;
mod coefficients;
mod columns;
mod dev;
mod lagrange;
mod output;
mod progress;

pub use ceremony::{plan_ceremony, setup, setup_with_options};
pub use circuit::Circuit;
pub use dev::{
    SEED_BYTES, SetupPlan, plan_dev, seed_digest, setup_dev, setup_dev_from_seed,
    setup_dev_with_options,
};
pub use output::{KeyOutput, Position};
pub use progress::SetupPhase;

use crate::Error;
use frumious_curves::PairingEngine;
use frumious_field::PrimeField;
use progress::Progress;

/// How a setup is done; the default is without limits and unobserved.
#[derive(Clone, Copy, Default)]
pub struct SetupOptions<'a> {
    /// Private memory that the setup may take, in bytes.
    pub max_memory: Option<u64>,
    /// Called as each phase begins, with 0, and now and then with how much of it is done, up to 1.
    pub observer: Option<&'a dyn Fn(SetupPhase, f64)>,
}

/// Binary logarithm of the domain that `circuit` needs.
///
/// Errors: [`Error::CircuitTooLarge`] if that is above `available` or above the two-adicity of the scalar field, or so large that a zkey cannot count it.
fn log_domain_size<E: PairingEngine>(
    circuit: &impl Circuit<E>,
    available: u32,
) -> Result<u32, Error> {
    let rows = circuit.n_rows().saturating_add(circuit.n_public().into());
    // floor(log2(rows)) + 1: the smallest power strictly above rows; at least the domain of two.
    let needed = rows.max(1).ilog2() + 1;
    let available = available.min(E::Fr::TWO_ADICITY).min(31);
    if needed > available {
        return Err(Error::CircuitTooLarge { needed, available });
    }
    Ok(needed)
}
