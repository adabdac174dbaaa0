//! The optimal ate pairing `e: G1 × G2 → Gt` of BLS12-381.
//!
//! `e(P, Q) = f_{x,Q}(P)^E` with `E = 3·(p¹² - 1)/r`. Source: Vercauteren 2010 ("Optimal pairings"), Aranha,
//! Fuentes-Castañeda, Knapp, Menezes and Rodríguez-Henríquez 2012 (eprint 2012/232). The factor 3 of the exponent makes
//! the last exponentiation cheaper; blst, gnark-crypto and arkworks take the same, so values agree with theirs.
//!
//! The work is cut in operations, so that another engine can take them over whole. They are lines of `Q`
//! ([`G2Prepared`]), the shared loop over many pairs ([`miller_loop`]) and the exponentiation
//! ([`final_exponentiation()`]). Constant time in the coordinates of all points; the number of pairs is public.
//!
//! Points must lie in their groups of order `r` (decoders check that). For other points nothing panics, but the value
//! means nothing. A point at infinity in a pair makes that pair's factor one.

mod final_exponentiation;
mod gt;
mod lines;
mod miller;

pub use final_exponentiation::final_exponentiation;
pub use gt::Gt;
pub use lines::G2Prepared;
pub use miller::miller_loop;

use super::{Fq12, G1Affine, G2Affine};
use frumious_field::Choice;

/// The pairing `e(p, q)`.
///
/// ```
/// # mod frumious { pub use ::frumious_curves as curves; }
/// use frumious::curves::bls12_381::pairing::pairing;
/// use frumious::curves::bls12_381::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
///
/// let (a, b) = (Fr::from_u64(6), Fr::from_u64(7));
/// let p = G1Projective::GENERATOR.mul(&a).to_affine();
/// let q = G2Projective::GENERATOR.mul(&b).to_affine();
/// let generator = pairing(&G1Affine::GENERATOR, &G2Affine::GENERATOR);
/// assert_eq!(pairing(&p, &q), generator.pow(&Fr::from_u64(42)));
/// ```
pub fn pairing(p: &G1Affine, q: &G2Affine) -> Gt {
    multi_pairing(&[(*p, &G2Prepared::from(q))])
}

/// The product of the pairings of all pairs, for the price of one final exponentiation and shared squarings;
/// one for no pairs at all. Whether it is one says [`Gt::is_identity`].
pub fn multi_pairing(pairs: &[(G1Affine, &G2Prepared)]) -> Gt {
    final_exponentiation(&miller_loop(pairs))
}

/// True if the product of the pairings of all pairs is one; it is for no pairs at all.
///
/// As [`multi_pairing`], for points of G2 that are not paired again: these are prepared some at a time, in 420 KB
/// however many they are.
pub fn pairings_cancel(pairs: &[(G1Affine, G2Affine)]) -> Choice {
    const CHUNK: usize = 32; // pairs to a Miller loop, of whose squarings more pairs would save little
    let product = pairs.chunks(CHUNK).fold(Fq12::ONE, |product, pairs| {
        let prepared: Vec<G2Prepared> = pairs.iter().map(|(_, q)| G2Prepared::from(q)).collect();
        let pairs: Vec<_> = pairs.iter().map(|(p, _)| *p).zip(&prepared).collect();
        product * miller_loop(&pairs)
    });
    final_exponentiation(&product).is_identity()
}
