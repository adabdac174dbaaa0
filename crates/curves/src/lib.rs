#![forbid(unsafe_code)]
//! Prime fields, groups, pairings and encodings, one module per curve.
//!
//! Types are concrete: `bn254::Fq` holds coordinates, `bn254::Fr` scalars. Group formulas that several curves share
//! are in [`weierstrass`] and [`edwards`]. What protocols ask of a group is [`Group`], of a pairing [`engine`].

mod affine_lines;
pub mod bandersnatch;
mod batch_invert;
pub mod bls12_381;
pub mod bn254;
pub mod edwards;
mod encoding;
mod endomorphism;
pub mod engine;
mod extension;
mod glv;
mod group;
mod membership;
mod quadratic_lanes;
mod random;
mod rows;
pub mod secp256k1;
#[cfg(feature = "serde")]
mod serde;
mod simplified_swu;
mod to_affine;
pub mod weierstrass;

pub use encoding::EncodingError;
pub use endomorphism::{Endomorphism, ScalarDigits};
pub use engine::{Bls12_381, Bn254, PairingCurve, PairingEngine};
pub use group::Group;
pub use membership::Membership;
pub use quadratic_lanes::{PairOfWords, QuadraticLanes};
pub use random::RandomError;
