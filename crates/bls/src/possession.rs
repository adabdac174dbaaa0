//! Proofs that the owner of a public key knows its secret key.
//!
//! Without them an aggregate says nothing: whoever publishes the difference between a key of his and another's "signs"
//! for both. Source: draft-irtf-cfrg-bls-signature-05, sections 3.3 and 4.2.3.

use crate::error::exactly;
use crate::verify::equation_holds;
use crate::{Error, PublicKey, SecretKey};
use frumious_curves::bls12_381::G2Affine;

/// Separates public keys that are signed from messages.
const POSSESSION_TAG: &[u8] = b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/// A proof of possession: a point of G2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofOfPossession(G2Affine);

impl ProofOfPossession {
    /// Bytes of the compressed encoding.
    pub const BYTES: usize = 96;

    /// From 96 bytes as [`Self::to_bytes`] writes them.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of bytes. [`Error::Point`] for bytes that are no encoding of a point of G2.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self(G2Affine::from_compressed(exactly(bytes)?)?))
    }

    /// The point compressed.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        self.0.to_compressed()
    }
}

impl SecretKey {
    /// `PopProve`: the proof for [`Self::public_key`]. Time: constant in the key.
    pub fn prove_possession(&self) -> ProofOfPossession {
        let message = self.public_key().to_bytes();
        ProofOfPossession(self.multiply_hash(&message, POSSESSION_TAG))
    }
}

/// A public key that has been proven, so that it may enter aggregates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenKey(PublicKey);

impl ProvenKey {
    /// `PopVerify`: the key, if the proof is right. Cost: a hash to G2 and two pairings.
    pub fn new(key: PublicKey, proof: &ProofOfPossession) -> Option<Self> {
        let message = key.to_bytes();
        equation_holds(&[key.0], &[&message], POSSESSION_TAG, &proof.0).then_some(Self(key))
    }

    /// A key whose proof was verified elsewhere, as those of a chain's validators were when they joined.
    pub const fn assume_proven(key: PublicKey) -> Self {
        Self(key)
    }

    /// The key.
    pub const fn key(&self) -> &PublicKey {
        &self.0
    }
}
