#![forbid(unsafe_code)]
//! Frumious: prover-grade elliptic-curve cryptography on ordinary CPUs. This crate is the library's one name: the
//! chapters below are crates of their own, re-exported.
//!
//! From a constraint system to a verified proof, in memory:
//!
//! ```
//! use frumious::curves::Bn254;
//! use frumious::curves::bn254::Fr;
//! use frumious::field::Integer;
//! use frumious::groth16::{
//!     KeyVectors, ProveOptions, ProvingKey, SetupOptions, Witness, prove, setup_dev, verify,
//! };
//! use frumious::r1cs::{BodyBuilder, Interface, SystemBuilder};
//! use frumious::snarkjs::groth16::proof_to_json;
//!
//! // "I know two factors of the public number": product = a · b.
//! let mut builder = SystemBuilder::<Fr>::new();
//! let mut main = BodyBuilder::main();
//! let [product, a, b] = [(); 3].map(|()| main.own_wire());
//! builder.constrain(&mut main, &[(a, Fr::ONE)], &[(b, Fr::ONE)], &[(product, Fr::ONE)]);
//! let circuit = builder.finish(main, Interface { public_outputs: 1, public_inputs: 0, private_inputs: 2 });
//!
//! // A key without a ceremony: for demonstrations only.
//! let mut key = KeyVectors::<Bn254>::new();
//! setup_dev(&circuit, &mut key, &SetupOptions::default())?;
//! let key = ProvingKey::new(Box::new(key))?;
//!
//! // The witness: the constant one, the product, the factors.
//! let witness = [1, 391, 17, 23].map(Integer::from_u64);
//! let (proof, public) = prove(&key, &Witness::new(&witness), &ProveOptions::default())?;
//! assert_eq!(public, [Fr::from_u64(391)]);
//!
//! assert!(verify(key.verifying_key(), &public, &proof)?);
//! assert!(!verify(key.verifying_key(), &[Fr::from_u64(392)], &proof)?);
//! println!("{}", proof_to_json(&proof)); // as snarkjs writes it
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With files of circom and snarkjs: `snarkjs::Zkey::open` maps a key, `snarkjs::groth16::proving_key` prepares it,
//! `circom::Wtns::open` maps a witness, `snarkjs::groth16::prove` proves. A service makes one
//! [`ProvingKey`](groth16::ProvingKey) and shares it between its threads.
//!
//! | chapter | holds |
//! |---|---|
//! | [`groth16`] | setup, prove, verify |
//! | [`verkle`] | commitments, multiproofs, trees of EIP-6800, execution witnesses |
//! | [`bls`] | signatures over BLS12-381, hashing to its groups |
//! | [`signatures`] | ECDSA and BIP-340 Schnorr over secp256k1 |
//! | [`precompiles`] | precompiled contracts of the Ethereum Virtual Machine |
//! | [`r1cs`] | constraint systems in little memory; circuits in Rust, gadgets |
//! | [`circom`] | `.r1cs`, `.wtns` |
//! | [`snarkjs`] | `.zkey`, `.fkey`, `.ptau`, JSON, Solidity |
//! | [`msm`], [`fft`] | sums of points, over tables too; transforms |
//! | [`curves`] | BN254, BLS12-381, Bandersnatch and Banderwagon: fields, groups, pairing, encodings |
//! | [`field`] | the field traits, batch inversion, square roots |
//! | [`limbs`] | integers of 64-bit words, Montgomery arithmetic, backends |

pub use frumious_bls as bls;
pub use frumious_circom as circom;
pub use frumious_curves as curves;
pub use frumious_fft as fft;
pub use frumious_field as field;
pub use frumious_groth16 as groth16;
pub use frumious_limbs as limbs;
pub use frumious_msm as msm;
pub use frumious_precompiles as precompiles;
pub use frumious_r1cs as r1cs;
pub use frumious_signatures as signatures;
pub use frumious_snarkjs as snarkjs;
pub use frumious_verkle as verkle;
