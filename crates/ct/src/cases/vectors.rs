//! `frumious_field::vector`, by its scalar code and, as the third backend, in lanes over the model of their
//! instructions. It shows that no kernel branches on a value. The kernels compiled for the real instructions are
//! checked by `cargo xtask ct-check`.

use frumious_curves::bn254::Fr;
use frumious_field::vector::{self, IntegerProducts};
use frumious_field::{Integer, TwiceMontgomery};

use crate::valgrind::secret;
use crate::{Case, case_list};

/// Enough for several turns of eight, and some more.
const COUNT: usize = 101;

/// Some elements.
fn some() -> [Fr; COUNT] {
    secret(core::array::from_fn(|i| Fr::from_u64(2 * i as u64 + 3)))
}

fn changed(change: impl FnOnce(&mut [Fr])) -> [Fr; COUNT] {
    let mut values = some();
    change(&mut values);
    values
}

fn integers(write: impl FnOnce(&mut [Integer<Fr>])) -> [Integer<Fr>; COUNT] {
    let mut values = [Integer::ZERO; COUNT];
    write(&mut values);
    values
}

/// All of them.
pub fn all() -> Vec<Case> {
    case_list! {
        "vector::add_assign" => changed(|a| vector::add_assign(a, &some())),
        "vector::subtract_assign" => changed(|a| vector::subtract_assign(a, &some())),
        "vector::multiply_assign" => changed(|a| vector::multiply_assign(a, &some())),
        "vector::multiply" => changed(|out| vector::multiply(&some(), &some(), out)),
        "vector::multiply_subtract" => changed(|c| vector::multiply_subtract(&some(), &some(), c)),
        "vector::multiply_subtract_to_integers" => integers(|out| vector::multiply_subtract_to_integers(&some(), &some(), &some(), out)),
        "vector::to_integers" => integers(|out| vector::to_integers(&some(), out)),
        "Integer::to_element" => Integer::from(some()[0]).to_element(),
        "Integer::montgomery_form" => Integer::montgomery_form(some()[0]).to_element_of_form(),
        "TwiceMontgomery" => TwiceMontgomery::from(some()[0]) * Integer::from(some()[1]),
        "vector::IntegerProducts" => {
            let mut products = IntegerProducts::<Fr, 2>::new();
            products.push(TwiceMontgomery::from(some()[0]));
            (products.is_empty(), products.times(|_| Integer::from(some()[1]))[0])
        },
        "vector::scale" => changed(|a| vector::scale(a, &some()[0])),
        "vector::add_scaled" => changed(|sum| vector::add_scaled(sum, &some()[0], &some())),
        "vector::add_combination" => changed(|sum| vector::add_combination(sum, &[&some(), &some()], &some()[..2])),
        "vector::inner_product" => vector::inner_product(&some(), &some()),
        "vector::sum" => vector::sum(&some()),
        "vector::powers" => changed(|out| vector::powers(out, &some()[0], &some()[1])),
        "vector::scale_by_powers" => changed(|a| vector::scale_by_powers(a, &some()[0], &some()[1])),
    }
}
