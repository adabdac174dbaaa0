//! EdDSA over BabyJubJub.

use frumious_curves::bn254::Fr;
use frumious_r1cs::gadgets::baby_jubjub::Scalar;
use frumious_r1cs::gadgets::eddsa::SecretKey;

use crate::valgrind::secret;
use crate::{Case, case_list};

/// A key of which nothing is known.
fn key() -> SecretKey {
    secret(SecretKey::new(-Scalar::from_u64(7)).expect("not zero"))
}

/// All of them.
pub fn all() -> Vec<Case> {
    case_list! {
        "r1cs::gadgets::eddsa::SecretKey::new" => SecretKey::new(secret(-Scalar::from_u64(7))).is_ok(),
        "r1cs::gadgets::eddsa::SecretKey::public_key" => key().public_key(),
        "r1cs::gadgets::eddsa::SecretKey::sign" => key().sign(&Fr::from_u64(5)),
        "r1cs::gadgets::eddsa::SecretKey::sign, a secret message" => key().sign(&secret(Fr::from_u64(5))),
    }
}
