//! The powers of tau that one circuit needs.

use crate::{KeyHeader, ProvingEngine};
use frumious_curves::Group;
use frumious_field::PrimeField;
use frumious_msm::PointList;
use frumious_r1cs::ConstraintSource;

/// Points of a ceremony for one domain of n elements; L is the domain's Lagrange basis.
///
/// Their makers have checked that they are in their groups.
#[derive(Clone, Copy)]
pub struct Powers<'a, E: ProvingEngine> {
    /// α in G1.
    pub alpha_g1: E::G1,
    /// β in G1.
    pub beta_g1: E::G1,
    /// β in G2.
    pub beta_g2: E::G2,
    /// `L_i(τ)` in G1, n points.
    pub tau_g1: PointList<'a, E::G1>,
    /// `L_i(τ)` in G2, n points.
    pub tau_g2: PointList<'a, E::G2>,
    /// `α·L_i(τ)` in G1, n points.
    pub alpha_tau_g1: PointList<'a, E::G1>,
    /// `β·L_i(τ)` in G1, n points.
    pub beta_tau_g1: PointList<'a, E::G1>,
    /// The Lagrange basis at τ of the domain of twice the size, in G1: 2n points. For the largest domain: the basis of
    /// the domain, then that of its coset by 25.
    pub doubled: PointList<'a, E::G1>,
}

impl<E: ProvingEngine> Powers<'_, E> {
    /// Base-two logarithm of the domain's size.
    pub(super) fn log_domain_size(&self) -> u32 {
        self.tau_g1.len().max(1).ilog2()
    }

    /// The place among the [doubled](Self::doubled) points of the i-th point of part H, for a domain of 2^`log_n`.
    ///
    /// These are the points of odd numbers. The largest domain cannot be doubled: there they are those of the coset.
    pub fn place_of_h(log_n: u32, i: usize) -> usize {
        match log_n < E::Fr::TWO_ADICITY {
            true => 2 * i + 1,
            false => (1 << log_n) + i,
        }
    }

    /// The i-th point of part H.
    pub(super) fn h(&self, i: usize) -> E::G1 {
        self.doubled
            .get(Self::place_of_h(self.log_domain_size(), i))
    }

    /// The head of a key without contributions.
    pub(super) fn header(&self, circuit: &dyn ConstraintSource<E::Fr>) -> KeyHeader<E> {
        KeyHeader {
            n_wires: circuit.n_wires(),
            n_public: circuit.n_public(),
            domain_size: 1 << self.log_domain_size(),
            alpha_g1: self.alpha_g1,
            beta_g1: self.beta_g1,
            beta_g2: self.beta_g2,
            gamma_g2: E::G2::GENERATOR,
            delta_g1: E::G1::GENERATOR,
            delta_g2: E::G2::GENERATOR,
        }
    }
}
