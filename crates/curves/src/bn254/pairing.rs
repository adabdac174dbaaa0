//! The optimal ate pairing `e: G1 × G2 → Gt` of BN254.
//!
//! `e(P, Q) = (f_{6x+2,Q}(P) · ℓ_{T,π(Q)}(P) · ℓ_{T+π(Q),-π²(Q)}(P))^E` with `T = (6x + 2)·Q`, `π` the p-power map
//! and `E = k·(p¹² - 1)/r`. Source: Vercauteren 2010 ("Optimal pairings"), Naehrig, Niederhagen and Schwabe 2010.
//!
//! The exponent has the fixed factor `k = 2x·(6x² + 3x + 1)`, prime to `r`, which makes the last exponentiation
//! cheaper. snarkjs (its `vk_alphabeta_12`), gnark-crypto and arkworks take the same factor, so values agree with
//! theirs to the byte. Products that are compared with one, as EIP-197 does, do not depend on it.
//!
//! The work is cut in operations, so that another engine can take them over whole. They are lines of `Q`
//! ([`G2Prepared`]), the shared loop over many pairs ([`miller_loop`]) and the exponentiation
//! ([`final_exponentiation()`]). Constant time in the coordinates of all points; the number of pairs is public.
//!
//! Points must lie in their groups of order `r` (readers check that, see `G2Affine::is_in_subgroup`). For other points
//! nothing panics, but the value means nothing. A point at infinity in a pair makes that pair's factor one.

mod final_exponentiation;
mod gt;
mod lines;
mod miller;
mod parameter;

pub use final_exponentiation::final_exponentiation;
pub use gt::Gt;
pub use lines::G2Prepared;
pub use miller::miller_loop;

use super::{G1Affine, G2Affine};

/// The pairing `e(p, q)`.
///
/// ```
/// # mod frumious { pub use ::frumious_curves as curves; }
/// use frumious::curves::bn254::pairing::pairing;
/// use frumious::curves::bn254::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
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
/// one for no pairs at all.
pub fn multi_pairing(pairs: &[(G1Affine, &G2Prepared)]) -> Gt {
    final_exponentiation(&miller_loop(pairs))
}
