//! ECDSA over secp256k1 on digests of 32 bytes: deterministic, with low `s`, and recovery of public keys.
//!
//! Source: SEC 1 version 2, sections 4.1.3, 4.1.4, 4.1.6; RFC 6979 for nonces; BIP-62 for low `s`. Both `(r, s)` and
//! `(r, -s)` are signatures; signing makes only that with `s <= (n - 1)/2`, and [`PublicKey::verify_ecdsa`] accepts
//! only that one.

mod der;
mod nonce;

use crate::error::exactly;
use crate::{Error, PublicKey, SecretKey};
use frumious_curves::secp256k1::{Affine, Fq, Fr, Projective};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, Field, declassify};
use nonce::Nonces;
use zeroize::Zeroizing;

/// A signature: two integers above zero and below the group's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    r: Fr,
    s: Fr,
}

/// Which of at most four points the nonce's was: whether its `y` is odd, plus two if its `x` is not below the group's
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecoveryId(u8);

impl SecretKey {
    /// Signs the digest of a message. The nonce follows from key and digest (RFC 6979 with HMAC-SHA-256); `s` is low.
    ///
    /// Cost: a multiplication of the generator and two inversions. Time: constant.
    pub fn sign_ecdsa(&self, digest: &[u8; 32]) -> Signature {
        self.sign_ecdsa_recoverable(digest).0
    }

    /// As [`Self::sign_ecdsa`], with what [`recover`] needs besides.
    pub fn sign_ecdsa_recoverable(&self, digest: &[u8; 32]) -> (Signature, RecoveryId) {
        let z = Fr::from_be_bytes_mod(digest);
        let mut nonces = Nonces::new(&self.0, &z);
        loop {
            let k = nonces.next_nonce();
            let point = Projective::mul_generator(&k).to_affine();
            let x = point.x.to_canonical_limbs();
            let r = Fr::from_words_mod(&x);
            let inverse = Zeroizing::new(k.invert().unwrap_or(Fr::ZERO)); // k is not zero
            let s = *inverse * (z + r * self.0);
            let high = s.is_high();
            let s = Fr::conditional_select(&s, &-s, high);
            let odd = point.y.is_odd() ^ high;
            let large = !r.to_canonical_limbs()[..].ct_eq(&x[..]);
            // public: the signature; that it is none happens to nobody
            if !declassify((r.is_zero() | s.is_zero()).into()) {
                let id = odd.unwrap_u8() | large.unwrap_u8() << 1;
                return (Signature { r, s }, RecoveryId(id));
            }
        }
    }
}

impl PublicKey {
    /// True if the signature is this key's for the digest, and its `s` is low. For public values.
    ///
    /// For signatures by others, which may be high: [`Signature::normalize`] first.
    pub fn verify_ecdsa(&self, digest: &[u8; 32], signature: &Signature) -> bool {
        let Signature { r, s } = signature;
        let Some(inverse) = s.invert_vartime() else {
            return false; // never: s is not zero
        };
        if signature.is_high() {
            return false;
        }
        let z = Fr::from_be_bytes_mod(digest);
        let point =
            Projective::from(self.0).mul_add_generator_vartime(&(*r * inverse), &(z * inverse));
        // the point's x modulo n is r: it is r itself, or r + n where that is below p
        point.has_x_vartime(&to_coordinate(r))
            || plus_order_vartime(r).is_some_and(|x| point.has_x_vartime(&x))
    }
}

/// The public key of which `signature` is a signature of `digest`, for public values. High `s` is allowed, as in EVM's
/// `ecrecover`.
///
/// # Errors
/// [`Error::NotRecoverable`] if there is none.
pub fn recover(
    digest: &[u8; 32],
    signature: &Signature,
    id: RecoveryId,
) -> Result<PublicKey, Error> {
    let Signature { r, s } = signature;
    let x = if id.0 & 2 == 0 {
        to_coordinate(r)
    } else {
        plus_order_vartime(r).ok_or(Error::NotRecoverable)?
    };
    let point = Affine::from_x(&x, Choice::from(id.0 & 1))
        .into_option()
        .ok_or(Error::NotRecoverable)?;
    let inverse = r.invert_vartime().ok_or(Error::NotRecoverable)?;
    let z = Fr::from_be_bytes_mod(digest);
    let key = Projective::from(point)
        .mul_add_generator_vartime(&(*s * inverse), &-(z * inverse))
        .to_affine_vartime();
    PublicKey::try_from(key).map_err(|_| Error::NotRecoverable)
}

impl Signature {
    /// Bytes of the compact encoding.
    pub const BYTES: usize = 64;

    /// From `r` and `s` of 32 bytes each, most significant first.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of bytes. [`Error::SignatureRange`] for a number that is zero or not below
    /// the group's order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes: &[u8; Self::BYTES] = exactly(bytes)?;
        let (r, s) = bytes.split_at(32);
        Self::from_scalars(exactly(r)?, exactly(s)?)
    }

    /// From `r` and `s`, most significant byte first.
    ///
    /// # Errors
    /// [`Error::SignatureRange`] for a number that is zero or not below the group's order.
    pub fn from_scalars(r: &[u8; 32], s: &[u8; 32]) -> Result<Self, Error> {
        let scalar = |bytes| {
            let scalar: Option<Fr> = Fr::from_be_bytes(bytes).into();
            scalar
                .filter(|scalar| *scalar != Fr::ZERO)
                .ok_or(Error::SignatureRange)
        };
        Ok(Self {
            r: scalar(r)?,
            s: scalar(s)?,
        })
    }

    /// `r` and `s` of 32 bytes each, most significant first.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..32].copy_from_slice(&self.r.to_be_bytes());
        bytes[32..].copy_from_slice(&self.s.to_be_bytes());
        bytes
    }

    /// True if `s` is above `(n - 1)/2`.
    pub fn is_high(&self) -> bool {
        self.s.is_high().into()
    }

    /// The signature with low `s` for the same digest and key. A recovery identifier that belongs to it changes its
    /// parity with it.
    pub fn normalize(&self) -> Self {
        let s = Fr::conditional_select(&self.s, &-self.s, self.s.is_high());
        Self { r: self.r, s }
    }
}

impl RecoveryId {
    /// The recovery id of this number.
    ///
    /// # Errors
    /// [`Error::RecoveryId`] for a number that is not below 4.
    pub fn new(id: u8) -> Result<Self, Error> {
        if id < 4 {
            Ok(Self(id))
        } else {
            Err(Error::RecoveryId)
        }
    }

    /// Below 4.
    pub fn to_u8(self) -> u8 {
        self.0
    }
}

/// A scalar as a number below `n < p`.
fn to_coordinate(r: &Fr) -> Fq {
    Fq::from_words_mod(&r.to_canonical_limbs())
}

/// `r + n` where that is below `p`.
fn plus_order_vartime(r: &Fr) -> Option<Fq> {
    const ORDER: Fq = Fq::from_words_reduced(Fr::MODULUS);
    let sum = to_coordinate(r) + ORDER;
    // both are below p, so a reduction leaves less than r
    (sum.to_be_bytes() > r.to_be_bytes()).then_some(sum)
}
