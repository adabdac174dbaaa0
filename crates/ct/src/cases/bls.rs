//! Keys and signatures over BLS12-381.

use frumious_bls::SecretKey;
use frumious_bls::hash_to_curve::{encode_to_g1, encode_to_g2, hash_to_g1, hash_to_g2};

use crate::valgrind::secret;
use crate::{Case, case_list};

/// A key of which nothing is known.
fn key() -> SecretKey {
    secret(SecretKey::generate(&[7; 32], b"").expect("32 bytes are enough"))
}

/// All of them.
pub fn all() -> Vec<Case> {
    case_list! {
        "bls::SecretKey::to_bytes" => key().to_bytes(),
        "bls::SecretKey::eq" => key() == key(),
        "bls::SecretKey::public_key" => key().public_key().to_bytes(),
        "bls::SecretKey::sign" => key().sign(b"message").to_bytes(),
        "bls::SecretKey::sign, a secret message" => key().sign(&secret([5; 40])).to_bytes(),
        "bls::hash_to_curve::hash_to_g1" => hash_to_g1(&secret([5; 40]), b"tag"),
        "bls::hash_to_curve::hash_to_g2" => hash_to_g2(&secret([5; 40]), b"tag"),
        "bls::hash_to_curve::encode_to_g1" => encode_to_g1(&secret([5; 40]), b"tag"),
        "bls::hash_to_curve::encode_to_g2" => encode_to_g2(&secret([5; 40]), b"tag"),
        "bls::SecretKey::prove_possession" => key().prove_possession().to_bytes(),
        "bls::SecretKey::generate" => SecretKey::generate(&secret([7; 32]), b"").is_ok(),
        "bls::SecretKey::from_bytes" => SecretKey::from_bytes(&secret([7; 32])).is_ok(),
    }
}
