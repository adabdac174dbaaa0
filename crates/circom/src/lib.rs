//! The file formats of circom and snarkjs, for Groth16 over BN254.
//!
//! | format | type | read | write |
//! |---|---|---|---|
//! | `.r1cs` constraint system | [`R1cs`] | mapped or owned, validated whole | [`R1cs::write`] |
//! | `.wtns` witness | [`Wtns`] | copied, validated whole | [`Wtns::write`] |
//! | `.zkey` proving key | [`Zkey`] | mapped or owned, header validated, points on demand | [`ZkeyWriter`] |
//! | `.ptau` powers of tau | [`Ptau`] | mapped or owned, header validated, points on demand | no |
//! | proof, verification key, public signals as JSON | [`Proof`], [`VerifyingKey`], [`public_from_json`] | yes | byte for byte as snarkjs |
//! | Solidity | [`solidity_verifier`], [`calldata()`] | no | yes |
//!
//! Every byte read is untrusted. A parser never panics, never loops longer than its input, and never allocates more than
//! a small multiple of it; each [`Error`] names the kind of file, the section and the byte offset (in JSON: the path of
//! the value). Facts about the formats are those of circom 2.2, r1csfile 0.0.48 and snarkjs 0.7.6.
//!
//! Organisation, bottom up: [`FileBytes`] holds the bytes; `container` finds the sections; each format's module gives
//! meaning to them. Points stay where they are in the file and are decoded when asked for ([`Points`]).

mod calldata;
mod container;
mod error;
mod json;
mod points;
mod proof;
mod ptau;
mod r1cs;
mod solidity;
mod words;
mod wtns;
mod zkey;

pub use calldata::calldata;
pub use error::{Error, FileKind, Place, Problem};
pub use frumious_mapping::{Error as FileError, FileBytes, exit_on_truncated_mapping};
pub use json::{open_public, public_from_json, public_to_json};
pub use points::{G1Points, G2Points, Points, StoredPoint};
pub use proof::{Proof, VerifyingKey};
pub use ptau::Ptau;
pub use r1cs::{Constraint, LinearCombination, R1cs, R1csBuilder, Term, Terms};
pub use solidity::solidity_verifier;
pub use wtns::Wtns;
pub use zkey::{
    Coefficient, Coefficients, Contribution, Contributions, Matrix, Zkey, ZkeyHeader, ZkeyWriter,
};
