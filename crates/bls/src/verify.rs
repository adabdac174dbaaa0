//! The one equation that all kinds of verification come down to.

use crate::hash_to_curve::hash_to_g2;
use frumious_curves::bls12_381::pairing::pairings_cancel;
use frumious_curves::bls12_381::{G1Affine, G2Affine, G2Projective};

/// Whether `∏ e(keyᵢ, H(messageᵢ)) = e(G, signature)`, for as many keys as messages.
pub fn equation_holds(
    keys: &[G1Affine],
    messages: &[&[u8]],
    tag: &[u8],
    signature: &G2Affine,
) -> bool {
    debug_assert_eq!(keys.len(), messages.len());
    let hashed = messages.iter().map(|message| hash_to_g2(message, tag));
    let points = G2Projective::batch_to_affine_vartime(&hashed.collect::<Vec<_>>());
    let mut pairs: Vec<(G1Affine, G2Affine)> = keys.iter().copied().zip(points).collect();
    pairs.push((-G1Affine::GENERATOR, *signature));
    pairings_cancel(&pairs).into()
}
