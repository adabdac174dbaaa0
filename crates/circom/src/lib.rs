//! The file formats of circom and snarkjs, for Groth16 over BN254 and BLS12-381.
//!
//! | format | type | read | write |
//! |---|---|---|---|
//! | `.r1cs` constraint system | [`R1cs`] | mapped or owned, validated whole | [`R1cs::write`](generic::R1cs::write) |
//! | `.wtns` witness | [`Wtns`] | copied, validated whole | [`Wtns::write`](generic::Wtns::write) |
//! | `.zkey` proving key | [`Zkey`] | mapped or owned, header validated, points on demand | [`ZkeyWriter`] |
//! | `.fkey` proving key in a container of our own | [`generic::Fkey`] | mapped or owned, header and table validated, points on demand | [`write_fkey`](generic::write_fkey), and back to a `.zkey` |
//! | `.ptau` powers of tau | [`Ptau`] | mapped or owned, header validated, points on demand | no |
//! | proof, verification key, public signals as JSON | [`Proof`], [`VerifyingKey`], [`public_from_json`] | yes | byte for byte as snarkjs |
//! | Solidity | [`solidity_verifier`], [`calldata()`] | no | yes, BN254 only |
//!
//! Names at the root are BN254's, those of [`bls12_381`] BLS12-381's; both are the types of [`generic`] over an engine of
//! `frumious_curves`. A file for one curve is refused by the types of the other; [`curve_of`] tells which it is for.
//!
//! Every byte read is untrusted. A parser never panics, never loops longer than its input, and never allocates more than
//! a small multiple of it; each [`Error`] names the kind of file, the section and the byte offset (in JSON: the path of
//! the value). Facts about the formats are those of circom 2.2, r1csfile 0.0.48 and snarkjs 0.7.6.
//!
//! Organisation, bottom up: [`FileBytes`] holds the bytes; `container` finds the sections; each format's module gives
//! meaning to them. Points stay where they are in the file and are decoded when asked for ([`generic::Points`]).

mod calldata;
mod container;
mod contribution;
mod curve;
mod error;
mod fkey;
mod json;
mod key_file;
mod points;
mod proof;
mod ptau;
mod r1cs;
mod solidity;
mod words;
mod wtns;
mod zkey;

pub use bn254::*;
pub use calldata::calldata;
pub use contribution::Uncontributed;
pub use curve::{curve_name, curve_of};
pub use error::{Error, FileKind, Place, Problem};
pub use fkey::sign_fkey_for_tests;
pub use frumious_mapping::{
    Error as FileError, FileBytes, exit_on_truncated_mapping, open_regular_file,
};
pub use key_file::key_kind;
pub use solidity::solidity_verifier;
pub use zkey::{COEFFICIENT_BYTES, Coefficient, Matrix};

/// The formats over any [`PairingEngine`](frumious_curves::PairingEngine).
pub mod generic {
    pub use crate::fkey::{
        CompactRows, Fkey, KeyCoefficients, PresentEntries, StoredPoints, TemplateRows, write_fkey,
    };
    pub use crate::json::{open_public, public_from_json, public_to_json};
    pub use crate::key_file::KeyFile;
    pub use crate::points::Points;
    pub use crate::proof::{Proof, VerifyingKey};
    pub use crate::ptau::Ptau;
    pub use crate::r1cs::{
        Constraint, LinearCombination, R1cs, R1csBuilder, Term, Terms, write_system,
    };
    pub use crate::wtns::Wtns;
    pub use crate::zkey::{
        Coefficients, Contribution, Contributions, Zkey, ZkeyHeader, ZkeyWriter,
    };
}

macro_rules! formats_over {
    ($module:ident, $engine:ident, $name:literal) => {
        #[doc = concat!("The formats over ", $name, ".")]
        pub mod $module {
            use crate::{Error, generic};
            use frumious_curves::$engine;
            use frumious_curves::$module::{Fr, G1Affine, G2Affine};
            use std::path::Path;

            /// See [`generic::R1cs`].
            pub type R1cs = generic::R1cs<$engine>;
            /// See [`generic::R1csBuilder`].
            pub type R1csBuilder = generic::R1csBuilder<$engine>;
            /// See [`generic::Constraint`].
            pub type Constraint<'a> = generic::Constraint<'a, $engine>;
            /// See [`generic::LinearCombination`].
            pub type LinearCombination<'a> = generic::LinearCombination<'a, $engine>;
            /// See [`generic::Terms`].
            pub type Terms<'a> = generic::Terms<'a, $engine>;
            /// See [`generic::Term`].
            pub type Term = generic::Term<$engine>;
            /// See [`generic::Wtns`].
            pub type Wtns = generic::Wtns<$engine>;
            /// See [`generic::Zkey`].
            pub type Zkey = generic::Zkey<$engine>;
            /// See [`generic::Fkey`].
            pub type Fkey = generic::Fkey<$engine>;
            /// See [`generic::KeyFile`].
            pub type KeyFile = generic::KeyFile<$engine>;
            /// See [`generic::ZkeyHeader`].
            pub type ZkeyHeader = generic::ZkeyHeader<$engine>;
            /// See [`generic::ZkeyWriter`].
            pub type ZkeyWriter<W> = generic::ZkeyWriter<$engine, W>;
            /// See [`generic::Coefficients`].
            pub type Coefficients<'a> = generic::Coefficients<'a, $engine>;
            /// See [`generic::Contributions`].
            pub type Contributions = generic::Contributions<$engine>;
            /// See [`generic::Contribution`].
            pub type Contribution = generic::Contribution<$engine>;
            /// See [`generic::Ptau`].
            pub type Ptau = generic::Ptau<$engine>;
            /// See [`generic::Proof`].
            pub type Proof = generic::Proof<$engine>;
            /// See [`generic::VerifyingKey`].
            pub type VerifyingKey = generic::VerifyingKey<$engine>;
            /// Points of G1 in a file.
            pub type G1Points<'a> = generic::Points<'a, G1Affine>;
            /// Points of G2 in a file.
            pub type G2Points<'a> = generic::Points<'a, G2Affine>;

            /// Reads the public signals from the JSON file at `path`.
            ///
            /// # Errors
            /// As [`FileBytes::map`](crate::FileBytes::map) and [`public_from_json`].
            pub fn open_public(path: impl AsRef<Path>) -> Result<Vec<Fr>, Error> {
                generic::open_public(path)
            }

            /// Reads public signals: an array of strings of decimal digits, each below r.
            ///
            /// # Errors
            /// [`Error::Malformed`] with the path of the value: text that is not JSON, or anything else than such an array.
            pub fn public_from_json(json: impl AsRef<[u8]>) -> Result<Vec<Fr>, Error> {
                generic::public_from_json(json)
            }

            /// The public signals as JSON, byte for byte as snarkjs writes them (no newline at the end).
            pub fn public_to_json(public: &[Fr]) -> String {
                generic::public_to_json(public)
            }
        }
    };
}

formats_over!(bn254, Bn254, "BN254");
formats_over!(bls12_381, Bls12_381, "BLS12-381");
