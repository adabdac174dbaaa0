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
mod circuit_hash;
mod coefficients;
mod columns;
mod dev;
mod fixed_base;
mod lagrange;

pub use ceremony::{setup, setup_with_observer};
pub use dev::{setup_dev, setup_dev_with_observer};

use crate::Error;
use frumious_circom::generic::R1cs;
use frumious_curves::PairingEngine;
use frumious_field::PrimeField;

/// A part of a setup's work, in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SetupPhase {
    /// The circuit's columns, by wire.
    Columns,
    /// Sections 3 and 8: IC and C.
    PointsC,
    /// Section 4: the coefficients of A and B.
    Coefficients,
    /// Section 5: A.
    PointsA,
    /// Section 6: B in G1.
    PointsB1,
    /// Section 7: B in G2.
    PointsB2,
    /// Section 9: H.
    PointsH,
}

impl SetupPhase {
    /// All phases in their order.
    pub const ALL: [Self; 7] = [
        Self::Columns,
        Self::PointsC,
        Self::Coefficients,
        Self::PointsA,
        Self::PointsB1,
        Self::PointsB2,
        Self::PointsH,
    ];

    /// A short name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Columns => "columns",
            Self::PointsC => "points C",
            Self::Coefficients => "coefficients",
            Self::PointsA => "points A",
            Self::PointsB1 => "points B1",
            Self::PointsB2 => "points B2",
            Self::PointsH => "points H",
        }
    }
}

/// Binary logarithm of the domain that `r1cs` needs.
///
/// Errors: [`Error::CircuitTooLarge`] if that is above `available` or above the two-adicity of the scalar field, or so large that a zkey cannot count it.
fn log_domain_size<E: PairingEngine>(r1cs: &R1cs<E>, available: u32) -> Result<u32, Error> {
    let rows = u64::from(r1cs.n_constraints()) + u64::from(r1cs.n_public());
    // floor(log2(rows)) + 1: the smallest power strictly above rows; at least the domain of two.
    let needed = rows.max(1).ilog2() + 1;
    let available = available.min(E::Fr::TWO_ADICITY).min(31);
    if needed > available {
        return Err(Error::CircuitTooLarge { needed, available });
    }
    Ok(needed)
}
