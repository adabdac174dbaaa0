//! EdDSA over BabyJubJub with Poseidon: the signatures that circomlib's `EdDSAPoseidonVerifier` accepts.
//!
//! A signature `(R, S)` on the element `M` by the key `A` is valid when `S < l`, `S·BASE8 = R + h·8·A`, and `8·A` is
//! not the neutral element. Here `h = Poseidon(R.x, R.y, A.x, A.y, M)` is an integer below the field's modulus. Points
//! are affine.
//!
//! Points off the curve are refused here, in circuits and outside: circomlib's circuit does not look, and leaves it to
//! who chooses the key.
//!
//! circomlibjs derives a scalar from a seed by BLAKE-512; here a [`SecretKey`] is the scalar. It is what they call the
//! pruned hash, shifted right by three bits.

mod circuit;
mod native;

pub use circuit::{template, template_if, verify};
pub use native::{KeyError, PublicKey, SecretKey, Signature};
