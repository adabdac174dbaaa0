//! The one equation that all kinds of verification come down to.

use crate::hash_to_curve::hash_to_g2;
use frumious_curves::bls12_381::pairing::{G2Prepared, final_exponentiation, miller_loop};
use frumious_curves::bls12_381::{Fq12, G1Affine, G2Affine, G2Projective};

/// Pairs of one Miller loop: more would save few of the shared squarings, and the lines of each take 13 KiB.
const CHUNK: usize = 32;

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

    let mut product = Fq12::ONE;
    for chunk in pairs.chunks(CHUNK) {
        let lines: Vec<G2Prepared> = chunk.iter().map(|(_, q)| G2Prepared::from(q)).collect();
        let chunk: Vec<_> = chunk.iter().map(|(p, _)| *p).zip(&lines).collect();
        product *= miller_loop(&chunk);
    }
    final_exponentiation(&product).is_identity().into()
}
