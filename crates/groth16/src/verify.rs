//! The verifier: one product of pairings.
//!
//! A proof (A, B, C) for public signals x_1 … x_n is accepted when
//! `e(A, B) = e(α, β) · e(Σ x_i·IC_i, γ) · e(C, δ)` with x_0 = 1.
//! Source: Groth 2016, "On the size of pairing-based non-interactive arguments", section 3.2, in the form of snarkjs.
//!
//! Everything here is public, so everything here takes variable time.

mod batch;
mod invalid;

pub use batch::verify_batch;
pub use invalid::Refused;

use crate::engine::Projective;
use crate::membership::{check_proofs_and_prepare_vartime, check_verifying_key};
use crate::{Error, Proof, ProvingEngine, VerifyingKey};
use frumious_curves::Bn254;
use frumious_field::{Field, Integer};
use frumious_msm::msm_vartime;

/// Whether `proof` shows that the circuit of `key` accepts the public signals `public`.
///
/// `public` has one element for each public signal (outputs first), without the constant one.
/// A service that verifies often keeps a [`PreparedVerifyingKey`].
///
/// A key without a contribution verifies forged proofs: see [`VerifyingKey::lacks_contribution`].
///
/// # Errors
/// As [`PreparedVerifyingKey::new`] and [`PreparedVerifyingKey::verify`]. A false proof is `Ok(false)`.
#[inline(never)]
pub fn verify<E: ProvingEngine>(
    key: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
) -> Result<bool, Error> {
    PreparedVerifyingKey::new(key)?.verify(public, proof)
}

/// A verifying key with what depends on it alone worked out: the lines of γ and δ and the value e(α, β).
#[derive(Clone, Debug)]
pub struct PreparedVerifyingKey<E: ProvingEngine = Bn254> {
    /// Of the constant and of each public signal: never empty.
    ic: Vec<E::G1>,
    alpha: E::G1,
    beta: E::G2Prepared,
    gamma: E::G2Prepared,
    delta: E::G2Prepared,
    alpha_beta: E::Gt,
}

impl<E: ProvingEngine> PreparedVerifyingKey<E> {
    /// Checks and prepares `key`; costs about as much as one verification, and a subgroup check for each public signal.
    ///
    /// # Errors
    /// [`Error::VerifyingKeyPoint`] for a point off its curve, outside its group, or at infinity (but for IC\[0\]);
    /// [`Error::NoConstantPoint`].
    pub fn new(key: &VerifyingKey<E>) -> Result<Self, Error> {
        check_verifying_key(key)?;
        let beta = E::prepare(&key.beta_g2);
        Ok(Self {
            ic: key.ic.clone(),
            alpha: key.alpha_g1,
            alpha_beta: E::multi_pairing(&[(key.alpha_g1, &beta)]),
            beta,
            gamma: E::prepare(&key.gamma_g2),
            delta: E::prepare(&key.delta_g2),
        })
    }

    /// Number of public signals a statement has.
    pub fn n_public(&self) -> usize {
        self.ic.len() - 1
    }

    /// [`verify`](crate::verify()) with a prepared key: two subgroup checks, three Miller loops, one final
    /// exponentiation. The lines of B's loop tell its group.
    ///
    /// # Errors
    /// [`Error::PublicInputs`] if `public` has the wrong length; [`Error::ProofPoint`] for a point of `proof` off its
    /// curve or outside its group. A false proof is `Ok(false)`.
    #[inline(never)]
    pub fn verify(&self, public: &[E::Fr], proof: &Proof<E>) -> Result<bool, Error> {
        let b = check_points(proof)?;
        self.verify_prepared(public, proof, &b)
    }

    /// [`Self::verify`] for a proof whose points are known to be in their groups.
    ///
    /// # Errors
    /// [`Error::PublicInputs`].
    pub(crate) fn verify_in_groups(
        &self,
        public: &[E::Fr],
        proof: &Proof<E>,
    ) -> Result<bool, Error> {
        self.verify_prepared(public, proof, &E::prepare(&proof.b))
    }

    /// [`Self::verify_in_groups`] with B prepared.
    fn verify_prepared(
        &self,
        public: &[E::Fr],
        proof: &Proof<E>,
        b: &E::G2Prepared,
    ) -> Result<bool, Error> {
        self.check_length(public)?;
        let mut weights = Vec::with_capacity(public.len() + 1);
        weights.push(E::Fr::ONE);
        weights.extend_from_slice(public);
        let statement = E::G1::from(self.combine_ic_vartime(&weights));
        let product = E::multi_pairing(&[
            (proof.a, b),
            (-statement, &self.gamma),
            (-proof.c, &self.delta),
        ]);
        Ok(product == self.alpha_beta)
    }

    fn check_length(&self, public: &[E::Fr]) -> Result<(), Error> {
        let expected = self.n_public();
        let actual = public.len();
        if actual == expected {
            Ok(())
        } else {
            Err(Error::PublicInputs { expected, actual })
        }
    }

    /// `Σ weights_i · IC_i`; `weights` has one element for each IC point.
    fn combine_ic_vartime(&self, weights: &[E::Fr]) -> Projective<E::G1> {
        let scalars: Vec<Integer<E::Fr>> = weights.iter().copied().map(Integer::from).collect();
        msm_vartime(self.ic.as_slice(), &scalars).expect("one weight for each IC point")
    }
}

/// Checks the points of a proof that somebody else made; B, prepared.
fn check_points<E: ProvingEngine>(proof: &Proof<E>) -> Result<E::G2Prepared, Error> {
    let checked = check_proofs_and_prepare_vartime(std::iter::once(proof));
    let mut prepared = checked.map_err(|(point, reason)| Error::ProofPoint { point, reason })?;
    Ok(prepared.pop().expect("there is one for each proof"))
}
