//! The secrets behind a key, and what is computed from them alone.

use super::super::lagrange::BasisAt;
use crate::domain::coset_shift;
use crate::{Error, KeyHeader};
use frumious_curves::Group;
use frumious_curves::PairingEngine;
use frumious_curves::engine::ScalarField;
use frumious_fft::Domain;
use frumious_r1cs::ConstraintSource;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The secrets of a setup: none of them zero, and τ in neither coset of the domain. γ is 1.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Secrets<F: ScalarField> {
    pub(super) tau: F,
    pub(super) alpha: F,
    pub(super) beta: F,
    pub(super) delta: F,
    pub(super) delta_inverse: F,
}

impl<F: ScalarField> Secrets<F> {
    /// Secrets for a domain.
    pub(super) fn random_for(domain: &Domain<F>) -> Result<Self, Error> {
        loop {
            let mut values = Zeroizing::new([F::ZERO; 4]);
            for value in values.iter_mut() {
                *value = F::random()?;
            }
            if let Some(secrets) = Self::accepted(&values, domain) {
                return Ok(secrets);
            }
        }
    }

    /// τ, α, β and δ, unless one of them is zero or τ lies on one of the two cosets.
    pub(super) fn accepted(values: &[F; 4], domain: &Domain<F>) -> Option<Self> {
        let n = [domain.size() as u64];
        let shift_power = coset_shift::<F>(domain.log_size()).pow_vartime(&n);
        let [tau, alpha, beta, delta] = *values;
        let secrets = Self {
            tau,
            alpha,
            beta,
            delta,
            delta_inverse: delta.invert().into_option()?,
        };
        let power = tau.pow_vartime(&n);
        let on_a_coset = power == F::ONE || power == shift_power;
        (!values.contains(&F::ZERO) && !on_a_coset).then_some(secrets)
    }

    /// The Lagrange basis of the domain at τ.
    pub(super) fn domain_basis(&self, domain: &Domain<F>) -> BasisAt<F> {
        let power = self.tau.pow_vartime(&[domain.size() as u64]);
        BasisAt {
            tau: self.tau,
            root: domain.root(),
            shift: F::ONE,
            factor: (power - F::ONE) * domain.size_inverse(), // (τ^n − 1)/n
        }
    }

    /// The scalars of section 9: for each point x_i = s·ω^i of the domain shifted by s, its Lagrange polynomial there
    /// times Z(τ)/(Z(x_i)·δ). Z is the constant sⁿ − 1 on that coset.
    pub(super) fn quotient_basis(&self, domain: &Domain<F>, shift: F) -> BasisAt<F> {
        let n = [domain.size() as u64];
        let shift_power = shift.pow_vartime(&n);
        let tau_power = self.tau.pow_vartime(&n);
        let z_there = (shift_power - F::ONE).invert_vartime();
        let z_there = z_there.expect("the shift is not an n-th root of unity");
        let shift_power_inverse = shift_power.invert_vartime().expect("the shift is not zero");
        // ((τ/s)^n − 1)/n · Z(τ)/Z(x)/δ
        let factor = (tau_power * shift_power_inverse - F::ONE)
            * domain.size_inverse()
            * (tau_power - F::ONE)
            * z_there
            * self.delta_inverse;
        BasisAt {
            tau: self.tau,
            root: domain.root(),
            shift,
            factor,
        }
    }
}

/// The head of a key.
pub(super) fn header<E: PairingEngine>(
    circuit: &dyn ConstraintSource<E::Fr>,
    domain: &Domain<E::Fr>,
    secrets: &Secrets<E::Fr>,
) -> KeyHeader<E> {
    let in_g1 = |k: &E::Fr| E::G1::from(E::G1::multiply(&E::G1::GENERATOR.into(), k));
    let in_g2 = |k: &E::Fr| E::G2::from(E::G2::multiply(&E::G2::GENERATOR.into(), k));
    KeyHeader {
        n_wires: circuit.n_wires(),
        n_public: circuit.n_public(),
        domain_size: 1 << domain.log_size(),
        alpha_g1: in_g1(&secrets.alpha),
        beta_g1: in_g1(&secrets.beta),
        beta_g2: in_g2(&secrets.beta),
        gamma_g2: E::G2::GENERATOR,
        delta_g1: in_g1(&secrets.delta),
        delta_g2: in_g2(&secrets.delta),
    }
}
