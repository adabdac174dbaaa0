//! Many signatures at once.
//!
//! Each equation `e(keyᵢ, H(messageᵢ)) = e(G, signatureᵢ)` is raised to a random power and all are multiplied. If one
//! is false, the product is true with probability 2^-128: forgeries that cancel each other in a plain aggregate do not
//! here. Source: Bellare, Garay and Rabin 1998 ("Fast batch verification for modular exponentiation and digital
//! signatures"), small exponents test.

use crate::signature::SIGNATURE_TAG;
use crate::verify::equation_holds;
use crate::{Error, PublicKey, Signature};
use frumious_curves::RandomError;
use frumious_curves::bls12_381::{Fr, G1Affine, G1Projective, G2Projective};
use std::collections::BTreeMap;

/// True if every signature is its key's of its message; true for none at all. Says not which one is false.
///
/// Keys need no proof of possession. Cost for `n` signatures of `m` different messages: `n` short scalar
/// multiplications in each group, `m` hashes to G2, `m + 1` pairings.
///
/// # Errors
/// [`Error::Randomness`] if the operating system gives no random bytes.
pub fn verify_batch(signed: &[(PublicKey, &[u8], Signature)]) -> Result<bool, Error> {
    let mut keys = BTreeMap::new(); // by message
    let mut sum = G2Projective::IDENTITY;
    for ((key, message, signature), weight) in signed.iter().zip(random_weights(signed.len())?) {
        let weighted = G1Projective::from(key.0).mul_vartime(&weight);
        *keys.entry(*message).or_insert(G1Projective::IDENTITY) += weighted;
        sum += G2Projective::from(signature.0).mul_vartime(&weight);
    }
    let messages: Vec<&[u8]> = keys.keys().copied().collect();
    let keys: Vec<G1Projective> = keys.into_values().collect();
    let keys: Vec<G1Affine> = G1Projective::batch_to_affine_vartime(&keys);
    let holds = equation_holds(&keys, &messages, SIGNATURE_TAG, &sum.to_affine());
    Ok(holds)
}

/// `a + b·x²` with uniform `a` and `b` below 2^64, for the curve's parameter `x`: 2^128 different scalars, as `x²` is
/// above 2^64 and `2^64·(x² + 1)` below `r`. The endomorphisms of both groups make two halves of 64 bits of them, for
/// half the doublings of other numbers below 2^128.
fn random_weights(n: usize) -> Result<Vec<Fr>, RandomError> {
    let x_squared = Fr::from_u64(0xd201_0000_0001_0000).square();
    let mut bytes = vec![[0; 16]; n];
    getrandom::fill(bytes.as_flattened_mut()).map_err(|_| RandomError)?;
    let weights = bytes.iter().map(|bytes| {
        let integer = u128::from_le_bytes(*bytes);
        let (low, high) = (integer as u64, (integer >> 64) as u64);
        Fr::from_u64(low) + Fr::from_u64(high) * x_squared
    });
    Ok(weights.collect())
}
