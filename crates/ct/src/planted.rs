//! Functions whose time depends on a secret, each in its own way: the check is worth something if it finds all of them.

use core::hint::black_box;

use frumious_curves::bn254::{Fr, G1Projective};
use frumious_limbs::declassify;
use subtle::{Choice, CtOption};

use crate::valgrind::secret;
use crate::{Case, case_list};

/// All of them.
pub fn all() -> Vec<Case> {
    case_list! {
        "a branch" => branch(secret(7)),
        "an index" => index(secret(7)),
        "a loop count" => count(secret(7)),
        "an option that is opened" => CtOption::new(5u64, Choice::from(secret(1u8) & 1)).expect("it is one"),
        "a branch beside a decision that is declared" => beside_a_decision(secret(7)),
        "a branch on what a declared decision was about" => after_a_decision(secret(7)),
        "a variable-time inversion" => secret(Fr::from_u64(7)).invert_vartime(),
        "a variable-time multiplication" => G1Projective::GENERATOR.mul_vartime(&secret(Fr::from_u64(7))),
    }
}

#[inline(never)]
fn branch(secret: u64) -> u64 {
    if secret == 3 { black_box(secret) } else { 5 }
}

/// The decision alone is public, not another about the same secret.
#[inline(never)]
fn beside_a_decision(secret: u64) -> u64 {
    if declassify(secret == 0) {
        return 0;
    }
    branch(secret)
}

/// Nor the secret that it was about.
#[inline(never)]
fn after_a_decision(secret: u64) -> u64 {
    let told = u64::from(declassify(secret == 3));
    black_box(told) + branch(secret)
}

#[inline(never)]
fn index(secret: u64) -> u8 {
    let table = black_box([1u8; 256]);
    table[(secret & 255) as usize]
}

#[inline(never)]
fn count(secret: u64) {
    for i in 0..secret & 15 {
        black_box(i);
    }
}
