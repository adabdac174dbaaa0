//! Secret keys. Time: constant in the key.

use crate::error::exactly;
use crate::{Error, PublicKey};
use core::fmt;
use frumious_curves::secp256k1::{Fr, Projective};
use frumious_field::{Field, declassify};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A secret key: an integer above zero and below the group's order. Wiped from memory when dropped, never printed.
#[derive(Clone, ZeroizeOnDrop)]
pub struct SecretKey(pub(crate) Fr);

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

    /// From 32 bytes, most significant first.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of bytes. [`Error::SecretKeyRange`] for zero and for an integer not below
    /// the group's order.
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

    /// The public key that belongs to it. Cost: a multiplication of the generator.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(Projective::mul_generator(&self.0).to_affine())
    }
}

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
