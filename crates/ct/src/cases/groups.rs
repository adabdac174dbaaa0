//! Points of BN254, BLS12-381 and secp256k1, in affine and in projective coordinates.

use frumious_curves::{bls12_381, bn254, secp256k1};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::valgrind::secret;
use crate::{Case, case_list};

fn choice() -> Choice {
    Choice::from(secret(1u8) & 1)
}

/// The operations of every group over a short Weierstrass curve.
macro_rules! of_group {
    ($curve:ident, $affine:ident, $projective:ident) => {{
        use $curve::{$affine, $projective};
        /// Not affine: Z is not one.
        fn point() -> $projective {
            secret($projective::GENERATOR.double())
        }
        fn affine() -> $affine {
            secret($affine::GENERATOR)
        }
        fn scalar() -> $curve::Fr {
            secret($curve::Fr::from_u64(0x1234_5678_9abc_def1).square().square())
        }
        macro_rules! name {
            ($type:ident, $function:literal) => {
                concat!(stringify!($curve), "::", stringify!($type), "::", $function)
            };
        }
        case_list! {
            name!($affine, "is_identity") => affine().is_identity(),
            name!($affine, "is_on_curve") => affine().is_on_curve(),
            name!($affine, "neg") => -affine(),
            name!($affine, "ct_eq") => affine().ct_eq(&affine()),
            name!($affine, "eq") => affine() == affine(),
            name!($affine, "conditional_select") => $affine::conditional_select(&affine(), &affine(), choice()),
            name!($projective, "is_identity") => point().is_identity(),
            name!($projective, "add") => point() + point(),
            name!($projective, "sub") => point() - point(),
            name!($projective, "neg") => -point(),
            name!($projective, "double") => point().double(),
            name!($projective, "add_affine") => point().add_affine(&affine()),
            name!($projective, "to_affine") => point().to_affine(),
            name!($projective, "from affine") => $projective::from(affine()),
            name!($projective, "ct_eq") => point().ct_eq(&point()),
            name!($projective, "eq") => point() == point(),
            name!($projective, "conditional_select") => $projective::conditional_select(&point(), &point(), choice()),
            name!($projective, "sum") => [point(); 3].into_iter().sum::<$projective>(),
            name!($projective, "mul") => point().mul(&scalar()),
            name!($projective, "mul of a public point") => $projective::GENERATOR.mul(&scalar()),
        }
    }};
}

/// All of them.
pub fn all() -> Vec<Case> {
    let some_have = case_list! {
        "bn254::G2Affine::is_in_subgroup" => secret(bn254::G2Affine::GENERATOR).is_in_subgroup(),
        "bls12_381::G1Affine::is_in_subgroup" => secret(bls12_381::G1Affine::GENERATOR).is_in_subgroup(),
        "bls12_381::G2Affine::is_in_subgroup" => secret(bls12_381::G2Affine::GENERATOR).is_in_subgroup(),
        "bn254::G1Affine::to_compressed" => secret(bn254::G1Affine::GENERATOR).to_compressed(),
        "bn254::G2Affine::to_compressed" => secret(bn254::G2Affine::GENERATOR).to_compressed(),
        "bls12_381::G1Affine::to_compressed" => secret(bls12_381::G1Affine::GENERATOR).to_compressed(),
        "bls12_381::G2Affine::to_compressed" => secret(bls12_381::G2Affine::GENERATOR).to_compressed(),
        "secp256k1::Affine::to_sec1_compressed" => secret(secp256k1::Affine::GENERATOR).to_sec1_compressed(),
        "secp256k1::Affine::to_sec1_uncompressed" => secret(secp256k1::Affine::GENERATOR).to_sec1_uncompressed(),
        "secp256k1::Affine::from_x" => secp256k1::Affine::from_x(&secret(secp256k1::Affine::GENERATOR.x), choice()),
        "secp256k1::Projective::mul_generator" => secp256k1::Projective::mul_generator(&secret(secp256k1::Fr::from_u64(0x1234_5678_9abc_def1).square())),
        "bn254::G1Affine::to_eip197_bytes" => secret(bn254::G1Affine::GENERATOR).to_eip197_bytes(),
        "bn254::G1Affine::to_montgomery_bytes" => secret(bn254::G1Affine::GENERATOR).to_montgomery_bytes(),
        "bn254::G2Affine::to_eip197_bytes" => secret(bn254::G2Affine::GENERATOR).to_eip197_bytes(),
        "bn254::G2Affine::to_montgomery_bytes" => secret(bn254::G2Affine::GENERATOR).to_montgomery_bytes(),
        "bn254::G2Projective::psi" => secret(bn254::G2Projective::GENERATOR).psi(),
        "bls12_381::G1Affine::to_uncompressed" => secret(bls12_381::G1Affine::GENERATOR).to_uncompressed(),
        "bls12_381::G2Affine::to_uncompressed" => secret(bls12_381::G2Affine::GENERATOR).to_uncompressed(),
        "bls12_381::G1Affine::to_big_endian_bytes" => secret(bls12_381::G1Affine::GENERATOR).to_big_endian_bytes(),
        "bls12_381::G2Affine::to_big_endian_bytes" => secret(bls12_381::G2Affine::GENERATOR).to_big_endian_bytes(),
        "bls12_381::G1Affine::to_montgomery_bytes" => secret(bls12_381::G1Affine::GENERATOR).to_montgomery_bytes(),
        "bls12_381::G2Affine::to_montgomery_bytes" => secret(bls12_381::G2Affine::GENERATOR).to_montgomery_bytes(),
        "bls12_381::G1Projective::map_to_curve" => bls12_381::G1Projective::map_to_curve(&secret(bls12_381::Fq::from_u64(5))),
        "bls12_381::G1Projective::map_to_group" => bls12_381::G1Projective::map_to_group(&secret(bls12_381::Fq::from_u64(5))),
        "bls12_381::G1Projective::map_pair_to_group" => bls12_381::G1Projective::map_pair_to_group([&secret(bls12_381::Fq::from_u64(5)); 2]),
        "bls12_381::G2Projective::map_pair_to_group" => bls12_381::G2Projective::map_pair_to_group([&secret(bls12_381::Fq2::ONE); 2]),
        "bls12_381::G2Projective::map_to_curve" => bls12_381::G2Projective::map_to_curve(&secret(bls12_381::Fq2::ONE)),
        "bls12_381::G2Projective::map_to_group" => bls12_381::G2Projective::map_to_group(&secret(bls12_381::Fq2::ONE)),
        "bls12_381::G1Projective::clear_cofactor" => secret(bls12_381::G1Projective::GENERATOR).clear_cofactor(),
        "bls12_381::G2Projective::clear_cofactor" => secret(bls12_381::G2Projective::GENERATOR).clear_cofactor(),
        "bls12_381::G2Projective::psi" => secret(bls12_381::G2Projective::GENERATOR).psi(),
        "bls12_381::G2Projective::psi_squared" => secret(bls12_381::G2Projective::GENERATOR).psi_squared(),
    };
    [
        some_have,
        of_group!(bn254, G1Affine, G1Projective),
        of_group!(bn254, G2Affine, G2Projective),
        of_group!(bls12_381, G1Affine, G1Projective),
        of_group!(bls12_381, G2Affine, G2Projective),
        of_group!(secp256k1, Affine, Projective),
    ]
    .into_iter()
    .flatten()
    .collect()
}
