#![forbid(unsafe_code)]
//! Groth16 over BN254 and BLS12-381: setup, prover and verifier, with keys, witnesses and proofs as circom and snarkjs have them.
//!
//! A rank-1 constraint system says `(A·w)∘(B·w) = C·w` of a witness w whose value 0 is the constant 1, followed by the
//! public signals. [`setup()`] turns it and the powers of tau of a ceremony into a proving key, [`prove()`] a key and a
//! witness into a proof of three points, [`verify()`] decides whether a proof and public signals belong together.
//! Source: Groth 2016, "On the size of pairing-based non-interactive arguments", eprint 2016/260, section 3.2; the form of
//! the quotient (Lagrange basis on the odd roots of the doubled domain) is that of snarkjs.
//!
//! | chapter | what |
//! |---|---|
//! | [`ProvingKey`] | a zkey, checked and indexed once, shared by any number of proofs |
//! | [`prove()`] | evaluate rows, quotient, five MSMs, blinding; the proof is verified before it is returned |
//! | [`verify()`], [`verify_batch`] | one product of pairings for one proof, or for many |
//! | [`setup()`], [`setup_dev`] | keys from a ceremony; keys for tests, from secrets drawn and thrown away |
//!
//! Everything is generic over a [`ProvingEngine`] and compiled for each: which one is told by the types of `frumious_circom` that
//! are given, at its root those of BN254, in its module `bls12_381` those of BLS12-381.

mod coefficient;
mod contribution;
mod domain;
mod engine;
mod error;
mod key;
mod membership;
mod points;
mod proof;
mod prove;
mod setup;
mod verify;
mod witness;

pub use coefficient::{Coefficient, Matrix};
pub use contribution::Uncontributed;
pub use domain::log_domain_size;
pub use engine::ProvingEngine;
pub use error::Error;
pub use key::{
    Entries, Footprint, KeyHeader, KeySink, KeySource, KeyVectors, Part, PointWindow, Position,
    ProvingKey, RowBatch, RowReader, RowWindow, RowWindowVisitor,
};
pub use membership::{PointFault, ProofPoint, VerifyingKeyPoint};
pub use points::PointList;
pub use proof::{Proof, VerifyingKey};
pub use prove::{Phase, ProveOptions, ProvingMemory, prove};
#[doc(hidden)]
pub use prove::{blind_for_tests, prove_with_randomness_for_tests};
pub use setup::{
    Powers, SEED_BYTES, SetupOptions, SetupPhase, SetupPlan, plan_ceremony, plan_dev, seed_digest,
    setup, setup_dev, setup_dev_from_seed,
};
pub use verify::{PreparedVerifyingKey, verify, verify_batch};
pub use witness::Witness;
