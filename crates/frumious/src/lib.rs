#![forbid(unsafe_code)]
//! Frumious: prover-grade elliptic-curve cryptography on ordinary CPUs. This crate is the library's one name: the
//! chapters below are crates of their own, re-exported.
//!
//! Fields and groups are always there. Every other chapter is behind a feature of its name, so that a program compiles
//! what it uses: `cargo add frumious --features groth16`.
//!
//! ```
//! use frumious::curves::bn254::{Fr, G1Projective};
//!
//! let x: Fr = "21888242871839275222246405745257275088548364400416034343698204186575808495616".parse()?;
//! assert_eq!(x + Fr::from(1), Fr::from(0)); // the largest element
//! assert_eq!((1..=10).map(Fr::from).sum::<Fr>(), Fr::from(55));
//! assert_eq!(G1Projective::GENERATOR * x, -G1Projective::GENERATOR);
//! println!("{} {:?}", x, x.pow(&[3])); // decimal digits; hexadecimal ones
//! # Ok::<(), frumious::field::ParseElementError>(())
//! ```
//!
//! From a circuit to a verified proof, in memory (feature `groth16`):
#![cfg_attr(feature = "groth16", doc = "```")]
#![cfg_attr(not(feature = "groth16"), doc = "```ignore")]
//! use frumious::curves::bn254::Fr;
//! use frumious::groth16::{ProveOptions, ProvingKey, prove, verify};
//! use frumious::r1cs::{Circuit, Inputs, Names};
//! use frumious::snarkjs::groth16::proof_to_json;
//!
//! // "I know two factors of the public number": product = a · b.
//! let names = Names::new().public_output("product", 1).private_input("factors", 2);
//! let circuit = Circuit::<Fr>::define(&names, |main, io| {
//!     main.define_product(io["product"][0], io["factors"][0], io["factors"][1]);
//! });
//!
//! // A key without a ceremony: for demonstrations only. Ceremonies: `open_proving_key("circuit.zkey")`.
//! let key = ProvingKey::dev(circuit.system())?;
//!
//! let mut inputs = Inputs::new();
//! inputs.set("factors", &[Fr::from(17), Fr::from(23)]);
//! let witness = circuit.witness(&inputs)?;
//! let (proof, public) = prove(&key, &witness, &ProveOptions::default())?;
//! assert_eq!(public, [Fr::from(391)]);
//!
//! assert!(verify(key.verifying_key(), &public, &proof)?);
//! assert!(!verify(key.verifying_key(), &[Fr::from(392)], &proof)?);
//! println!("{}", proof_to_json(&proof)); // as snarkjs writes it
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With files of circom and snarkjs: `snarkjs::open_proving_key` maps and prepares a `.zkey` or `.fkey`,
//! `circom::Wtns::open` maps a witness, `snarkjs::groth16::prove` proves. A service makes one `groth16::ProvingKey` and
//! shares it between its threads. A witness in memory is any slice of elements, the constant one first.
//!
//! | chapter | feature | holds |
//! |---|---|---|
//! | `groth16` | `groth16` | setup, prove, verify |
//! | `r1cs` | `groth16` | constraint systems in little memory; circuits in Rust, gadgets |
//! | `circom` | `groth16`, `witness` | `.r1cs`, `.wtns` |
//! | `snarkjs` | `groth16` | `.zkey`, `.fkey`, `.ptau`, JSON, Solidity |
//! | `witness` | `witness` | circom's witness generators |
//! | `verkle` | `verkle` | commitments, multiproofs, trees of EIP-6800, execution witnesses |
//! | `bls` | `signatures` | signatures over BLS12-381, hashing to its groups |
//! | `signatures` | `signatures` | ECDSA and BIP-340 Schnorr over secp256k1 |
//! | `precompiles` | `precompiles` | precompiled contracts of the Ethereum Virtual Machine |
//! | `msm`, `fft` | `msm`, `fft`, `groth16` | sums of points, over tables too; transforms |
//! | [`curves`] | | BN254, BLS12-381, Bandersnatch and Banderwagon, secp256k1: fields, groups, pairing, encodings |
//! | [`field`] | | the field traits, batch inversion, square roots |
//! | [`limbs`] | | integers of 64-bit words, Montgomery arithmetic, backends |
//!
//! The feature `serde` is for field elements and points; `full` is everything. Five whole programs are in this crate's
//! `examples/`, and "Ten minutes with the library" is `docs/library.md`.

// A module for each, as the compiler's messages would call a re-exported crate by its own name.
/// BLS signatures over BLS12-381, and hashing to its groups.
#[cfg(feature = "signatures")]
pub mod bls {
    #[doc(inline)]
    pub use frumious_bls::*;
}

/// The files of circom: `.r1cs` and `.wtns`.
#[cfg(any(feature = "groth16", feature = "witness"))]
pub mod circom {
    #[doc(inline)]
    pub use frumious_circom::*;
}

/// Fields, groups, pairings and encodings, a module for each curve.
pub mod curves {
    #[doc(inline)]
    pub use frumious_curves::*;
}

/// Transforms between coefficients and values of a polynomial.
#[cfg(feature = "fft")]
pub mod fft {
    #[doc(inline)]
    pub use frumious_fft::*;
}

/// The field traits, batch inversion, square roots, integers below a modulus.
pub mod field {
    #[doc(inline)]
    pub use frumious_field::*;
}

/// Groth16: setup, prover and verifier.
#[cfg(feature = "groth16")]
pub mod groth16 {
    #[doc(inline)]
    pub use frumious_groth16::*;
}

/// Integers of 64-bit words, Montgomery arithmetic, backends.
pub mod limbs {
    #[doc(inline)]
    pub use frumious_limbs::*;
}

/// Sums of many points, over tables too.
#[cfg(feature = "msm")]
pub mod msm {
    #[doc(inline)]
    pub use frumious_msm::*;
}

/// Precompiled contracts of the Ethereum Virtual Machine.
#[cfg(feature = "precompiles")]
pub mod precompiles {
    #[doc(inline)]
    pub use frumious_precompiles::*;
}

/// Constraint systems in little memory; circuits in Rust, and gadgets for them.
#[cfg(feature = "groth16")]
pub mod r1cs {
    #[doc(inline)]
    pub use frumious_r1cs::*;
}

/// ECDSA and BIP-340 Schnorr signatures over secp256k1.
#[cfg(feature = "signatures")]
pub mod signatures {
    #[doc(inline)]
    pub use frumious_signatures::*;
}

/// The files of snarkjs: keys, powers of tau, JSON, Solidity.
#[cfg(feature = "groth16")]
pub mod snarkjs {
    #[doc(inline)]
    pub use frumious_snarkjs::*;
}

/// Verkle trees: commitments, multiproofs, execution witnesses.
#[cfg(feature = "verkle")]
pub mod verkle {
    #[doc(inline)]
    pub use frumious_verkle::*;
}

/// Witness generators of circom.
#[cfg(feature = "witness")]
pub mod witness {
    #[doc(inline)]
    pub use frumious_witness::*;
}

#[cfg(test)]
mod tests;

/// The code of `docs/library.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
mod library {}
