//! Nonces that follow from key and digest. Source: RFC 6979, section 3.2, with HMAC-SHA-256.

use frumious_curves::secp256k1::Fr;
use frumious_field::{Field, declassify};
use hmac::digest::CtOutput;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The generator of section 3.2, steps b to h. Wiped when dropped.
pub struct Nonces {
    k: Zeroizing<[u8; 32]>,
    v: Zeroizing<[u8; 32]>,
    used: bool,
}

impl Nonces {
    /// For the secret key and the digest as a scalar. Time: constant.
    pub fn new(secret: &Fr, digest: &Fr) -> Self {
        let secret = Zeroizing::new(secret.to_be_bytes());
        let digest = digest.to_be_bytes(); // bits2octets: reduced once
        let mut nonces = Self {
            k: Zeroizing::new([0; 32]),
            v: Zeroizing::new([1; 32]),
            used: false,
        };
        nonces.update(&[&[0], &secret[..], &digest]);
        nonces.update(&[&[1], &secret[..], &digest]);
        nonces
    }

    /// The next nonce, not zero. The number of attempts is public: it is one but with probability 2^-127.
    pub fn next_nonce(&mut self) -> Zeroizing<Fr> {
        loop {
            if self.used {
                self.update(&[&[0]]); // the last candidate did not serve
            }
            self.used = true;
            self.v = hmac(&self.k, &[&self.v[..]]);
            let candidate = Zeroizing::new(Fr::from_be_bytes(&self.v).unwrap_or(Fr::ZERO));
            // public: that the candidate is in range
            if !declassify(candidate.is_zero().into()) {
                return candidate;
            }
        }
    }

    /// `K = HMAC_K(V ‖ parts)`, `V = HMAC_K(V)`.
    fn update(&mut self, parts: &[&[u8]]) {
        let mut all = vec![&self.v[..]];
        all.extend(parts);
        self.k = hmac(&self.k, &all);
        self.v = hmac(&self.k, &[&self.v[..]]);
    }
}

/// HMAC of the concatenated parts.
fn hmac(key: &[u8; 32], parts: &[&[u8]]) -> Zeroizing<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    parts.iter().for_each(|part| mac.update(part));
    let mut tag = Zeroizing::new([0; 32]);
    tag.copy_from_slice(mac.finalize().as_bytes());
    tag
}

/// Deleting a feature or a derive that wipes does not compile.
const _: () = {
    const fn is_wiped<T: ZeroizeOnDrop>() {}
    is_wiped::<crate::SecretKey>();
    is_wiped::<Sha256>(); // of which HMAC consists
    is_wiped::<CtOutput<Hmac<Sha256>>>();
};
