//! Keys and signatures over secp256k1.

use frumious_signatures::SecretKey;

use crate::valgrind::secret;
use crate::{Case, case_list};

/// A key of which nothing is known.
fn key() -> SecretKey {
    secret(SecretKey::from_bytes(&[7; 32]).expect("below the order"))
}

/// All of them.
pub fn all() -> Vec<Case> {
    case_list! {
        "signatures::SecretKey::to_bytes" => key().to_bytes(),
        "signatures::SecretKey::public_key" => key().public_key().to_compressed(),
        "signatures::SecretKey::eq" => key() == key(),
        "signatures::SecretKey::sign_schnorr" => key().sign_schnorr(b"message", &secret([3; 32])).map(|it| it.to_bytes()).ok(),
        "signatures::SecretKey::sign_schnorr, a secret message" => key().sign_schnorr(&secret([5; 40]), &secret([3; 32])).map(|it| it.to_bytes()).ok(),
        "signatures::SecretKey::from_bytes" => SecretKey::from_bytes(&secret([7; 32])).is_ok(),
        "signatures::SecretKey::sign_ecdsa" => key().sign_ecdsa(&secret([5; 32])).to_bytes(),
    }
}
