//! Keys and the verifier of both curves, compiled in this crate. Setups and the prover have doors (`doors.rs`).
//!
//! Builds without full optimisation, as for tests, share instances of generic functions with the crates below. Without
//! this file every crate and test program that proves compiles all of the verifier for itself.

use frumious_curves::{Bls12_381, Bn254};

use crate::verify::{PreparedVerifyingKey, verify, verify_batch};
use crate::{ProvingEngine, ProvingKey};

/// The functions that are compiled here. Nobody calls this.
#[doc(hidden)]
#[inline(never)]
pub fn instances() -> [[*const (); 5]; 2] {
    [of::<Bn254>(), of::<Bls12_381>()]
}

fn of<E: ProvingEngine>() -> [*const (); 5] {
    [
        ProvingKey::<E>::new as *const (),
        PreparedVerifyingKey::<E>::verify as *const (),
        verify::<E> as *const (),
        verify_batch::<E> as *const (),
        PreparedVerifyingKey::<E>::find_invalid as *const (),
    ]
}
