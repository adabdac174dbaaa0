#![forbid(unsafe_code)]
//! The cryptography of Verkle trees over Banderwagon, bit-exact with go-ipa and rust-verkle. It has commitments to 256
//! values, inner product arguments, and proofs of many openings in 576 bytes.
//!
//! A [`Committer`] holds the basis ([`Crs`]) and its tables. [`Prover`] and [`Verifier`] make and check a
//! [`Multiproof`] of any number of openings. Both hash into a [`Transcript`], whose label the caller gives.
//!
//! ```
//! # mod frumious { pub use ::frumious_curves as curves; pub use ::frumious_verkle as verkle; }
//! use frumious::curves::bandersnatch::Fr;
//! use frumious::verkle::{Committer, Multiproof, Opening, Preset, Prover, Transcript, Verifier};
//!
//! let committer = Committer::new(Preset::Verifier)?; // 3 MiB of tables; larger presets commit faster
//! let polynomial = core::array::from_fn(|i| Fr::from_u64(i as u64 + 1)); // 1, 2, …, 256
//! let commitment = committer.commit_values(&polynomial);
//! let opening = Opening { commitment, polynomial: &polynomial, point: 7 };
//! let proof = Prover::new(&committer).prove(&mut Transcript::new(b"example"), &[opening])?;
//!
//! let proof = Multiproof::from_bytes(&proof.to_bytes())?; // 576 bytes
//! let claim = opening.claim(); // that value 7 is 8
//! assert_eq!(claim.value, Fr::from_u64(8));
//! assert!(Verifier::new(&committer).verify(&mut Transcript::new(b"example"), &[claim], &proof)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here is secret: trees, commitments, openings and proofs are public data. So the whole crate is variable time
//! by decision, and must not be used to commit to secrets.
//!
//! Source: Feist, "PCS multiproofs using random evaluation" (2021) and "Inner product arguments" (2021); Bünz et al.,
//! "Bulletproofs" (eprint 2017/1066), section 3; the reference is go-ipa.

mod committer;
mod crs;
mod error;
pub mod ipa;
pub mod multiproof;
pub mod polynomial;
mod proof;
mod transcript;
pub mod tree;

pub use committer::Committer;
pub use crs::Crs;
pub use error::{Error, Part};
pub use frumious_msm::fixed::{Budget, Preset};
pub use multiproof::{Claim, Opening, Prover, Verifier};
pub use polynomial::{DOMAIN, Values};
pub use proof::{IpaProof, Multiproof};
pub use transcript::Transcript;
