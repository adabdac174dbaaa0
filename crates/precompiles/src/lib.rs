#![forbid(unsafe_code)]
//! Precompiled contracts of the Ethereum Virtual Machine that compute on elliptic curves, byte for byte.
//!
//! ```
//! # mod frumious { pub use ::frumious_precompiles as precompiles; }
//! use frumious::precompiles::Precompile;
//!
//! // two times the generator of BN254, by EIP-196's addition at address 6
//! let mut input = [0; 128];
//! (input[31], input[63], input[95], input[127]) = (1, 2, 1, 2);
//! let add = Precompile::at(6).expect("a precompile");
//! assert_eq!(add.gas(&input), 150);
//! let sum = add.run(&input)?;
//! assert_eq!(sum[..2], [0x03, 0x06]);
//!
//! // (1, 1) is no point: the call fails
//! input[63] = 1;
//! assert!(add.run(&input).is_err());
//! # Ok::<(), frumious::precompiles::Error>(())
//! ```
//!
//! Two contracts over curves are **not** here, and a machine needs them from elsewhere: `0x0a`, which evaluates KZG
//! commitments (EIP-4844), and `0x100`, P-256 (EIP-7951).
//!
//! A module each for a family; its functions take the call's input and give its output. An error is what the call fails
//! with, all its gas being spent. Everything is public data, so time depends on it.

pub mod bls12_381;
pub mod bn254;
pub mod ec_recover;
mod error;
mod input;

pub use error::Error;

/// A precompiled contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precompile {
    /// [`ec_recover::ec_recover`], address 1.
    EcRecover,
    /// [`bn254::add`], address 6.
    Bn254Add,
    /// [`bn254::mul`], address 7.
    Bn254Mul,
    /// [`bn254::pairing`], address 8.
    Bn254Pairing,
    /// [`bls12_381::g1_add`], address 11.
    Bls12G1Add,
    /// [`bls12_381::g1_msm`], address 12.
    Bls12G1Msm,
    /// [`bls12_381::g2_add`], address 13.
    Bls12G2Add,
    /// [`bls12_381::g2_msm`], address 14.
    Bls12G2Msm,
    /// [`bls12_381::pairing_check`], address 15.
    Bls12PairingCheck,
    /// [`bls12_381::map_fp_to_g1`], address 16.
    Bls12MapFpToG1,
    /// [`bls12_381::map_fp2_to_g2`], address 17.
    Bls12MapFp2ToG2,
}

impl Precompile {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::EcRecover,
        Self::Bn254Add,
        Self::Bn254Mul,
        Self::Bn254Pairing,
        Self::Bls12G1Add,
        Self::Bls12G1Msm,
        Self::Bls12G2Add,
        Self::Bls12G2Msm,
        Self::Bls12PairingCheck,
        Self::Bls12MapFpToG1,
        Self::Bls12MapFp2ToG2,
    ];

    /// The contract whose address is that number, if it is one of these. `None` does not say that there is no such
    /// contract.
    ///
    /// ```
    /// # mod frumious { pub use ::frumious_precompiles as precompiles; }
    /// use frumious::precompiles::Precompile;
    ///
    /// assert_eq!(Precompile::at(0x0b), Some(Precompile::Bls12G1Add));
    /// assert_eq!(Precompile::at(0x0a), None); // KZG, not here
    /// assert_eq!(Precompile::at(0x02), None); // SHA-256, not of curves
    /// ```
    pub fn at(address: u64) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|precompile| precompile.address() == address)
    }

    /// Its address, as a number.
    pub fn address(self) -> u64 {
        match self {
            Self::EcRecover => 1,
            Self::Bn254Add => 6,
            Self::Bn254Mul => 7,
            Self::Bn254Pairing => 8,
            Self::Bls12G1Add => 11,
            Self::Bls12G1Msm => 12,
            Self::Bls12G2Add => 13,
            Self::Bls12G2Msm => 14,
            Self::Bls12PairingCheck => 15,
            Self::Bls12MapFpToG1 => 16,
            Self::Bls12MapFp2ToG2 => 17,
        }
    }

    /// The gas of a call with that input, whether it succeeds or not.
    pub fn gas(self, input: &[u8]) -> u64 {
        match self {
            Self::EcRecover => ec_recover::GAS,
            Self::Bn254Add => bn254::ADD_GAS,
            Self::Bn254Mul => bn254::MUL_GAS,
            Self::Bn254Pairing => bn254::pairing_gas(input),
            Self::Bls12G1Add => bls12_381::G1_ADD_GAS,
            Self::Bls12G1Msm => bls12_381::g1_msm_gas(input),
            Self::Bls12G2Add => bls12_381::G2_ADD_GAS,
            Self::Bls12G2Msm => bls12_381::g2_msm_gas(input),
            Self::Bls12PairingCheck => bls12_381::pairing_check_gas(input),
            Self::Bls12MapFpToG1 => bls12_381::MAP_FP_TO_G1_GAS,
            Self::Bls12MapFp2ToG2 => bls12_381::MAP_FP2_TO_G2_GAS,
        }
    }

    /// The output of a call. Sums of many products are parallel over the pool of the caller.
    ///
    /// # Errors
    /// Those of the function named at the variant.
    pub fn run(self, input: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::EcRecover => Ok(ec_recover::ec_recover(input).map_or(vec![], Vec::from)),
            Self::Bn254Add => bn254::add(input).map(Vec::from),
            Self::Bn254Mul => bn254::mul(input).map(Vec::from),
            Self::Bn254Pairing => bn254::pairing(input).map(Vec::from),
            Self::Bls12G1Add => Ok(bls12_381::g1_add(input)?.to_vec()),
            Self::Bls12G1Msm => Ok(bls12_381::g1_msm(input)?.to_vec()),
            Self::Bls12G2Add => Ok(bls12_381::g2_add(input)?.to_vec()),
            Self::Bls12G2Msm => Ok(bls12_381::g2_msm(input)?.to_vec()),
            Self::Bls12PairingCheck => Ok(bls12_381::pairing_check(input)?.to_vec()),
            Self::Bls12MapFpToG1 => Ok(bls12_381::map_fp_to_g1(input)?.to_vec()),
            Self::Bls12MapFp2ToG2 => Ok(bls12_381::map_fp2_to_g2(input)?.to_vec()),
        }
    }
}
