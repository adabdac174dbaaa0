#![forbid(unsafe_code)]
//! The files of snarkjs, over BN254 and BLS12-381: a shelf for each proof system, and the powers of tau for all.
//!
//! | format | type | read | write |
//! |---|---|---|---|
//! | `.ptau` powers of tau | [`Ptau`] | mapped or owned, header validated, points on demand | [`phase1`] |
//! | constraint systems and witnesses as JSON | [`generic::write_r1cs_json`] | no | byte for byte as snarkjs |
//! | keys and powers of tau as JSON | [`generic::write_zkey_json`], [`generic::write_ptau_json`] | no | byte for byte as snarkjs |
//! | public signals as JSON | [`public_from_json`] | yes | byte for byte as snarkjs |
//! | keys, proofs and signals as arkworks, gnark and Sui have them | [`groth16::ByteLayout`] | yes | yes |
//! | Groth16: `.zkey`, `.fkey`, proof, verification key, Solidity | [`groth16`] | | |
//!
//! Names at the root are BN254's, those of [`bls12_381`] BLS12-381's; both are the types of [`generic`] over an engine
//! of `frumious_curves`. A file for one curve is refused by the types of the other; [`curve_of`] tells a file's curve.
//!
//! Every byte read is untrusted, as in `frumious_circom`, whose [`Error`](frumious_circom::Error) is used here; in JSON
//! it names the path of the value. Facts about the formats are those of snarkjs 0.7.6. Points stay where they are in
//! the file and are decoded when asked for ([`generic::Points`]).

mod big_endian;
mod curve;
mod encoding;
pub mod groth16;
mod json;
mod parameters;
pub mod phase1;
mod points;
mod ptau;
mod random;
mod settings;

pub use bn254::*;
pub use curve::curve_of;
pub use settings::{SETTINGS, settings_in_use};

/// The formats over any [`PairingEngine`](frumious_curves::PairingEngine).
pub mod generic {
    pub use crate::groth16::fkey::{
        CompactRows, Fkey, KeyCoefficients, PresentEntries, StoredPoints, TemplateRows, write_fkey,
    };
    pub use crate::groth16::key_file::KeyFile;
    pub use crate::groth16::zkey::{
        Coefficients, Contribution, Contributions, PublicKey, Zkey, ZkeyWriter,
    };
    pub use crate::json::{
        open_public, public_from_json, public_to_json, write_ptau_json, write_r1cs_json,
        write_r1cs_text, write_witness_json, write_zkey_json, zkey_from_json, zkey_json_curve,
    };
    pub use crate::points::Points;
    pub use crate::ptau::{Ptau, TauContribution, TauPublicKey};
}

macro_rules! formats_over {
    ($module:ident, $engine:ident, $name:literal) => {
        #[doc = concat!("The formats over ", $name, ".")]
        pub mod $module {
            use crate::{generic, groth16};
            use frumious_circom::Error;
            use frumious_curves::$engine;
            use frumious_curves::$module::{Fr, G1Affine, G2Affine};
            use frumious_groth16::{Proof, ProvingKey, VerifyingKey};
            use std::path::Path;

            /// See [`generic::Zkey`].
            pub type Zkey = generic::Zkey<$engine>;
            /// See [`generic::Fkey`].
            pub type Fkey = generic::Fkey<$engine>;
            /// See [`generic::KeyFile`].
            pub type KeyFile = generic::KeyFile<$engine>;
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
            /// Points of G1 in a file.
            pub type G1Points<'a> = generic::Points<'a, G1Affine>;
            /// Points of G2 in a file.
            pub type G2Points<'a> = generic::Points<'a, G2Affine>;

            /// See [`groth16::open_proving_key`].
            ///
            /// # Errors
            /// As there.
            pub fn open_proving_key(
                path: impl AsRef<Path>,
            ) -> Result<ProvingKey<$engine>, frumious_groth16::Error> {
                groth16::open_proving_key(path)
            }

            /// See [`groth16::proof_from_json`].
            ///
            /// # Errors
            /// As there.
            pub fn proof_from_json(json: impl AsRef<[u8]>) -> Result<Proof<$engine>, Error> {
                groth16::proof_from_json(json)
            }

            /// See [`groth16::open_proof`].
            ///
            /// # Errors
            /// As there.
            pub fn open_proof(path: impl AsRef<Path>) -> Result<Proof<$engine>, Error> {
                groth16::open_proof(path)
            }

            /// See [`groth16::verifying_key_from_json`].
            ///
            /// # Errors
            /// As there.
            pub fn verifying_key_from_json(
                json: impl AsRef<[u8]>,
            ) -> Result<VerifyingKey<$engine>, Error> {
                groth16::verifying_key_from_json(json)
            }

            /// See [`groth16::open_verifying_key`].
            ///
            /// # Errors
            /// As there.
            pub fn open_verifying_key(
                path: impl AsRef<Path>,
            ) -> Result<VerifyingKey<$engine>, Error> {
                groth16::open_verifying_key(path)
            }

            /// Reads the public signals from the JSON file at `path`.
            ///
            /// # Errors
            /// As [`FileBytes::map`](frumious_mapping::FileBytes::map) and [`public_from_json`].
            pub fn open_public(path: impl AsRef<Path>) -> Result<Vec<Fr>, Error> {
                generic::open_public(path)
            }

            /// Reads public signals: an array of strings of decimal digits, each below r.
            ///
            /// # Errors
            /// [`Error::Malformed`] with the path of the value: text that is not JSON, or anything but an array of
            /// numbers.
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
