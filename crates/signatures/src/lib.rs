#![forbid(unsafe_code)]
//! Signatures over secp256k1: ECDSA as Bitcoin and Ethereum use it, and BIP-340's Schnorr signatures.
//!
//! ```
//! # mod frumious { pub use ::frumious_signatures as signatures; }
//! use frumious::signatures::{SecretKey, ecdsa};
//!
//! let key = SecretKey::random()?;
//! let digest = [0x5a; 32]; // SHA-256 or Keccak-256 of the message
//! let (signature, recovery) = key.sign_ecdsa_recoverable(&digest);
//! assert!(key.public_key().verify_ecdsa(&digest, &signature));
//! assert_eq!(ecdsa::recover(&digest, &signature, recovery)?, key.public_key());
//!
//! let signature = key.sign_schnorr(b"pay Bob 5", &[0; 32])?;
//! assert!(key.public_key().x_only().verify_schnorr(b"pay Bob 5", &signature));
//! # Ok::<(), frumious::signatures::Error>(())
//! ```
//!
//! Values of the types are valid: decoders check that a key is a finite point and that a signature's numbers are in
//! range. Making keys and signing take constant time in the secret (and time by the message's length). Verification and
//! recovery are of public values and take what time they take. A signature that does not verify is `false`, no error.

pub mod ecdsa;
mod error;
mod public_key;
pub mod schnorr;
mod secret_key;

pub use error::Error;
pub use public_key::PublicKey;
pub use secret_key::SecretKey;
