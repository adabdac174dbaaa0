//! The transforms of both curves' scalars, compiled in this crate: `frumious_groth16::instances` says why.

use frumious_curves::{bls12_381, bn254};

use crate::Domain;

/// The functions that are compiled here. Nobody calls this.
#[doc(hidden)]
#[inline(never)]
pub fn instances() -> [*const (); 2] {
    [
        Domain::<bn254::Fr>::run as *const (),
        Domain::<bls12_381::Fr>::run as *const (),
    ]
}
