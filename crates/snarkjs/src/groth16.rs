//! Groth16's shelf: proving keys in two containers, proofs and verification keys, setups into files.
//!
//! | file | here |
//! |---|---|
//! | `.zkey` | [`Zkey`](crate::Zkey) reads, [`ZkeyWriter`](crate::ZkeyWriter) writes, [`ZkeySink`] is for setups |
//! | `.fkey`, a container of our own | [`Fkey`](crate::Fkey) reads, [`write_fkey`](crate::generic::write_fkey) writes |
//! | either as a key to prove with | [`open_proving_key`], [`proving_key`] |
//! | proof, verification key | [`proof_from_json`] and so on |
//! | a verdict on a proof in JSON, or on many | [`verify_json`], [`find_invalid_json`] |
//! | contributions to a `.zkey` | [`phase2`] |
//! | the same in the form of bellman's programs, `.mpcparams` | [`bellman`] |
//! | Solidity | [`solidity_verifier`], [`calldata()`] |
//! | bytes of arkworks, gnark and Sui | [`ByteLayout`], [`proof_to_bytes`] and so on |

pub mod bellman;
mod calldata;
mod circuit_hash;
pub(crate) mod fkey;
mod json;
pub(crate) mod key_file;
mod layouts;
pub mod phase2;
mod prove;
mod setup;
mod sink;
mod solidity;
mod source;
mod verify;
pub(crate) mod zkey;

pub use calldata::calldata;
pub use fkey::sign_fkey_for_tests;
pub use json::{
    open_proof, open_verifying_key, proof_from_json, proof_to_json, statement_from_json,
    verifying_key_from_json, verifying_key_to_json,
};
pub use key_file::key_kind;
pub use layouts::{
    ByteLayout, proof_from_bytes, proof_to_bytes, public_from_bytes, public_to_bytes,
    verifying_key_from_bytes, verifying_key_to_bytes,
};
pub use prove::{prove, values};
pub use setup::{setup, setup_dev, setup_dev_from_seed};
pub use sink::{KeyOutput, Position, ZkeySink};
pub use solidity::solidity_verifier;
pub(crate) use source::check_in_ranges;
pub use source::{check_digests, check_key, open_proving_key, proving_key};
pub use verify::{Judged, NoVerdict, Rejected, find_invalid_json, verify_json};
pub use zkey::COEFFICIENT_BYTES;
