//! A proof, and the key to verify it with.

use crate::Uncontributed;
use frumious_curves::{Bn254, PairingEngine};

/// A proof: three points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<E: PairingEngine = Bn254> {
    /// A in G1.
    pub a: E::G1,
    /// B in G2.
    pub b: E::G2,
    /// C in G1.
    pub c: E::G1,
}

/// A verification key; `ic.len() - 1` public signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey<E: PairingEngine = Bn254> {
    /// α in G1.
    pub alpha_g1: E::G1,
    /// β in G2.
    pub beta_g2: E::G2,
    /// γ in G2.
    pub gamma_g2: E::G2,
    /// δ in G2.
    pub delta_g2: E::G2,
    /// `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/γ` of the constant and of each public signal; never empty.
    pub ic: Vec<E::G1>,
}

impl<E: PairingEngine> VerifyingKey<E> {
    /// Number of public signals.
    pub fn n_public(&self) -> usize {
        self.ic.len().saturating_sub(1)
    }

    /// True if a phase of the ceremony lacks every contribution, so that anyone can prove any statement under the key.
    pub fn lacks_contribution(&self) -> bool {
        self.missing_contribution().is_some()
    }

    /// The phase of the ceremony that nobody contributed to, if there is one.
    pub fn missing_contribution(&self) -> Option<Uncontributed> {
        Uncontributed::of::<E>(
            &self.alpha_g1,
            &self.beta_g2,
            &self.gamma_g2,
            &self.delta_g2,
        )
    }
}
