#![forbid(unsafe_code)]
//! Precompiled contracts of the Ethereum Virtual Machine that compute on elliptic curves, byte for byte.
//!
//! ```
//! use frumious_precompiles::Precompile;
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
//! # Ok::<(), frumious_precompiles::Error>(())
//! ```
//!
//! A module each for a family; its functions take the call's input and give its output. An error is what the call fails with, all its
//! gas being spent. Everything is public data, so time depends on it.

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
}

impl Precompile {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::EcRecover,
        Self::Bn254Add,
        Self::Bn254Mul,
        Self::Bn254Pairing,
    ];

    /// The contract whose address is that number, if it is one of these.
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
        }
    }

    /// What a call with that input costs, whether it succeeds or not.
    pub fn gas(self, input: &[u8]) -> u64 {
        match self {
            Self::EcRecover => ec_recover::GAS,
            Self::Bn254Add => bn254::ADD_GAS,
            Self::Bn254Mul => bn254::MUL_GAS,
            Self::Bn254Pairing => bn254::pairing_gas(input),
        }
    }

    /// The output of a call. Errors: those of the function named at the variant.
    pub fn run(self, input: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::EcRecover => Ok(ec_recover::ec_recover(input).map_or(vec![], Vec::from)),
            Self::Bn254Add => bn254::add(input).map(Vec::from),
            Self::Bn254Mul => bn254::mul(input).map(Vec::from),
            Self::Bn254Pairing => bn254::pairing(input).map(Vec::from),
        }
    }
}
