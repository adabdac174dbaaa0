//! Many proofs under one key, checked with one product of pairings.
//!
//! With a random weight z_j of 128 bits for each proof j the equations are added up: `Π e(z_j·A_j, B_j) = e((Σ z_j)·α,
//! β) · e(Σ z_j·S_j, γ) · e(Σ z_j·C_j, δ)`, S_j the combination of IC points. If one equation is false, the sum holds
//! for at most one value of its weight. A false batch passes with probability at most 2^-128. This rests on all points
//! being in groups of the prime order r, which is checked. Source: Bellare, Garay and Rabin 1998, "Fast batch
//! verification for modular exponentiation and digital signatures", section 4 (small exponents test).

use super::{PreparedVerifyingKey, check_points};
use crate::engine::Projective;
use crate::weights::random_weights;
use crate::{Error, Proof, ProvingEngine, VerifyingKey};
use frumious_curves::Group;
use frumious_field::{Field, Integer};
use frumious_msm::msm_vartime;

impl<E: ProvingEngine> PreparedVerifyingKey<E> {
    /// True if every proof of the batch is valid for its public signals; which one is not is not told.
    ///
    /// Cost: one Miller loop for each proof and three more, one final exponentiation; an empty batch is valid.
    ///
    /// # Errors
    /// [`Error::PublicInputs`] if any statement has the wrong length. [`Error::ProofPoint`] for a point off its curve
    /// or outside its group; [`Error::Randomness`] if the operating system gives no random bytes for the weights.
    ///
    /// ```
    /// # mod frumious {
    /// #     pub use ::frumious_curves as curves;
    /// #     pub use ::frumious_field as field;
    /// #     pub use ::frumious_groth16 as groth16;
    /// #     pub use ::frumious_r1cs as r1cs;
    /// # }
    /// # use frumious::curves::Bn254;
    /// # use frumious::curves::bn254::Fr;
    /// # use frumious::field::Integer;
    /// # use frumious::groth16::{
    /// #     KeyVectors, ProveOptions, ProvingKey, SetupOptions, Witness, prove, setup_dev,
    /// # };
    /// # use frumious::r1cs::{BodyBuilder, Interface, SystemBuilder};
    /// # let mut builder = SystemBuilder::<Fr>::new();
    /// # let mut main = BodyBuilder::main();
    /// # let [c, a, b] = [(); 3].map(|()| main.own_wire());
    /// # builder.constrain(&mut main, &[(a, Fr::ONE)], &[(b, Fr::ONE)], &[(c, Fr::ONE)]);
    /// # let interface = Interface { public_outputs: 1, public_inputs: 0, private_inputs: 2 };
    /// # let circuit = builder.finish(main, interface);
    /// # let mut key = KeyVectors::<Bn254>::new();
    /// # setup_dev(&circuit, &mut key, &SetupOptions::default())?;
    /// # let key = ProvingKey::new(Box::new(key))?;
    /// # let witness = |a, b| [1, a * b, a, b].map(Integer::from_u64);
    /// # let options = ProveOptions::default();
    /// let (first, first_public) = prove(&key, &Witness::new(&witness(17, 23)), &options)?;
    /// let (second, second_public) = prove(&key, &Witness::new(&witness(3, 5)), &options)?;
    ///
    /// let verifier = key.prepared_verifying_key();
    /// assert!(verifier.verify_batch(&[(&first_public, &first), (&second_public, &second)])?);
    /// assert!(!verifier.verify_batch(&[(&first_public, &first), (&first_public, &second)])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(
        clippy::missing_panics_doc,
        reason = "there is one weight for each proof"
    )]
    pub fn verify_batch(&self, batch: &[(&[E::Fr], &Proof<E>)]) -> Result<bool, Error> {
        for (public, proof) in batch {
            self.check_length(public)?;
            check_points(proof)?;
        }
        if batch.is_empty() {
            return Ok(true);
        }
        let scalars: Vec<Integer<E::Fr>> = random_weights(batch.len())?;
        let weights: Vec<E::Fr> = scalars.iter().map(|scalar| scalar.to_element()).collect();

        let mut ic_weights = vec![E::Fr::ZERO; self.ic.len()];
        for ((public, _), weight) in batch.iter().zip(&weights) {
            ic_weights[0] += *weight;
            for (sum, signal) in ic_weights[1..].iter_mut().zip(*public) {
                *sum += *weight * *signal;
            }
        }
        let total = ic_weights[0];
        let statements = self.combine_ic_vartime(&ic_weights);

        let c: Vec<E::G1> = batch.iter().map(|(_, proof)| proof.c).collect();
        let c = msm_vartime(c.as_slice(), &scalars).expect("one weight for each proof");

        let alpha = E::G1::multiply_vartime(&self.alpha.into(), &total);
        let mut left: Vec<Projective<E::G1>> = batch
            .iter()
            .zip(&weights)
            .map(|((_, proof), weight)| E::G1::multiply_vartime(&proof.a.into(), weight))
            .collect();
        left.extend([-alpha, -statements, -c]);
        let left = E::G1::normalise_vartime(&left);

        let b: Vec<E::G2Prepared> = batch
            .iter()
            .map(|(_, proof)| E::prepare(&proof.b))
            .collect();
        let right = b.iter().chain([&self.beta, &self.gamma, &self.delta]);
        let pairs: Vec<(E::G1, &E::G2Prepared)> = left.into_iter().zip(right).collect();
        Ok(E::multi_pairing(&pairs) == E::GT_IDENTITY)
    }
}

/// [`PreparedVerifyingKey::verify_batch`] for a key that is used once.
///
/// # Errors
/// Those of [`PreparedVerifyingKey::new`] and [`PreparedVerifyingKey::verify_batch`].
pub fn verify_batch<E: ProvingEngine>(
    key: &VerifyingKey<E>,
    batch: &[(&[E::Fr], &Proof<E>)],
) -> Result<bool, Error> {
    PreparedVerifyingKey::new(key)?.verify_batch(batch)
}
