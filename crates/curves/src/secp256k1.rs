//! secp256k1: `y² = x³ + 7` over a prime of 256 bits, a group of prime order without a pairing.
//!
//! Source: SEC 2 version 2 (Certicom Research, 2010), section 2.4.1. Both primes lie just below `2^256`, so elements
//! are plain residues and products are reduced by folds (`frumious_limbs::pseudo_mersenne`): there is no Montgomery
//! form here.

mod encoding;
mod fq;
mod fr;
mod generator;
mod point;
mod vartime;

pub use fq::Fq;
pub use fr::Fr;
pub use point::{Affine, Projective};
