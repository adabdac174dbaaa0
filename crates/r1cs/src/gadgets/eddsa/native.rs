//! Keys and signatures outside of circuits.

use blake2::{Blake2b512, Digest};
use core::fmt;
use frumious_curves::bn254::Fr;
use frumious_field::{Field, declassify};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::gadgets::baby_jubjub::{Point, Scalar};
use crate::gadgets::poseidon;

/// The tag that a nonce is hashed with, so that no other hash is the same.
const NONCE_DOMAIN: &[u8] = b"frumious EdDSA-Poseidon nonce";

/// A secret scalar, not zero.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct SecretKey(Scalar);

/// `scalar·BASE8`: a point of the curve whose multiple by eight is not neutral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(Point);

/// A signature, valid or not: any coordinates and any scalar below `l`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// `R`, circomlib's `R8`.
    pub r: Point,
    /// `S`.
    pub s: Scalar,
}

/// No key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// A secret scalar of zero.
    #[error("the secret scalar is zero")]
    Zero,
    /// Coordinates that do not satisfy the equation of the curve.
    #[error("the point is not on the curve")]
    OffCurve,
    /// A point of order 1, 2, 4 or 8.
    #[error("the point has a small order")]
    SmallOrder,
}

impl SecretKey {
    /// The key of a scalar.
    ///
    /// # Errors
    /// [`KeyError::Zero`].
    pub fn new(scalar: Scalar) -> Result<Self, KeyError> {
        // public: whether there is a key
        if declassify(scalar.is_zero().into()) {
            return Err(KeyError::Zero);
        }
        Ok(Self(scalar))
    }

    /// `scalar·BASE8`. Constant time.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(Point::BASE8.mul(&self.0))
    }

    /// The signature on `message`, always the same: `S = r + h·8·scalar`. The nonce `r` is BLAKE2b-512 of the scalar
    /// and the message, modulo `l`. It is deterministic as in RFC 8032, section 5.1.6; circomlibjs uses another hash.
    /// Constant time; the message is public.
    pub fn sign(&self, message: &Fr) -> Signature {
        let public = self.public_key();
        let secret = Zeroizing::new(self.0.to_le_bytes());
        let hash = Blake2b512::new()
            .chain_update(NONCE_DOMAIN)
            .chain_update(secret.as_slice())
            .chain_update(message.to_le_bytes())
            .finalize();
        let hash: Zeroizing<[u8; 64]> = Zeroizing::new(hash.into());
        let nonce = Zeroizing::new(Scalar::from_uniform_bytes(&hash));
        let r = Point::BASE8.mul(&nonce);
        let challenge = Scalar::from_words_reduced(challenge(&r, &public.0, message));
        let s = *nonce + challenge * Scalar::from_u64(8) * self.0;
        Signature { r, s }
    }
}

impl PublicKey {
    /// The key of a point.
    ///
    /// # Errors
    /// [`KeyError::OffCurve`], [`KeyError::SmallOrder`].
    pub fn new(point: Point) -> Result<Self, KeyError> {
        if !point.is_on_curve() {
            return Err(KeyError::OffCurve);
        }
        if point.mul_by_cofactor() == Point::IDENTITY {
            return Err(KeyError::SmallOrder);
        }
        Ok(Self(point))
    }

    /// The point.
    pub fn point(&self) -> Point {
        self.0
    }

    /// True if `signature` is valid on `message`. Time depends on all of them.
    pub fn verify_vartime(&self, message: &Fr, signature: &Signature) -> bool {
        if !signature.r.is_on_curve() {
            return false;
        }
        let challenge = challenge(&signature.r, &self.0, message);
        let left = Point::BASE8.mul_words_vartime(&signature.s.to_canonical_limbs());
        let right = self.0.mul_by_cofactor().mul_words_vartime(&challenge);
        left == signature.r.add(&right)
    }
}

/// `h`, below the field's modulus.
fn challenge(r: &Point, key: &Point, message: &Fr) -> [u64; 4] {
    poseidon::hash_native(&[r.x, r.y, key.x, key.y, *message]).to_canonical_limbs()
}

impl fmt::Debug for SecretKey {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").finish_non_exhaustive()
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signature")
            .field("r", &self.r)
            .field("s", &self.s.to_decimal_vartime())
            .finish()
    }
}
