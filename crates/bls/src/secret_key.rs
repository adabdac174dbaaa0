//! Secret keys, and what is done with them. Time: constant in the key.

use crate::Error;
use crate::error::exactly;
use crate::hash_to_curve::hash_to_g2;
use crate::public_key::PublicKey;
use crate::signature::{SIGNATURE_TAG, Signature};
use core::fmt;
use frumious_curves::bls12_381::{Fr, G1Projective, G2Affine};
use frumious_field::{Field, declassify};
use hmac::digest::CtOutput;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A secret key: an integer above zero and below the groups' order. Wiped from memory when dropped, never printed.
#[derive(Clone, ZeroizeOnDrop)]
pub struct SecretKey(Fr);

impl SecretKey {
    /// Bytes of an encoding.
    pub const BYTES: usize = 32;

    /// A new key from the operating system's generator.
    ///
    /// # Errors
    /// [`Error::Randomness`] if the operating system gives no random bytes.
    pub fn random() -> Result<Self, Error> {
        loop {
            let key = Self(Fr::random()?);
            // public: that the key is not zero
            if !declassify(key.0.is_zero().into()) {
                return Ok(key);
            }
        }
    }

    /// `KeyGen`: a key from at least 32 bytes that nobody can guess; the same bytes give the same key. `key_info` may
    /// be empty, and gives one key each.
    ///
    /// Source: draft-irtf-cfrg-bls-signature-05, section 2.3, with the salt of version 4, which EIP-2333 also takes.
    ///
    /// # Errors
    /// [`Error::ShortKeyMaterial`] for fewer than 32 bytes.
    pub fn generate(key_material: &[u8], key_info: &[u8]) -> Result<Self, Error> {
        let salt = Sha256::digest(b"BLS-SIG-KEYGEN-SALT-");
        Self::generate_with_salt(key_material, &salt, key_info)
    }

    /// As [`Self::generate`], with a salt of the caller's.
    ///
    /// # Errors
    /// As [`Self::generate`].
    pub fn generate_with_salt(
        key_material: &[u8],
        salt: &[u8],
        key_info: &[u8],
    ) -> Result<Self, Error> {
        const LENGTH: usize = 48; // so that the residue is uniform up to 2^-129
        if key_material.len() < 32 {
            return Err(Error::ShortKeyMaterial {
                found: key_material.len(),
            });
        }
        let mut salt = salt.to_vec();
        loop {
            // HKDF (RFC 5869), by hand: the crate of that name leaves what it expands to on the stack.
            let pseudorandom = hmac(&salt, &[key_material, &[0]]);
            let length = [0, LENGTH as u8];
            let first = hmac(&pseudorandom[..], &[key_info, &length, &[1]]);
            let second = hmac(&pseudorandom[..], &[&first[..], key_info, &length, &[2]]);
            let mut wide = Zeroizing::new([0; 2 * Self::BYTES]);
            let output = first.iter().chain(&second[..]).take(LENGTH);
            for (to, from) in wide[..LENGTH].iter_mut().rev().zip(output) {
                *to = *from;
            }
            let secret = Self(Fr::from_uniform_bytes(&wide));
            // public: that the key is not zero
            if !declassify(secret.0.is_zero().into()) {
                return Ok(secret);
            }
            salt = Sha256::digest(&salt).to_vec();
        }
    }

    /// From 32 bytes, most significant first.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of bytes. [`Error::SecretKeyRange`] for zero and for an integer not below
    /// the groups' order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let scalar = Fr::from_be_bytes(exactly(bytes)?);
        let key = Self(scalar.unwrap_or(Fr::ZERO));
        // public: whether the bytes are a key
        if declassify(key.0.is_zero().into()) {
            return Err(Error::SecretKeyRange);
        }
        Ok(key)
    }

    /// 32 bytes, most significant first.
    pub fn to_bytes(&self) -> Zeroizing<[u8; Self::BYTES]> {
        Zeroizing::new(self.0.to_be_bytes())
    }

    /// The public key that belongs to it. Cost: a scalar multiplication in G1.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(G1Projective::GENERATOR.mul(&self.0).to_affine())
    }

    /// Signs a message. Cost: a hash to G2 and a scalar multiplication there.
    pub fn sign(&self, message: &[u8]) -> Signature {
        Signature(self.multiply_hash(message, SIGNATURE_TAG))
    }

    /// The message's point of G2 times the key.
    pub(crate) fn multiply_hash(&self, message: &[u8], tag: &[u8]) -> G2Affine {
        hash_to_g2(message, tag).mul(&self.0).to_affine()
    }
}

/// HMAC-SHA-256 of the concatenated parts.
fn hmac(key: &[u8], parts: &[&[u8]]) -> Zeroizing<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    parts.iter().for_each(|part| mac.update(part));
    let mut tag = Zeroizing::new([0; 32]);
    tag.copy_from_slice(mac.finalize().as_bytes());
    tag
}

/// Deleting a feature or a derive that wipes does not compile.
const _: () = {
    const fn is_wiped<T: ZeroizeOnDrop>() {}
    is_wiped::<SecretKey>();
    is_wiped::<Sha256>(); // of which HMAC consists
    is_wiped::<CtOutput<Hmac<Sha256>>>();
};

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretKey(..)")
    }
}

impl ConstantTimeEq for SecretKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl PartialEq for SecretKey {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for SecretKey {}
