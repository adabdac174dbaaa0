//! The counts of a proving key, and the points that every proof uses.

use crate::{Uncontributed, VerifyingKey};
use frumious_curves::{Group, PairingEngine};

/// The head of a proving key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyHeader<E: PairingEngine> {
    /// Number of wires, the constant one included; more than `n_public`.
    pub n_wires: u32,
    /// Number of public wires (outputs, then inputs), the constant one not included.
    pub n_public: u32,
    /// Size of the evaluation domain: a power of two up to 2^28, for BLS12-381 2^31, more than `n_public`.
    pub domain_size: u32,
    /// α in G1.
    pub alpha_g1: E::G1,
    /// β in G1.
    pub beta_g1: E::G1,
    /// β in G2.
    pub beta_g2: E::G2,
    /// γ in G2.
    pub gamma_g2: E::G2,
    /// δ in G1.
    pub delta_g1: E::G1,
    /// δ in G2.
    pub delta_g2: E::G2,
}

/// A part of a proving key, in the order of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/γ` of the constant and the public wires, in G1.
    Ic,
    /// The coefficients of the matrices A and B.
    Coefficients,
    /// `Aᵢ(τ)` of each wire, in G1.
    A,
    /// `Bᵢ(τ)` of each wire, in G1.
    B1,
    /// `Bᵢ(τ)` of each wire, in G2.
    B2,
    /// `(β·Aᵢ + α·Bᵢ + Cᵢ)(τ)/δ`, in G1; entry 0 is for wire `n_public + 1`.
    C,
    /// `L_{2i+1}(τ)/δ` for each element of the domain, in G1; L is the Lagrange basis of the domain of twice the size.
    H,
}

impl Part {
    /// All parts in their order.
    pub const ALL: [Self; 7] = [
        Self::Ic,
        Self::Coefficients,
        Self::A,
        Self::B1,
        Self::B2,
        Self::C,
        Self::H,
    ];
}

impl<E: PairingEngine> KeyHeader<E> {
    /// Of a key for nothing, whose points are the generators: for tests of what is done with them.
    pub(crate) fn of_generators() -> Self {
        let (g1, g2) = (E::G1::GENERATOR, E::G2::GENERATOR);
        Self {
            n_wires: 1,
            n_public: 0,
            domain_size: 1,
            alpha_g1: g1,
            beta_g1: g1,
            beta_g2: g2,
            gamma_g2: g2,
            delta_g1: g1,
            delta_g2: g2,
        }
    }

    /// Base-two logarithm of the domain's size.
    pub fn log_domain_size(&self) -> u32 {
        self.domain_size.trailing_zeros()
    }

    /// The verification key with these points IC.
    pub fn verifying_key(&self, ic: Vec<E::G1>) -> VerifyingKey<E> {
        VerifyingKey {
            alpha_g1: self.alpha_g1,
            beta_g2: self.beta_g2,
            gamma_g2: self.gamma_g2,
            delta_g2: self.delta_g2,
            ic,
        }
    }

    /// As [`VerifyingKey::missing_contribution`].
    pub fn missing_contribution(&self) -> Option<Uncontributed> {
        Uncontributed::of::<E>(
            &self.alpha_g1,
            &self.beta_g2,
            &self.gamma_g2,
            &self.delta_g2,
        )
    }
}
