//! Many proofs under one key, checked with one product of pairings.
//!
//! With a random weight z_j, one of 2^128, for each proof j the equations are added up:
//! `Π e(z_j·A_j, B_j) = e((Σ z_j)·α, β) · e(Σ z_j·S_j, γ) · e(Σ z_j·C_j, δ)`, S_j the combination of IC points. If one
//! equation is false, the sum holds for at most one value of its weight. A false batch passes with probability at most
//! 2^-128. This rests on all points being in groups of the prime order r, which is checked. Source: Bellare, Garay and
//! Rabin 1998, "Fast batch verification for modular exponentiation and digital signatures", section 4 (small exponents
//! test).

use super::PreparedVerifyingKey;
use crate::engine::Projective;
use crate::membership::check_proofs_and_prepare_vartime;
use crate::weights::short_weights;
use crate::{Error, Proof, ProvingEngine, VerifyingKey};
use frumious_curves::Group;
use frumious_field::{Field, Integer};
use frumious_msm::msm_vartime;
use frumious_parallel::{check_cancelled, map_indices};

impl<E: ProvingEngine> PreparedVerifyingKey<E> {
    /// True if every proof of the batch is valid for its public signals. [`Self::find_invalid`] tells which are not.
    ///
    /// Cost: one Miller loop for each proof and three more, one final exponentiation, in parallel. An empty batch is
    /// valid.
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
    #[inline(never)]
    pub fn verify_batch(&self, batch: &[(&[E::Fr], &Proof<E>)]) -> Result<bool, Error> {
        for (public, _) in batch {
            self.check_length(public)?;
        }
        if batch.is_empty() {
            return Ok(true);
        }
        let weights = short_weights::<E::G1>(batch.len())?;

        let groups = map_indices(batch.len().div_ceil(AT_ONCE), |group| {
            let start = group * AT_ONCE;
            let range = start..batch.len().min(start + AT_ONCE);
            weighted_loop(&batch[range.clone()], &weights[range])
        });
        let mut product = E::miller_loop(&[]);
        for value in groups {
            product = product * value?;
        }

        let mut ic_weights = vec![E::Fr::ZERO; self.ic.len()];
        for ((public, _), weight) in batch.iter().zip(&weights) {
            ic_weights[0] += *weight;
            for (sum, signal) in ic_weights[1..].iter_mut().zip(*public) {
                *sum += *weight * *signal;
            }
        }
        let total = ic_weights[0];
        let statements = self.combine_ic_vartime(&ic_weights);
        let scalars: Vec<Integer<E::Fr>> = weights.iter().copied().map(Integer::from).collect();
        let c: Vec<E::G1> = batch.iter().map(|(_, proof)| proof.c).collect();
        let c = msm_vartime(c.as_slice(), &scalars).expect("one weight for each proof");
        let alpha = E::G1::multiply_vartime(&self.alpha.into(), &total);
        let fixed = E::G1::normalise_vartime(&[-alpha, -statements, -c]);
        let fixed: Vec<_> = fixed
            .into_iter()
            .zip([&self.beta, &self.gamma, &self.delta])
            .collect();
        product = product * E::miller_loop(&fixed);
        Ok(E::final_exponentiation(&product) == E::GT_IDENTITY)
    }
}

/// The Miller loops of `(z_j·A_j, B_j)`, multiplied. Each point of the proofs is checked.
fn weighted_loop<E: ProvingEngine>(
    batch: &[(&[E::Fr], &Proof<E>)],
    weights: &[E::Fr],
) -> Result<E::MillerValue, Error> {
    check_cancelled();
    let b = check_proofs_and_prepare_vartime(batch.iter().map(|(_, proof)| *proof))
        .map_err(|(point, reason)| Error::ProofPoint { point, reason })?;
    let a: Vec<Projective<E::G1>> = batch
        .iter()
        .zip(weights)
        .map(|((_, proof), weight)| E::G1::multiply_vartime(&proof.a.into(), weight))
        .collect();
    let a = E::G1::normalise_vartime(&a);
    let pairs: Vec<(E::G1, &E::G2Prepared)> = a.into_iter().zip(&b).collect();
    Ok(E::miller_loop(&pairs))
}

/// [`PreparedVerifyingKey::verify_batch`] for a key that is used once.
///
/// # Errors
/// Those of [`PreparedVerifyingKey::new`] and [`PreparedVerifyingKey::verify_batch`].
#[inline(never)]
pub fn verify_batch<E: ProvingEngine>(
    key: &VerifyingKey<E>,
    batch: &[(&[E::Fr], &Proof<E>)],
) -> Result<bool, Error> {
    PreparedVerifyingKey::new(key)?.verify_batch(batch)
}

/// Proofs of a task, whose lines (13 KB each) are in memory together.
const AT_ONCE: usize = 32;
