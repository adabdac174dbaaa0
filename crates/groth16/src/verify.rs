//! The verifier: one product of pairings.
//!
//! A proof (A, B, C) for public signals x_1 … x_n is accepted when
//! `e(A, B) = e(α, β) · e(Σ x_i·IC_i, γ) · e(C, δ)` with x_0 = 1.
//! Source: Groth 2016, "On the size of pairing-based non-interactive arguments", section 3.2, in the form of snarkjs.
//!
//! Everything here is public, so everything here takes variable time.

mod batch;

pub use batch::verify_batch;

use crate::engine::Group;
use crate::{Error, ProvingEngine};
use frumious_circom::generic::{Proof, VerifyingKey};
use frumious_curves::Bn254;
use frumious_curves::engine::{PairingGroup, ScalarField};
use frumious_field::Field;
use frumious_msm::msm_vartime;

/// Whether `proof` shows that the circuit of `key` accepts the public signals `public`.
///
/// `public` has one element for each public signal (outputs first), without the constant one. The points of `key` and
/// `proof` must lie on their curves and in their subgroups, as every reader of `frumious-circom` makes sure.
/// A service that verifies often keeps a [`PreparedVerifyingKey`].
///
/// Errors: [`Error::PublicInputs`] if `public` has the wrong length. A false proof is `Ok(false)`.
pub fn verify<E: ProvingEngine>(
    key: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
) -> Result<bool, Error> {
    PreparedVerifyingKey::new(key).verify(public, proof)
}

/// A verifying key with what depends on it alone worked out: the lines of γ and δ and the value e(α, β).
#[derive(Clone, Debug)]
pub struct PreparedVerifyingKey<E: ProvingEngine = Bn254> {
    ic: Vec<E::G1>,
    alpha: E::G1,
    beta: E::G2Prepared,
    gamma: E::G2Prepared,
    delta: E::G2Prepared,
    alpha_beta: E::Gt,
}

impl<E: ProvingEngine> PreparedVerifyingKey<E> {
    /// Prepares `key`; costs about as much as one verification.
    pub fn new(key: &VerifyingKey<E>) -> Self {
        let beta = E::prepare(&key.beta_g2);
        Self {
            ic: key.ic.clone(),
            alpha: key.alpha_g1,
            alpha_beta: E::multi_pairing(&[(key.alpha_g1, &beta)]),
            beta,
            gamma: E::prepare(&key.gamma_g2),
            delta: E::prepare(&key.delta_g2),
        }
    }

    /// Number of public signals a statement has.
    pub fn num_public(&self) -> usize {
        self.ic.len().saturating_sub(1)
    }

    /// [`verify`](crate::verify()) with a prepared key: three Miller loops and one final exponentiation.
    pub fn verify(&self, public: &[E::Fr], proof: &Proof<E>) -> Result<bool, Error> {
        self.check_length(public)?;
        let mut weights = Vec::with_capacity(public.len() + 1);
        weights.push(E::Fr::ONE);
        weights.extend_from_slice(public);
        let statement = E::G1::from_group(&self.combine_ic_vartime(&weights));
        let product = E::multi_pairing(&[
            (proof.a, &E::prepare(&proof.b)),
            (statement.neg(), &self.gamma),
            (proof.c.neg(), &self.delta),
        ]);
        Ok(product == self.alpha_beta)
    }

    fn check_length(&self, public: &[E::Fr]) -> Result<(), Error> {
        let expected = self.num_public();
        let actual = public.len();
        // A key without any IC point (not even the constant's) states nothing; no reader of ours makes one.
        if actual == expected && !self.ic.is_empty() {
            Ok(())
        } else {
            Err(Error::PublicInputs { expected, actual })
        }
    }

    /// `Σ weights_i · IC_i`; `weights` has one element for each IC point.
    fn combine_ic_vartime(&self, weights: &[E::Fr]) -> Group<E::G1> {
        let scalars: Vec<[u64; 4]> = weights.iter().map(E::Fr::to_canonical_limbs).collect();
        msm_vartime(self.ic.as_slice(), &scalars).expect("one weight for each IC point")
    }
}
