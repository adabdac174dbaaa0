//! Errors in inputs. A false statement is no error: verification answers `Ok(false)`.

use frumious_curves::EncodingError;

/// The reason that an input was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A proof has as many bytes as the format says, no more and no fewer.
    #[error("proof: {found} bytes, expected {expected}")]
    ProofLength {
        /// Bytes given.
        found: usize,
        /// Bytes of the format.
        expected: usize,
    },
    /// Bytes of a proof that encode no element.
    #[error("proof: {part} at byte {offset}: {error}")]
    ProofElement {
        /// Which element.
        part: Part,
        /// Its first byte.
        offset: usize,
        /// The fault.
        #[source]
        error: EncodingError,
    },
    /// The last scalar of a proof is not below the modulus.
    #[error("proof: scalar at byte {offset}: not below the modulus")]
    ProofScalar {
        /// Its first byte.
        offset: usize,
    },
    /// A multiproof is of at least one opening.
    #[error("no openings")]
    NoOpenings,
    /// More values than the domain has points.
    #[error("{found} values, at most 256 can be committed to")]
    TooManyValues {
        /// Values given.
        found: usize,
    },
    /// An index outside of the domain.
    #[error("index {index} of a value, at most 255")]
    Index {
        /// The index given.
        index: usize,
    },
}

/// An element of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The commitment to the quotients.
    D,
    /// The left cross term of a round, 0 to 7.
    L(usize),
    /// The right cross term of a round, 0 to 7.
    R(usize),
}

impl core::fmt::Display for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::D => f.write_str("D"),
            Self::L(round) => write!(f, "L[{round}]"),
            Self::R(round) => write!(f, "R[{round}]"),
        }
    }
}
