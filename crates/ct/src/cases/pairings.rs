//! Pairings of secret points, and powers in the target group.

use frumious_curves::bls12_381;
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::valgrind::secret;
use crate::{Case, case_list};

fn choice() -> Choice {
    Choice::from(secret(1u8) & 1)
}

macro_rules! of_pairing {
    ($curve:ident) => {{
        use frumious_curves::$curve::pairing::{
            G2Prepared, Gt, final_exponentiation, miller_loop, multi_pairing, pairing,
        };
        use frumious_curves::$curve::{Fq12, Fr, G1Affine, G2Affine};
        fn p() -> G1Affine {
            secret(G1Affine::GENERATOR)
        }
        fn q() -> G2Affine {
            secret(G2Affine::GENERATOR)
        }
        fn unitary() -> Gt {
            secret(Gt::IDENTITY)
        }
        macro_rules! name {
            ($function:literal) => {
                concat!(stringify!($curve), "::pairing::", $function)
            };
        }
        case_list! {
            name!("G2Prepared::from") => G2Prepared::from(&q()),
            name!("miller_loop") => miller_loop(&[(p(), &G2Prepared::from(&q())), (p(), &G2Prepared::from(&q()))]),
            name!("final_exponentiation") => final_exponentiation(&secret(Fq12::ONE)),
            name!("pairing") => pairing(&p(), &q()),
            name!("multi_pairing") => multi_pairing(&[(p(), &G2Prepared::from(&q())), (p(), &G2Prepared::from(&q()))]),
            name!("Gt::is_identity") => unitary().is_identity(),
            name!("Gt::mul") => unitary() * unitary(),
            name!("Gt::square") => unitary().square(),
            name!("Gt::invert") => unitary().invert(),
            name!("Gt::pow") => unitary().pow(&secret(Fr::from_u64(0x1234_5678_9abc_def1))),
            name!("Gt::ct_eq") => unitary().ct_eq(&unitary()),
            name!("Gt::conditional_select") => Gt::conditional_select(&unitary(), &unitary(), choice()),
        }
    }};
}

/// All of them.
pub fn all() -> Vec<Case> {
    fn pairs() -> [(bls12_381::G1Affine, bls12_381::G2Affine); 2] {
        secret(
            [(
                bls12_381::G1Affine::GENERATOR,
                bls12_381::G2Affine::GENERATOR,
            ); 2],
        )
    }
    let cancel = case_list! { "bls12_381::pairing::pairings_cancel" => bls12_381::pairing::pairings_cancel(&pairs()) };
    [of_pairing!(bn254), of_pairing!(bls12_381), cancel]
        .into_iter()
        .flatten()
        .collect()
}
