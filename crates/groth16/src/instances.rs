//! Setup, prover and verifier of both curves, compiled in this crate.
//!
//! A crate shares an instance of a generic function with the crates below it if that function is `#[inline(never)]`.
//! Builds without full optimisation, as for tests, share any. Without this file every crate and test program that
//! proves compiles all of the prover for itself.

use frumious_curves::{Bls12_381, Bn254};

use crate::prove::{prove_blinded, prove_with_randomness_for_tests};
use crate::setup::{make, make_anew, make_from_seed};
use crate::verify::{PreparedVerifyingKey, verify, verify_batch};
use crate::{ProvingEngine, ProvingKey};

/// The functions that are compiled here. Nobody calls this.
#[doc(hidden)]
#[inline(never)]
pub fn instances() -> [[*const (); 10]; 2] {
    [of::<Bn254>(), of::<Bls12_381>()]
}

fn of<E: ProvingEngine>() -> [*const (); 10] {
    [
        prove_blinded::<E> as *const (),
        prove_with_randomness_for_tests::<E> as *const (),
        ProvingKey::<E>::new as *const (),
        PreparedVerifyingKey::<E>::verify as *const (),
        verify::<E> as *const (),
        verify_batch::<E> as *const (),
        PreparedVerifyingKey::<E>::find_invalid as *const (),
        make::<E> as *const (),
        make_anew::<E> as *const (),
        make_from_seed::<E> as *const (),
    ]
}
