//! The functions that are called: every public function without the suffix `_vartime` whose arguments may be secret,
//! crate by crate.
//!
//! Left out are what only constants call (`*_const`, `const` constructors), what reads public bytes (points are
//! decoded; whether that succeeds is public), randomness, and formatting. Lengths, counts and exponents are public
//! everywhere.

mod bandersnatch;
mod bls;
mod extensions;
mod fields;
mod groth16;
mod groups;
mod limbs;
mod pairings;
mod r1cs;
mod signatures;
mod vectors;

use crate::Case;

/// All of them.
pub fn all() -> Vec<Case> {
    [
        limbs::all(),
        fields::all(),
        vectors::all(),
        extensions::all(),
        groups::all(),
        pairings::all(),
        bandersnatch::all(),
        bls::all(),
        signatures::all(),
        r1cs::all(),
        groth16::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
