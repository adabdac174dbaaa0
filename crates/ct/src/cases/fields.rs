//! The prime fields.

use frumious_curves::{bandersnatch, bls12_381, bn254, secp256k1};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, Field, sqrt_tonelli_shanks};

use crate::valgrind::secret;
use crate::{Case, case_list};

/// The operations of every field.
macro_rules! of_field {
    ($curve:ident::$field:ident, $words:literal) => {{
        use $curve::$field;
        fn x() -> $field {
            secret($field::from_u64(5).square())
        }
        fn choice() -> Choice {
            Choice::from(secret(1u8) & 1)
        }
        macro_rules! name {
            ($function:literal) => {
                concat!(
                    stringify!($curve),
                    "::",
                    stringify!($field),
                    "::",
                    $function
                )
            };
        }
        case_list! {
            name!("from_u64") => $field::from_u64(secret(9)),
            name!("from(u128)") => $field::from(secret(9_u128)),
            name!("from(i64)") => $field::from(secret(-9_i64)),
            name!("from(bool)") => $field::from(secret(1_u8) & 1 == 1),
            name!("from_words_reduced") => $field::from_words_reduced(secret([9; $words])),
            name!("from_canonical_limbs") => $field::from_canonical_limbs(secret([9; $words])),
            name!("to_canonical_limbs") => x().to_canonical_limbs(),
            name!("from_le_bytes") => $field::from_le_bytes(&secret([9; 8 * $words])),
            name!("from_be_bytes") => $field::from_be_bytes(&secret([9; 8 * $words])),
            name!("to_le_bytes") => x().to_le_bytes(),
            name!("to_be_bytes") => x().to_be_bytes(),
            name!("from_uniform_bytes") => $field::from_uniform_bytes(&secret([9; 16 * $words])),
            name!("add") => x() + x(),
            name!("sub") => x() - x(),
            name!("neg") => -x(),
            name!("double") => x().double(),
            name!("halve") => x().halve(),
            name!("mul") => x() * x(),
            name!("square") => x().square(),
            name!("invert") => x().invert(),
            name!("square_repeated") => x().square_repeated(7),
            name!("pow") => x().pow(&[secret(0x1234_5678_9abc_def1)]),
            name!("sum") => [x(), x()].iter().sum::<$field>(),
            name!("product") => [x(), x()].iter().product::<$field>(),
            name!("is_zero") => x().is_zero(),
            name!("ct_eq") => x().ct_eq(&x()),
            name!("eq") => x() == x(),
            name!("conditional_select") => $field::conditional_select(&x(), &x(), choice()),
            name!("select_entry") => $field::select_entry(&[x(), x()], secret(1)),
            name!("sqrt") => x().sqrt(),
        }
    }};
}

/// The further operations of fields in Montgomery form.
macro_rules! of_montgomery_field {
    ($curve:ident::$field:ident, $words:literal) => {{
        use $curve::$field;
        fn x() -> $field {
            secret($field::from_u64(5).square())
        }
        macro_rules! name {
            ($function:literal) => {
                concat!(
                    stringify!($curve),
                    "::",
                    stringify!($field),
                    "::",
                    $function
                )
            };
        }
        let mut cases = of_field!($curve::$field, $words);
        cases.extend(case_list! {
            name!("from_montgomery_limbs") => $field::from_montgomery_limbs(secret([9; $words])),
            name!("montgomery_product_raw") => x().montgomery_product_raw(&secret([9; $words])),
            name!("sum_of_products") => $field::sum_of_products([&x(), &x()], [&x(), &x()]),
            name!("mul_small_add") => x().mul_small_add(secret(3), &x()),
            name!("legendre") => x().legendre(),
            name!("is_square") => x().is_square(),
        });
        cases
    }};
}

/// All of them.
pub fn all() -> Vec<Case> {
    let some_have = case_list! {
        "bn254::Fq::is_lexicographically_largest" => secret(bn254::Fq::from_u64(5)).is_lexicographically_largest(),
        "bls12_381::Fq::is_lexicographically_largest" => secret(bls12_381::Fq::from_u64(5)).is_lexicographically_largest(),
        "bls12_381::Fr::is_lexicographically_largest" => secret(bls12_381::Fr::from_u64(5)).is_lexicographically_largest(),
        "bandersnatch::Fr::to_bytes" => secret(bandersnatch::Fr::from_u64(5)).to_bytes(),
        "bandersnatch::Fr::from_bytes" => bandersnatch::Fr::from_bytes(&secret([5; 32])),
        "bandersnatch::Fr::from_bytes_reduced" => bandersnatch::Fr::from_bytes_reduced(&secret([5; 32])),
        "secp256k1::Fq::mul_small" => secret(secp256k1::Fq::from_u64(5)).mul_small(7),
        "secp256k1::Fq::from_words_mod" => secp256k1::Fq::from_words_mod(&secret([9; 4])),
        "secp256k1::Fq::is_odd" => secret(secp256k1::Fq::from_u64(5)).is_odd(),
        "secp256k1::Fr::mul_small" => secret(secp256k1::Fr::from_u64(5)).mul_small(7),
        "secp256k1::Fr::from_words_mod" => secp256k1::Fr::from_words_mod(&secret([9; 4])),
        "secp256k1::Fr::from_be_bytes_mod" => secp256k1::Fr::from_be_bytes_mod(&secret([9; 32])),
        "secp256k1::Fr::is_high" => secret(secp256k1::Fr::from_u64(5)).is_high(),
        "sqrt_tonelli_shanks" => sqrt_tonelli_shanks(&secret(bn254::Fr::from_u64(25)), &[0x1234_5678]),
    };
    [
        some_have,
        of_montgomery_field!(bn254::Fq, 4),
        of_montgomery_field!(bn254::Fr, 4),
        of_montgomery_field!(bls12_381::Fq, 6),
        of_montgomery_field!(bls12_381::Fr, 4),
        of_montgomery_field!(bandersnatch::Fr, 4),
        of_field!(secp256k1::Fq, 4),
        of_field!(secp256k1::Fr, 4),
    ]
    .into_iter()
    .flatten()
    .collect()
}
