#![forbid(unsafe_code)]
//! BLS signatures over BLS12-381, and the hashing of messages to its groups.
//!
//! The suite is Ethereum's, `BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_`. Public keys are points of G1 (48 bytes),
//! signatures points of G2 (96 bytes). A signer proves to possess the secret key before its public key may enter an
//! aggregate. Source: draft-irtf-cfrg-bls-signature-05; RFC 9380 ([`hash_to_curve`]).
//!
//! ```
//! # mod frumious { pub use ::frumious_bls as bls; }
//! use frumious::bls::{ProvenKey, SecretKey, Signature, fast_aggregate_verify};
//!
//! let alice = SecretKey::random()?;
//! let signature = alice.sign(b"pay Bob 5");
//! assert!(alice.public_key().verify(b"pay Bob 5", &signature));
//! assert!(!alice.public_key().verify(b"pay Bob 500", &signature));
//!
//! // many signers, one message, one signature
//! let signers = [alice, SecretKey::random()?];
//! let keys = signers.iter().map(|signer| {
//!     ProvenKey::new(signer.public_key(), &signer.prove_possession()).expect("an honest proof")
//! });
//! let keys: Vec<ProvenKey> = keys.collect();
//! let signatures: Vec<Signature> = signers.iter().map(|signer| signer.sign(b"block 7")).collect();
//! let aggregate = Signature::aggregate(&signatures)?;
//! assert!(fast_aggregate_verify(&keys, b"block 7", &aggregate));
//! # Ok::<(), frumious::bls::Error>(())
//! ```
//!
//! Values of the types are valid: decoders check that points lie in their groups and that a public key is not infinity.
//! Nothing is left to the caller. Signing and making keys take constant time in the secret. Verification takes variable
//! time, as its inputs are public.

mod aggregate;
mod batch;
mod error;
pub mod hash_to_curve;
mod possession;
mod public_key;
mod secret_key;
mod signature;
mod verify;

pub use aggregate::{aggregate_verify, fast_aggregate_verify};
pub use batch::verify_batch;
pub use error::Error;
pub use possession::{ProofOfPossession, ProvenKey};
pub use public_key::PublicKey;
pub use secret_key::SecretKey;
pub use signature::Signature;
