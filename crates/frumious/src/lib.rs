#![forbid(unsafe_code)]
//! Frumious: prover-grade elliptic-curve cryptography on ordinary CPUs. This crate is the library's one name: the chapters
//! below are crates of their own, re-exported.
//!
//! From a constraint system to a verified proof, in memory:
//!
//! ```
//! use frumious::circom::{R1csBuilder, Wtns, Zkey};
//! use frumious::curves::bn254::Fr;
//! use frumious::field::Integer;
//! use frumious::groth16::{ProveOptions, ProvingKey, prove, setup_dev, verify};
//!
//! // "I know two factors of the public number wire 1": wire 2 times wire 3.
//! let mut circuit = R1csBuilder::new(1, 0, 2);
//! circuit.constraint(&[(2, Fr::ONE)], &[(3, Fr::ONE)], &[(1, Fr::ONE)]);
//! let circuit = circuit.build();
//!
//! // A key without a ceremony: for demonstrations only.
//! let mut zkey = Vec::new();
//! setup_dev(&circuit, &mut zkey)?;
//! let key = ProvingKey::new(Zkey::from_bytes(zkey)?)?;
//!
//! // The witness: the constant one, the product, the factors.
//! let witness = Wtns::new([1, 391, 17, 23].map(Integer::from_u64).to_vec())?;
//! let (proof, public) = prove(&key, &witness, &ProveOptions::default())?;
//! assert_eq!(public, [Fr::from_u64(391)]);
//!
//! assert!(verify(key.verifying_key(), &public, &proof)?);
//! assert!(!verify(key.verifying_key(), &[Fr::from_u64(392)], &proof)?);
//! println!("{}", proof.to_json()); // as snarkjs writes it
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With files of circom and snarkjs, `Zkey::open` maps a key and `Wtns::open` maps a witness; a service makes one
//! [`ProvingKey`](groth16::ProvingKey) and shares it between its threads.
//!
//! | chapter | what |
//! |---|---|
//! | [`groth16`] | setup, prove, verify |
//! | [`verkle`] | commitments, multiproofs, trees of EIP-6800, execution witnesses |
//! | [`bls`] | signatures over BLS12-381, hashing to its groups |
//! | [`signatures`] | ECDSA and BIP-340 Schnorr over secp256k1 |
//! | [`precompiles`] | precompiled contracts of the Ethereum Virtual Machine |
//! | [`r1cs`] | constraint systems in little memory; circuits in Rust, gadgets |
//! | [`circom`] | `.r1cs`, `.wtns`, `.zkey`, `.ptau`, JSON, Solidity |
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
