//! `frumious_field::vector`, by its scalar code: the lanes' code is the same for all elements by the nature of lanes, and is looked at
//! by `cargo xtask asm-check`.

use frumious_curves::bn254::Fr;
use frumious_field::vector;

use crate::valgrind::secret;
use crate::{Case, case_list};

/// Some elements.
fn some() -> [Fr; 5] {
    secret([3, 5, 7, 11, 13].map(Fr::from_u64))
}

fn changed(change: impl FnOnce(&mut [Fr])) -> [Fr; 5] {
    let mut values = some();
    change(&mut values);
    values
}

fn integers(write: impl FnOnce(&mut [[u64; 4]])) -> [[u64; 4]; 5] {
    let mut values = [[0; 4]; 5];
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
        "vector::multiply_subtract_canonical" => integers(|out| vector::multiply_subtract_canonical(&some(), &some(), &some(), out)),
        "vector::to_canonical" => integers(|out| vector::to_canonical(&some(), out)),
        "vector::scale" => changed(|a| vector::scale(a, &some()[0])),
        "vector::add_scaled" => changed(|sum| vector::add_scaled(sum, &some()[0], &some())),
        "vector::add_combination" => changed(|sum| vector::add_combination(sum, &[&some(), &some()], &some()[..2])),
        "vector::inner_product" => vector::inner_product(&some(), &some()),
        "vector::sum" => vector::sum(&some()),
        "vector::powers" => changed(|out| vector::powers(out, &some()[0], &some()[1])),
        "vector::scale_by_powers" => changed(|a| vector::scale_by_powers(a, &some()[0], &some()[1])),
    }
}
