//! The blinding of Groth16's proofs. The sums before it are of variable time, by decision.

use frumious_curves::bn254::Fr;
use frumious_curves::{Bls12_381, Bn254, bls12_381};
use frumious_groth16::{blind_for_tests, rerandomise_for_tests};

use crate::valgrind::secret;
use crate::{Case, case_list};

/// All of them.
pub fn all() -> Vec<Case> {
    case_list! {
        "groth16::prove::blinding, BN254" => blind_for_tests::<Bn254>(secret(-Fr::from_u64(7)), secret(-Fr::from_u64(8))),
        "groth16::prove::blinding, BLS12-381" => blind_for_tests::<Bls12_381>(
            secret(-bls12_381::Fr::from_u64(7)),
            secret(-bls12_381::Fr::from_u64(8)),
        ),
        "groth16::prove::rerandomise, BN254" => rerandomise_for_tests::<Bn254>(
            secret(-Fr::from_u64(7)),
            secret(-Fr::from_u64(8)),
        ),
        "groth16::prove::rerandomise, BLS12-381" => rerandomise_for_tests::<Bls12_381>(
            secret(-bls12_381::Fr::from_u64(7)),
            secret(-bls12_381::Fr::from_u64(8)),
        ),
    }
}
