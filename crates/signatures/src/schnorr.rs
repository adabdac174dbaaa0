//! Schnorr signatures over secp256k1. Source: BIP-340, version 1.

mod tagged;

use crate::error::exactly;
use crate::{Error, PublicKey, SecretKey};
use frumious_curves::EncodingError;
use frumious_curves::secp256k1::{Affine, Fq, Fr, Projective};
use frumious_field::{Choice, ConditionallySelectable, Field, declassify};
use tagged::Tag;
use zeroize::Zeroizing;

/// A public key: the point with this `x` whose `y` is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XOnlyPublicKey(Affine);

/// A signature: the `x` of the nonce's point, and a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    r: Fq,
    s: Fr,
}

impl PublicKey {
    /// The key for Schnorr signatures: of the two points with this `x`, the one with even `y`.
    pub fn x_only(&self) -> XOnlyPublicKey {
        XOnlyPublicKey::from_point(self.point())
    }
}

impl SecretKey {
    /// Signs a message of any length. `auxiliary` is 32 fresh random bytes; any others, zeros too, keep the signature
    /// safe as long as nobody observes or disturbs the computation.
    ///
    /// Cost: two multiplications of the generator. Time: constant, but for the message's length.
    ///
    /// # Errors
    /// [`Error::ZeroNonce`], of probability 2^-256; other auxiliary bytes help.
    pub fn sign_schnorr(&self, message: &[u8], auxiliary: &[u8; 32]) -> Result<Signature, Error> {
        let public = self.public_key().0;
        let secret = Zeroizing::new(negate_if(&self.0, public.y.is_odd()));
        let mask = Zeroizing::new(Tag::Auxiliary.hash(&[auxiliary]));
        let mut masked = Zeroizing::new(secret.to_be_bytes());
        for (byte, mask) in masked.iter_mut().zip(&mask[..]) {
            *byte ^= mask;
        }
        let x = public.x.to_be_bytes();
        let random = Zeroizing::new(Tag::Nonce.hash(&[&masked[..], &x, message]));
        sign_with(&secret, &x, &random, message)
    }
}

/// The rest of signing, from the nonce on. `secret` is the logarithm of the point of even `y` at `x`; `random` is the
/// hash that becomes the nonce.
fn sign_with(
    secret: &Fr,
    x: &[u8; 32],
    random: &[u8; 32],
    message: &[u8],
) -> Result<Signature, Error> {
    let nonce = Zeroizing::new(Fr::from_be_bytes_mod(random));
    // public: the result tells
    if declassify(nonce.is_zero().into()) {
        return Err(Error::ZeroNonce);
    }
    let point = Projective::mul_generator(&nonce).to_affine();
    let nonce = Zeroizing::new(negate_if(&nonce, point.y.is_odd()));
    let challenge = challenge(&point.x, x, message);
    Ok(Signature {
        r: point.x,
        s: *nonce + challenge * *secret,
    })
}

impl XOnlyPublicKey {
    /// Bytes of the encoding.
    pub const BYTES: usize = 32;

    /// From `x`, most significant byte first.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of bytes. [`Error::PublicKey`] if `x` is not below `p` or no point has it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let x = Fq::from_be_bytes(exactly(bytes)?)
            .into_option()
            .ok_or(EncodingError::NonCanonical)?;
        let point = Affine::from_x(&x, Choice::from(0)).into_option();
        Ok(Self(point.ok_or(EncodingError::NotOnCurve)?))
    }

    /// `x`, most significant byte first.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        self.0.x.to_be_bytes()
    }

    /// True if the signature is this key's for the message. For public values. Cost: a sum of two multiples and an
    /// inversion.
    pub fn verify_schnorr(&self, message: &[u8], signature: &Signature) -> bool {
        let Signature { r, s } = signature;
        let challenge = challenge(r, &self.to_bytes(), message);
        let point = Projective::from(self.0).mul_add_generator_vartime(&-challenge, s);
        // infinity has no x
        point.has_x_vartime(r) && !bool::from(point.to_affine_vartime().y.is_odd())
    }

    /// Of a finite point and its opposite, the one with even `y`.
    pub(crate) fn from_point(point: &Affine) -> Self {
        Self(Affine::conditional_select(
            point,
            &-*point,
            point.y.is_odd(),
        ))
    }
}

impl Signature {
    /// Bytes of the encoding.
    pub const BYTES: usize = 64;

    /// From `r` and `s` of 32 bytes each, most significant first.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of bytes. [`Error::SignatureRange`] if `r` is not below `p` or `s` not
    /// below the group's order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes: &[u8; Self::BYTES] = exactly(bytes)?;
        let (r, s) = bytes.split_at(32);
        let r: Option<Fq> = Fq::from_be_bytes(exactly(r)?).into();
        let s: Option<Fr> = Fr::from_be_bytes(exactly(s)?).into();
        match (r, s) {
            (Some(r), Some(s)) => Ok(Self { r, s }),
            _ => Err(Error::SignatureRange),
        }
    }

    /// `r` and `s` of 32 bytes each, most significant first.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..32].copy_from_slice(&self.r.to_be_bytes());
        bytes[32..].copy_from_slice(&self.s.to_be_bytes());
        bytes
    }
}

/// The challenge of a nonce's `x`, a key's and a message.
fn challenge(r: &Fq, key: &[u8; 32], message: &[u8]) -> Fr {
    Fr::from_be_bytes_mod(&Tag::Challenge.hash(&[&r.to_be_bytes(), key, message]))
}

fn negate_if(scalar: &Fr, negative: Choice) -> Fr {
    Fr::conditional_select(scalar, &-*scalar, negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIP-340, "Default Signing": "Fail if k' = 0".
    #[test]
    fn a_nonce_that_is_zero_modulo_the_order_fails() {
        let key = SecretKey::from_bytes(&[7; 32]).expect("below the order");
        let public = key.public_key().0;
        let secret = negate_if(&key.0, public.y.is_odd());
        let x = public.x.to_be_bytes();
        let mut order: [u8; 32] = (-Fr::ONE).to_be_bytes();
        order[31] += 1;
        let sign = |random: &[u8; 32]| sign_with(&secret, &x, random, b"message");
        for zero in [[0; 32], order] {
            assert_eq!(sign(&zero), Err(Error::ZeroNonce));
        }
        // One more, and one less, are nonces as good as any.
        order[31] += 1;
        for random in [order, (-Fr::ONE).to_be_bytes(), [1; 32]] {
            let signature = sign(&random).expect("a nonce");
            let key = XOnlyPublicKey::from_point(&public);
            assert!(key.verify_schnorr(b"message", &signature));
        }
    }
}
