//! `frumious_limbs`, for four and for six words.

use frumious_curves::{bls12_381, bn254};
use frumious_limbs::{
    Modulus, Prepared, Wide, modular, portable, primitives, products, unrolled, words,
};
use subtle::Choice;

use crate::valgrind::secret;
use crate::{Case, case_list};

const FOUR: Modulus<4> = Modulus::new(bn254::Fq::MODULUS);
const SIX: Modulus<6> = Modulus::new(bls12_381::Fq::MODULUS);

/// The cases of one length. Numbers are half the modulus, so that nothing is zero, and sums are reduced.
macro_rules! of_length {
    ($n:literal, $modulus:ident) => {{
        /// A residue.
        fn x() -> [u64; $n] {
            secret(words::halve(&$modulus.p))
        }
        /// A product.
        fn wide() -> Wide<$n> {
            secret(Wide::product_const(&$modulus.r, &$modulus.r2))
        }
        fn changed(change: impl FnOnce(&mut Wide<$n>)) -> Wide<$n> {
            let mut value = wide();
            change(&mut value);
            value
        }
        case_list! {
            concat!("words::add ", $n) => words::add(&x(), &x()),
            concat!("words::sub ", $n) => words::sub(&x(), &x()),
            concat!("words::select_mask ", $n) => words::select_mask(&x(), &x(), secret(u64::MAX)),
            concat!("words::select ", $n) => words::select(&x(), &x(), Choice::from(secret(1u8) & 1)),
            concat!("words::less_than ", $n) => words::less_than(&x(), &x()),
            concat!("words::double ", $n) => words::double(&x()),
            concat!("words::halve ", $n) => words::halve(&x()),
            concat!("words::shift_right ", $n) => words::shift_right(&x(), 3),
            concat!("words::from_le_bytes ", $n) => words::from_le_bytes::<$n>(&secret([5u8; 8 * $n])),
            concat!("words::from_be_bytes ", $n) => words::from_be_bytes::<$n>(&secret([5u8; 8 * $n])),
            concat!("modular::reduce_once ", $n) => modular::reduce_once(&x(), &$modulus.p),
            concat!("modular::add ", $n) => modular::add(&x(), &x(), &$modulus.p),
            concat!("modular::add_wide ", $n) => modular::add_wide(&x(), &x(), &$modulus.p),
            concat!("Prepared::new ", $n) => Prepared::new(&x(), &$modulus),
            concat!("Prepared::mul ", $n) => Prepared::new(&$modulus.r2, &$modulus).mul(&x(), &$modulus),
            concat!("modular::sub ", $n) => modular::sub(&x(), &x(), &$modulus.p),
            concat!("modular::neg ", $n) => modular::neg(&x(), &$modulus.p),
            concat!("modular::halve ", $n) => modular::halve(&x(), &$modulus.p),
            concat!("modular::lookup ", $n) => modular::lookup(&[x(), x(), x()], secret(2)),
            concat!("portable::mul_lazy ", $n) => portable::mul_lazy(&x(), &x(), &$modulus.p, $modulus.p_neg_inv),
            concat!("unrolled::square ", $n) => unrolled::square(&x(), &$modulus),
            concat!("products::sum_of_products_lazy ", $n) => products::sum_of_products_lazy([&x(), &x()], [&x(), &x()], &$modulus),
            concat!("Modulus::add ", $n) => $modulus.add(&x(), &x()),
            concat!("Modulus::sub ", $n) => $modulus.sub(&x(), &x()),
            concat!("Modulus::neg ", $n) => $modulus.neg(&x()),
            concat!("Modulus::halve ", $n) => $modulus.halve(&x()),
            concat!("Modulus::mul ", $n) => $modulus.mul(&x(), &x()),
            concat!("Modulus::mul_any ", $n) => $modulus.mul_any(&x(), &x()),
            concat!("Modulus::square ", $n) => $modulus.square(&x()),
            concat!("Modulus::square_repeated ", $n) => $modulus.square_repeated(&x(), 5),
            concat!("Modulus::from_montgomery ", $n) => $modulus.from_montgomery(&x()),
            concat!("Modulus::to_montgomery ", $n) => modular::reduce_once(&$modulus.mul_any(&x(), &$modulus.r2), &$modulus.p),
            concat!("Modulus::pow_vartime, of a secret to a public power ", $n) => $modulus.pow_vartime(&x(), &[0x1234_5678_9abc_def0]),
            concat!("Modulus::invert ", $n) => $modulus.invert(&x()),
            concat!("Modulus::legendre ", $n) => $modulus.legendre(&x()),
            concat!("Modulus::mul_small_add ", $n) => $modulus.mul_small_add(&x(), secret(3), &x()),
            concat!("Modulus::sum_of_products of 1 ", $n) => $modulus.sum_of_products([&x()], [&x()]),
            concat!("Modulus::sum_of_products of 2 ", $n) => $modulus.sum_of_products([&x(); 2], [&x(); 2]),
            concat!("Modulus::sum_of_products of 3 ", $n) => $modulus.sum_of_products([&x(); 3], [&x(); 3]),
            concat!("Modulus::sum_of_products of 4 ", $n) => $modulus.sum_of_products([&x(); 4], [&x(); 4]),
            concat!("Modulus::sum_of_products of 6 ", $n) => $modulus.sum_of_products([&x(); 6], [&x(); 6]),
            concat!("Modulus::sum_of_products of 7 ", $n) => $modulus.sum_of_products([&x(); 7], [&x(); 7]),
            concat!("Modulus::reduce_wide ", $n) => $modulus.reduce_wide::<false>(&wide()),
            concat!("Modulus::reduce_wide twice ", $n) => $modulus.reduce_wide::<true>(&wide()),
            concat!("Wide::set_product ", $n) => changed(|value| value.set_product(&x(), &x())),
            concat!("Wide::set_square ", $n) => changed(|value| value.set_square(&x())),
            concat!("Wide::add_assign ", $n) => changed(|value| value.add_assign(&wide())),
            concat!("Wide::sub_assign ", $n) => changed(|value| value.sub_assign(&wide())),
        }
    }};
}

/// All of them.
pub fn all() -> Vec<Case> {
    let of_one_word = case_list! {
        "primitives::adc" => primitives::adc(secret(1), secret(u64::MAX), secret(1u64) == 1),
        "primitives::sbb" => primitives::sbb(secret(1), secret(u64::MAX), secret(1u64) == 1),
        "primitives::mac" => primitives::mac(secret(1), secret(u64::MAX), secret(3), secret(4)),
        "modular::opaque" => modular::opaque(secret(3)),
    };
    fn x() -> [u64; 4] {
        secret(words::halve(&FOUR.p))
    }
    let unrolled_products = case_list! {
        "unrolled::mul" => unrolled::mul(&x(), &x(), &FOUR),
        "unrolled::mul_six" => {
            let x = || secret(words::halve(&SIX.p));
            unrolled::mul_six(&x(), &x(), &SIX)
        },
        "unrolled::mul_lazy" => unrolled::mul_lazy(&x(), &x(), &FOUR),
    };
    [
        of_one_word,
        unrolled_products,
        of_length!(4, FOUR),
        of_length!(6, SIX),
    ]
    .into_iter()
    .flatten()
    .collect()
}
