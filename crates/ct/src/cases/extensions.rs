//! The towers of extension fields.

use frumious_curves::{bls12_381, bn254};
use frumious_field::{Choice, ConditionallySelectable, ConstantTimeEq, Field};

use crate::valgrind::secret;
use crate::{Case, case_list};

fn choice() -> Choice {
    Choice::from(secret(1u8) & 1)
}

/// The operations of every extension field.
macro_rules! of_extension {
    ($curve:ident, $field:ident, $x:ident) => {
        case_list! {
            concat!(stringify!($curve), "::", stringify!($field), "::add") => $x() + $x(),
            concat!(stringify!($curve), "::", stringify!($field), "::sub") => $x() - $x(),
            concat!(stringify!($curve), "::", stringify!($field), "::neg") => -$x(),
            concat!(stringify!($curve), "::", stringify!($field), "::double") => $x().double(),
            concat!(stringify!($curve), "::", stringify!($field), "::mul") => $x() * $x(),
            concat!(stringify!($curve), "::", stringify!($field), "::square") => $x().square(),
            concat!(stringify!($curve), "::", stringify!($field), "::invert") => $x().invert(),
            concat!(stringify!($curve), "::", stringify!($field), "::is_zero") => $x().is_zero(),
            concat!(stringify!($curve), "::", stringify!($field), "::ct_eq") => $x().ct_eq(&$x()),
            concat!(stringify!($curve), "::", stringify!($field), "::eq") => $x() == $x(),
            concat!(stringify!($curve), "::", stringify!($field), "::conditional_select") => $field::conditional_select(&$x(), &$x(), choice()),
        }
    };
}

/// A tower: what each of its fields has, and what only one of them has.
macro_rules! of_tower {
    ($curve:ident) => {{
        use $curve::{Fq, Fq2, Fq6, Fq12};
        fn base() -> Fq {
            secret(Fq::from_u64(5))
        }
        fn second() -> Fq2 {
            secret(Fq2::new(Fq::from_u64(5), Fq::from_u64(7)))
        }
        fn sixth() -> Fq6 {
            secret(Fq6::new(second(), second(), second()))
        }
        fn twelfth() -> Fq12 {
            secret(Fq12::new(sixth(), sixth()))
        }
        [
            of_extension!($curve, Fq2, second),
            of_extension!($curve, Fq6, sixth),
            of_extension!($curve, Fq12, twelfth),
            case_list! {
                concat!(stringify!($curve), "::Fq2::halve") => second().halve(),
                concat!(stringify!($curve), "::Fq2::select_entry") => Fq2::select_entry(&[second(), second()], secret(1)),
                concat!(stringify!($curve), "::Fq2::sum_of_two_products") => Fq2::sum_of_two_products([&second(); 2], [&second(); 2]),
                concat!(stringify!($curve), "::Fq2::mul_by_fq") => second().mul_by_fq(&base()),
                concat!(stringify!($curve), "::Fq2::mul_by_nonresidue") => second().mul_by_nonresidue(),
                concat!(stringify!($curve), "::Fq2::conjugate") => second().conjugate(),
                concat!(stringify!($curve), "::Fq2::norm") => second().norm(),
                concat!(stringify!($curve), "::Fq2::sqrt") => second().sqrt(),
                concat!(stringify!($curve), "::Fq2::is_lexicographically_largest") => second().is_lexicographically_largest(),
                concat!(stringify!($curve), "::Fq6::mul_by_nonresidue") => sixth().mul_by_nonresidue(),
                concat!(stringify!($curve), "::Fq6::mul_by_fq2") => sixth().mul_by_fq2(&second()),
                concat!(stringify!($curve), "::Fq6::mul_by_fq") => sixth().mul_by_fq(&base()),
                concat!(stringify!($curve), "::Fq12::mul_by_line") => twelfth().mul_by_line(&second(), &second()),
                concat!(stringify!($curve), "::Fq12::conjugate") => twelfth().conjugate(),
                concat!(stringify!($curve), "::Fq12::cyclotomic_square") => twelfth().cyclotomic_square(),
                concat!(stringify!($curve), "::Fq12::frobenius") => twelfth().frobenius(),
                concat!(stringify!($curve), "::Fq12::frobenius_squared") => twelfth().frobenius_squared(),
                concat!(stringify!($curve), "::Fq12::frobenius_cubed") => twelfth().frobenius_cubed(),
            },
        ]
    }};
}

/// All of them.
pub fn all() -> Vec<Case> {
    let some_have = case_list! {
        "bn254::Fq2::sum_of_three_products" => bn254::Fq2::sum_of_three_products([&bn254_fq2(); 3], [&bn254_fq2(); 3]),
        "bn254::Fq2::mul_by_nonresidue_add" => bn254_fq2().mul_by_nonresidue_add(&bn254_fq2()),
        "bls12_381::Fq2::difference_of_two_products" => bls12_381::Fq2::difference_of_two_products([&bls12_381_fq2(); 2], [&bls12_381_fq2(); 2]),
    };
    [of_tower!(bn254), of_tower!(bls12_381)]
        .into_iter()
        .flatten()
        .chain([some_have])
        .flatten()
        .collect()
}

fn bn254_fq2() -> bn254::Fq2 {
    let c = bn254::Fq::from_u64(5);
    secret(bn254::Fq2::new(c, c))
}

fn bls12_381_fq2() -> bls12_381::Fq2 {
    let c = bls12_381::Fq::from_u64(5);
    secret(bls12_381::Fq2::new(c, c))
}
