#![forbid(unsafe_code)]
//! Groth16 over BN254 and BLS12-381: setup, prover and verifier, without any file format.
//!
//! A rank-1 constraint system says `(A·w)∘(B·w) = C·w` of a witness w. Its value 0 is the constant 1, and the public
//! signals follow. [`setup()`] turns the system and powers of tau into a proving key. [`prove()`] turns a key and a
//! witness into a proof of three points. [`verify()`] decides whether a proof and public signals belong together.
//! Source: Groth 2016, "On the size of pairing-based non-interactive arguments", eprint 2016/260, section 3.2. The
//! quotient is given by its values on the odd roots of the doubled domain, as in snarkjs.
//!
//! | chapter | holds |
//! |---|---|
//! | [`KeySource`], [`KeySink`] | where a key is read from, and where a setup puts it; [`KeyVectors`] is both, in memory |
//! | [`ProvingKey`] | a key ready for any number of proofs |
//! | [`prove()`] | rows, quotient, four sums, blinding; the proof is verified before it is returned |
//! | [`verify()`], [`verify_batch`] | one product of pairings for one proof, or for many |
//! | [`TauShare`], [`successive`], [`lagrange_bases`] | contributions to powers of tau, their verification, bases for keys |
//! | [`DeltaShare`], [`same_multiples`], [`same_quotient`] | contributions to a key, and their verification |
//! | [`setup()`], [`setup_dev`] | keys from a ceremony; keys for tests, from secrets drawn and thrown away |
//!
//! Everything is generic over a [`ProvingEngine`]. Keys, witnesses and proofs in snarkjs's files are read and written
//! by `frumious-snarkjs`.

mod coefficient;
mod contribution;
mod domain;
mod engine;
mod error;
#[doc(hidden)]
pub mod instances;
mod key;
mod membership;
mod proof;
mod prove;
mod setup;
mod tau;
mod verify;
mod weights;
mod witness;

pub use coefficient::{Coefficient, Matrix};
pub use contribution::{
    DeltaShare, Uncontributed, quotient_from_powers_vartime, quotient_powers_vartime,
    same_multiples, same_quotient, same_ratio,
};
pub use domain::log_domain_size;
pub use engine::ProvingEngine;
pub use error::{Error, PointFault, ProofPoint, VerifyingKeyPoint};
pub use key::{
    Entries, Footprint, KeyHeader, KeySink, KeySource, KeyVectors, Part, PointWindow, Position,
    ProvingKey, RowBatch, RowReader, RowWindow, RowWindowVisitor,
};
pub use proof::{Proof, VerifyingKey};
pub use prove::{
    PartialSum, Phase, ProveOptions, ProvingMemory, QuotientSide, ShardSums, prove,
    quotient_scalars,
};
#[doc(hidden)]
pub use prove::{
    assemble_with_randomness_for_tests, blind_for_tests, prove_with_randomness_for_tests,
    rerandomise_for_tests,
};
pub use setup::{
    Powers, SEED_BYTES, SetupOptions, SetupPhase, SetupPlan, plan_ceremony, plan_dev, seed_digest,
    setup, setup_dev, setup_dev_from_seed,
};
pub use tau::{
    TauLists, TauSecret, TauShare, are_lagrange_bases, are_powers, bases_bytes, is_lagrange_basis,
    is_lagrange_basis_of_more, lagrange_bases, lagrange_bytes, successive,
};
pub use verify::{PreparedVerifyingKey, Refused, verify, verify_batch};
pub use witness::Witness;
