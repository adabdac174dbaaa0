//! Verification of aggregates, which takes proven keys.

use crate::signature::SIGNATURE_TAG;
use crate::verify::equation_holds;
use crate::{ProvenKey, Signature};
use frumious_curves::bls12_381::{G1Affine, G1Projective};

/// `AggregateVerify`: whether `signature` is the aggregate of each key's signature of its message. False for no keys.
///
/// Messages may be equal. Cost: a hash to G2 and a pairing a message, and one more pairing.
pub fn aggregate_verify(signed: &[(ProvenKey, &[u8])], signature: &Signature) -> bool {
    let keys: Vec<G1Affine> = signed.iter().map(|(key, _)| key.key().0).collect();
    let messages: Vec<&[u8]> = signed.iter().map(|(_, message)| *message).collect();
    !signed.is_empty() && equation_holds(&keys, &messages, SIGNATURE_TAG, &signature.0)
}

/// `FastAggregateVerify`: whether `signature` is the aggregate of all keys' signatures of one message. False for no
/// keys, and for keys whose sum is infinity.
///
/// Ethereum's `eth_fast_aggregate_verify` is the same, but true for no keys and a signature at infinity. Ask for that
/// case first:
///
/// ```
/// # mod frumious { pub use ::frumious_bls as bls; }
/// use frumious::bls::{ProvenKey, Signature, fast_aggregate_verify};
///
/// fn eth_fast_aggregate_verify(keys: &[ProvenKey], message: &[u8], signature: &Signature) -> bool {
///     let of_nobody = keys.is_empty() && signature.as_point().is_identity_vartime();
///     of_nobody || fast_aggregate_verify(keys, message, signature)
/// }
///
/// let mut infinity = [0; 96];
/// infinity[0] = 0xc0;
/// let infinity = Signature::from_bytes(&infinity)?;
/// assert!(!fast_aggregate_verify(&[], b"root", &infinity));
/// assert!(eth_fast_aggregate_verify(&[], b"root", &infinity));
/// # Ok::<(), frumious::bls::Error>(())
/// ```
///
/// Cost: an addition in G1 a key, a hash to G2, two pairings.
pub fn fast_aggregate_verify(keys: &[ProvenKey], message: &[u8], signature: &Signature) -> bool {
    let sum = keys.iter().fold(G1Projective::IDENTITY, |sum, key| {
        sum.add_affine_vartime(&key.key().0)
    });
    let sum = sum.to_affine();
    !sum.is_identity_vartime() && equation_holds(&[sum], &[message], SIGNATURE_TAG, &signature.0)
}
