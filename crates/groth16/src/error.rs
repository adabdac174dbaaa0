//! Errors of Groth16, by event of the protocol.

use frumious_curves::{EncodingError, RandomError};
use frumious_r1cs::SourceError;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// A reason to refuse a key, a witness, a setup or a statement.
///
/// A well-formed proof that is merely false is not an error: [`verify`](crate::verify()) answers `Ok(false)`. No
/// variant carries a value of the witness or of the blinding factors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A source of a key or of constraints, or a sink of a key, failed. The error is its own, and tells the place.
    #[error(transparent)]
    Source(SourceError),

    /// The witness has another number of values than the key has wires.
    #[error(
        "the witness has {actual} values but the key expects {expected}: it belongs to another circuit"
    )]
    WitnessLength {
        /// Number of wires of the key.
        expected: usize,
        /// Number of values given.
        actual: usize,
    },

    /// A shard is asked for of entries that the key's part has not, or of a part that is not summed.
    #[error("part {part} has no such entries: it has {entries} that are summed")]
    NoSuchEntries {
        /// Name of the part.
        part: &'static str,
        /// Its entries that are summed.
        entries: usize,
    },

    /// The proof made from this witness does not verify.
    #[error("the witness does not satisfy the circuit (or belongs to another key)")]
    Unsatisfied,

    /// A proof made with the key has a point outside its group, so the key has; it may be hostile. No proof is
    /// returned.
    #[error(
        "the key is corrupt or hostile: {point} of the proof made with it is outside its group ({reason}), \
         and so is a point of the key's {}",
        point.parts_of_key()
    )]
    KeyOutsideGroup {
        /// The point of the proof.
        point: ProofPoint,
        /// The rule that it breaks.
        reason: EncodingError,
    },

    /// A point of a proof to verify is off its curve or outside its group.
    #[error("{point} of the proof: {reason}")]
    ProofPoint {
        /// The point.
        point: ProofPoint,
        /// The rule that it breaks.
        reason: EncodingError,
    },

    /// A point of a verification key is off its curve, outside its group, or at infinity.
    #[error("{point} of the verification key: {fault}")]
    VerifyingKeyPoint {
        /// The point.
        point: VerifyingKeyPoint,
        /// The rule that it breaks.
        fault: PointFault,
    },

    /// A verification key has no IC point, not even the constant's.
    #[error("the verification key has no IC point, not even that of the constant")]
    NoConstantPoint,

    /// The number of public signals differs from the verifying key's.
    #[error("{actual} public signals given but the verifying key expects {expected}")]
    PublicInputs {
        /// Number the verifying key expects.
        expected: usize,
        /// Number given.
        actual: usize,
    },

    /// The circuit needs a larger domain than the powers of tau, or the curve, offer.
    #[error("the circuit needs a domain of 2^{needed} but only 2^{available} is available")]
    CircuitTooLarge {
        /// Binary logarithm of the domain the circuit needs.
        needed: u32,
        /// Binary logarithm of the largest domain there is.
        available: u32,
    },

    /// The matrices have more coefficients than 32 bits can count.
    #[error("the circuit has {records} coefficients, more than 32 bits can count")]
    TooManyCoefficients {
        /// Number of coefficients of the key, or of one matrix.
        records: u64,
    },

    /// A setup or a proof needs more memory than it may take, however it is divided.
    #[error("at least {needed} bytes of memory are needed but the limit is {limit}")]
    MemoryLimit {
        /// The least that does, in bytes.
        needed: u64,
        /// The memory that was allowed, in bytes.
        limit: u64,
    },

    /// The temporary file of a proof in little memory cannot be made, written or read.
    #[error("temporary file in {}: {source}", dir.display())]
    Spill {
        /// The folder.
        dir: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },

    /// The seed of a development setup is too short or too long.
    #[error(
        "the seed has {actual} bytes but must have {} to {}",
        allowed.start(),
        allowed.end()
    )]
    SeedLength {
        /// Its bytes.
        actual: usize,
        /// The lengths that are allowed.
        allowed: std::ops::RangeInclusive<usize>,
    },

    /// The operating system gave no random bytes.
    #[error(transparent)]
    Randomness(#[from] RandomError),
}

impl Error {
    /// The error of a source or sink that was at fault, if it is of type `T`.
    pub fn source_as<T: std::error::Error + 'static>(&self) -> Option<&T> {
        match self {
            Self::Source(error) => error.downcast_ref(),
            _ => None,
        }
    }

    pub(crate) fn spill(dir: &Path, source: io::Error) -> Self {
        Self::Spill {
            dir: dir.into(),
            source,
        }
    }
}

/// One of the three points of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProofPoint {
    /// A, in G1.
    A,
    /// B, in G2.
    B,
    /// C, in G1.
    C,
}

impl ProofPoint {
    /// The parts of a proving key whose points are summed in this one.
    pub const fn parts_of_key(self) -> &'static str {
        match self {
            Self::A => "part A",
            Self::B => "part B2",
            Self::C => "parts A, B1, C or H",
        }
    }
}

impl fmt::Display for ProofPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// One of the points of a verification key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VerifyingKeyPoint {
    /// α, in G1.
    Alpha,
    /// β, in G2.
    Beta,
    /// γ, in G2.
    Gamma,
    /// δ, in G2.
    Delta,
    /// The point of the constant (0) or of a public signal (from 1), in G1.
    Ic(usize),
}

impl fmt::Display for VerifyingKeyPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alpha => f.write_str("alpha"),
            Self::Beta => f.write_str("beta"),
            Self::Gamma => f.write_str("gamma"),
            Self::Delta => f.write_str("delta"),
            Self::Ic(index) => write!(f, "IC[{index}]"),
        }
    }
}

/// A fault of a point that should be in a group of prime order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointFault {
    /// It is off the curve, or outside the group.
    #[error(transparent)]
    Outside(#[from] EncodingError),
    /// It is the point at infinity, where the protocol is not sound with it.
    #[error("the point is the point at infinity")]
    Infinity,
}
