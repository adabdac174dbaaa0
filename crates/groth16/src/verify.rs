//! The verifier: one product of pairings.
//!
//! A proof (A, B, C) for public signals x_1 … x_n is accepted when
//! `e(A, B) = e(α, β) · e(Σ x_i·IC_i, γ) · e(C, δ)` with x_0 = 1.
//! Source: Groth 2016, "On the size of pairing-based non-interactive arguments", section 3.2, in the form of snarkjs.
//!
//! Everything here is public, so everything here takes variable time.

mod batch;

pub use batch::verify_batch;

use crate::Error;
use frumious_circom::{Proof, VerifyingKey};
use frumious_curves::bn254::pairing::{G2Prepared, Gt, multi_pairing};
use frumious_curves::bn254::{Fr, G1Affine, G1Projective};
use frumious_msm::msm_vartime;

/// Whether `proof` shows that the circuit of `key` accepts the public signals `public`.
///
/// `public` has one element for each public signal (outputs first), without the constant one. The points of `key` and
/// `proof` must lie on their curves and in their subgroups, as every reader of `frumious-circom` makes sure.
/// A service that verifies often keeps a [`PreparedVerifyingKey`].
///
/// Errors: [`Error::PublicInputs`] if `public` has the wrong length. A false proof is `Ok(false)`.
pub fn verify(key: &VerifyingKey, public: &[Fr], proof: &Proof) -> Result<bool, Error> {
    PreparedVerifyingKey::new(key).verify(public, proof)
}

/// A verifying key with what depends on it alone worked out: the lines of γ and δ and the value e(α, β).
#[derive(Clone, Debug)]
pub struct PreparedVerifyingKey {
    ic: Vec<G1Affine>,
    alpha: G1Affine,
    beta: G2Prepared,
    gamma: G2Prepared,
    delta: G2Prepared,
    alpha_beta: Gt,
}

impl PreparedVerifyingKey {
    /// Prepares `key`; costs about as much as one verification.
    pub fn new(key: &VerifyingKey) -> Self {
        let beta = G2Prepared::from(&key.beta_g2);
        Self {
            ic: key.ic.clone(),
            alpha: key.alpha_g1,
            alpha_beta: multi_pairing(&[(key.alpha_g1, &beta)]),
            beta,
            gamma: G2Prepared::from(&key.gamma_g2),
            delta: G2Prepared::from(&key.delta_g2),
        }
    }

    /// Number of public signals a statement has.
    pub fn num_public(&self) -> usize {
        self.ic.len().saturating_sub(1)
    }

    /// [`verify`](crate::verify()) with a prepared key: three Miller loops and one final exponentiation.
    pub fn verify(&self, public: &[Fr], proof: &Proof) -> Result<bool, Error> {
        self.check_length(public)?;
        let mut weights = Vec::with_capacity(public.len() + 1);
        weights.push(Fr::ONE);
        weights.extend_from_slice(public);
        let statement = self.combine_ic_vartime(&weights).to_affine();
        let product = multi_pairing(&[
            (proof.a, &G2Prepared::from(&proof.b)),
            (statement.neg(), &self.gamma),
            (proof.c.neg(), &self.delta),
        ]);
        Ok(product == self.alpha_beta)
    }

    fn check_length(&self, public: &[Fr]) -> Result<(), Error> {
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
    fn combine_ic_vartime(&self, weights: &[Fr]) -> G1Projective {
        let scalars: Vec<[u64; 4]> = weights.iter().map(Fr::to_canonical_limbs).collect();
        msm_vartime(self.ic.as_slice(), &scalars).expect("one weight for each IC point")
    }
}
